/**
 * A bill has disjoint buckets, each with a price of its own. Tokens in a bucket without a price cannot be priced at
 * another bucket's: then the cost is unknown. Money is in millionths of a US dollar.
 */
import type { Prediction, ReportedUsage } from '../../shared/model/index.ts';
import { tokens, usdMicros, type Tokens, type UsdMicros } from '../../shared/units.ts';
import { ratesFor, type Price, type Rates } from './price.ts';
import { billsWrites, type CacheRule } from './rules.ts';

export type { Price, PriceBand, PriceSource, Rates } from './price.ts';

/** What one call is billed by. null: not known. */
export type CostBuckets = {
  readonly uncached: Tokens | null;
  readonly read: Tokens | null;
  readonly write: Tokens | null;
  /** Written tokens by lifetime; null: not told apart. */
  readonly writes: Readonly<Record<string, Tokens>> | null;
  readonly output: Tokens | null;
};

export type CostParts = {
  readonly input: UsdMicros;
  readonly read: UsdMicros;
  readonly write: UsdMicros;
  readonly output: UsdMicros;
};
export type Cost = { readonly usd: UsdMicros; readonly parts: CostParts };

const sum = (numbers: readonly number[]): number => numbers.reduce((all, n) => all + n, 0);

/**
 * The buckets of a bill. Where it does not tell its writes apart, and all predicted writes have one lifetime, they have
 * that one.
 */
export function bucketsOf({ usage, writes }: ReportedUsage, prediction: Prediction | null): CostBuckets {
  const { uncached, read, write, output } = usage;
  if (writes !== null || write === null) return { uncached, read, write, writes, output };
  const lifetimes = Object.entries(prediction?.writes ?? {}).filter(([, count]) => count > 0);
  const only = lifetimes.length === 1 ? lifetimes[0]?.[0] : undefined;
  return { uncached, read, write, writes: only === undefined ? null : { [only]: write }, output };
}

/** The buckets that the rules predict; the output is never predicted. */
export const predictedBuckets = (prediction: Prediction, output: Tokens | null): CostBuckets => ({
  uncached: prediction.uncached,
  read: prediction.read,
  write: prediction.write,
  writes: prediction.writes,
  output,
});

/** null: some tokens have no price, or it is not known how many tokens a bucket has. */
export function costOf(buckets: CostBuckets, price: Price): Cost | null {
  const prompt = promptOf(buckets, price);
  if (prompt === null) return null;
  const rates = ratesFor(price, prompt);
  const input = priced(buckets.uncached, rates.input);
  const read = priced(buckets.read, rates.read);
  const write = pricedWrites(buckets, rates);
  const output = priced(buckets.output, rates.output);
  if (input === null || read === null || write === null || output === null) return null;
  const parts = { input: usdMicros(input), read: usdMicros(read), write: usdMicros(write), output: usdMicros(output) };
  return { usd: usdMicros(sum(Object.values(parts))), parts };
}

/** A list without any lifetime says that writes are not billed apart: then a bill that does not name them has none. */
const hasNoWrites = (rates: Rates): boolean => Object.keys(rates.writes).length === 0;

/** The whole prompt; null where a part of it is not known. */
function promptOf({ uncached, read, write }: CostBuckets, price: Price): number | null {
  if (uncached === null || read === null || (write === null && !hasNoWrites(price.rates))) return null;
  return uncached + read + (write ?? 0);
}

/** Millionths of a dollar, with their fractions: a single token may cost less than one. */
function priced(count: Tokens | null, rate: UsdMicros | null): number | null {
  if (count === null) return null;
  if (count === 0) return 0;
  return rate === null ? null : (count * rate) / 1e6;
}

function pricedWrites({ write, writes }: CostBuckets, rates: Rates): number | null {
  if (write === null) return hasNoWrites(rates) ? 0 : null;
  if (write === 0) return 0;
  if (writes === null) {
    const [only, ...others] = Object.keys(rates.writes);
    return only === undefined || others.length > 0 ? null : priced(write, rates.writes[only] ?? null);
  }
  if (sum(Object.values(writes)) !== write) return null;
  let all = 0;
  for (const [lifetime, count] of Object.entries(writes)) {
    const cost = priced(count, Object.hasOwn(rates.writes, lifetime) ? (rates.writes[lifetime] ?? null) : null);
    if (cost === null) return null;
    all += cost;
  }
  return all;
}

/**
 * What wasted tokens cost more than they would have cost as reads. They stand right behind what was read, where writes
 * come first: so they were paid as writes as far as there are any, then as uncached input.
 * @param rule tells what they were paid as where the buckets are not known
 * @param buckets what the call was billed by
 */
export function wastedCost(
  wasted: Tokens,
  price: Price,
  rule: CacheRule | null,
  buckets: CostBuckets | null = null,
): UsdMicros | null {
  if (wasted === 0) return usdMicros(0);
  const known = buckets && promptOf(buckets, price) !== null ? buckets : assumed(wasted, rule);
  if (!known) return null;
  const rates = ratesFor(price, promptOf(known, price) ?? wasted);
  const asWrite = Math.min(wasted, known.write ?? 0);
  const written = pricedWrites(scaledWrites(known, tokens(asWrite)), rates);
  const uncached = priced(tokens(wasted - asWrite), rates.input);
  const asRead = priced(wasted, rates.read);
  if (written === null || uncached === null || asRead === null) return null;
  return usdMicros(Math.max(0, written + uncached - asRead));
}

/** The first of the written tokens: longer lifetimes stand before shorter ones. */
function scaledWrites({ writes, ...rest }: CostBuckets, write: Tokens): CostBuckets {
  if (writes === null) return { ...rest, write, writes };
  let left: number = write;
  const taken: Record<string, Tokens> = {};
  for (const lifetime of Object.keys(writes).sort((a, b) => secondsOf(b) - secondsOf(a))) {
    const count = Math.min(left, writes[lifetime] ?? 0);
    taken[lifetime] = tokens(count);
    left -= count;
  }
  return { ...rest, write, writes: taken };
}

const UNITS: Readonly<Record<string, number>> = { m: 60, h: 3600 };
const secondsOf = (lifetime: string): number => {
  const found = /^(\d+)([mh])$/.exec(lifetime);
  return found ? Number(found[1]) * (UNITS[found[2] ?? ''] ?? 0) : 0;
};

/** Without a bill the rule tells: what is not read is written anew with its usual lifetime, or is plain input. */
function assumed(wasted: Tokens, rule: CacheRule | null): CostBuckets | null {
  const bills = rule && billsWrites(rule);
  if (bills === null || bills === undefined) return null;
  const none = { read: tokens(0), output: tokens(0) };
  if (!bills) return { ...none, uncached: wasted, write: tokens(0), writes: {} };
  const usual = rule?.ttl.find((entry) => entry.default)?.id;
  return { ...none, uncached: tokens(0), write: wasted, writes: usual === undefined ? null : { [usual]: wasted } };
}
