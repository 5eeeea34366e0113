/** Inputs of `buildContext` at random, made of what could hurt: sentinels and halves of them, tags, templates, blank lines. */
import fc from 'fast-check';
import { CACHE_SENTINEL } from '../data/escape.ts';
import { storeOf } from '../data/inject.ts';
import type { Activation, BuildParams, HistoryRecord, LoreContribution, PromptSegment, Slot } from '../types.ts';
import { params } from './params.ts';

/** Tags of blocks that the assembler writes around data, and of the two blocks that the inputs here declare. */
export const DATA_TAGS = ['codex', 'scene', 'runtime-inputs', 'runtime-exports', 'runtime-activation'] as const;
const TAGS = [...DATA_TAGS, 'world-lore', 'available-events', 'compacted_history'];

/** A variable that every input has, as data must never write it. */
export const TEMPLATE = '{{ player.message }}';
/** A tag that would close a block. */
export const CLOSING = new RegExp(`</(?:${TAGS.join('|')})>`);

const bit = fc.oneof(
  { weight: 3, arbitrary: fc.string() },
  { weight: 2, arbitrary: fc.constantFrom(...TAGS.flatMap((tag) => [`</${tag}>`, `<${tag}>`])) },
  { weight: 2, arbitrary: fc.constant(TEMPLATE) },
  { weight: 3, arbitrary: fc.constantFrom(CACHE_SENTINEL, '\ue000', '\n', '\n\n', ' ', '雾', '&', '<', '&lt;') },
);
export const hostileText = fc.array(bit, { maxLength: 4 }).map((bits) => bits.join(''));

const role = fc.constantFrom('system', 'user', 'assistant') satisfies fc.Arbitrary<'system' | 'user' | 'assistant'>;
const segment: fc.Arbitrary<PromptSegment> = fc.record({
  id: fc.string({ maxLength: 3 }),
  content: hostileText,
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

const plainRow: fc.Arbitrary<HistoryRecord> = fc.record(
  {
    role,
    content: hostileText,
    turnId: fc.constantFrom('t1', 't2', 't3'),
    name: fc.constantFrom('narrator', 'guide'),
    compactedAtTurnId: fc.constantFrom('x0', 'x1', 'gone'),
  },
  { requiredKeys: ['role', 'content', 'turnId'] },
);
const pictureRow: fc.Arbitrary<HistoryRecord> = hostileText.map((caption) => ({
  role: 'user',
  sourceType: 'system',
  content: `A picture: ${caption}`,
  turnId: 't2',
  ui: [
    {
      type: 'asset.generate',
      data: { modality: 'image', ref: { id: 'p', mime: 'image/png', size: 9 }, meta: { caption } },
    },
  ],
}));
export const historyRow = fc.oneof({ weight: 5, arbitrary: plainRow }, { weight: 1, arbitrary: pictureRow });

const lore: fc.Arbitrary<LoreContribution> = fc.record({
  kind: fc.constant('lore_entry'),
  content: hostileText,
  position: fc.constantFrom('before_plugin', 'after_plugin', 'at_depth'),
  order: fc.integer({ min: 0, max: 3 }),
  depth: fc.integer({ min: 0, max: 5 }),
});

/** What a turn brings: everything here may stand in the turn context and nowhere before it. */
export const turnData = fc
  .record({
    slot: hostileText,
    item: hostileText,
    key: hostileText,
    rows: fc.array(hostileText, { maxLength: 3 }),
    scene: fc.option(hostileText),
    payload: hostileText,
    source: fc.constantFrom<Activation['source'] | null>('event', 'manual', null),
  })
  .map(({ slot, item, key, rows, scene, payload, source }) => {
    const from = { pluginId: 'p', runtimeId: 'r' };
    const exportSlots: { [name: string]: Slot } = {
      [key]: { cardinality: 'all', items: [{ value: item, source: from }] },
    };
    return {
      inputSlots: { n: { cardinality: 'one', value: slot, source: from } },
      exportSlots,
      completedResults: new Map(scene === null ? [] : [['dig/north', { output: { text: scene } }]]),
      ...(source === null ? {} : { activation: { source, detached: false, payload: { [key]: payload } } }),
      store: storeOf(
        rows.map((value, i) => ({
          pluginId: 'narrator',
          namespace: 'codex',
          key: `k${i}${key}`,
          value,
          createdAt: `${i}`,
          updatedAt: `${i}`,
        })),
      ),
    } satisfies Partial<BuildParams>;
  });

export const anyInput: fc.Arbitrary<BuildParams> = fc
  .record({
    promptTemplate: hostileText,
    world: hostileText,
    events: hostileText,
    said: hostileText,
    segments: fc.array(segment, { maxLength: 6 }),
    history: fc.array(historyRow, { maxLength: 6 }),
    story: fc.array(plainRow, { maxLength: 2 }),
    lore: fc.array(lore, { maxLength: 4 }),
    data: turnData,
    staged: fc.boolean(),
    summaries: fc.array(hostileText, { maxLength: 2 }),
    isStory: fc.boolean(),
    pictures: fc.nat({ max: 2 }),
    locale: fc.constantFrom(undefined, 'en-US', 'zh-CN', '../x'),
    breakpoints: fc.boolean(),
    budget: fc.option(fc.integer({ min: 20, max: 400 })),
  })
  .map((given) =>
    params({
      ...given.data,
      ...(given.staged && given.data.activation ? { activation: { ...given.data.activation, source: 'stage' } } : {}),
      promptTemplate: given.promptTemplate,
      manifest: {
        ...(given.isStory ? { outputKind: 'story' } : {}),
        advertiseEvents: true,
        input: {
          inject: [
            { kind: 'plugin-data', namespace: 'codex', as: '<codex>' },
            { kind: 'runtime', from: 'dig/north', field: 'text', as: '<scene>' },
          ],
        },
      },
      turnInput: { playerMessage: given.said, ...(given.locale === undefined ? {} : { locale: given.locale }) },
      eventCatalogText: given.events,
      promptSegments: given.segments,
      messageHistory: given.history,
      executionStory: given.story,
      pictureAttachments: given.pictures,
      sessionContext: { world: { lore: given.world }, contributions: given.lore },
      summaries: given.summaries.map((content, i) => ({ id: `x${i}`, content, focusSections: [content] })),
      injectCacheBreakpoints: given.breakpoints,
      ...(given.budget === null
        ? {}
        : {
            estimator: (one: string) => Math.ceil(one.length / 4),
            contextBudget: { maxInputTokens: given.budget, reservedForResponse: 5 },
          }),
    }),
  );

/** The same input without a budget: nothing is cut. */
export function unlimited({ estimator: _estimator, contextBudget: _budget, ...rest }: BuildParams): BuildParams {
  return rest;
}
