/** What must hold for every input, whatever its texts are. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildContext } from './build-context.ts';
import { CACHE_SENTINEL as S } from './data/escape.ts';
import {
  anyInput,
  CLOSING,
  DATA_TAGS,
  historyRow,
  hostileText,
  TEMPLATE,
  turnData,
  unlimited,
} from './testing/arbitrary.ts';
import { checkCover } from './testing/params.ts';
import { en, zh } from './testing/texts.ts';
import type { AssembledContext, AssembledSegment, BuildParams, PromptSegment } from './types.ts';

const count = (whole: string, part: string): number => whole.split(part).length - 1;
const segmentsOf = ({ system, segmented }: AssembledContext): readonly AssembledSegment[] => [
  ...system.segments,
  ...segmented.flatMap(({ segments }) => segments),
];
/** All that is data in an input, as one text. */
const dataOf = ({ promptTemplate: _template, turnInput: _turn, store: _store, ...data }: BuildParams): string =>
  JSON.stringify({ ...data, completedResults: [...(data.completedResults ?? [])] });

describe('for every input', () => {
  test('the segments cover every text once, and the same input gives the same bytes', async () => {
    const seen = { cut: 0, pictures: 0, summaries: 0 };
    await fc.assert(
      fc.asyncProperty(anyInput, fc.constantFrom(en, zh), async (given, texts) => {
        const context = await buildContext(given, texts);
        checkCover(context);
        expect(JSON.stringify(await buildContext(given, texts))).toBe(JSON.stringify(context));
        const kinds = new Set(segmentsOf(context).map(({ kind }) => kind));
        seen.cut += Number(context.prunedMessageCount > 0);
        seen.pictures += Number(kinds.has('pictures'));
        seen.summaries += Number(kinds.has('summary'));
      }),
      { numRuns: 200 },
    );
    for (const times of Object.values(seen)) expect(times).toBeGreaterThan(10);
  });

  test('no text becomes a breakpoint, and messages hold no sentinel', async () => {
    let hostile = 0;
    await fc.assert(
      fc.asyncProperty(anyInput, async (given) => {
        const { systemPrompt, messages, frameworkHead } = await buildContext(given, en);
        const plain = await buildContext({ ...given, injectCacheBreakpoints: false }, en);
        expect(plain.systemPrompt).not.toContain('\ue000');
        expect(count(systemPrompt, S)).toBeLessThanOrEqual(given.injectCacheBreakpoints ? 4 : 0);
        expect(systemPrompt.replaceAll(S, '')).toBe(plain.systemPrompt);
        expect(systemPrompt.startsWith(frameworkHead)).toBe(true);
        for (const { content } of messages) expect(JSON.stringify(content)).not.toContain('\ue000');
        hostile += Number(dataOf(given).includes(S));
      }),
    );
    expect(hostile).toBeGreaterThan(30);
  });

  test('data neither closes nor opens a block', async () => {
    let hostile = 0;
    await fc.assert(
      fc.asyncProperty(anyInput, async (given) => {
        const segments = segmentsOf(await buildContext(unlimited(given), en));
        hostile += Number(CLOSING.test(dataOf(given)));
        const data = segments.filter(
          ({ kind, label }) =>
            kind === 'events' || kind === 'activation' || (kind === 'turn-context' && isDataTag(label)),
        );
        for (const { label, text } of data) expect(text.match(/<[^>]*>/g)).toEqual([`<${label}>`, `</${label}>`]);
        for (const { text } of segments.filter(({ kind }) => kind === 'summary')) {
          expect(text.match(/<[^>]*>/g)).toEqual(['<compacted_history>', '</compacted_history>']);
        }
        for (const { text } of segments.filter(({ kind }) => kind === 'world-lore')) {
          expect(text.startsWith('<world-lore>\n')).toBe(true);
          expect(text.match(/<\/world-lore\s*>/gi)).toHaveLength(1);
        }
      }),
      { numRuns: 200 },
    );
    expect(hostile).toBeGreaterThan(100);
  });

  test('data is never interpolated: other words of the player change the body and his own message alone', async () => {
    const seen = { inData: 0, inBody: 0 };
    await fc.assert(
      fc.asyncProperty(anyInput, hostileText, async (given, said) => {
        const rest = async (playerMessage: string): Promise<readonly AssembledSegment[]> => {
          const context = await buildContext(
            unlimited({ ...given, turnInput: { ...given.turnInput, playerMessage } }),
            en,
          );
          return segmentsOf(context).filter(({ kind }) => kind !== 'runtime-body' && kind !== 'player');
        };
        expect(await rest(`W1${said}`)).toEqual(await rest('W2'));
        seen.inData += Number(dataOf(given).includes(TEMPLATE));
        seen.inBody += Number(given.promptTemplate.includes(TEMPLATE));
      }),
    );
    expect(seen.inData).toBeGreaterThan(50);
    expect(seen.inBody).toBeGreaterThan(10);
  });

  test('turns that differ in turn data alone share system prompt and everything before the turn context', async () => {
    const seen = { history: 0, changed: 0 };
    await fc.assert(
      fc.asyncProperty(
        anyInput,
        hostileText,
        fc.array(hostileText, { minLength: 6, maxLength: 6 }),
        turnData,
        fc.array(historyRow, { maxLength: 2 }),
        async (given, said, contents, data, added) => {
          const { activation: _activation, ...untouched } = lasting(given);
          const first = await buildContext(lasting(given), en);
          const second = await buildContext(
            {
              ...untouched,
              ...data,
              turnInput: { ...given.turnInput, playerMessage: said, turnId: 't10' },
              promptSegments: (untouched.promptSegments ?? []).map((one, i) =>
                one.volatility === 'turn' ? { ...one, content: contents[i] ?? '' } : one,
              ),
              messageHistory: [
                ...(given.messageHistory ?? []),
                ...added.map(({ role, content }) => ({ role, content })),
              ],
            },
            en,
          );
          expect(second.systemPrompt).toBe(first.systemPrompt);
          const before = first.segmented.findIndex(({ segments }) => segments[0]?.kind === 'turn-context');
          expect(before).toBeGreaterThanOrEqual(0);
          expect(JSON.stringify(second.messages.slice(0, before))).toBe(
            JSON.stringify(first.messages.slice(0, before)),
          );
          seen.history += Number(before > 0);
          seen.changed += Number(first.turnContext !== second.turnContext);
        },
      ),
    );
    for (const times of Object.values(seen)) expect(times).toBeGreaterThan(50);
  });

  test('nothing that is passed in is changed', () =>
    fc.assert(
      fc.asyncProperty(anyInput, async (given) => {
        const { store: _store, estimator: _estimator, ...plain } = given;
        const before = structuredClone(plain);
        await buildContext(given, en);
        expect(plain).toEqual(before);
      }),
    ));
});

const isDataTag = (label: string): boolean => DATA_TAGS.some((tag) => tag === label);

/** What stands before the turn context only because somebody asked for it there, or by its distance from the end, is left out. */
function lasting(given: BuildParams): BuildParams {
  const staysBehind = ({ position, volatility }: PromptSegment): boolean =>
    typeof position === 'string' && (volatility !== 'turn' || position !== 'pre-history');
  const { activation, ...rest } = unlimited(given);
  return {
    ...rest,
    ...(activation && activation.source !== 'stage' ? { activation } : {}),
    promptTemplate: given.promptTemplate.replaceAll(TEMPLATE, ''),
    promptSegments: (given.promptSegments ?? []).filter(staysBehind),
    sessionContext: {
      ...given.sessionContext,
      contributions: (given.sessionContext?.contributions ?? []).filter(({ position }) => position !== 'at_depth'),
    },
  };
}
