import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fixtureSession, type FixtureSession } from '../../test-support/fixture-data.ts';
import { barOfTurn, barShare, barTotal, binSize, chartBars, chartRuntime, MAX_BARS } from './chart-data.ts';

const maps = (session: FixtureSession) => {
  const calls = new Map(session.calls.map((call) => [call.id, call]));
  const byTurn = new Map<string, string[]>();
  for (const call of session.calls) byTurn.set(call.turnId, [...(byTurn.get(call.turnId) ?? []), call.id]);
  return [session.turns, byTurn, calls] as const;
};

describe('bins', () => {
  test.each([
    [0, 1],
    [24, 1],
    [400, 1],
    [401, 2],
    [801, 5],
    [10_000, 25],
    [1_000_000, 2500],
  ])('%d turns: %d to a bar', (turns, size) => expect(binSize(turns)).toBe(size));

  test('never more bars than fit, and every turn has exactly one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), (turns) => {
        const bars = chartBars(
          Array.from({ length: turns }, () => undefined),
          new Map(),
          new Map(),
          'narrator',
        );
        expect(bars.length).toBeLessThanOrEqual(MAX_BARS);
        expect(bars[0]?.from).toBe(1);
        expect(bars.at(-1)?.to).toBe(turns);
        const gaps = bars.filter((bar, i) => i > 0 && bar.from !== (bars[i - 1]?.to ?? 0) + 1);
        expect(gaps).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});

describe('bars', () => {
  const session = fixtureSession('s', 24);
  const bars = chartBars(...maps(session), 'narrator');

  test('one a turn, shared and new add up to the input tokens of the first call', () => {
    expect(bars).toHaveLength(24);
    expect(barTotal(bars[11]!)).toBe(8680);
    expect(barShare(bars[11]!)).toBeCloseTo(0.87, 2);
    expect(barShare(bars[0]!)).toBe(0);
  });
  test('compactions are marked', () => {
    expect(bars.flatMap((bar) => (bar.compactions > 0 ? [bar.from] : []))).toEqual([6, 13]);
  });
  test('a turn without a call of the runtime is an empty place', () => {
    const guide = chartBars(...maps(session), 'guide');
    expect(guide[4]).toMatchObject({ from: 5, calls: 0, shared: 0, fresh: 0 });
    expect(barShare(guide[4]!)).toBe(0);
  });
  test('a long session is drawn as means', () => {
    const long = maps(fixtureSession('long', 9600));
    const binned = chartBars(...long, 'narrator');
    expect(binned).toHaveLength(384);
    const mean = bars.reduce((sum, bar) => sum + barTotal(bar), 0) / 24;
    const binnedMean = binned.reduce((sum, bar) => sum + barTotal(bar), 0) / binned.length;
    expect(binnedMean).toBeCloseTo(mean, 6);
  });
});

describe('places', () => {
  const bars = chartBars(...maps(fixtureSession('s', 24)), 'narrator');
  test.each([
    [1, 0],
    [24, 23],
    [0, -1],
    [25, -1],
  ])('turn %d stands at %d', (turn, at) => expect(barOfTurn(bars, turn)).toBe(at));
});

test('the runtime is the chosen one, else the first of the session', () => {
  const [, , calls] = maps(fixtureSession('s', 2));
  expect(chartRuntime(calls.get('c2-3-0-0'), calls)).toBe('guide');
  expect(chartRuntime(undefined, calls)).toBe('narrator');
  expect(chartRuntime(undefined, new Map())).toBeNull();
});
