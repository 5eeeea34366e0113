/**
 * Sessions as listed: from the rows of `sessions`, whose columns changed with every generation, and from
 * the trace, which may name sessions that have no row.
 */
import type { SessionRow } from '../../../shared/model/index.ts';
import type { Connection } from './connection.ts';
import { list, tracedSessions } from './events.ts';
import { attemptsOf, countRows, turnKeys } from './turns.ts';
import { fieldsOf, stringIn, textOf, textOr } from './values.ts';

/** Sessions by creation time, then id; those without a row come last. `calls` is null: counting them needs payloads. */
export function sessionsOf(db: Connection): SessionRow[] {
  const rows = listed(db);
  const known = new Set(rows.map(({ id }) => id));
  const unlisted = tracedSessions(db).filter((id) => !known.has(id));
  const all = [...rows, ...unlisted.map((id) => ({ ...NOTHING, id }))];
  const hasSummaries = db.schema.columns.has('session_summaries');
  return all.sort(byCreation).map((row): SessionRow => {
    const keys = turnKeys(db, row.id);
    const summaries = 'SELECT count(*) FROM session_summaries WHERE session_id = ?';
    return {
      ...row,
      turns: keys.length,
      calls: null,
      attempts: attemptsOf(keys),
      summaries: hasSummaries ? countRows(db, summaries, row.id) : 0,
    };
  });
}

/** Ids of sessions that only the trace names. */
export function sessionsWithoutRow(db: Connection): string[] {
  const known = new Set(listed(db).map(({ id }) => id));
  return tracedSessions(db).filter((id) => !known.has(id));
}

/** Ids in `sessions`, as far as they can be read. */
export const sessionIds = (db: Connection): string[] =>
  db.schema.columns.get('sessions')?.has('id') ? db.some('SELECT id FROM sessions').rows.map(([id]) => textOr(id)) : [];

type Listed = Pick<SessionRow, 'id' | 'worldId' | 'title' | 'locale' | 'status' | 'createdAt'>;
const NOTHING = { worldId: null, title: null, locale: null, status: null, createdAt: null };

function listed(db: Connection): Listed[] {
  const columns = db.schema.columns.get('sessions');
  if (!columns?.has('id')) return [];
  const pick = (name: string): string => (columns.has(name) ? name : 'NULL');
  const names = ['id', 'world_id', 'metadata', 'locale', 'status', 'created_at'];
  const sql = `SELECT ${names.map(pick).join(', ')} FROM sessions `;
  return list(db, 'sessions', sql).map(([id, worldId, metadata, locale, status, createdAt]) => ({
    id: textOr(id),
    worldId: textOf(worldId),
    title: stringIn(fieldsOf(textOf(metadata)), 'title'),
    locale: textOf(locale),
    status: textOf(status),
    createdAt: textOf(createdAt),
  }));
}

function byCreation(a: Listed, b: Listed): number {
  if (a.createdAt !== b.createdAt) {
    if (a.createdAt === null || b.createdAt === null) return a.createdAt === null ? 1 : -1;
    return a.createdAt < b.createdAt ? -1 : 1;
  }
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}
