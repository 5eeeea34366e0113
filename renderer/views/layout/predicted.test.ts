import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CallDetail } from '../../../shared/api.ts';
import type { CacheState, SegmentRow } from '../../../shared/model/index.ts';
import { chars, counted, estimated, tokens } from '../../../shared/units.ts';
import { cacheStateOf, predictedRuns, predictionState } from './predicted.ts';
import { segmentRow } from './segment-row.fixture.ts';
import type { LayoutModel } from './view-model.ts';

const LETTERS: Readonly<Record<string, CacheState>> = { r: 'read', w: 'write', u: 'uncached' };

/** Segments of 100 tokens each with these states (`rrwu`), and runs of these tokens on the scale of the bill. */
function modelOf(states: string, runs: readonly (readonly [CacheState, number])[], marked: readonly number[] = []) {
  const segments: readonly SegmentRow[] = Array.from(states, (_, i) =>
    segmentRow({ id: `s${i}`, tokens: estimated(100) }),
  );
  const starts = [0, ...segments.map((_, i) => (i + 1) * 100)];
  const detail = {
    predictedEnds: runs.map(([state, n], i) => ({ state, end: chars(i + 1), tokens: counted(n) })),
    segmentStates: Object.fromEntries(Array.from(states, (letter, i) => [`s${i}`, LETTERS[letter]!])),
    breakpoints: marked.map((i) => ({
      kind: 'explicit',
      path: '',
      ttl: null,
      afterSegment: `s${i}`,
      prefixTokens: estimated(0),
      belowMinimum: null,
      minimum: null,
    })),
  } as unknown as CallDetail;
  return { detail, segments, starts, total: segments.length * 100 } as unknown as LayoutModel;
}
const places = (model: LayoutModel) => predictedRuns(model).map(({ state, from, to }) => [state, from, to]);

describe('bar of the prediction', () => {
  test('the scale of the bill is laid over that of the segments', () =>
    expect(places(modelOf('rruu', [['read', 2000], ['uncached', 2000]]))).toEqual([['read', 0, 200], ['uncached', 200, 400]])); // prettier-ignore
  test('a place that the states contradict gives way to them', () =>
    expect(places(modelOf('rrru', [['read', 100], ['uncached', 900]]))).toEqual([['read', 0, 250], ['uncached', 250, 400]])); // prettier-ignore
  test('inside a segment it stays where it was counted', () =>
    expect(places(modelOf('rruu', [['read', 230], ['uncached', 170]]))).toEqual([['read', 0, 230], ['uncached', 230, 400]])); // prettier-ignore
  test('at a breakpoint it is exact', () =>
    expect(places(modelOf('rruu', [['read', 230], ['uncached', 170]], [1]))).toEqual([['read', 0, 200], ['uncached', 200, 400]])); // prettier-ignore
  test('three states', () =>
    expect(places(modelOf('rrwu', [['read', 210], ['write', 95], ['uncached', 95]], [1, 2]))).toEqual([['read', 0, 200], ['write', 200, 300], ['uncached', 300, 400]])); // prettier-ignore
  test('a stretch too small for a segment of its own', () =>
    expect(places(modelOf('rrrr', [['read', 380], ['uncached', 20]]))).toEqual([['read', 0, 380], ['uncached', 380, 400]])); // prettier-ignore
  test('without a prediction there is none', () => {
    expect(predictedRuns(modelOf('rr', []))).toEqual([]);
    expect(predictedRuns(modelOf('', [['read', 1]]))).toEqual([]);
  });
  test('runs follow each other from the beginning to the end', () => {
    const run = fc.tuple(fc.constantFrom<CacheState>('read', 'write', 'uncached'), fc.integer({ min: 1, max: 900 }));
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('r', 'w', 'u'), minLength: 1, maxLength: 12 }),
        fc.array(run, { minLength: 1, maxLength: 5 }),
        (states, runs) => {
          const drawn = predictedRuns(modelOf(states, runs, [0, 2]));
          expect(drawn[0]?.from).toBe(0);
          expect(drawn.at(-1)?.to).toBe(states.length * 100);
          drawn.forEach(({ from, to }, i) => {
            expect(to).toBeGreaterThanOrEqual(from);
            expect(from).toBe(drawn[i - 1]?.to ?? 0);
          });
        },
      ),
    );
  });
});

describe('state of segments', () => {
  const { detail, segments } = modelOf('rrwu', [['read', 1]]);
  test.each([
    [0, 1, 'read'],
    [0, 2, 'read'],
    [1, 3, 'mixed'],
    [3, 4, 'uncached'],
    [4, 4, null],
  ] as const)('%d to %d', (from, to, expected) => expect(cacheStateOf(detail, segments, from, to)).toBe(expected));
  test('unknown segments have none', () => expect(cacheStateOf({ segmentStates: {} }, segments, 0, 4)).toBeNull());
});

test.each([
  ['pending', null, 'pending'],
  ['done', null, 'none'],
  ['done', { read: tokens(1) }, 'there'],
] as const)('%s with %j is %s', (state, prediction, expected) =>
  expect(predictionState({ predictionState: state, prediction } as unknown as CallDetail)).toBe(expected),
);
