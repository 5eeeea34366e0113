/**
 * Rows that are not as they should be, found by SQLite (`json_valid`) so that no text is loaded for it. The check
 * reads every payload: it goes on in batches, and its caller may pause between two of them.
 */
import type { Problem } from '../../../shared/model/index.ts';
import type { Connection, Row } from './connection.ts';
import { KNOWN_EVENT_TYPES } from './event-types.ts';
import { sessionsWithoutRow } from './sessions.ts';
import { countOf, parseJson, textOf, textOr } from './values.ts';

/** Runs work on the connection of the moment: the file may change while the check goes on. */
export type Read = <T>(work: (db: Connection) => T) => T;

/** Rows of trace_events to a batch: some 25 MB of ordinary calls. */
const BATCH = 256;

const JSON_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  sessions: ['active_plugins', 'metadata', 'runtime_model_overrides', 'setup_runtimes'],
  session_summaries: ['focus_sections'],
  turn_messages: ['ui', 'pending_input'],
  turn_results: ['runtime_results', 'conflicts', 'audit_result'],
};

/** Flagged rows, a batch at a time; a batch may be empty. */
export function* problemBatches(read: Read): Generator<readonly Problem[], void, undefined> {
  yield read(unlistedSessions);
  yield read(unknownTypes);
  for (const table of Object.keys(JSON_COLUMNS)) yield read((db) => unreadableColumns(db, table));
  let after: number | null = Number.MIN_SAFE_INTEGER;
  while (after !== null) {
    const from: number = after;
    const { found, last } = read((db) => flaggedEvents(db, from));
    yield found;
    after = last;
  }
  yield read((db) => [...db.damage].map(damaged));
}

const damaged = (table: string): Problem => ({
  code: 'damaged',
  message: `A part of ${table} cannot be read; what is left of it is shown.`,
  row: `${table}/*`,
});

const unlistedSessions = (db: Connection): Problem[] =>
  sessionsWithoutRow(db).map((id) => ({
    code: 'session-missing',
    message: `The trace names session ${id}, which has no row in sessions.`,
    row: `sessions/${id}`,
  }));

function unknownTypes(db: Connection): Problem[] {
  const sql = 'SELECT type, count(*), min(rowid) FROM trace_events GROUP BY session_id, type';
  const seen = new Map<string, { count: number; rowid: number }>();
  for (const [name, count, rowid] of db.some(sql).rows) {
    const type = textOr(name);
    if (KNOWN_EVENT_TYPES.has(type)) continue;
    const so = seen.get(type);
    seen.set(type, {
      count: countOf(count) + (so?.count ?? 0),
      rowid: Math.min(countOf(rowid), so?.rowid ?? Number.MAX_SAFE_INTEGER),
    });
  }
  return [...seen].map(([type, { count, rowid }]) => ({
    code: 'unknown-event-type',
    message: `${count} × event type ${type}, which is not known; shown raw.`,
    row: `trace_events/${textOr(db.get('SELECT id FROM trace_events WHERE rowid = ?', rowid)?.[0])}`,
  }));
}

function unreadableColumns(db: Connection, table: string): Problem[] {
  const columns = db.schema.columns.get(table);
  if (!columns?.has('id')) return [];
  return (JSON_COLUMNS[table] ?? [])
    .filter((column) => columns.has(column))
    .flatMap((column) => {
      const sql = `SELECT id, ${column} FROM ${table} WHERE ${column} IS NOT NULL AND NOT json_valid(${column})`;
      const { rows, whole } = db.some(sql);
      if (!whole) db.damage.add(table);
      return rows
        .map(([id, value]) => ({ id: textOr(id), problem: whatIsWrong(textOf(value)) }))
        .map(({ id, problem }): Problem => ({
          ...problem,
          message: `${column}: ${problem.message}`,
          row: `${table}/${id}`,
        }));
    });
}

/** SQLite gives up on JSON at 1,000 levels; that alone does not make it invalid. */
const whatIsWrong = (text: string | null): { readonly code: string; readonly message: string } =>
  parseJson(text) === undefined
    ? { code: 'invalid-json', message: 'The text is not valid JSON.' }
    : { code: 'deep-json', message: 'The JSON is nested deeper than 1,000 levels.' };

const FLAGGED = `SELECT rowid, id, kind FROM (
  SELECT rowid, id, type, CASE WHEN payload IS NULL THEN 'null' WHEN typeof(payload) = 'blob' THEN 'blob'
    WHEN json_valid(payload) THEN 'json ' || json_type(payload) ELSE 'invalid' END AS kind
  FROM trace_events WHERE rowid > ? AND rowid <= ?)
  WHERE kind <> 'json object' AND (kind <> 'null' OR type LIKE 'llm.%')`;

function flaggedEvents(db: Connection, after: number): { readonly found: Problem[]; readonly last: number | null } {
  try {
    const edge = `SELECT max(rowid) FROM (SELECT rowid FROM trace_events WHERE rowid > ? ORDER BY rowid LIMIT ${BATCH})`;
    const last = db.get(edge, after)?.[0];
    if (typeof last !== 'number') return { found: [], last: null };
    // Half a page that is filled up with zeros holds rows whose numbers go backwards.
    if (last <= after) {
      db.damage.add('trace_events');
      return { found: [], last: null };
    }
    const { rows, whole } = db.some(FLAGGED, after, last);
    if (!whole) db.damage.add('trace_events');
    return { found: rows.map((row) => eventProblem(db, row)), last };
  } catch (error) {
    if (!db.isDamage(error)) throw error;
    db.damage.add('trace_events');
    return { found: [], last: null };
  }
}

function eventProblem(db: Connection, [rowid, id, kind]: Row): Problem {
  const row = `trace_events/${textOr(id)}`;
  if (kind === 'null') return { code: 'payload-null', message: 'The event has no payload.', row };
  if (kind === 'blob') return { code: 'wrong-type', message: 'The payload is binary, not text.', row };
  if (kind !== 'invalid') {
    const type = textOr(kind).slice('json '.length);
    return { code: 'wrong-type', message: `The payload is a JSON ${type}, not an object.`, row };
  }
  const payload = textOf(db.get('SELECT payload FROM trace_events WHERE rowid = ?', countOf(rowid))?.[0]);
  return { ...whatIsWrong(payload), row };
}
