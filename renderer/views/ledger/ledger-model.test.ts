import { describe, expect, test } from 'vitest';
import type { LedgerSummary } from '../../../shared/model/index.ts';
import { estimated, turnIndex } from '../../../shared/units.ts';
import { barsOf, fillOf, lanesIn, SEGMENT_CAP, shownSummary, spanOf, ticksOf, totalsOf } from './ledger-model.ts';

const turn = (n: number | null) => (n === null ? null : turnIndex(n));
const summary = (from: number | null, to: number | null, rest: Partial<LedgerSummary> = {}): LedgerSummary =>
  ({
    key: `${from}-${to}`,
    turns: [turn(from), turn(to)],
    live: true,
    tokens: null,
    budget: null,
    messages: null,
    ...rest,
  }) as LedgerSummary;
const gone = (from: number, to: number): LedgerSummary => summary(from, to, { live: false });

describe('bars', () => {
  test.each([
    ['both ends', 2, 5, [2, 5]],
    ['its end alone', null, 5, [5, 5]],
    ['its start alone', 2, null, [2, 2]],
    ['neither', null, null, null],
    ['turned around', 5, 2, [2, 5]],
  ] as const)('%s', (_, from, to, expected) => expect(spanOf(summary(from, to))).toEqual(expected));

  test('to scale', () => {
    expect(barsOf([summary(1, 5), summary(6, 10)], 20).map(({ left, width }) => [left, width])).toEqual([
      [0, 0.25],
      [0.25, 0.25],
    ]);
  });
  test('what vanished takes the first lane that is free', () => {
    const bars = barsOf([summary(1, 9), gone(1, 3), gone(4, 6), gone(2, 5), gone(7, 9)], 12);
    expect(bars.map(({ lane }) => lane)).toEqual([0, 1, 1, 2, 1]);
    expect(lanesIn(bars)).toBe(3);
  });
  test('no turns, no bars', () => expect(barsOf([summary(1, 2), summary(null, null)], 0)).toEqual([]));
  test('an empty line has one lane', () => expect(lanesIn([])).toBe(1));
});

describe('ticks', () => {
  test.each([
    [12, 740, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]],
    [27, 430, [1, 5, 10, 15, 20, 25]],
    [27, 740, [1, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26]],
    [9600, 740, [1, 1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000]],
    [1, 740, [1]],
    [0, 740, []],
    [5, 0, []],
  ])('%d turns in %d px', (turns, width, expected) => expect(ticksOf(turns, width)).toEqual(expected));
});

test.each([
  ['of its budget', 500, { segment: 1000, total: 3000 }, 0.5],
  ['of what none exceeds', SEGMENT_CAP / 4, null, 0.25],
  ['never more than full', 5000, { segment: 1000, total: 3000 }, 1],
] as const)('filled to the share %s', (_, size, budget, expected) =>
  expect(fillOf(summary(1, 2, { tokens: estimated(size), budget }))).toBe(expected),
);

test('totals are of those that live', () => {
  const live = { messages: 4, tokens: estimated(100) };
  expect(totalsOf([summary(1, 2, live), summary(3, 4, live), { ...gone(1, 1), ...live }])).toEqual({
    live: 2,
    vanished: 1,
    messages: 8,
    tokens: 200,
  });
});

describe('on screen', () => {
  const all = [summary(1, 2), summary(3, 4), gone(1, 1)];
  test.each([
    ['the chosen one', '1-2', all, '1-2'],
    ['the newest that lives', null, all, '3-4'],
    ['when the chosen one is no more', 'x', all, '3-4'],
    ['when none lives', null, [gone(1, 1)], '1-1'],
    ['nothing', null, [], undefined],
  ] as const)('%s', (_, key, list, expected) => expect(shownSummary(list, key)?.key).toBe(expected));
});
