/**
 * Covel stores no turns: a turn is one execution id. It is a turn of the story when it started
 * (`turn.started`), called a model, or left the player's words or a player's result behind; an id that only
 * carries the events of a background job is none. Traces are swept after some weeks while messages and results
 * stay, so old turns exist without any event (storage page, sections 2, 3, 6 and 8).
 */
import type { TurnRow, TurnStatus } from '../../../shared/model/index.ts';
import { turnIndex } from '../../../shared/units.ts';
import type { Connection } from './connection.ts';
import {
  callCounts,
  eventsOf,
  firstRows,
  inOrder,
  list,
  payloadsOf,
  smallEvents,
  tryGet,
  type EventRow,
  type SmallEvent,
} from './events.ts';
import {
  countOf,
  cut,
  decodeCut,
  fieldsOf,
  isRecord,
  stringIn,
  textOf,
  textOr,
  utf8Bound,
  type JsonRecord,
} from './values.ts';

/** What identifies and places a turn; cheap enough to be made for every session on the first screen. */
export type TurnKey = {
  readonly turnId: string;
  /** First own event; null when its events were swept. */
  readonly rowid: number;
  readonly swept: boolean;
  /** NO_TIME where it cannot be read: such turns come last. */
  readonly createdAt: string;
  readonly started: SmallEvent | null;
  /** The beginning of the player's words as stored: bytes of UTF-8, or text. */
  readonly words: Words;
  /** Rowid in turn_results. */
  readonly result: number | undefined;
  readonly attempts: number;
};

/** Sorts behind every time. */
const NO_TIME = '\uffff';
const FOREGROUND = new Set(['player', 'continuation']);
const PLAYER_TEXT_UNITS = 200;

type Words = Uint8Array | string | null;

const keysOf = new WeakMap<Connection, Map<string, readonly TurnKey[]>>();

/** The turns of a session in the order of their first event. Kept for as long as the connection shows one state. */
export function turnKeys(db: Connection, sessionId: string): readonly TurnKey[] {
  const kept = keysOf.get(db) ?? new Map<string, readonly TurnKey[]>();
  keysOf.set(db, kept);
  const known = kept.get(sessionId) ?? findTurns(db, sessionId);
  kept.set(sessionId, known);
  return known;
}

function findTurns(db: Connection, sessionId: string): TurnKey[] {
  const started = new Map<string, SmallEvent>();
  for (const row of smallEvents(db, sessionId, 'turn.started'))
    if (!started.has(row.turnId)) started.set(row.turnId, row);
  const calls = callCounts(db, sessionId);
  const { spoken, answered, words } = messageRows(db, sessionId);
  const results = resultRows(db, sessionId);

  const named = new Set([...started.keys(), ...calls.keys(), ...spoken.keys()]);
  const others = [...new Set([...answered.keys(), ...results.keys()])].filter((id) => !named.has(id));
  const first = firstRows(db, sessionId, [...named, ...others]);
  for (const id of others) {
    const swept = !first.has(id) && answered.has(id);
    if (swept || FOREGROUND.has(resultOf(db, results.get(id))?.origin ?? '')) named.add(id);
  }

  const keys = [...named].map((turnId): TurnKey => {
    const own = started.get(turnId) ?? null;
    const facts = {
      turnId,
      attempts: calls.get(turnId) ?? 0,
      result: results.get(turnId),
      words: words.get(turnId) ?? null,
    };
    const place = placeOf(db, sessionId, turnId, own, first.get(turnId));
    if (place)
      return { ...facts, rowid: place.rowid, createdAt: place.createdAt || NO_TIME, swept: false, started: own };
    const message = spoken.get(turnId) ?? answered.get(turnId);
    const createdAt = createdOf(db, 'turn_messages', message) ?? createdOf(db, 'turn_results', facts.result);
    return { ...facts, rowid: -1, createdAt: createdAt || NO_TIME, swept: true, started: null };
  });
  return inOrder(db, sessionId, keys);
}

/** Rowid and time of a turn's first event; null when it has none of its own. */
function placeOf(
  db: Connection,
  sessionId: string,
  turnId: string,
  started: SmallEvent | null,
  rowid: number | undefined,
): { readonly rowid: number; readonly createdAt: string } | null {
  if (rowid === undefined) return started;
  if (started?.rowid === rowid) return started;
  const row = tryGet(db, 'SELECT type, created_at FROM trace_events WHERE rowid = ?', rowid);
  // A compaction is filed under an earlier turn and outlives that turn's own events.
  if (row && row[0] === 'context.compacted') {
    const sql = `SELECT min(rowid) FROM trace_events
      WHERE session_id = ? AND turn_id = ? AND type <> 'context.compacted'`;
    const own = tryGet(db, sql, sessionId, turnId)?.[0];
    return typeof own === 'number' ? placeOf(db, sessionId, turnId, started, own) : started;
  }
  const createdAt = textOf(row?.[1]) ?? started?.createdAt ?? '';
  return started && started.createdAt < createdAt ? started : { rowid, createdAt };
}

type Messages = {
  /** First row of the player in each turn. */
  readonly spoken: Map<string, number>;
  /** First row of a runtime in each turn. */
  readonly answered: Map<string, number>;
  readonly words: Map<string, Words>;
};

/** What turn_messages says of each turn; one walk, since it finds every row of the session. */
function messageRows(db: Connection, sessionId: string): Messages {
  const found: Messages = { spoken: new Map(), answered: new Map(), words: new Map() };
  const columns = db.schema.columns.get('turn_messages');
  if (!columns?.has('source_type')) return found;
  const beginning = db.wideText
    ? `substr(content, 1, ${PLAYER_TEXT_UNITS})`
    : `substr(CAST(content AS BLOB), 1, ${utf8Bound(PLAYER_TEXT_UNITS)})`;
  const words =
    columns.has('content') && columns.has('role') ? `CASE WHEN role = 'user' THEN ${beginning} END` : 'NULL';
  const sql = `SELECT turn_id, rowid, source_type = 'player', CASE source_type WHEN 'player' THEN ${words} END
    FROM turn_messages WHERE session_id = ? AND source_type IN ('player', 'runtime')`;
  for (const [turn, rowid, isPlayer, text] of list(db, 'turn_messages', sql, sessionId)) {
    const turnId = textOr(turn);
    const rows = isPlayer === 1 ? found.spoken : found.answered;
    rows.set(turnId, Math.min(countOf(rowid), rows.get(turnId) ?? Infinity));
    if ((typeof text === 'string' || text instanceof Uint8Array) && !found.words.has(turnId))
      found.words.set(turnId, text);
  }
  return found;
}

/** First row of turn_results of each turn. */
function resultRows(db: Connection, sessionId: string): Map<string, number> {
  const first = new Map<string, number>();
  if (!db.schema.columns.has('turn_results')) return first;
  const sql = 'SELECT turn_id, rowid FROM turn_results WHERE session_id = ?';
  for (const [turn, rowid] of list(db, 'turn_results', sql, sessionId)) {
    const turnId = textOr(turn);
    first.set(turnId, Math.min(countOf(rowid), first.get(turnId) ?? Infinity));
  }
  return first;
}

function createdOf(db: Connection, table: string, rowid: number | undefined): string | null {
  if (rowid === undefined || !db.schema.columns.get(table)?.has('created_at')) return null;
  return textOf(tryGet(db, `SELECT created_at FROM ${table} WHERE rowid = ?`, rowid)?.[0]);
}

type ResultFacts = { readonly origin: string | null; readonly status: string | null };

/** `origin` and `commit_status` stand behind the large `runtime_results`: asked for only where no event tells. */
function resultOf(db: Connection, rowid: number | undefined): ResultFacts | null {
  const columns = db.schema.columns.get('turn_results');
  if (rowid === undefined || !columns) return null;
  const pick = (name: string): string => (columns.has(name) ? name : 'NULL');
  const sql = `SELECT ${pick('origin')}, ${pick('commit_status')} FROM turn_results WHERE rowid = ?`;
  const row = tryGet(db, sql, rowid);
  return row ? { origin: textOf(row[0]), status: textOf(row[1]) } : null;
}

/**
 * Every turn of a session in order.
 * @param newestRuns the file is being written to: an open newest turn is `running`, not `interrupted`
 */
export function turnsOf(db: Connection, sessionId: string, newestRuns: boolean): TurnRow[] {
  const keys = turnKeys(db, sessionId);
  const position = new Map(keys.map((key, i) => [key.turnId, i]));
  const tally = (): Int32Array => new Int32Array(keys.length);
  const compactions = tally();
  const pruned = tally();
  const failures = tally();
  const images = tally();
  const add = (counts: Int32Array, at: number | null | undefined): void => {
    if (at !== null && at !== undefined) counts[at] = (counts[at] ?? 0) + 1;
  };

  for (const row of eventsOf(db, sessionId, 'context.compacted')) add(compactions, runningAt(keys, row.createdAt));
  for (const row of eventsOf(db, sessionId, 'context.pruned')) add(pruned, position.get(row.turnId));
  for (const row of eventsOf(db, sessionId, 'runtime.failed')) add(failures, position.get(row.turnId));
  // A turn fails with its runtime: that is one failure, told twice.
  for (const row of eventsOf(db, sessionId, 'turn.failed')) {
    const at = position.get(row.turnId);
    if (at !== undefined && failures[at] === 0) add(failures, at);
  }
  for (const type of ['asset.generated', 'asset.generate'])
    for (const row of smallEvents(db, sessionId, type))
      if (isImage(fieldsOf(row.payload)))
        add(images, position.get(row.turnId) ?? byTrace(keys, row) ?? runningAt(keys, row.createdAt));

  const ends = endsOf(db, sessionId);

  return keys.map((key, i) => {
    const start = fieldsOf(key.started?.payload ?? null);
    const end = ends.get(key.turnId) ?? null;
    const result = end && stringIn(start, 'origin') !== null ? null : resultOf(db, key.result);
    return {
      index: turnIndex(i + 1),
      turnId: key.turnId,
      origin: stringIn(start, 'origin') ?? result?.origin ?? null,
      playerText: playerText(key, start),
      status: statusOf(key, end, result, newestRuns && i === keys.length - 1),
      startedAt: key.createdAt === NO_TIME ? null : key.createdAt,
      attempts: key.attempts,
      swept: key.swept,
      compactions: compactions[i] ?? 0,
      pruned: pruned[i] ?? 0,
      failures: failures[i] ?? 0,
      images: images[i] ?? 0,
    };
  });
}

function statusOf(key: TurnKey, end: TurnStatus | null, result: ResultFacts | null, mayRun: boolean): TurnStatus {
  if (end) return end;
  if (result?.status === 'committed' || result?.status === 'failed') return result.status;
  if (key.swept) return 'unknown';
  return mayRun ? 'running' : 'interrupted';
}

function endsOf(db: Connection, sessionId: string): Map<string, TurnStatus> {
  const ends = new Map<string, TurnStatus>();
  for (const { turnId } of eventsOf(db, sessionId, 'turn.failed')) ends.set(turnId, 'failed');
  for (const { turnId, fields } of payloadsOf(db, sessionId, 'turn.completed')) {
    // Rows from before the field `committed` ended well unless they carry an error.
    const committed = fields?.['committed'] ?? stringIn(fields, 'error') === null;
    ends.set(turnId, committed === true ? 'committed' : 'failed');
  }
  return ends;
}

/** The beginning of the player's words: of a committed turn from its message, else from what would repeat it. */
function playerText({ words }: TurnKey, start: JsonRecord | null): string | null {
  const text =
    words instanceof Uint8Array ? decodeCut(words, utf8Bound(PLAYER_TEXT_UNITS)) : (words ?? recoveredText(start));
  return text === null ? null : cut(text, PLAYER_TEXT_UNITS);
}

function recoveredText(start: JsonRecord | null): string | null {
  const action = start?.['recoveryAction'];
  const payload = isRecord(action) ? action['payload'] : null;
  return isRecord(payload) ? stringIn(payload, 'content') : null;
}

function isImage(fields: JsonRecord | null): boolean {
  const asset = isRecord(fields?.['asset']) ? fields['asset'] : null;
  const modality = stringIn(asset, 'modality') ?? stringIn(fields, 'modality');
  if (modality !== null) return modality === 'image';
  const ref = asset?.['ref'];
  return isRecord(ref) && (stringIn(ref, 'mime')?.startsWith('image/') ?? false);
}

/** Position of the turn that ran at a time: the latest one that had started by then. */
function runningAt(keys: readonly TurnKey[], at: string): number | null {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle]?.createdAt ?? NO_TIME) <= at) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? null : low - 1;
}

/** A job of its own turn id still carries the trace of the action that caused it. */
function byTrace(keys: readonly TurnKey[], event: EventRow): number | null {
  const at = keys.findLastIndex((key) => key.started?.traceId === event.traceId && key.createdAt <= event.createdAt);
  return at < 0 ? null : at;
}

/** Position (from 0) and key of each turn, for what refers to a turn by its id. */
export const turnPositions = (db: Connection, sessionId: string): ReadonlyMap<string, number> =>
  new Map(turnKeys(db, sessionId).map(({ turnId }, i) => [turnId, i]));

export const attemptsOf = (keys: readonly TurnKey[]): number => keys.reduce((sum, { attempts }) => sum + attempts, 0);

export const countRows = (db: Connection, sql: string, ...values: string[]): number =>
  countOf(db.some(sql, ...values).rows[0]?.[0]);
