/** What must hold for every input, whatever its texts are. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildContext } from './build-context.ts';
import { CACHE_SENTINEL as S } from './data/escape.ts';
import { storeOf } from './data/inject.ts';
import { checkCover, params } from './testing/params.ts';
import { en, zh } from './testing/texts.ts';
import type { BuildParams, HistoryRecord, LoreContribution, PromptSegment } from './types.ts';

/** Text made of what could hurt: sentinels, tags, templates, blank lines. */
const text = fc
  .array(
    fc.oneof(
      fc.string(),
      fc.constantFrom(
        S,
        '\ue000',
        '</world-lore>',
        '</runtime-inputs>',
        '</codex>',
        '<codex>',
        '{{ player.message }}',
        '\n',
        '\n\n',
        ' ',
        '雾',
        '&',
        '<',
      ),
    ),
    { maxLength: 4 },
  )
  .map((bits) => bits.join(''));

const role = fc.constantFrom('system', 'user', 'assistant') satisfies fc.Arbitrary<'system' | 'user' | 'assistant'>;
const segment: fc.Arbitrary<PromptSegment> = fc.record({
  id: fc.string({ maxLength: 3 }),
  content: text,
  position: fc.oneof(
    fc.constantFrom('system', 'pre-history', 'post-history'),
    fc.record({ depth: fc.integer({ min: -1, max: 6 }) }),
  ),
  role,
  audience: fc.constantFrom('all', 'self', 'story'),
  volatility: fc.constantFrom('stable', 'session', 'turn'),
  order: fc.integer({ min: -2, max: 2 }),
  providerPluginId: fc.constantFrom('narrator', 'memory'),
});
const row: fc.Arbitrary<HistoryRecord> = fc.record({ role, content: text, turnId: fc.constantFrom('t1', 't2', 't3') });
const lore: fc.Arbitrary<LoreContribution> = fc.record({
  kind: fc.constant('lore_entry'),
  content: text,
  position: fc.constantFrom('before_plugin', 'after_plugin', 'at_depth'),
  order: fc.integer({ min: 0, max: 3 }),
  depth: fc.integer({ min: 0, max: 5 }),
});

const input = fc
  .record({
    promptTemplate: text,
    world: text,
    said: text,
    segments: fc.array(segment, { maxLength: 6 }),
    history: fc.array(row, { maxLength: 6 }),
    story: fc.array(row, { maxLength: 2 }),
    lore: fc.array(lore, { maxLength: 4 }),
    slot: text,
    data: fc.array(text, { maxLength: 3 }),
    summaries: fc.array(text, { maxLength: 2 }),
    isStory: fc.boolean(),
    locale: fc.constantFrom(undefined, 'en-US', 'zh-CN', '../x'),
    inject: fc.boolean(),
    budget: fc.option(fc.integer({ min: 20, max: 400 })),
  })
  .map((given): BuildParams =>
    params({
      promptTemplate: given.promptTemplate,
      manifest: {
        ...(given.isStory ? { outputKind: 'story' } : {}),
        input: { inject: [{ kind: 'plugin-data', namespace: 'codex', as: '<codex>' }] },
      },
      turnInput: { playerMessage: given.said, ...(given.locale === undefined ? {} : { locale: given.locale }) },
      promptSegments: given.segments,
      messageHistory: given.history,
      executionStory: given.story,
      sessionContext: { world: { lore: given.world }, contributions: given.lore },
      inputSlots: { n: { cardinality: 'one', value: given.slot, source: { pluginId: 'p', runtimeId: 'r' } } },
      store: storeOf(
        given.data.map((value, i) => ({
          pluginId: 'narrator',
          namespace: 'codex',
          key: `k${i}`,
          value,
          createdAt: `${i}`,
          updatedAt: `${i}`,
        })),
      ),
      summaries: given.summaries.map((content, i) => ({ id: `x${i}`, content, focusSections: [content] })),
      injectCacheBreakpoints: given.inject,
      ...(given.budget === null
        ? {}
        : {
            estimator: (one: string) => Math.ceil(one.length / 4),
            contextBudget: { maxInputTokens: given.budget, reservedForResponse: 5 },
          }),
    }),
  );

const count = (whole: string, part: string): number => whole.split(part).length - 1;

describe('for every input', () => {
  test('the segments cover every text once, and the same input gives the same bytes', () =>
    fc.assert(
      fc.asyncProperty(input, fc.constantFrom(en, zh), async (given, texts) => {
        const context = await buildContext(given, texts);
        checkCover(context);
        expect(JSON.stringify(await buildContext(given, texts))).toBe(JSON.stringify(context));
      }),
    ));

  test('no text becomes a breakpoint, and messages hold no sentinel', () =>
    fc.assert(
      fc.asyncProperty(input, async (given) => {
        const { systemPrompt, messages, frameworkHead } = await buildContext(given, en);
        const plain = await buildContext({ ...given, injectCacheBreakpoints: false }, en);
        expect(plain.systemPrompt).not.toContain('\ue000');
        expect(count(systemPrompt, S)).toBeLessThanOrEqual(given.injectCacheBreakpoints ? 4 : 0);
        expect(systemPrompt.replaceAll(S, '')).toBe(plain.systemPrompt);
        expect(systemPrompt.startsWith(frameworkHead)).toBe(true);
        for (const { content } of messages) expect(content).not.toContain('\ue000');
      }),
    ));

  test('data neither closes nor opens a block', () =>
    fc.assert(
      fc.asyncProperty(input, async (given) => {
        const { segmented } = await buildContext({ ...given, estimator: undefined } as never, en);
        const blocks = segmented
          .flatMap(({ segments }) => segments)
          .filter(({ kind, label }) => kind === 'turn-context' && (label === 'codex' || label === 'runtime-inputs'));
        for (const { label, text: block } of blocks) {
          expect(count(block, `<${label}>`)).toBe(1);
          expect(count(block, `</${label}>`)).toBe(1);
        }
      }),
    ));

  test('turns that differ in turn data alone share system prompt and everything before the turn context', () =>
    fc.assert(
      fc.asyncProperty(input, text, text, fc.array(row, { maxLength: 2 }), async (given, said, value, added) => {
        const lasting = (given.promptSegments ?? []).filter(
          ({ position, volatility }) =>
            typeof position === 'string' &&
            (volatility !== 'turn' || position === 'system' || position === 'post-history'),
        );
        const turn = async (over: Partial<BuildParams>) =>
          buildContext(
            {
              ...given,
              promptTemplate: given.promptTemplate.replaceAll('{{ player.message }}', ''),
              promptSegments: lasting,
              executionStory: [],
              sessionContext: {
                ...given.sessionContext,
                contributions: (given.sessionContext?.contributions ?? []).filter(
                  ({ position }) => position !== 'at_depth',
                ),
              },
              estimator: undefined,
              ...over,
            } as BuildParams,
            en,
          );
        const history = given.messageHistory ?? [];
        const first = await turn({});
        const second = await turn({
          turnInput: { ...given.turnInput, playerMessage: said },
          inputSlots: { n: { cardinality: 'one', value, source: { pluginId: 'p', runtimeId: 'r' } } },
          messageHistory: [...history, ...added],
        });
        expect(second.systemPrompt).toBe(first.systemPrompt);
        const before = first.segmented.findIndex(({ segments }) => segments[0]?.kind === 'turn-context');
        expect(before).toBeGreaterThanOrEqual(0);
        expect(JSON.stringify(second.messages.slice(0, before))).toBe(JSON.stringify(first.messages.slice(0, before)));
      }),
    ));

  test('nothing that is passed in is changed', () =>
    fc.assert(
      fc.asyncProperty(input, async (given) => {
        const { store: _store, estimator: _estimator, ...plain } = given;
        const before = structuredClone(plain);
        await buildContext(given, en);
        expect(plain).toEqual(before);
      }),
    ));
});
