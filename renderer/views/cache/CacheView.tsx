/**
 * What the cache of a session should have done, call by call, and what it did: the promise of the rules beside the bill,
 * and what every break cost. It belongs to the session, so stepping through turns moves only its marks.
 */
import { lazy, Suspense, useId, useMemo, type ReactNode } from 'react';
import type { CacheOverview } from '../../../shared/model/index.ts';
import { useText } from '../../app/language/index.ts';
import { actions, useLens } from '../../app/store.ts';
import { useEngine, type Progress } from '../../app/use-engine.ts';
import { Empty, ErrorNote, formatInt, Loading } from '../../ui/index.ts';
import { cardsOf, flaggedOf, missesOf, shownRuntime } from './cache-model.ts';
import { Calibration } from './Calibration.tsx';
import { Cards } from './Cards.tsx';
import { CauseTable } from './CauseTable.tsx';
import { Flagged } from './Flagged.tsx';
import { LifetimeRuler } from './LifetimeRuler.tsx';
import { RuntimeTable } from './RuntimeTable.tsx';
import './cache.css';

const CacheChart = lazy(() => import('./CacheChart.tsx').then((chart) => ({ default: chart.CacheChart })));

export function CacheView(): ReactNode {
  const t = useText();
  const sourceId = useLens((state) => state.source?.sourceId ?? null);
  const sessionId = useLens((state) => state.sessionId);
  const ref = sourceId === null || sessionId === null ? null : { sourceId, sessionId };
  const { value, error, isStale, progress } = useEngine('cache.get', ref);
  if (error)
    return (
      <div className="view-note">
        <ErrorNote error={error} title={t('cache.failed')} />
      </div>
    );
  // Figures of the session before would be wrong ones here.
  if (!value || value.sessionId !== sessionId) return <Waiting progress={progress} />;
  if (value.calls.length === 0) return <Empty title={t('cache.none')} hint={t('cache.none.hint')} />;
  return <Screen overview={value} isStale={isStale} />;
}

function Waiting({ progress }: { readonly progress: Progress | null }): ReactNode {
  const t = useText();
  const isKnown = progress !== null && progress.total > 0;
  return (
    <div className="cache-waiting">
      <Loading label={t('cache.loading')} />
      <div className="cache-progress">
        {isKnown && (
          <>
            <progress max={progress.total} value={progress.done} aria-label={t('cache.loading')} />
            <span>{t('cache.progress', { done: formatInt(progress.done), total: formatInt(progress.total) })}</span>
          </>
        )}
      </div>
    </div>
  );
}

type ScreenProps = { readonly overview: CacheOverview; readonly isStale: boolean };

function Screen({ overview, isStale }: ScreenProps): ReactNode {
  const t = useText();
  const calibrationId = useId();
  const chartOpen = useLens((state) => state.chartOpen);
  const place = useLens((state) => state.cachePlace);
  const callRuntime = useLens((state) =>
    state.callId === null ? null : (state.calls.get(state.callId)?.runtimeId ?? null),
  );
  const { calls, causes, runtimes } = overview;
  const facts = useMemo(() => cardsOf(overview), [overview]);
  const misses = useMemo(() => missesOf(calls), [calls]);
  const flagged = useMemo(() => flaggedOf(calls), [calls]);
  const isOneTurn = useMemo(() => calls.every((call) => call.turnId === calls[0]?.turnId), [calls]);
  const runtimeId = shownRuntime(overview, [place.runtimeId, callRuntime]);

  return (
    // A box that scrolls must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className="cache" tabIndex={0} aria-label={t('view.cache')} aria-busy={isStale}>
      <Cards
        facts={facts}
        calibrationId={calibrationId}
        calibrationOpen={place.calibrationOpen}
        onCalibration={() => actions.setCachePlace({ calibrationOpen: !place.calibrationOpen })}
      />
      {place.calibrationOpen && <Calibration id={calibrationId} overview={overview} misses={misses} />}
      <Flagged calls={flagged} />
      {isOneTurn && <p className="cache-none">{t('cache.one-turn')}</p>}
      {chartOpen && (
        <Suspense fallback={<div className="cache-chart" />}>
          <CacheChart calls={calls} />
        </Suspense>
      )}
      {!(isOneTurn && causes.length === 0) && <CauseTable causes={causes} calls={calls} />}
      <RuntimeTable
        rows={runtimes}
        facts={facts}
        chosen={runtimeId}
        onChoose={(id) => actions.setCachePlace({ runtimeId: id })}
      />
      {runtimeId !== null && <LifetimeRuler calls={calls} runtimeId={runtimeId} />}
      <p className="cache-as-of">{t('cache.as-of', { rules: overview.rulesAsOf, prices: overview.pricesAsOf })}</p>
    </section>
  );
}
