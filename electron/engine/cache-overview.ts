/**
 * The cache of a session in figures. Nothing is added that was not reported: a call whose usage is missing or
 * contradicts itself is in no sum of billed tokens, and money that is not known is counted, not guessed.
 */
import { billedInput } from '../adapters/index.ts';
import { KEPT } from '../cache/cause-table.ts';
import type {
  CacheCall,
  CacheCauseRow,
  CacheOverview,
  CacheRuntimeRow,
  Calibration,
} from '../../shared/model/index.ts';
import { tokens, usdMicros, type Tokens, type UsdMicros } from '../../shared/units.ts';

/** Predicted and billed reads that are no further apart are called equal (cli-contract, "cache"). */
export const TOLERANCE: Tokens = tokens(128);

export type OverviewDates = { readonly rulesAsOf: string; readonly pricesAsOf: string };

/** @param calls in the order of writing */
export function cacheOverview(sessionId: string, calls: readonly CacheCall[], dates: OverviewDates): CacheOverview {
  const runtimes = [...Map.groupBy(calls, (call) => call.runtimeId)];
  const providers = [...Map.groupBy(calls.filter(isCompared), (call) => call.provider ?? '?')];
  return {
    sessionId,
    calls: inTime(calls),
    runtimes: runtimes.map(([runtimeId, own]) => runtimeRow(runtimeId, own)),
    causes: causeRows(calls),
    calibration: calibrationOf(calls),
    calibrationByProvider: providers.map(([provider, own]) => ({ provider, ...calibrationOf(own) })),
    flagged: calls.filter((call) => call.usageProblems.length > 0).map((call) => call.id),
    ...dates,
  };
}

/** By start; a call without a clock keeps its place behind the call that was written before it. */
function inTime(calls: readonly CacheCall[]): readonly CacheCall[] {
  let known = Number.NEGATIVE_INFINITY;
  const timed = calls.map((call) => {
    const at = call.startedAt === null ? Number.NaN : Date.parse(call.startedAt);
    if (!Number.isNaN(at)) known = at;
    return { call, at: Number.isNaN(at) ? known : at };
  });
  return timed.toSorted((a, b) => (a.at === b.at ? 0 : a.at - b.at)).map(({ call }) => call);
}

const isCompared = (call: CacheCall): boolean => call.holds !== null;

function calibrationOf(calls: readonly CacheCall[]): Calibration {
  const compared = calls.filter(isCompared);
  return {
    calls: compared.length,
    matched: compared.filter((call) => call.holds).length,
    toleranceTokens: TOLERANCE,
  };
}

/** Sum of what is known; null where nothing is. */
function sumOf<T extends number>(values: readonly (T | null)[]): T | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : (known.reduce<number>((sum, value) => sum + value, 0) as T);
}

/** Nobody billed the input of a request that nobody answered. */
const isUnanswered = (call: CacheCall): boolean => call.notes.some(({ key }) => key === 'note.not-answered');

function runtimeRow(runtimeId: string, calls: readonly CacheCall[]): CacheRuntimeRow {
  const sound = calls.filter((call) => call.usageProblems.length === 0);
  const read = sumOf(sound.map(({ usage }) => usage?.read ?? null));
  const all = sound.reduce((sum, { usage }) => sum + (billedInput(usage) ?? 0), 0);
  return {
    runtimeId,
    calls: new Set(calls.map((call) => `${call.turnId} ${call.step}`)).size,
    inputTokens: sumOf(calls.map((call) => (isUnanswered(call) ? null : (call.input?.value ?? null)))) ?? tokens(0),
    read,
    write: sumOf(sound.map((call) => call.usage?.write ?? null)),
    predictedRead: sumOf(calls.map((call) => call.prediction?.read ?? null)),
    hitRate: read === null || all === 0 ? null : read / all,
    unreported: sound.filter(({ usage }) => usage?.uncached != null && usage.read === null).length,
    wasted: sumOf(calls.map((call) => call.wasted)) ?? tokens(0),
    cost: sumOf(calls.map((call) => call.cost)),
    wastedCost: sumOf(calls.map((call) => call.wastedCost)),
    unpriced: calls.filter((call) => call.cost === null && (call.usage !== null || call.prediction !== null)).length,
  };
}

function causeRows(calls: readonly CacheCall[]): readonly CacheCauseRow[] {
  const rows: CacheCauseRow[] = [];
  for (const [, runtime] of Map.groupBy(calls, (call) => call.runtimeId)) {
    for (const [kind, own] of Map.groupBy(runtime, (call) => call.cause?.kind ?? null)) {
      const [first] = own;
      const lost = tokens(own.reduce((sum, call) => sum + call.wasted, 0));
      // What keeps the prefix is no miss, and is listed only where tokens were lost all the same.
      if (kind === null || !first || (lost === 0 && KEPT.includes(kind))) continue;
      rows.push({
        kind,
        runtimeId: first.runtimeId,
        callIds: own.map((call) => call.id),
        tokens: lost,
        cost: costOf(own),
        advice: own.toSorted((a, b) => b.wasted - a.wasted)[0]?.cause?.advice ?? null,
      });
    }
  }
  return rows.toSorted(
    (a, b) => b.tokens - a.tokens || (b.cost ?? 0) - (a.cost ?? 0) || b.callIds.length - a.callIds.length,
  );
}

/** Calls that lost nothing cost nothing; a call that lost tokens at an unknown price makes the sum unknown. */
function costOf(calls: readonly CacheCall[]): UsdMicros | null {
  const paid = calls.filter((call) => call.wasted > 0).map((call) => call.wastedCost);
  return paid.includes(null) ? null : (sumOf(paid) ?? usdMicros(0));
}
