/**
 * Calls and their replies. A call is one `llm.calling` row; nothing in a list ever reads its payload. The reply
 * is an `llm.responded` row whose few small facts SQLite extracts, so that texts and tool calls stay in the file.
 */
import { bytes } from '../../../shared/units.ts';
import type { Connection } from './connection.ts';
import { eventsOf, list, tryGet, type EventRow } from './events.ts';
import type { CallRef, ReplyRef } from './types.ts';
import {
  countOf,
  fieldsOf,
  isRecord,
  jsonIn,
  numberIn,
  parseJson,
  stringIn,
  textOf,
  textOr,
  type JsonRecord,
} from './values.ts';

const refOf = (row: EventRow): CallRef => ({
  rowid: row.rowid,
  id: row.id,
  turnId: row.turnId,
  createdAt: row.createdAt,
  payloadBytes: bytes(row.payloadBytes),
});

/** Calls of a session in write order. */
export const callRefsOf = (db: Connection, sessionId: string): CallRef[] =>
  eventsOf(db, sessionId, 'llm.calling').map(refOf);

/** The call with this id; null when there is no such row of type `llm.calling`. */
export function findCallIn(db: Connection, callId: string): (CallRef & { readonly sessionId: string }) | null {
  const sql = `SELECT rowid, id, session_id, turn_id, created_at, octet_length(payload)
    FROM trace_events WHERE id = ? AND type = 'llm.calling'`;
  // Of a file that was cut off the index of the ids is gone first: then the table itself is searched.
  const [row] = list(db, 'trace_events', sql, callId);
  if (!row) return null;
  const [rowid, id, sessionId, turnId, createdAt, size] = row;
  return {
    rowid: countOf(rowid),
    id: textOr(id),
    sessionId: textOr(sessionId),
    turnId: textOr(turnId),
    createdAt: textOr(createdAt),
    payloadBytes: bytes(countOf(size)),
  };
}

const FACTS = ['seq', 'runtimeId', 'attempt', 'finishReason', 'error', 'durationMs', 'usage'] as const;
const EXTRACT = ['$.data', '$'].flatMap((base) => FACTS.map((name) => `'${base}.${name}'`)).join(', ');

/** Replies of a session in write order. */
export function repliesOf(db: Connection, sessionId: string): ReplyRef[] {
  const facts = new Map<number, JsonRecord>();
  const sql = `SELECT rowid, CASE WHEN json_valid(payload) THEN json_extract(payload, ${EXTRACT}) END
    FROM trace_events WHERE session_id = ? AND type = 'llm.responded'`;
  for (const [rowid, extracted] of list(db, 'trace_events', sql, sessionId)) {
    const values = parseJson(textOf(extracted));
    if (Array.isArray(values)) facts.set(countOf(rowid), merged(values));
  }
  return eventsOf(db, sessionId, 'llm.responded').map((row) => {
    // SQLite takes JSON deeper than 1,000 levels for invalid; JSON.parse does not.
    const found = facts.get(row.rowid) ?? (row.payloadBytes > 0 ? fieldsOf(payloadText(db, row.rowid)) : null);
    return replyOf(row, found);
  });
}

/** Nested facts win over flat ones. */
function merged(values: readonly unknown[]): JsonRecord {
  return Object.fromEntries(FACTS.map((name, i) => [name, values[i] ?? values[i + FACTS.length] ?? null]));
}

function replyOf(row: EventRow, facts: JsonRecord | null): ReplyRef {
  const usage = facts?.['usage'];
  return {
    id: row.id,
    turnId: row.turnId,
    createdAt: row.createdAt,
    emitted: numberIn(facts, 'seq'),
    runtimeId: stringIn(facts, 'runtimeId'),
    attempt: numberIn(facts, 'attempt') ?? 0,
    finishReason: stringIn(facts, 'finishReason'),
    error: stringIn(facts, 'error'),
    durationMs: numberIn(facts, 'durationMs'),
    usage: isRecord(usage)
      ? {
          inputTokens: jsonIn(usage, 'inputTokens'),
          outputTokens: jsonIn(usage, 'outputTokens'),
          cachedInputTokens: jsonIn(usage, 'cachedInputTokens'),
          cacheWriteInputTokens: jsonIn(usage, 'cacheWriteInputTokens'),
        }
      : null,
  };
}

const payloadText = (db: Connection, rowid: number): string | null =>
  textOf(tryGet(db, 'SELECT payload FROM trace_events WHERE rowid = ?', rowid)?.[0]);

/** Payload of an event as bytes of UTF-8; null for NULL, for a row that is gone, and for one that cannot be read. */
export function payloadOf(db: Connection, where: 'rowid' | 'id', key: number | string): Uint8Array | null {
  const column = db.wideText ? 'payload' : 'CAST(payload AS BLOB)';
  const [row] = list(db, 'trace_events', `SELECT ${column} FROM trace_events WHERE ${where} = ?`, key);
  const value = row?.[0];
  if (value instanceof Uint8Array) return value;
  return typeof value === 'string' ? Buffer.from(value, 'utf8') : null;
}
