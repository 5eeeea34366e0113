/**
 * Writes a covel.db as Covel's store writes it (storage page, sections 2 and 3): one row an event, payloads as
 * compact JSON, `seq` numbering the rows of a session that share their `created_at`. Clock and ids are passed in,
 * so that the same calls always give the same file.
 */
import { createHash } from 'node:crypto';
import Database from 'better-sqlite3';
import type { Generation } from '../types.ts';
import { ddlOf, quoted } from './ddl.ts';
import type {
  JsonColumn,
  EventInput,
  EmitInput,
  CallInput,
  ReplyInput,
  SessionInput,
  MessageInput,
  SummaryInput,
  ResultInput,
  TurnInput,
  InTurn,
  At,
} from './inputs.ts';

export type * from './inputs.ts';

/** Every reading moves the clock by its step. */
export type Clock = { readonly tick: () => string; readonly advance: (ms: number) => void };

/** @param stepMs milliseconds between two readings; 0 gives rows of equal time */
export function createClock(start = '2026-10-12T08:00:00.000Z', stepMs = 10): Clock {
  let now = Date.parse(start);
  return {
    tick() {
      const at = new Date(now).toISOString();
      now += stepMs;
      return at;
    },
    advance(ms) {
      now += ms;
    },
  };
}

/** Ids in the shape of a UUID, the same for the same seed. */
export function createIds(seed = 'covel'): () => string {
  let n = 0;
  return () => {
    const h = createHash('sha256').update(`${seed}:${n++}`).digest('hex');
    return `${h.slice(0, 8)}-${h.slice(8, 12)}-4${h.slice(13, 16)}-8${h.slice(17, 20)}-${h.slice(20, 32)}`;
  };
}

export type BuildOptions = {
  readonly generation?: Generation;
  /** As the server does: `wal`. Closing then leaves a WAL-mode file without its -wal. */
  readonly journal?: 'wal' | 'delete';
  readonly pageSize?: number;
  readonly without?: readonly string[];
  readonly clock?: Clock;
  readonly ids?: () => string;
};

export type DbBuilder = {
  readonly path: string;
  readonly clock: Clock;
  readonly newId: () => string;
  /** The raw connection, for what the helpers do not offer. */
  readonly db: Database.Database;
  /** One row; columns that this generation does not have are left out, unknown tables are ignored. */
  insert(table: string, row: Readonly<Record<string, unknown>>): void;
  insertWorld(row: At & { name: string; description?: string; lore?: string; locale?: string }): string;
  insertSession(row: SessionInput): string;
  /** A turn with `turn.started`, what `during` writes, and its end: event, player message and turn_results row. */
  insertTurn(turn: TurnInput): string;
  /** An event whose payload is stored exactly as given. */
  insertEvent(event: EventInput): string;
  /** An event of the turn's emitter: `flowId` first, the emitter's counter `seq` last. */
  emitEvent(event: EmitInput): string;
  insertCall(call: CallInput): string;
  insertReply(reply: ReplyInput): string;
  /** turn_messages */
  insertMessage(message: MessageInput): string;
  insertSummary(summary: SummaryInput): string;
  /** turn_results */
  insertResult(result: ResultInput): string;
  transaction(work: () => void): void;
  checkpoint(): void;
  close(): void;
};

const json = (value: JsonColumn | undefined): string | null =>
  value === undefined || value === null || typeof value === 'string' ? (value ?? null) : JSON.stringify(value);

type Statement = { readonly run: (...values: unknown[]) => unknown };

/**
 * Creates (or opens, when the file exists) a covel.db and returns helpers that write to it.
 * @param path file to write; its folder must exist
 */
export function buildDb(path: string, options: BuildOptions = {}): DbBuilder {
  const clock = options.clock ?? createClock();
  const newId = options.ids ?? createIds();
  const ddl = ddlOf(options.generation ?? 'G6', options.without);
  const db = new Database(path);
  if (options.pageSize) db.pragma(`page_size = ${options.pageSize}`);
  db.pragma(`journal_mode = ${options.journal ?? 'wal'}`);
  db.transaction(() => {
    for (const statement of ddl.statements) db.exec(statement);
  })();

  const prepared = new Map<string, Statement>();
  const lastSeq = new Map<string, { at: string; seq: number }>();
  const emitted = new Map<string, number>();
  const traces = new Map<string, string>();

  function insert(table: string, row: Readonly<Record<string, unknown>>): void {
    const known = ddl.columns.get(table);
    if (!known) return;
    const names = known.filter((name) => row[name] !== undefined);
    const sql = `INSERT INTO ${table} (${names.map(quoted).join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
    let statement = prepared.get(sql);
    if (!statement) prepared.set(sql, (statement = db.prepare<unknown[]>(sql)));
    statement.run(...names.map((name) => row[name]));
  }

  /** The next `seq` among rows of one table and session with the same time. */
  function seqOf(table: string, sessionId: string, at: string): number {
    const key = `${table} ${sessionId}`;
    const last = lastSeq.get(key);
    const seq = last?.at === at ? last.seq + 1 : 0;
    lastSeq.set(key, { at, seq });
    return seq;
  }

  function traceOf(row: InTurn): string {
    return row.traceId ?? traces.get(row.turnId) ?? row.turnId;
  }

  const builder: DbBuilder = {
    path,
    clock,
    newId,
    db,
    insert,
    insertWorld({ id = newId(), createdAt = clock.tick(), description = '', ...row }) {
      insert('worlds', { id, description, ...row, created_at: createdAt, updated_at: createdAt });
      return id;
    },
    insertSession(row) {
      const id = row.id ?? newId();
      const at = row.createdAt ?? clock.tick();
      insert('sessions', {
        id,
        world_id: row.worldId ?? null,
        status: row.status ?? 'active',
        locale: row.locale ?? 'zh-CN',
        active_plugins: JSON.stringify(row.activePlugins ?? []),
        metadata: row.metadata === undefined && row.title ? json({ title: row.title }) : json(row.metadata),
        created_at: at,
        updated_at: at,
        runtime_model_overrides: json(row.runtimeModelOverrides ?? '{}'),
        phase: row.phase ?? 'playing',
        completed_player_turns: row.completedPlayerTurns ?? 0,
        setup_runtimes: '{}',
        turn_count: row.completedPlayerTurns ?? 0,
      });
      return id;
    },
    insertEvent(event) {
      const id = event.id ?? newId();
      const at = event.createdAt ?? clock.tick();
      insert('trace_events', {
        id,
        session_id: event.sessionId,
        type: event.type,
        trace_id: traceOf(event),
        turn_id: event.turnId,
        payload: json(event.payload),
        created_at: at,
        seq: seqOf('trace_events', event.sessionId, at),
      });
      return id;
    },
    emitEvent(event) {
      const seq = emitted.get(event.turnId) ?? 0;
      emitted.set(event.turnId, seq + 1);
      return builder.insertEvent({ ...event, payload: { flowId: traceOf(event), ...event.payload, seq } });
    },
    insertCall(call) {
      const runtimeId = call.runtimeId ?? 'narrator';
      const pluginId = call.pluginId ?? runtimeId.split('/')[0];
      const at = call.createdAt ?? clock.tick();
      const tail = { attempt: call.attempt ?? 0, startedAt: at };
      const payload = { runtimeId, pluginId, ...call.payload, ...tail };
      return builder.emitEvent({ ...call, createdAt: at, type: 'llm.calling', payload });
    },
    insertReply(reply) {
      const runtimeId = reply.runtimeId ?? 'narrator';
      const payload = {
        runtimeId,
        pluginId: reply.pluginId ?? runtimeId.split('/')[0],
        text: reply.text ?? '',
        toolCalls: reply.toolCalls ?? [],
        ...(reply.usage === null ? {} : { usage: reply.usage ?? { inputTokens: 100, outputTokens: 10 } }),
        finishReason: reply.finishReason ?? (reply.error === undefined ? 'stop' : 'error'),
        ...(reply.error === undefined ? {} : { error: reply.error }),
        durationMs: reply.durationMs ?? 500,
        attempt: reply.attempt ?? 0,
        ...reply.payload,
      };
      return builder.emitEvent({ ...reply, type: 'llm.responded', payload });
    },
    insertMessage(row) {
      const id = row.id ?? newId();
      insert('turn_messages', {
        id,
        session_id: row.sessionId,
        turn_id: row.turnId,
        source_type: row.sourceType,
        source_plugin_id: row.pluginId ?? null,
        source_runtime_id: row.runtimeId ?? null,
        role: row.role,
        name: row.runtimeId ?? null,
        content: row.content,
        ui: json(row.ui),
        pending_input: json(row.pendingInput),
        order: row.order ?? 0,
        created_at: row.createdAt ?? clock.tick(),
        compacted_at_turn_id: row.compactedBy ?? null,
      });
      return id;
    },
    insertSummary(row) {
      const id = row.id ?? newId();
      insert('session_summaries', {
        id,
        session_id: row.sessionId,
        turn_range_start: row.turnRange[0],
        turn_range_end: row.turnRange[1],
        content: row.content,
        focus_sections: json(row.focusSections ?? '[]'),
        created_at: row.createdAt ?? clock.tick(),
      });
      return id;
    },
    insertResult(row) {
      const id = row.id ?? newId();
      const at = row.createdAt ?? clock.tick();
      insert('turn_results', {
        id,
        session_id: row.sessionId,
        turn_id: row.turnId,
        runtime_results: json(row.runtimeResults ?? '[]'),
        origin: row.origin ?? 'player',
        parent_turn_id: row.parentTurnId ?? null,
        commit_status: row.commitStatus ?? 'committed',
        duration_ms: row.durationMs ?? 1000,
        created_at: at,
        seq: seqOf('turn_results', row.sessionId, at),
      });
      return id;
    },
    insertTurn(turn) {
      const { sessionId, origin = 'player', playerText = null, end = 'committed' } = turn;
      const turnId = turn.turnId ?? newId();
      const traceId = turn.traceId ?? newId();
      traces.set(turnId, traceId);
      const where = { sessionId, turnId, traceId };
      const startedAt = clock.tick();
      builder.insertEvent({
        ...where,
        type: 'turn.started',
        createdAt: startedAt,
        payload: {
          runtimeCount: turn.runtimeCount ?? 1,
          origin,
          requestId: newId(),
          ...(playerText === null
            ? {}
            : { recoveryAction: { type: 'send_message', payload: { content: playerText } } }),
        },
      });
      turn.during?.(where);
      if (end === 'none') return turnId;
      if (end === 'failed') {
        builder.insertEvent({ ...where, type: 'turn.failed', payload: { error: 'aborted-by-player' } });
        return turnId;
      }
      if (playerText !== null)
        builder.insertMessage({
          ...where,
          sourceType: 'player',
          role: 'user',
          content: playerText,
          createdAt: startedAt,
        });
      builder.insertResult({ sessionId, turnId, origin });
      const payload = { durationMs: 1000, resultCount: 1, committed: true };
      builder.insertEvent({ ...where, type: 'turn.completed', payload });
      return turnId;
    },
    transaction(work) {
      db.transaction(work)();
    },
    checkpoint() {
      db.pragma('wal_checkpoint(TRUNCATE)');
    },
    close() {
      db.close();
    },
  };
  return builder;
}
