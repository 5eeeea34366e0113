/**
 * Trace events of one session and type, in write order, without touching a large payload. `payload` stands
 * before `created_at` and `seq` in the row, so reading those two from the row of a 100 KB call would walk its whole
 * overflow chain. `created_at` therefore comes from an index (session_id, type, created_at), `turn_id` from the
 * head of the row, the length from the row's header, and `seq` (only where two rows share their time) from the
 * index (session_id, created_at, seq). Files older than those indexes pay for the walk.
 */
import type { Connection, Row } from './connection.ts';
import { countOf, fieldsOf, textOf, textOr, type JsonRecord } from './values.ts';

export type EventRow = {
  readonly rowid: number;
  readonly id: string;
  readonly turnId: string;
  readonly traceId: string;
  readonly createdAt: string;
  /** 0 when the payload is NULL. */
  readonly payloadBytes: number;
};
export type SmallEvent = EventRow & { readonly payload: string | null };

/**
 * Rows of a list as far as they can be read. Where an index leads to a page that is gone, the table
 * itself may still lead further; the longer of both is taken and the table is marked as damaged.
 */
export function list(db: Connection, table: string, sql: string, ...values: (string | number)[]): Row[] {
  const first = db.some(sql, ...values);
  if (first.whole) return first.rows;
  db.damage.add(table);
  const second = db.some(sql.replace(`FROM ${table} `, `FROM ${table} NOT INDEXED `), ...values);
  return second.rows.length > first.rows.length ? second.rows : first.rows;
}

const columnsOf = (db: Connection): string =>
  `rowid, id, turn_id, ${db.schema.columns.get('trace_events')?.has('trace_id') ? 'trace_id' : 'turn_id'}, created_at, octet_length(payload)`;

const rowOf = ([rowid, id, turnId, traceId, createdAt, bytes]: Row): EventRow => ({
  rowid: countOf(rowid),
  id: textOr(id),
  turnId: textOr(turnId),
  traceId: textOr(traceId),
  createdAt: textOr(createdAt),
  payloadBytes: countOf(bytes),
});

/** Events of one type in write order. Use for every type, also for `llm.calling`. */
export function eventsOf(db: Connection, sessionId: string, type: string): EventRow[] {
  const sql = `SELECT ${columnsOf(db)} FROM trace_events WHERE session_id = ? AND type = ?`;
  const { rows, whole } = db.some(sql, sessionId, type);
  if (!whole) return salvaged(db, sessionId).filter((row) => row.type === type);
  return inOrder(db, sessionId, rows.map(rowOf));
}

/** Turn and payload of every event of a type, in no order. For types with small payloads only. */
export function payloadsOf(
  db: Connection,
  sessionId: string,
  type: string,
): { readonly turnId: string; readonly fields: JsonRecord | null }[] {
  const sql = 'SELECT turn_id, payload FROM trace_events WHERE session_id = ? AND type = ?';
  return list(db, 'trace_events', sql, sessionId, type).map(([turnId, payload]) => ({
    turnId: textOr(turnId),
    fields: fieldsOf(textOf(payload)),
  }));
}

/** Events of one type in write order with the text of their payload. For types with small payloads only. */
export function smallEvents(db: Connection, sessionId: string, type: string): SmallEvent[] {
  const sql = `SELECT ${columnsOf(db)}, payload FROM trace_events WHERE session_id = ? AND type = ?`;
  const { rows, whole } = db.some(sql, sessionId, type);
  if (whole) {
    const events = rows.map((row) => ({ ...rowOf(row), payload: textOf(row[6]) }));
    return inOrder(db, sessionId, events);
  }
  const payload = 'SELECT payload FROM trace_events WHERE rowid = ?';
  return eventsOf(db, sessionId, type).map((row) => ({ ...row, payload: textOf(tryGet(db, payload, row.rowid)?.[0]) }));
}

type Placed = { readonly rowid: number; readonly createdAt: string };

/**
 * Sorts rows of one session by `created_at`, then `seq` of the column (or, before that column, `seq` of the
 * payload), then rowid.
 */
export function inOrder<T extends Placed>(db: Connection, sessionId: string, rows: T[]): T[] {
  rows.sort((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : a.rowid - b.rowid));
  for (let from = 0; from < rows.length;) {
    let to = from + 1;
    while (to < rows.length && rows[to]?.createdAt === rows[from]?.createdAt) to++;
    if (to - from > 1) {
      const tied = rows.slice(from, to);
      const seq = seqOf(db, sessionId, tied);
      const at = (row: T): number => seq.get(row.rowid) ?? -1;
      tied.sort((a, b) => at(a) - at(b) || a.rowid - b.rowid);
      rows.splice(from, tied.length, ...tied);
    }
    from = to;
  }
  return rows;
}

const PAYLOAD_SEQ = `SELECT CASE WHEN json_valid(payload)
  THEN coalesce(json_extract(payload, '$.data.seq'), json_extract(payload, '$.seq')) END FROM trace_events WHERE rowid = ?`;

function seqOf(db: Connection, sessionId: string, tied: readonly Placed[]): Map<number, number> {
  const createdAt = tied[0]?.createdAt ?? '';
  const sql = 'SELECT rowid, CAST(seq AS REAL) FROM trace_events WHERE session_id = ? AND created_at = ?';
  const rows = db.schema.hasSeq
    ? db.some(sql, sessionId, createdAt).rows
    : tied.map(({ rowid }): Row => [rowid, db.some(PAYLOAD_SEQ, rowid).rows[0]?.[0] ?? null]);
  return new Map(rows.flatMap(([rowid, seq]) => (typeof seq === 'number' ? [[countOf(rowid), seq]] : [])));
}

/** How many calls each turn of a session has. */
export function callCounts(db: Connection, sessionId: string): Map<string, number> {
  // The unary plus keeps the planner from walking all events of the session in the order of the turn index.
  const sql = `SELECT turn_id, count(*) FROM trace_events
    WHERE session_id = ? AND type = 'llm.calling' GROUP BY +turn_id`;
  const { rows, whole } = db.some(sql, sessionId);
  if (whole) return new Map(rows.map(([turnId, n]) => [textOr(turnId), countOf(n)]));
  const counts = new Map<string, number>();
  for (const { turnId } of eventsOf(db, sessionId, 'llm.calling')) counts.set(turnId, (counts.get(turnId) ?? 0) + 1);
  return counts;
}

/** The first row of each of these turns; a turn without any row is left out. */
export function firstRows(db: Connection, sessionId: string, turnIds: readonly string[]): Map<string, number> {
  const sql = db.schema.turnIndexed
    ? `SELECT t.value, (SELECT min(rowid) FROM trace_events WHERE session_id = ?1 AND turn_id = t.value)
       FROM json_each(?2) t`
    : `SELECT turn_id, min(rowid) FROM trace_events WHERE session_id = ?1 AND ?2 <> '' GROUP BY +turn_id`;
  const { rows, whole } = db.some(sql, sessionId, JSON.stringify(turnIds));
  if (whole)
    return new Map(rows.flatMap(([turnId, rowid]) => (rowid === null ? [] : [[textOr(turnId), countOf(rowid)]])));
  const first = new Map<string, number>();
  for (const row of salvaged(db, sessionId))
    first.set(row.turnId, Math.min(row.rowid, first.get(row.turnId) ?? row.rowid));
  return first;
}

/**
 * Session ids that occur in trace_events, found by jumping through an index from one to the next. UNION, so that the
 * jumps end also in a damaged index that leads back.
 */
export function tracedSessions(db: Connection): string[] {
  const sql = `WITH RECURSIVE s(id) AS (SELECT min(session_id) FROM trace_events UNION
    SELECT (SELECT min(session_id) FROM trace_events WHERE session_id > s.id) FROM s WHERE s.id IS NOT NULL)
    SELECT id FROM s WHERE id IS NOT NULL`;
  const { rows, whole } = db.some(sql);
  return whole ? rows.map(([id]) => textOr(id)) : [...salvage(db).keys()];
}

type Salvaged = EventRow & { readonly type: string };
const salvages = new WeakMap<Connection, Map<string, Salvaged[]>>();
const salvaged = (db: Connection, sessionId: string): Salvaged[] => salvage(db).get(sessionId) ?? [];

/**
 * Every event that can still be read from a damaged file, by session: the table is walked from both ends until a
 * page is missing. Rows are appended, so their rowids are their order when a time cannot be read.
 */
function salvage(db: Connection): Map<string, Salvaged[]> {
  const known = salvages.get(db);
  if (known) return known;
  db.damage.add('trace_events');
  const heads = new Map<number, Row>();
  for (const order of ['ASC', 'DESC']) {
    const sql = `SELECT rowid, session_id, type, id, turn_id FROM trace_events NOT INDEXED ORDER BY rowid ${order}`;
    for (const row of db.some(sql).rows) heads.set(countOf(row[0]), row);
  }
  const found = new Map<string, Salvaged[]>();
  let before = '';
  for (const [rowid, [, sessionId, type, id, turnId]] of [...heads].sort(([a], [b]) => a - b)) {
    const rest = tryGet(db, `SELECT ${columnsOf(db)} FROM trace_events WHERE rowid = ?`, rowid);
    const row = rest ? rowOf(rest) : headOnly(rowid, id, turnId, before);
    before = row.createdAt;
    const session = textOr(sessionId);
    const rows = found.get(session) ?? [];
    found.set(session, rows);
    rows.push({ ...row, type: textOr(type) });
  }
  salvages.set(db, found);
  return found;
}

const headOnly = (
  rowid: number,
  id: Row[number] | undefined,
  turnId: Row[number] | undefined,
  createdAt: string,
): EventRow => ({
  rowid,
  id: textOr(id),
  turnId: textOr(turnId),
  traceId: textOr(turnId),
  createdAt,
  payloadBytes: 0,
});

/** One row; undefined when it is not there or cannot be read. */
export function tryGet(db: Connection, sql: string, ...values: (string | number)[]): Row | undefined {
  try {
    return db.get(sql, ...values);
  } catch (error) {
    if (!db.isDamage(error)) throw error;
    db.damage.add('trace_events');
    return undefined;
  }
}
