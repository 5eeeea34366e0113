/**
 * Compactions of ours are kept beside nothing of the user's: in a database under our user data, which holds copies of
 * the rows that they work on. A branch is one course of a session; its rows begin as those of the user's file and go on
 * by themselves. A summary was paid for, so unlike derived rows it is written for good (seed 1, section 1).
 */
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import {
  bySummaryOrder,
  type CompactionMessage,
  type CompactionSummary,
  type CompactionTransaction,
  type HistoryStore,
} from '../compaction/index.ts';
import { lensError } from './errors.ts';
import { fail, ok, type Result } from '../../shared/error.ts';

/** Raised when the tables change: a file of a later version is refused. */
const VERSION = 1;
/** How long a writer waits for another one. */
const BUSY_MS = 2000;

const TABLES = `
  CREATE TABLE IF NOT EXISTS messages (
    branch TEXT NOT NULL, id TEXT NOT NULL, position INTEGER NOT NULL, session_id TEXT NOT NULL, turn_id TEXT NOT NULL,
    role TEXT NOT NULL, content TEXT NOT NULL, source_type TEXT, summary_id TEXT,
    PRIMARY KEY (branch, id), UNIQUE (branch, position)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS summaries (
    branch TEXT NOT NULL, id TEXT NOT NULL, session_id TEXT NOT NULL, turn_range_start TEXT NOT NULL,
    turn_range_end TEXT NOT NULL, content TEXT NOT NULL, focus_sections TEXT NOT NULL, created_at TEXT NOT NULL,
    PRIMARY KEY (branch, id)) WITHOUT ROWID;
  PRAGMA user_version = ${VERSION}`;

export type BranchStore = HistoryStore & {
  /**
   * Gives an empty branch its rows, in canonical order, and its summaries; a branch that has rows stays as it is. True
   * when it was given them.
   */
  begin(messages: readonly CompactionMessage[], summaries: readonly CompactionSummary[]): boolean;
};

export type KeptCompactions = {
  /** @param name of the caller's choice; one name is always one branch, in this process or another */
  branch(name: string): BranchStore;
  close(): void;
};

/** Opens (or makes) the database. Error: `side-file-failed`. */
export function openCompactions(userData: string): Result<KeptCompactions> {
  const path = join(userData, 'compactions.db');
  let db: Database.Database | null = null;
  try {
    mkdirSync(userData, { recursive: true, mode: 0o700 });
    closeSync(openSync(path, 'a', 0o600));
    db = new Database(path, { timeout: BUSY_MS });
    const version = Number(db.pragma('user_version', { simple: true }));
    if (version > VERSION) throw new Error(`it is of a later version (${version})`);
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    if (version < VERSION) db.exec(TABLES);
    const branch = branches(db);
    const opened = db;
    return ok({ branch, close: () => opened.close() });
  } catch (thrown) {
    db?.close();
    return fail(
      lensError('side-file-failed', { path, reason: thrown instanceof Error ? thrown.message : String(thrown) }),
    );
  }
}

type MessageColumns = {
  readonly id: string;
  readonly session_id: string;
  readonly turn_id: string;
  readonly role: CompactionMessage['role'];
  readonly content: string;
  readonly source_type: string | null;
  readonly summary_id: string | null;
};
type SummaryColumns = {
  readonly id: string;
  readonly session_id: string;
  readonly turn_range_start: string;
  readonly turn_range_end: string;
  readonly content: string;
  readonly focus_sections: string;
  readonly created_at: string;
};

const messageOf = (row: MessageColumns): CompactionMessage => ({
  id: row.id,
  sessionId: row.session_id,
  turnId: row.turn_id,
  role: row.role,
  content: row.content,
  ...(row.source_type === null ? {} : { sourceType: row.source_type }),
  compactedAtTurnId: row.summary_id,
});

const summaryOf = (row: SummaryColumns): CompactionSummary => ({
  id: row.id,
  sessionId: row.session_id,
  turnRangeStart: row.turn_range_start,
  turnRangeEnd: row.turn_range_end,
  content: row.content,
  focusSections: JSON.parse(row.focus_sections) as readonly string[],
  createdAt: row.created_at,
});

function branches(db: Database.Database): KeptCompactions['branch'] {
  const columns = 'id, session_id, turn_id, role, content, source_type, summary_id';
  const rowsOf = db.prepare<[string, string], MessageColumns>(
    `SELECT ${columns} FROM messages WHERE branch = ? AND session_id = ? ORDER BY position`,
  );
  const openRows = db.prepare<[string, string, number], MessageColumns>(
    `SELECT ${columns} FROM messages WHERE branch = ? AND session_id = ? AND summary_id IS NULL ORDER BY position LIMIT ?`,
  );
  const nextPosition = db
    .prepare<[string], number>('SELECT COALESCE(MAX(position) + 1, 0) FROM messages WHERE branch = ?')
    .pluck();
  const addRow = db.prepare('INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const summaryRows = db.prepare<[string, string], SummaryColumns>(
    'SELECT * FROM summaries WHERE branch = ? AND session_id = ?',
  );
  const addSummary = db.prepare('INSERT INTO summaries VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const dropSummary = db.prepare('DELETE FROM summaries WHERE branch = ? AND id = ?');
  const isEmpty = db
    .prepare<[string, string], number>(
      'SELECT NOT EXISTS (SELECT 1 FROM messages WHERE branch = ?) AND NOT EXISTS (SELECT 1 FROM summaries WHERE branch = ?)',
    )
    .pluck();
  const retag = db.prepare(
    'UPDATE messages SET summary_id = ? WHERE branch = ? AND summary_id IN (SELECT value FROM json_each(?))',
  );
  const tag = db.prepare(
    'UPDATE messages SET summary_id = ? WHERE branch = ? AND summary_id IS NULL AND id IN (SELECT value FROM json_each(?))',
  );

  /** Takes the right to write before anything is read, so that what was read still holds when it is written. */
  const inTransaction = <T>(work: () => T): T => db.transaction(work).immediate();

  return (branch) => {
    const summaries = (sessionId: string): readonly CompactionSummary[] =>
      summaryRows.all(branch, sessionId).map(summaryOf).sort(bySummaryOrder);
    const saveSummary = (one: CompactionSummary): void => {
      const { id, sessionId, turnRangeStart, turnRangeEnd, content, focusSections, createdAt } = one;
      const sections = JSON.stringify(focusSections);
      addSummary.run(branch, id, sessionId, turnRangeStart, turnRangeEnd, content, sections, createdAt);
    };
    const append = (messages: readonly CompactionMessage[]): void => {
      let position = nextPosition.get(branch) ?? 0;
      for (const { id, sessionId, turnId, role, content, sourceType, compactedAtTurnId } of messages) {
        addRow.run(branch, id, position, sessionId, turnId, role, content, sourceType ?? null, compactedAtTurnId);
        position++;
      }
    };
    const tx: CompactionTransaction = {
      summaries,
      uncompactedPrefix: (sessionId, limit) => openRows.all(branch, sessionId, limit).map(messageOf),
      retagMessages: (fromSummaryIds, toSummaryId) =>
        void retag.run(toSummaryId, branch, JSON.stringify(fromSummaryIds)),
      deleteSummary(summaryId) {
        if (dropSummary.run(branch, summaryId).changes === 0) throw new Error(`no summary ${summaryId}`);
      },
      saveSummary,
      tagMessages(messageIds, summaryId) {
        const ids = [...new Set(messageIds)];
        const { changes } = tag.run(summaryId, branch, JSON.stringify(ids));
        if (changes !== ids.length)
          throw new Error(`${ids.length - changes} of ${ids.length} messages cannot be tagged`);
      },
    };
    return {
      messages: (sessionId) => rowsOf.all(branch, sessionId).map(messageOf),
      summaries,
      append: (...messages) => inTransaction(() => append(messages)),
      begin: (messages, first) =>
        inTransaction(() => {
          if (isEmpty.get(branch, branch) !== 1) return false;
          append(messages);
          for (const one of first) saveSummary(one);
          return true;
        }),
      transaction: (work) => inTransaction(() => work(tx)),
    };
  };
}
