import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Prediction } from '../../shared/model/index.ts';
import { chars, tokens } from '../../shared/units.ts';
import { predictedEnds, segmentStates, tokensBefore, type BlockEnds } from './cache-ends.ts';

const blocks = (...pairs: readonly (readonly [chars: number, tokens: number])[]): BlockEnds => ({
  chars: Uint32Array.from(pairs, ([end]) => end),
  tokens: Uint32Array.from(pairs, ([, count]) => count),
});
const predicted = (read: number, write: number, uncached: number): Prediction => ({
  rule: 'r',
  read: tokens(read),
  write: tokens(write),
  uncached: tokens(uncached),
  writes: {},
  tier: 'estimated',
  why: [],
});

const THREE = blocks([100, 20], [300, 80], [400, 100]);

test.each<[string, Prediction, readonly (readonly [string, number, number])[]]>([
  [
    'at the ends of blocks',
    predicted(20, 60, 20),
    [
      ['read', 100, 20],
      ['write', 300, 60],
      ['uncached', 400, 20],
    ],
  ],
  [
    'inside a block: in proportion',
    predicted(50, 0, 50),
    [
      ['read', 200, 50],
      ['uncached', 400, 50],
    ],
  ],
  ['everything', predicted(100, 0, 0), [['read', 400, 100]]],
  ['nothing', predicted(0, 0, 100), [['uncached', 400, 100]]],
  [
    'a rounded sum ends with the text all the same',
    predicted(20, 79, 0),
    [
      ['read', 100, 20],
      ['write', 400, 79],
    ],
  ],
])('states %s', (_, prediction, ends) => {
  expect(predictedEnds(prediction, THREE).map(({ state, end, tokens: { value } }) => [state, end, value])).toEqual(
    ends,
  );
});

test('a request of no tokens has no states', () => {
  expect(predictedEnds(predicted(0, 0, 0), blocks())).toEqual([]);
});

test.each([
  [0, 0],
  [99, 0],
  [100, 20],
  [299, 20],
  [300, 80],
  [9000, 100],
])('before character %i whole blocks have %i tokens', (place, count) => {
  expect(tokensBefore(THREE, chars(place))).toBe(count);
});

test('a segment has the state that covers most of it; outside the key text it has none', () => {
  const ends = predictedEnds(predicted(20, 60, 20), THREE);
  const run = (start: number, end: number) => ({ start: chars(start), end: chars(end) });
  const runs = new Map([
    ['in', [run(10, 90)]],
    ['across', [run(80, 180)]],
    ['two', [run(0, 10), run(310, 390)]],
    ['outside', []],
    ['empty', [run(50, 50)]],
  ]);
  expect(segmentStates(runs, ends)).toEqual({ in: 'read', across: 'write', two: 'uncached' });
});

test('ends ascend, cover the whole text, and their tokens are the prediction’s', () => {
  const size = fc.tuple(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 0, max: 200 }));
  fc.assert(
    fc.property(fc.array(size, { minLength: 1, maxLength: 12 }), fc.nat(), fc.nat(), (sizes, a, b) => {
      let [length, count] = [0, 0];
      const request = blocks(...sizes.map(([more, counted]) => [(length += more), (count += counted)] as const));
      const read = a % (count + 1);
      const write = b % (count - read + 1);
      const ends = predictedEnds(predicted(read, write, count - read - write), request);
      expect(ends.reduce((sum, { tokens: { value } }) => sum + value, 0)).toBe(count);
      expect(ends.at(-1)?.end ?? length).toBe(length);
      for (const [i, { end }] of ends.entries()) expect(end).toBeGreaterThanOrEqual(ends[i - 1]?.end ?? 0);
    }),
  );
});
