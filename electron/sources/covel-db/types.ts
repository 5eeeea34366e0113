/**
 * The door of a covel.db: rows from columns and small events at once, payloads as bytes on request.
 * Nothing here parses a prompt.
 */
import type { ReadMode } from '../../../shared/api.ts';
import type { HistoryRow, Json, Problem, SessionRow, TurnRow } from '../../../shared/model/index.ts';
import type { LensError } from '../../../shared/error.ts';
import type { Bytes } from '../../../shared/units.ts';

/** How old a schema is (storage page, section 1); told by its columns, never by a version number. */
export type Generation = 'G1' | 'G2' | 'G3' | 'G4' | 'G5' | 'G6';

/** One `llm.calling` row without its payload, in write order. */
export type CallRef = {
  readonly rowid: number;
  readonly id: string;
  readonly turnId: string;
  readonly createdAt: string;
  /** 0 when the payload is NULL. */
  readonly payloadBytes: Bytes;
};

/** The small facts of one `llm.responded` row, read in SQL; text and tool calls stay in the file. */
export type ReplyRef = {
  readonly id: string;
  readonly turnId: string;
  readonly createdAt: string;
  /** Counter of the emitter inside its turn (payload `seq`); null in old rows. */
  readonly emitted: number | null;
  readonly runtimeId: string | null;
  readonly attempt: number;
  readonly finishReason: string | null;
  readonly error: string | null;
  readonly durationMs: number | null;
  /** As recorded, unchecked, so that what is no count can be told: `inputTokens` is the whole input. */
  readonly usage: {
    readonly inputTokens: Json;
    readonly outputTokens: Json;
    readonly cachedInputTokens: Json;
    readonly cacheWriteInputTokens: Json;
  } | null;
};

export type SummaryRow = {
  readonly id: string;
  readonly turnRange: readonly [string, string];
  readonly content: string;
  readonly focusSections: readonly string[];
  readonly createdAt: string;
};

/** `context.compacted` and `context.pruned`, with their payload as parsed JSON (null when unreadable). */
export type LedgerEvent = {
  readonly id: string;
  readonly type: 'context.compacted' | 'context.pruned';
  readonly turnId: string;
  readonly createdAt: string;
  readonly payload: unknown;
};

/** What the file holds of a session's world. Times are ISO texts. */
export type SessionWorld = {
  readonly locale: string | null;
  /** null where the session names no world or the file does not hold its record. */
  readonly world: {
    readonly name: string;
    readonly description: string;
    readonly lore: string | null;
    readonly tags: readonly string[];
    readonly changedAt: string;
  } | null;
  readonly characters: readonly {
    readonly id: string;
    readonly name: string;
    readonly type: string;
    readonly description: string;
    readonly fields: { readonly [key: string]: Json };
  }[];
  readonly lorebook: readonly {
    readonly id: string;
    readonly keys: readonly string[];
    readonly content: string;
    readonly strategy: string;
    readonly position: string | null;
    readonly insertionOrder: number;
    readonly enabled: boolean;
    readonly extra: { readonly [key: string]: Json };
    readonly createdAt: string;
    readonly updatedAt: string;
  }[];
  readonly pluginData: readonly {
    readonly pluginId: string;
    readonly namespace: string;
    readonly key: string;
    readonly value: Json;
    readonly createdAt: string;
    readonly updatedAt: string;
  }[];
};

/** A row of turn_messages with all that a prompt is made from. */
export type MessageRow = {
  readonly id: string;
  readonly turnId: string;
  readonly sourceType: string;
  readonly plugin: string | null;
  readonly runtime: string | null;
  readonly role: string;
  readonly name: string | null;
  readonly content: string;
  readonly ui: Json;
  /** Number of the stage whose run wrote it (2: narrative); null in old files. */
  readonly stage: number | null;
  readonly createdAt: string;
  readonly compactedBy: string | null;
};

export type SourceInfo = {
  readonly path: string;
  readonly name: string;
  readonly generation: Generation;
  readonly mode: ReadMode;
  readonly bytes: number;
  /** Changes with every change of the file's contents; key of the side database. */
  readonly identity: string;
};

/** What a poll found. `grew` and `replaced`: lists must be asked again; `gone`: the file left its place or cannot be read
 * any more; told once, until it comes back as `grew` or `replaced`. */
export type Change = 'none' | 'grew' | 'replaced' | 'gone';

export type CovelDb = {
  readonly info: SourceInfo;
  /** Without `calls` (null): counting groups needs payloads. */
  sessions(): readonly SessionRow[];
  /** Every turn of a session in order, from columns and small events. `newestRuns`: the file is being written to. */
  turns(sessionId: string, newestRuns: boolean): readonly TurnRow[];
  callRefs(sessionId: string): readonly CallRef[];
  /** The `llm.calling` row by its id; null when there is none. */
  findCall(callId: string): (CallRef & { readonly sessionId: string }) | null;
  replies(sessionId: string): readonly ReplyRef[];
  /** Payload of a trace event as bytes of UTF-8; null for NULL or a row that is gone. Memory of its own: whoever asked may keep it. */
  payload(rowid: number): Uint8Array | null;
  payloadById(eventId: string): Uint8Array | null;
  /** turn_messages in order (created_at, id). */
  history(sessionId: string): readonly HistoryRow[];
  summaries(sessionId: string): readonly SummaryRow[];
  /** World, characters, lorebook and plugin data, as they are now. */
  world(sessionId: string): SessionWorld;
  /** turn_messages in order, with what a prompt is made from. */
  messages(sessionId: string): readonly MessageRow[];
  ledgerEvents(sessionId: string): readonly LedgerEvent[];
  /** All flagged rows, checked in SQL (`json_valid`), a table at a time. Reads every payload: never on the first screen. */
  problems(): Iterable<Problem>;
  /** The same a batch at a time, so that the caller can pause in between; a batch may be empty. */
  problemBatches(): Iterable<readonly Problem[]>;
  /** Looks whether the file changed and, when it did, makes the new state readable. Never blocks a writer. */
  poll(): Promise<Change>;
  /** Why the file cannot be followed at the moment (gone, replaced by something unreadable, no space for a copy). */
  readonly trouble: LensError | null;
  close(): void;
};
