import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cacheCall } from './cache-call.fixture.ts';
import { MAX_TICKS, requestsOf, roomFor, rulerOf } from './ruler-model.ts';

const START = Date.parse('2026-10-12T08:00:00.000Z');
/** One request a turn, at these minutes; lifetime in minutes. */
const session = (minutes: readonly number[], lifetime: number | null = 5) =>
  minutes.map((minute, i) =>
    cacheCall(i + 1, {
      startedAt: new Date(START + minute * 60_000).toISOString(),
      gapMs: i === 0 ? null : (minute - minutes[i - 1]!) * 60_000,
      lifetimeS: i === 0 || lifetime === null ? null : lifetime * 60,
    }),
  );
const ruler = (minutes: readonly number[], lifetime: number | null = 5) =>
  rulerOf(requestsOf(session(minutes, lifetime), 'narrator'), 1);

describe('to scale', () => {
  test('gaps stand in the ratio of their times, and a band is as long as the entry lived', () => {
    const { ticks, gaps } = ruler([0, 3, 9, 12]);
    const [a, b, c, d] = ticks.map(({ at }) => at);
    expect((c! - b!) / (b! - a!)).toBeCloseTo(2, 9);
    expect((d! - c!) / (b! - a!)).toBeCloseTo(1, 9);
    expect(gaps.map(({ isExpired, isCut }) => [isExpired, isCut])).toEqual([
      [false, false],
      [true, false],
      [false, false],
    ]);
    expect((gaps[1]!.bandTo! - gaps[1]!.from) / (gaps[1]!.to - gaps[1]!.from)).toBeCloseTo(5 / 6, 9);
    expect(gaps[0]!.bandTo).toBe(gaps[0]!.to);
  });
  test('a gap exactly as long as the lifetime has not expired', () =>
    expect(ruler([0, 5]).gaps[0]?.isExpired).toBe(false));
  test('a night is cut, and the usual gaps keep their room', () => {
    const { ticks, gaps } = ruler([0, 3, 6, 6 + 600, 9 + 600]);
    expect(gaps.map(({ isCut }) => isCut)).toEqual([false, false, true, false]);
    expect(ticks[1]!.at).toBeGreaterThan(0.05);
    expect(gaps[2]).toMatchObject({ isExpired: true, ms: 600 * 60_000 });
  });
  test('the steps of a turn do not make its pauses look long', () => {
    const minutes = [0, 0.1, 3, 3.1, 6, 6.1, 9, 9.1];
    const calls = session(minutes).map((call, i) => ({ ...call, turnIndex: Math.floor(i / 2 + 1) as never }));
    expect(rulerOf(requestsOf(calls, 'narrator'), 1).gaps.some(({ isCut }) => isCut)).toBe(false);
  });
  test('where a long lifetime ends in a gap that was cut, the band ends before the cut', () => {
    const { gaps } = ruler([0, 1, 2, 3, 3 + 60 * 30], 60 * 24);
    const last = gaps[3]!;
    expect(last).toMatchObject({ isExpired: true, isCut: true });
    expect(last.bandTo!).toBeGreaterThan(last.from);
    expect(last.bandTo!).toBeLessThan(last.to);
  });
});

describe('what is not known', () => {
  test('an unknown lifetime has no band and no verdict', () =>
    expect(ruler([0, 3], null).gaps[0]).toMatchObject({ bandTo: null, isExpired: null, lifetimeMs: null }));
  test('a request without a clock has no place', () => {
    const calls = [...session([0, 3]), cacheCall(3)];
    expect(requestsOf(calls, 'narrator').unclocked).toBe(1);
    expect(rulerOf(requestsOf(calls, 'narrator'), 1).ticks).toHaveLength(2);
  });
  test('a clock that goes backwards is no gap', () =>
    expect(ruler([3, 0, 6]).gaps[0]).toMatchObject({ ms: 0, isBackwards: true, from: 0, to: 0 }));
  test('another runtime, none, or one request', () => {
    expect(rulerOf(requestsOf(session([0, 3]), 'guide'), 1)).toMatchObject({ ticks: [], gaps: [] });
    expect(requestsOf([], 'narrator')).toEqual({ clocked: [], unclocked: 0, lifetimes: [], expired: [], dated: 0 });
    expect(ruler([0])).toMatchObject({ ticks: { length: 1 }, gaps: [], tailTo: null });
  });
});

test('of a long session the requests around the chosen turn are drawn', () => {
  const calls = session(Array.from({ length: 500 }, (_, i) => i * 3));
  const { ticks, before, after } = rulerOf(requestsOf(calls, 'narrator'), 250);
  expect(ticks).toHaveLength(MAX_TICKS);
  expect(before + MAX_TICKS + after).toBe(500);
  expect(ticks.some(({ call }) => call.turnIndex === 250)).toBe(true);
  expect(rulerOf(requestsOf(calls, 'narrator'), 500).after).toBe(0);
  expect(rulerOf(requestsOf(calls, 'narrator'), 1).before).toBe(0);
});

test('ticks ascend inside the line, gaps join them, bands stay inside their gaps', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 2000 }), { minLength: 1, maxLength: 40 }),
      fc.option(fc.integer({ min: 1, max: 1440 }), { nil: null }),
      (pauses, lifetime) => {
        let now = 0;
        const { ticks, gaps, tailTo } = ruler(
          pauses.map((pause) => (now += pause)),
          lifetime,
        );
        const places = ticks.map(({ at }) => at);
        expect(places).toEqual(places.toSorted((a, b) => a - b));
        expect(places.at(-1)).toBeLessThanOrEqual(1);
        gaps.forEach(({ from, to, bandTo, isExpired }, i) => {
          expect([from, to]).toEqual([places[i], places[i + 1]]);
          expect(isExpired === null).toBe(lifetime === null);
          expect(bandTo === null || (from <= bandTo && bandTo <= to)).toBe(true);
        });
        expect(tailTo === null || (tailTo >= (places.at(-1) ?? 0) && tailTo <= 1)).toBe(true);
      },
    ),
    { numRuns: 200 },
  );
});

test('expired are those of the runtime that came after the lifetime', () => {
  const calls = session([0, 3, 9, 12, 30]);
  const { expired, dated, lifetimes } = requestsOf(calls, 'narrator');
  expect(expired.map(({ turnIndex }) => turnIndex)).toEqual([3, 5]);
  expect([dated, lifetimes]).toEqual([4, [300]]);
  expect(requestsOf(calls, 'guide').expired).toEqual([]);
  expect(requestsOf(session([0, 3], null), 'narrator').dated).toBe(0);
});

describe('labels', () => {
  const at = (...xs: readonly number[]) => xs.map((x) => ({ x, width: 20 }));
  test('stand inside and do not touch', () => expect(roomFor(at(0, 12, 50, 200), 200, 2)).toEqual([10, null, 50, 190]));
  test('the chosen one has the room', () => expect(roomFor(at(40, 50), 200, 2, 1)).toEqual([null, 50]));
  test('none', () => expect(roomFor([], 200, 2)).toEqual([]));
});
