/**
 * An open covel.db with what was derived from it: turns, the index of each session's calls, parsed calls. All of
 * it can be thrown away and made again when the file changes.
 */
import type { CacheRules } from '../cache/index.ts';
import type { Prices } from '../cache/prices.ts';
import type { CovelDb, LedgerEvent } from '../sources/covel-db/types.ts';
import type { CallRow, HistoryRow, TurnRow } from '../../shared/model/index.ts';
import type { TurnIndex } from '../../shared/units.ts';
import { createCallViews, type CallView, type HistoryOfTurn } from './call-view.ts';
import { failWith } from './errors.ts';
import { createSessionCache, type SessionCache } from './session-cache.ts';
import { createSessionIndex, type SessionIndex } from './session-index.ts';
import type { SideDb } from './side-db.ts';

export type OpenedSource = {
  readonly db: CovelDb;
  readonly rules: CacheRules;
  turns(sessionId: string): readonly TurnRow[];
  index(sessionId: string): SessionIndex;
  /** Fails with `unknown-session`. */
  cache(sessionId: string): SessionCache;
  /** The session's events that changed what later prompts hold. */
  ledger(sessionId: string): readonly LedgerEvent[];
  history(sessionId: string): readonly HistoryRow[];
  /** Fails with `unknown-call`. */
  call(callId: string): { readonly row: CallRow; readonly sessionId: string };
  view(callId: string): CallView;
  /** The same for work that passes over all calls: only the newest few are kept, and none of the screens' are pushed out. */
  passingView(callId: string): CallView;
  /** Takes in that the file has changed. */
  changed(): void;
  close(): void;
};

export type OpenedSourceOptions = {
  readonly sideDb: SideDb;
  readonly rules: CacheRules;
  /** Loaded when they are first asked for; without them no price is known. */
  readonly prices?: () => Promise<Prices>;
  /** A session was simulated: its calls have predictions now. */
  readonly onCacheReady?: (sessionId: string) => void;
};

const NO_PRICES: Prices = { asOf: '', priceOf: () => null };

/** A call is compared with one of its runtime, and the next call of the runtime with it or with that one. */
const PASSING = { bytes: 8_000_000, ofRuntime: 2 };

export function openSource(db: CovelDb, options: OpenedSourceOptions): OpenedSource {
  const turns = new Map<string, readonly TurnRow[]>();
  const histories = new Map<string, readonly HistoryRow[]>();
  const ledgers = new Map<string, readonly LedgerEvent[]>();
  const indexes = new Map<string, SessionIndex>();
  const caches = new Map<string, SessionCache>();
  let hasGrown = false;

  const historyOf: HistoryOfTurn = (sessionId, row) => {
    // Cut by order: a picture note carries the id of its own job, which is no turn of the session.
    const all = source.history(sessionId);
    const last = all.findLastIndex((entry) => entry.turnIndex !== null && entry.turnIndex <= row.turnIndex);
    const rows = all.slice(0, last + 1);
    const said = rows.find((entry) => entry.turnId === row.turnId && entry.sourceType === 'player');
    const turn = source.turns(sessionId)[row.turnIndex - 1];
    return { rows, playerText: said?.content ?? turn?.playerText ?? null };
  };
  const views = createCallViews(db, historyOf);
  const passing = createCallViews(db, historyOf, PASSING);

  const source: OpenedSource = {
    db,
    rules: options.rules,
    turns: (sessionId) =>
      remembered(turns, sessionId, () => {
        if (!db.sessions().some((session) => session.id === sessionId)) failWith('unknown-session', { id: sessionId });
        return db.turns(sessionId, hasGrown || db.info.mode === 'snapshot');
      }),
    index: (sessionId) =>
      remembered(indexes, sessionId, () =>
        createSessionIndex({
          db,
          sessionId,
          sideDb: options.sideDb,
          turnPositions: () => positions(source.turns(sessionId)),
        }),
      ),
    cache: (sessionId) =>
      remembered(caches, sessionId, () => {
        source.turns(sessionId);
        return createSessionCache({
          source,
          sessionId,
          rules: options.rules,
          prices: options.prices ?? (() => Promise.resolve(NO_PRICES)),
          sideDb: options.sideDb,
          onReady: () => options.onCacheReady?.(sessionId),
        });
      }),
    ledger: (sessionId) => remembered(ledgers, sessionId, () => db.ledgerEvents(sessionId)),
    history: (sessionId) => remembered(histories, sessionId, () => db.history(sessionId)),
    call(callId) {
      for (const [sessionId, index] of indexes) {
        const row = index.row(callId);
        if (row) return { row, sessionId };
      }
      const found = db.findCall(callId) ?? failWith('unknown-call', { id: callId });
      const rows = source.index(found.sessionId).ofTurn(found.turnId);
      const row = rows.find((candidate) => candidate.id === callId) ?? failWith('unknown-call', { id: callId });
      return { row, sessionId: found.sessionId };
    },
    view(callId) {
      const { row, sessionId } = source.call(callId);
      return views.get(row, sessionId);
    },
    passingView(callId) {
      const { row, sessionId } = source.call(callId);
      return passing.get(row, sessionId);
    },
    changed() {
      hasGrown = true;
      for (const cache of caches.values()) cache.stop();
      for (const map of [turns, histories, ledgers, caches]) map.clear();
      views.clear();
      passing.clear();
      for (const index of indexes.values()) index.grow();
    },
    close() {
      for (const cache of caches.values()) cache.stop();
      for (const index of indexes.values()) index.stop();
      db.close();
    },
  };
  return source;
}

const positions = (turns: readonly TurnRow[]): ReadonlyMap<string, TurnIndex> =>
  new Map(turns.map((turn) => [turn.turnId, turn.index]));

function remembered<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const there = map.get(key);
  if (there !== undefined) return there;
  const value = make();
  map.set(key, value);
  return value;
}
