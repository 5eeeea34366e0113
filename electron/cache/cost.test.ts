import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Prediction } from '../../shared/model/index.ts';
import { tokens, usdMicros } from '../../shared/units.ts';
import { bucketsOf, costOf, predictedBuckets, wastedCost, type CostBuckets, type Price, type Rates } from './cost.ts';
import { parseCacheRules, type CacheRule } from './rules.ts';

const n = (count: number | null) => (count === null ? null : tokens(count));
type Writes = Readonly<Record<string, number>> | null;
const buckets = (
  uncached: number | null,
  read: number | null,
  write: number | null,
  output: number | null,
  writes: Writes = null,
): CostBuckets => ({
  uncached: n(uncached),
  read: n(read),
  write: n(write),
  output: n(output),
  writes: writes && Object.fromEntries(Object.entries(writes).map(([key, count]) => [key, tokens(count)])),
});

/** US dollars for a million tokens. */
const rates = (
  input: number | null,
  read: number | null,
  writes: Readonly<Record<string, number | null>>,
  output: number | null,
): Rates => {
  const micros = (usd: number | null) => (usd === null ? null : usdMicros(usd * 1e6));
  return {
    input: micros(input),
    read: micros(read),
    writes: Object.fromEntries(Object.entries(writes).map(([key, usd]) => [key, micros(usd)])),
    output: micros(output),
  };
};
const price = (base: Rates, ...bands: readonly (readonly [over: number, rates: Rates])[]): Price => ({
  rates: base,
  bands: bands.map(([over, band]) => ({ overPromptTokens: tokens(over), rates: band })),
  provenance: { source: 'overlay', asOf: '2026-11-30', id: 'm' },
});

const OPUS = price(rates(5, 0.5, { '5m': 6.25, '1h': 10 }, 25));
const MINI = price(rates(0.75, 0.075, {}, 4.5));
const SOL = price(rates(2, 0.2, { '30m': 2.5 }, 10), [272_000, rates(4, 0.4, { '30m': 5 }, 15)]);
const KIMI = price(rates(3, 0.3, { '5m': null }, 15));
const NO_READS = price(rates(5, null, {}, 15));

describe('the cost of a call', () => {
  const CASES: readonly (readonly [what: string, bill: CostBuckets, list: Price, micros: number | null])[] = [
    ['all buckets', buckets(200, 7000, 800, 400, { '5m': 800 }), OPUS, 1000 + 3500 + 5000 + 10_000],
    ['two lifetimes', buckets(0, 0, 300, 0, { '1h': 100, '5m': 200 }), OPUS, 1000 + 1250],
    ['lifetimes that are not told apart', buckets(0, 0, 300, 0), OPUS, null],
    ['the only lifetime there is', buckets(0, 0, 1000, 0), SOL, 2500],
    ['a lifetime that the list has not', buckets(0, 0, 1000, 0, { '12h': 1000 }), SOL, null],
    ['a lifetime that is called like a method', buckets(0, 0, 10, 0, { toString: 10 }), SOL, null],
    ['lifetimes that do not add up', buckets(0, 0, 1000, 0, { '30m': 900 }), SOL, null],
    ['no writes where none are billed', buckets(100, 900, null, 10), MINI, 75 + 67.5 + 45],
    ['writes where none have a price', buckets(100, 900, 5, 10), MINI, null],
    ['no report of writes where they are billed', buckets(100, 900, null, 10), OPUS, null],
    ['writes at a rate that nobody published', buckets(0, 0, 100, 0), KIMI, null],
    ['no tokens at a rate that nobody published', buckets(100, 0, 0, 10), KIMI, 300 + 150],
    ['reads without a price', buckets(100, 1, 0, 10), NO_READS, null],
    ['no reads where they have no price', buckets(100, 0, 0, 10), NO_READS, 500 + 150],
    ['reads that were not reported', buckets(100, null, 0, 10), MINI, null],
    ['input that is not known', buckets(null, 20, 0, 10), MINI, null],
    ['output that was not reported', buckets(100, 0, 0, null), MINI, null],
    ['nothing used', buckets(0, 0, 0, 0), OPUS, 0],
    ['a prompt at the limit of a band', buckets(72_000, 200_000, 0, 1000), SOL, 144_000 + 40_000 + 10_000],
    ['a prompt over it: all tokens cost more', buckets(72_001, 200_000, 0, 1000), SOL, 288_004 + 80_000 + 15_000],
    ['one cheap token', buckets(1, 0, 0, 0), MINI, 0.75],
  ];
  test.each(CASES)('%s', (_, bill, list, micros) => {
    const cost = costOf(bill, list);
    const all = Object.values(cost?.parts ?? {}).reduce((sum, part) => sum + part, 0);
    const rounded = [cost?.usd ?? null, cost && all].map((one) => one && Math.round(one * 1e6) / 1e6);
    expect(rounded).toEqual([micros, micros]);
  });

  test('is never negative, never less for more tokens, and never known by guessing', () => {
    const count = fc.option(fc.nat(400_000), { nil: null });
    fc.assert(
      fc.property(count, count, count, count, fc.nat(1000), (uncached, read, write, output, more) => {
        const bill = buckets(uncached, read, write, output);
        const cost = costOf(bill, SOL)?.usd ?? null;
        expect(cost === null).toBe([uncached, read, write, output].includes(null));
        if (cost === null) return;
        expect(cost).toBeGreaterThanOrEqual(0);
        expect(costOf({ ...bill, uncached: tokens((uncached ?? 0) + more) }, SOL)?.usd).toBeGreaterThanOrEqual(cost);
      }),
    );
  });
});

const prediction = (writes: Readonly<Record<string, number>>): Prediction => ({
  rule: 'anthropic',
  read: tokens(1),
  write: tokens(2),
  uncached: tokens(3),
  writes: Object.fromEntries(Object.entries(writes).map(([key, count]) => [key, tokens(count)])),
  tier: 'estimated',
  why: [],
});

describe('the buckets of a bill', () => {
  const usage = { uncached: tokens(1), read: tokens(2), write: tokens(300), output: tokens(4) };
  const bill = { usage, input: tokens(303), writes: null, problems: [] };
  test('take the lifetime from the prediction where there is only one', () => {
    expect(bucketsOf(bill, prediction({ '1h': 280 })).writes).toEqual({ '1h': 300 });
    expect(bucketsOf(bill, prediction({ '1h': 0, '5m': 280 })).writes).toEqual({ '5m': 300 });
    expect(bucketsOf(bill, prediction({ '1h': 100, '5m': 180 })).writes).toBeNull();
    expect(bucketsOf(bill, prediction({})).writes).toBeNull();
    expect(bucketsOf(bill, null).writes).toBeNull();
  });
  test('keep what the bill tells', () => {
    const told = { ...bill, writes: { '5m': tokens(300) } };
    expect(bucketsOf(told, prediction({ '1h': 280 })).writes).toEqual({ '5m': 300 });
    expect(bucketsOf({ ...bill, usage: { ...usage, write: null } }, prediction({ '1h': 280 })).writes).toBeNull();
  });
  test('of a prediction', () =>
    expect(predictedBuckets(prediction({ '5m': 2 }), tokens(9))).toEqual(buckets(3, 1, 2, 9, { '5m': 2 })));
});

describe('what was wasted', () => {
  const RULES = parseCacheRules(
    JSON.parse(readFileSync(new URL('../../resources/cache-rules.json', import.meta.url), 'utf8')),
  );
  const rule = (id: string): CacheRule | null => RULES.rules.find((one) => one.id === id) ?? null;
  type Case = readonly [
    what: string,
    wasted: number,
    list: Price,
    id: string,
    bill: CostBuckets | null,
    micros: number | null,
  ];
  const CASES: readonly Case[] = [
    ['nothing', 0, KIMI, 'kimi', null, 0],
    ['written anew', 1000, OPUS, 'anthropic', buckets(0, 0, 5000, 0, { '5m': 5000 }), 1000 * (6.25 - 0.5)],
    [
      'written with the longer lifetime first',
      1000,
      OPUS,
      'anthropic',
      buckets(0, 0, 5000, 0, { '5m': 4400, '1h': 600 }),
      600 * 10 + 400 * 6.25 - 500,
    ],
    [
      'more than was written',
      1000,
      OPUS,
      'anthropic',
      buckets(2000, 0, 400, 0, { '5m': 400 }),
      400 * 6.25 + 600 * 5 - 500,
    ],
    ['plain input', 1000, MINI, 'openai-pre-5.6', buckets(2000, 0, 0, 0), 1000 * (0.75 - 0.075)],
    ['without a bill, written anew', 1000, OPUS, 'anthropic', null, 1000 * (6.25 - 0.5)],
    ['without a bill, plain input', 1000, MINI, 'openai-pre-5.6', null, 1000 * (0.75 - 0.075)],
    ['without a bill and without a rule', 1000, MINI, 'none', null, null],
    ['no price for reads', 1000, NO_READS, 'openai-pre-5.6', null, null],
    ['no price for writes', 1000, KIMI, 'kimi', null, null],
    ['in a band', 1000, SOL, 'openai-5.6+', buckets(0, 0, 300_000, 0), 1000 * (5 - 0.4)],
  ];
  test.each(CASES)('%s', (_, wasted, list, id, bill, micros) => {
    const cost = wastedCost(tokens(wasted), list, rule(id), bill);
    expect(cost && Math.round(cost * 1e6) / 1e6).toBe(micros && Math.round(micros * 1e6) / 1e6);
  });
});
