/**
 * The cache of one session: simulated once for all who ask, explained when somebody wants the whole, and kept in the
 * side database so that the next opening of the same file knows it at once. A change of the file makes a new one.
 */
import type { CacheRules } from '../cache/rules.ts';
import type { Prices } from '../cache/prices.ts';
import type { CacheCall, CacheOverview, Cause, Prediction, Sentence } from '../../shared/model/index.ts';
import { predictedEnds, type PredictedEnd } from './cache-ends.ts';
import { cacheOverview } from './cache-overview.ts';
import { runSession, type CacheRun, type RunCall } from './cache-run.ts';
import { cacheCall, notesOn, verdictOn } from './cache-verdicts.ts';
import type { CallView } from './call-view.ts';
import type { OpenedSource } from './opened-source.ts';
import type { SideDb } from './side-db.ts';
import { createSlices } from './slices.ts';

export type CacheListener = {
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number) => void;
};

export type PredictedCall = {
  readonly prediction: Prediction | null;
  readonly ends: readonly PredictedEnd[];
  readonly notes: readonly Sentence[];
};

export type SessionCache = {
  /** `pending` until the session was simulated; asking starts that in the background. */
  state(): 'pending' | 'done';
  /** null while pending, and for a call that is not of the session. */
  predicted(callId: string): PredictedCall | null;
  /** The cause against the default baseline, cache rules included; the content's own while pending. */
  causeOf(view: CallView, baseline: CallView, content: Cause): Cause;
  /** Resolves when the session was simulated, or the signal aborts. Progress counts calls. */
  simulated(listener: CacheListener): Promise<void>;
  /** null once aborted. Progress counts each call twice: read, and explained. */
  overview(listener: CacheListener): Promise<CacheOverview | null>;
  stop(): void;
};

export type SessionCacheOptions = {
  readonly source: OpenedSource;
  readonly sessionId: string;
  readonly rules: CacheRules;
  readonly prices: () => Promise<Prices>;
  readonly sideDb: SideDb;
  readonly onReady: () => void;
};

export function createSessionCache(options: SessionCacheOptions): SessionCache {
  const { source, sessionId, rules, sideDb } = options;
  const { identity } = source.db.info;
  const kept = sideDb.cache.load(identity, sessionId);
  const isCurrent = kept?.rulesAsOf === rules.asOf;
  /** Explained calls, in the order of writing. */
  const explained = new Map<string, CacheCall>(isCurrent ? kept.calls.map((call) => [call.id, call]) : []);
  const ends = new Map<string, readonly PredictedEnd[]>(isCurrent ? Object.entries(kept.ends) : []);
  let isExplained = isCurrent;
  let pricesAsOf = isCurrent ? kept.pricesAsOf : '';
  let run: CacheRun | null = null;
  let running: Promise<void> | null = null;
  let hasFailed = false;
  let stopped = false;
  /** Somebody looks at a call of the session and will ask again. */
  let isWanted = false;
  const waiting = new Set<CacheListener>();

  async function simulate(): Promise<void> {
    const rows = await source.index(sessionId).complete();
    const found = await runSession(
      { db: source.db, rules, sessionId, rows },
      {
        isAborted: () => stopped || (!isWanted && [...waiting].every(({ signal }) => signal.aborted)),
        progress(done, total) {
          for (const { signal, progress } of waiting) if (!signal.aborted) progress(done, total);
        },
      },
    );
    if (!found || stopped) return;
    for (const [id, call] of found) ends.set(id, endsOf(call));
    run = found;
    options.onReady();
  }

  function start(): Promise<void> {
    running ??= simulate().finally(() => (running = null));
    return running;
  }

  async function wait(listener: CacheListener): Promise<void> {
    waiting.add(listener);
    try {
      while (!run && !stopped && !listener.signal.aborted) await start();
    } finally {
      waiting.delete(listener);
    }
  }

  async function simulateInBackground(): Promise<void> {
    isWanted = true;
    try {
      while (!run && !stopped) await start();
    } catch {
      // Whoever asks for the overview is told; a call is just shown without a prediction.
      hasFailed = true;
      if (!stopped) options.onReady();
    }
  }

  async function explain(listener: CacheListener, prices: Prices): Promise<boolean> {
    if (!run) return false;
    const calls = [...run.values()];
    const pause = createSlices();
    for (const [i, call] of calls.entries()) {
      await pause();
      if (listener.signal.aborted || stopped || !run) return false;
      if (!explained.has(call.row.id)) explained.set(call.row.id, cacheCall(source, sessionId, run, call, prices));
      listener.progress(calls.length + i + 1, 2 * calls.length);
    }
    return true;
  }

  return {
    state() {
      if (run || isExplained || hasFailed) return 'done';
      if (!isWanted) void simulateInBackground();
      return 'pending';
    },
    predicted(callId) {
      const known = explained.get(callId);
      const call = run?.get(callId);
      const prediction = call?.sim.prediction ?? known?.prediction;
      if (prediction === undefined) return null;
      const notes = known?.notes ?? (run && call ? notesOn(source, sessionId, run, call) : []);
      return { prediction, ends: ends.get(callId) ?? [], notes };
    },
    causeOf(view, baseline, content) {
      const known = explained.get(view.row.id);
      if (known?.cause && known.previousId === baseline.row.id) return known.cause;
      const [call, before] = [run?.get(view.row.id), run?.get(baseline.row.id)];
      return call && before ? verdictOn(source, call, before, content).cause : content;
    },
    async simulated(listener) {
      if (!isExplained) await wait(listener);
    },
    async overview(listener) {
      const prices = await options.prices();
      if (isExplained && pricesAsOf !== prices.asOf) {
        isExplained = false;
        explained.clear();
      }
      if (!isExplained) {
        const half = { ...listener, progress: (done: number, total: number) => listener.progress(done, 2 * total) };
        await wait(half);
        if (!(await explain(listener, prices))) return null;
        isExplained = true;
        pricesAsOf = prices.asOf;
        const calls = [...explained.values()];
        sideDb.cache.save(identity, sessionId, {
          rulesAsOf: rules.asOf,
          pricesAsOf,
          calls,
          ends: Object.fromEntries(ends),
        });
      }
      return cacheOverview(sessionId, [...explained.values()], { rulesAsOf: rules.asOf, pricesAsOf });
    },
    stop() {
      stopped = true;
    },
  };
}

/** Where the provider hashes in another order than the key text, a place in the one is no place in the other. */
function endsOf({ sim, ends, rule }: RunCall): readonly PredictedEnd[] {
  if (!sim.prediction || (rule?.renderOrder && rule.renderOrder.join() !== 'tools,system,messages')) return [];
  return predictedEnds(sim.prediction, ends);
}
