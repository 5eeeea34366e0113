/**
 * A session's cache in a handful of figures. Sums are over what is known: a call without usage, without a price or with
 * a bill that contradicts itself is counted beside the figure, never inside it as a zero.
 */
import type { CacheCall, CacheOverview, Usage } from '../../../shared/model/index.ts';

/** A sum of money in millionths of a dollar; null when no price is known for any part of it. */
export type Money = number | null;

export type CardFacts = {
  /** read / (uncached + read + write); null when no call reported what it takes. */
  readonly hitRate: number | null;
  /** Calls that the hit rate rests on, in the session and by runtime. */
  readonly coverage: Coverage;
  readonly coverageOf: ReadonlyMap<string, Coverage>;
  readonly wasted: number;
  readonly wastedCost: Money;
  readonly cost: Money;
  /** Calls that no price is known for. */
  readonly unpriced: number;
  readonly held: number;
  readonly compared: number;
  readonly tolerance: number;
  /** The runtime that cost most; null when no price is known. `share` is of `cost`. */
  readonly dearest: {
    readonly runtimeId: string;
    readonly share: number;
    readonly hitRate: number | null;
  } | null;
};

/** Sum of what is known; null when nothing is. */
export function sumKnown(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

/** Usage that can be counted with: nothing in it contradicts itself. */
export const soundUsage = (call: CacheCall): Usage | null => (call.usageProblems.length > 0 ? null : call.usage);

/** Input by bucket of a call that reported it; a write that is not billed is none. */
export type Billed = { readonly read: number; readonly write: number; readonly uncached: number };
export function billedOf(call: CacheCall): Billed | null {
  const usage = soundUsage(call);
  if (!usage || usage.read === null || usage.uncached === null) return null;
  return { read: usage.read, write: usage.write ?? 0, uncached: usage.uncached };
}

/** How many calls say what was read, of those that something is known of: a rate of one call is not one of thirteen. */
export type Coverage = { readonly reported: number; readonly all: number };
export const coverageOf = (calls: readonly CacheCall[]): Coverage => ({
  reported: calls.filter((call) => billedOf(call) !== null).length,
  all: calls.filter((call) => call.usage !== null || call.prediction !== null).length,
});

/** read / all that was billed; a call that does not say what was read counts as not read. null: none says it. */
export function hitRateOf(calls: readonly CacheCall[]): number | null {
  const billed = calls.flatMap((call) => {
    const usage = soundUsage(call);
    return usage?.uncached == null ? [] : [{ ...usage, uncached: usage.uncached }];
  });
  const read = sumKnown(billed.map((usage) => usage.read));
  const all = billed.reduce(
    (sum, { uncached, read: cached, write }) => sum + uncached + (cached ?? 0) + (write ?? 0),
    0,
  );
  return read === null || all === 0 ? null : read / all;
}

export function cardsOf({ calls, runtimes, calibration }: CacheOverview): CardFacts {
  const cost = sumKnown(runtimes.map((runtime) => runtime.cost));
  const most = runtimes.reduce<(typeof runtimes)[number] | null>(
    (best, runtime) => (runtime.cost !== null && runtime.cost > (best?.cost ?? 0) ? runtime : best),
    null,
  );
  return {
    hitRate: hitRateOf(calls),
    coverage: coverageOf(calls),
    coverageOf: new Map([...Map.groupBy(calls, (call) => call.runtimeId)].map(([id, own]) => [id, coverageOf(own)])),
    wasted: runtimes.reduce((sum, runtime) => sum + runtime.wasted, 0),
    wastedCost: sumKnown(runtimes.map((runtime) => runtime.wastedCost)),
    cost,
    unpriced: runtimes.reduce((sum, runtime) => sum + runtime.unpriced, 0),
    held: calibration.matched,
    compared: calibration.calls,
    tolerance: calibration.toleranceTokens,
    dearest: most?.cost && cost ? { runtimeId: most.runtimeId, share: most.cost / cost, hitRate: most.hitRate } : null,
  };
}

/** Calls on which the prediction did not hold, farthest off first. */
export type Miss = {
  readonly call: CacheCall;
  readonly predicted: number;
  readonly billed: number;
};
export const missesOf = (calls: readonly CacheCall[]): readonly Miss[] =>
  calls
    .flatMap((call): readonly Miss[] =>
      call.holds === false && call.prediction && call.usage && call.usage.read !== null
        ? [{ call, predicted: call.prediction.read, billed: call.usage.read }]
        : [],
    )
    .toSorted((a, b) => Math.abs(b.predicted - b.billed) - Math.abs(a.predicted - a.billed));

/** Calls whose reported usage contradicts itself. */
export const flaggedOf = (calls: readonly CacheCall[]): readonly CacheCall[] =>
  calls.filter((call) => call.usageProblems.length > 0);

/** Whose requests the ruler shows: the chosen runtime while it is in the session, else the first that is. */
export const shownRuntime = (overview: CacheOverview, wanted: readonly (string | null)[]): string | null =>
  wanted.find((id) => overview.runtimes.some((runtime) => runtime.runtimeId === id)) ??
  overview.runtimes[0]?.runtimeId ??
  null;
