/**
 * Derived rows are kept beside nothing of the user's: in a database of ours, by the identity of the file they
 * came from. The identity changes with every change of the file, so a kept row is right or it is not found.
 * Losing this database costs time, never data: every failure is answered with "nothing kept".
 */
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { CallDetail } from '../../shared/api.ts';
import type { CacheCall, CallRow } from '../../shared/model/index.ts';

/** Raised when the meaning of what is kept changes: other versions are not read. */
const VERSIONS = { call_rows: 3, cache_calls: 2 } as const;
type Table = keyof typeof VERSIONS;
/** Sessions whose rows are kept; the longest unused go first. */
const MAX_SESSIONS = 200;

/** What is kept of one session of a file in one state. */
export type KeptRows<T> = {
  load(identity: string, sessionId: string): T | null;
  save(identity: string, sessionId: string, rows: T): void;
};

export type SideDb = KeptRows<readonly CallRow[]> & {
  readonly cache: KeptRows<KeptCache>;
  close(): void;
};

/** The cache of a session, explained: what took reading every payload to find out. */
export type KeptCache = {
  readonly rulesAsOf: string;
  readonly pricesAsOf: string;
  readonly calls: readonly CacheCall[];
  /** Ends of the predicted states by call id. */
  readonly ends: Readonly<Record<string, CallDetail['predictedEnds']>>;
};

const NOTHING_KEPT = { load: () => null, save: () => undefined };
export const NO_SIDE_DB: SideDb = { ...NOTHING_KEPT, cache: NOTHING_KEPT, close: () => undefined };

export function openSideDb(userData: string): SideDb {
  let db: Database.Database;
  try {
    mkdirSync(userData, { recursive: true, mode: 0o700 });
    const file = join(userData, 'derived.db');
    closeSync(openSync(file, 'a', 0o600));
    db = new Database(file);
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = OFF');
    db.pragma('busy_timeout = 200');
    for (const table of Object.keys(VERSIONS)) {
      db.exec(`CREATE TABLE IF NOT EXISTS ${table} (
        identity TEXT NOT NULL, session_id TEXT NOT NULL, version INTEGER NOT NULL, rows TEXT NOT NULL, used_at INTEGER NOT NULL,
        PRIMARY KEY (identity, session_id)) WITHOUT ROWID`);
    }
  } catch {
    return NO_SIDE_DB;
  }
  return { ...keptIn(db, 'call_rows'), cache: keptIn(db, 'cache_calls'), close: () => db.close() };
}

function keptIn<T>(db: Database.Database, table: Table): KeptRows<T> {
  const version = VERSIONS[table];
  const find = db.prepare<[string, string, number], { rows: string }>(
    `SELECT rows FROM ${table} WHERE identity = ? AND session_id = ? AND version = ?`,
  );
  const touch = db.prepare(`UPDATE ${table} SET used_at = unixepoch() WHERE identity = ? AND session_id = ?`);
  const put = db.prepare(`INSERT OR REPLACE INTO ${table} VALUES (?, ?, ?, ?, unixepoch())`);
  const trim = db.prepare(
    `DELETE FROM ${table} WHERE (identity, session_id) IN (SELECT identity, session_id FROM ${table} ORDER BY used_at DESC LIMIT -1 OFFSET ?)`,
  );
  return {
    load(identity, sessionId) {
      try {
        const found = find.get(identity, sessionId, version);
        if (!found) return null;
        touch.run(identity, sessionId);
        return JSON.parse(found.rows) as T;
      } catch {
        return null;
      }
    },
    save(identity, sessionId, rows) {
      try {
        put.run(identity, sessionId, version, JSON.stringify(rows));
        trim.run(MAX_SESSIONS);
      } catch {
        // Disk full or locked: the rows are computed again at the next opening.
      }
    },
  };
}
