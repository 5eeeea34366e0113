import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { billed, usdMicros } from '../../../shared/units.ts';
import { cacheCall, usageOf } from './cache-call.fixture.ts';
import { billedSum, chartTurns, MAX_TURNS, roundUp, sentOf } from './chart-model.ts';

const half = (): number => 0.5;

describe('turns', () => {
  test('sums of a turn: sent and shared, billed, cost', () => {
    const calls = [
      cacheCall(1, { id: 'a', input: billed(100), usage: usageOf(40, 50, 10), cost: usdMicros(7) }),
      cacheCall(1, { id: 'b', input: billed(20), usage: usageOf(0, 20), cost: usdMicros(3) }),
    ];
    expect(chartTurns(calls, 1, half)).toEqual([
      { from: 1, to: 1, shared: 60, fresh: 60, read: 40, write: 10, uncached: 70, cost: 10, calls: 2, unbilled: 0, unpriced: 0 },
    ]); // prettier-ignore
  });
  test('what is not known is counted beside the sums', () => {
    const calls = [
      cacheCall(1, { id: 'a', input: billed(100), usage: usageOf(90, 50), usageProblems: ['over-total'] }),
      cacheCall(1, { id: 'b', input: billed(20) }),
    ];
    const [turn] = chartTurns(calls, 1, () => null);
    expect(turn).toMatchObject({ fresh: 120, read: 0, uncached: 0, cost: null, unbilled: 2, unpriced: 1 });
  });
  test('a turn without calls is an empty place', () => {
    const turns = chartTurns([cacheCall(2, { input: billed(5) })], 3, half);
    expect(turns.map((turn) => turn.calls)).toEqual([0, 1, 0]);
    expect(turns[0]).toMatchObject({ cost: null, shared: 0 });
  });
  test('both bars of a turn are its whole input where it was billed, and no turn is lost', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 0, max: 900 }), (turns, read) => {
        const calls = Array.from({ length: turns }, (_, i) =>
          cacheCall(i + 1, { input: billed(1000), usage: usageOf(read, 1000 - read) }),
        );
        const drawn = chartTurns(calls, turns, half);
        expect(drawn.length).toBeLessThanOrEqual(MAX_TURNS);
        expect(drawn[0]?.from).toBe(1);
        expect(drawn.at(-1)?.to).toBe(turns);
        for (const turn of drawn) {
          expect(sentOf(turn)).toBeCloseTo(1000, 6);
          expect(billedSum(turn)).toBeCloseTo(1000, 6);
        }
      }),
      { numRuns: 20 },
    );
  });
});

test.each([
  [0, 0],
  [1, 1],
  [43_214, 50_000],
  [21_000, 25_000],
  [100_000, 100_000],
  [0.0412, 0.05],
  [260, 500],
])('roundUp(%d)', (value, expected) => expect(roundUp(value)).toBeCloseTo(expected, 9));
