/**
 * Derived rows are kept beside nothing of the user's: in a database of ours, by the identity of the file they
 * came from. The identity changes with every change of the file, so a kept row is right or it is not found.
 * Losing this database costs time, never data: every failure is answered with "nothing kept".
 */
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { CallRow } from '../../shared/model/index.ts';

/** Raised when the meaning of a kept row changes: rows of other versions are not read. */
const VERSION = 2;
/** Sessions whose rows are kept; the longest unused go first. */
const MAX_SESSIONS = 200;

export type SideDb = {
  load(identity: string, sessionId: string): readonly CallRow[] | null;
  save(identity: string, sessionId: string, rows: readonly CallRow[]): void;
  close(): void;
};

export const NO_SIDE_DB: SideDb = { load: () => null, save: () => undefined, close: () => undefined };

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
    db.exec(`CREATE TABLE IF NOT EXISTS call_rows (
      identity TEXT NOT NULL, session_id TEXT NOT NULL, version INTEGER NOT NULL, rows TEXT NOT NULL, used_at INTEGER NOT NULL,
      PRIMARY KEY (identity, session_id)) WITHOUT ROWID`);
  } catch {
    return NO_SIDE_DB;
  }
  const find = db.prepare<[string, string, number], { rows: string }>(
    'SELECT rows FROM call_rows WHERE identity = ? AND session_id = ? AND version = ?',
  );
  const touch = db.prepare('UPDATE call_rows SET used_at = unixepoch() WHERE identity = ? AND session_id = ?');
  const put = db.prepare('INSERT OR REPLACE INTO call_rows VALUES (?, ?, ?, ?, unixepoch())');
  const trim = db.prepare(
    'DELETE FROM call_rows WHERE (identity, session_id) IN (SELECT identity, session_id FROM call_rows ORDER BY used_at DESC LIMIT -1 OFFSET ?)',
  );
  return {
    load(identity, sessionId) {
      try {
        const found = find.get(identity, sessionId, VERSION);
        if (!found) return null;
        touch.run(identity, sessionId);
        return JSON.parse(found.rows) as readonly CallRow[];
      } catch {
        return null;
      }
    },
    save(identity, sessionId, rows) {
      try {
        put.run(identity, sessionId, VERSION, JSON.stringify(rows));
        trim.run(MAX_SESSIONS);
      } catch {
        // Disk full or locked: the rows are computed again at the next opening.
      }
    },
    close: () => db.close(),
  };
}
