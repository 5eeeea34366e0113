/** The cache of a session as the command line prints it: the names and units of its JSON contract, dollars for money. */
import type { CacheOverview, CacheRuntimeRow, CauseKind } from '../../shared/model/index.ts';
import { sentence, type Language } from '../../shared/language/index.ts';
import type { UsdMicros } from '../../shared/units.ts';

export type CacheReport = Pick<
  CacheOverview,
  'sessionId' | 'calibration' | 'calibrationByProvider' | 'flagged' | 'rulesAsOf' | 'pricesAsOf'
> & {
  readonly runtimes: readonly (Omit<CacheRuntimeRow, 'wasted' | 'cost' | 'wastedCost'> & {
    readonly wastedTokens: number;
    readonly costUsd: number | null;
    readonly wastedUsd: number | null;
    readonly causes: readonly CacheReportCause[];
  })[];
  /** What limits the figures, and of how many calls; the commonest first. */
  readonly notes: readonly { readonly note: string; readonly calls: number }[];
};

export type CacheReportCause = {
  readonly kind: CauseKind;
  readonly calls: number;
  readonly tokens: number;
  readonly usd: number | null;
  readonly advice: string | null;
};

const dollars = (micros: UsdMicros | null): number | null => (micros === null ? null : micros / 1e6);

export function cacheReport(overview: CacheOverview, language: Language): CacheReport {
  const { sessionId, calibration, calibrationByProvider, flagged, rulesAsOf, pricesAsOf } = overview;
  return {
    sessionId,
    calibration,
    calibrationByProvider,
    runtimes: overview.runtimes.map(({ wasted, cost, wastedCost, ...row }) => ({
      ...row,
      wastedTokens: wasted,
      costUsd: dollars(cost),
      wastedUsd: dollars(wastedCost),
      causes: overview.causes
        .filter(({ runtimeId }) => runtimeId === row.runtimeId)
        .map(({ kind, callIds, tokens, cost: usd, advice }) => ({
          kind,
          calls: callIds.length,
          tokens,
          usd: dollars(usd),
          advice: advice && sentence(language, advice),
        })),
    })),
    flagged,
    notes: notesOf(overview, language),
    rulesAsOf,
    pricesAsOf,
  };
}

function notesOf({ calls }: CacheOverview, language: Language): CacheReport['notes'] {
  const all = calls.flatMap((call) => call.notes.map((note) => sentence(language, note)));
  return [...Map.groupBy(all, (note) => note)]
    .map(([note, own]) => ({ note, calls: own.length }))
    .toSorted((a, b) => b.calls - a.calls);
}
