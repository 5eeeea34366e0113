/**
 * An open covel.db with what was derived from it: turns, the index of each session's calls, parsed calls. All of
 * it can be thrown away and made again when the file changes.
 */
import type { CacheRules } from '../cache/index.ts';
import type { CovelDb, LedgerEvent } from '../sources/covel-db/types.ts';
import type { CallRow, HistoryRow, TurnRow } from '../../shared/model/index.ts';
import type { TurnIndex } from '../../shared/units.ts';
import { createCallViews, type CallView } from './call-view.ts';
import { failWith } from './errors.ts';
import { createSessionIndex, type SessionIndex } from './session-index.ts';
import type { SideDb } from './side-db.ts';

export type OpenedSource = {
  readonly db: CovelDb;
  readonly rules: CacheRules;
  turns(sessionId: string): readonly TurnRow[];
  index(sessionId: string): SessionIndex;
  /** The session's events that changed what later prompts hold. */
  ledger(sessionId: string): readonly LedgerEvent[];
  history(sessionId: string): readonly HistoryRow[];
  /** Fails with `unknown-call`. */
  call(callId: string): { readonly row: CallRow; readonly sessionId: string };
  view(callId: string): CallView;
  /** Takes in that the file has changed. */
  changed(): void;
  close(): void;
};

export function openSource(
  db: CovelDb,
  options: { readonly sideDb: SideDb; readonly rules: CacheRules },
): OpenedSource {
  const turns = new Map<string, readonly TurnRow[]>();
  const histories = new Map<string, readonly HistoryRow[]>();
  const ledgers = new Map<string, readonly LedgerEvent[]>();
  const indexes = new Map<string, SessionIndex>();
  let hasGrown = false;

  const views = createCallViews(db, (sessionId, row) => {
    // Cut by order: a picture note carries the id of its own job, which is no turn of the session.
    const all = source.history(sessionId);
    const last = all.findLastIndex((entry) => entry.turnIndex !== null && entry.turnIndex <= row.turnIndex);
    const rows = all.slice(0, last + 1);
    const said = rows.find((entry) => entry.turnId === row.turnId && entry.sourceType === 'player');
    const turn = source.turns(sessionId)[row.turnIndex - 1];
    return { rows, playerText: said?.content ?? turn?.playerText ?? null };
  });

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
    changed() {
      hasGrown = true;
      for (const map of [turns, histories, ledgers]) map.clear();
      views.clear();
      for (const index of indexes.values()) index.grow();
    },
    close() {
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
