import { describe, expect, test } from 'vitest';
import type { CacheOverview, CacheRuntimeRow } from '../../../shared/model/index.ts';
import { tokens, usdMicros } from '../../../shared/units.ts';
import { fixtureCache } from '../../test-support/fixture-cache.ts';
import { fixtureSession } from '../../test-support/fixture-data.ts';
import { cacheCall, usageOf } from './cache-call.fixture.ts';
import {
  billedOf,
  cardsOf,
  coverageOf,
  flaggedOf,
  hitRateOf,
  missesOf,
  shownRuntime,
  sumKnown,
} from './cache-model.ts';

const prediction = (read: number) => ({
  rule: 'x',
  read: tokens(read),
  write: tokens(0),
  uncached: tokens(0),
  writes: {},
  tier: 'counted' as const,
  why: [],
});
const row = (runtimeId: string, cost: number | null, rest: Partial<CacheRuntimeRow> = {}): CacheRuntimeRow => ({
  runtimeId,
  calls: 1,
  inputTokens: tokens(100),
  read: null,
  write: null,
  predictedRead: null,
  hitRate: null,
  wasted: tokens(5),
  cost: cost === null ? null : usdMicros(cost),
  wastedCost: cost === null ? null : usdMicros(cost / 10),
  unpriced: cost === null ? 1 : 0,
  unreported: 0,
  ...rest,
});
const overview = (rest: Partial<CacheOverview>): CacheOverview => ({
  sessionId: 's',
  calls: [],
  runtimes: [],
  causes: [],
  calibration: { calls: 0, matched: 0, toleranceTokens: tokens(128) },
  calibrationByProvider: [],
  flagged: [],
  rulesAsOf: '',
  pricesAsOf: '',
  ...rest,
});

describe('sums', () => {
  test.each([
    ['what is known', [1, null, 2], 3],
    ['nothing is known', [null, null], null],
    ['nothing at all', [], null],
    ['a zero is known', [0, null], 0],
  ] as const)('%s', (_, values, expected) => expect(sumKnown(values)).toBe(expected));
});

describe('hit rate', () => {
  test('counts writes among what was not read', () =>
    expect(hitRateOf([cacheCall(1, { usage: usageOf(50, 20, 30) })])).toBe(0.5));
  test('a call that does not say what was read counts as not read', () =>
    expect(
      hitRateOf([cacheCall(1, { usage: usageOf(null, 50) }), cacheCall(2, { usage: usageOf(25, 25) }), cacheCall(3)]),
    ).toBe(0.25));
  test('nothing reported is no rate, not zero', () =>
    expect([hitRateOf([]), hitRateOf([cacheCall(1, { usage: usageOf(null, 5) })])]).toEqual([null, null]));
  test.each([
    ['all reported', usageOf(1, 2, 3), [], { read: 1, uncached: 2, write: 3 }],
    ['writes are not billed', usageOf(1, 2), [], { read: 1, uncached: 2, write: 0 }],
    ['no read was reported', usageOf(null, 2), [], null],
    ['no usage', null, [], null],
    ['it contradicts itself', usageOf(9, 2), ['over-total' as const], null],
  ] as const)('%s', (_, usage, usageProblems, expected) =>
    expect(billedOf(cacheCall(1, { usage, usageProblems }))).toEqual(expected),
  );
});

test('how many calls say what was read, of those that were answered', () => {
  const calls = [
    cacheCall(1, { usage: usageOf(5, 5) }),
    cacheCall(2, { usage: usageOf(null, 5) }),
    cacheCall(3, { prediction: prediction(5) }),
    cacheCall(4),
  ];
  expect(coverageOf(calls)).toEqual({ reported: 1, all: 3 });
  const facts = cardsOf(overview({ calls: [...calls, cacheCall(5, { runtimeId: 'guide', usage: usageOf(1, 1) })] }));
  expect([facts.coverage, facts.coverageOf.get('narrator'), facts.coverageOf.get('guide')]).toEqual([
    { reported: 2, all: 4 },
    { reported: 1, all: 3 },
    { reported: 1, all: 1 },
  ]);
});

describe('cards', () => {
  test('sums are over the runtimes; the dearest is the one that cost most', () => {
    const facts = cardsOf(overview({ runtimes: [row('a', 300), row('b', 700, { hitRate: 0.1 }), row('c', null)] }));
    expect(facts).toMatchObject({ wasted: 15, cost: 1000, wastedCost: 100, unpriced: 1 });
    expect(facts.dearest).toEqual({ runtimeId: 'b', share: 0.7, hitRate: 0.1 });
  });
  test('without a price no runtime is the dearest and no cost is zero', () => {
    const facts = cardsOf(overview({ runtimes: [row('a', null)] }));
    expect(facts).toMatchObject({ cost: null, wastedCost: null, dearest: null, hitRate: null });
  });
  test('the hit rate of the session weighs by tokens', () => {
    const calls = [cacheCall(1, { usage: usageOf(0, 100) }), cacheCall(2, { usage: usageOf(900, 100) })];
    expect(cardsOf(overview({ calls }))).toMatchObject({ hitRate: 900 / 1100, coverage: { reported: 2, all: 2 } });
  });
  test('of the fixture they agree with its table', () => {
    const made = fixtureCache(fixtureSession('s', 24));
    const facts = cardsOf(made);
    expect(facts.wasted).toBe(made.causes.reduce((sum, cause) => sum + cause.tokens, 0));
    expect(facts.held).toBeLessThan(facts.compared);
  });
});

test('misses stand farthest off first; calls that hold or cannot be compared are none', () => {
  const miss = (turn: number, predicted: number, read: number, holds: boolean | null = false) =>
    cacheCall(turn, { prediction: prediction(predicted), usage: usageOf(read, 0), holds });
  const found = missesOf([miss(1, 100, 0), miss(2, 0, 900), miss(3, 5, 5, true), miss(4, 9, 900, null)]);
  expect(found.map(({ call, predicted, billed }) => [call.turnIndex, predicted, billed])).toEqual([
    [2, 0, 900],
    [1, 100, 0],
  ]);
});

test('flagged are those whose bill contradicts itself', () => {
  const calls = [cacheCall(1), cacheCall(2, { usageProblems: ['negative'] })];
  expect(flaggedOf(calls).map(({ id }) => id)).toEqual(['c2']);
});

test.each([
  ['the chosen one', ['b', 'a'], 'b'],
  ['that of the call when the chosen one is not here', ['x', 'c'], 'c'],
  ['else the first', [null, null], 'a'],
] as const)('runtime of the ruler: %s', (_, wanted, expected) =>
  expect(shownRuntime(overview({ runtimes: ['a', 'b', 'c'].map((id) => row(id, 1)) }), wanted)).toBe(expected),
);
test('no runtime, no ruler', () => expect(shownRuntime(overview({}), ['a'])).toBeNull());
