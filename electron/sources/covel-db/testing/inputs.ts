/** What the helpers of build-db.ts take: one type a table, with defaults for what a test does not care about. */

/** A value of a JSON column: a string is stored as it is, null as NULL, everything else as its compact JSON. */
export type JsonColumn = string | null | object;

export type At = { readonly id?: string; readonly createdAt?: string };
export type InTurn = At & { readonly sessionId: string; readonly turnId: string; readonly traceId?: string };

export type EventInput = InTurn & { readonly type: string; readonly payload: JsonColumn };
export type EmitInput = InTurn & { readonly type: string; readonly payload: Readonly<Record<string, unknown>> };
/** Fields beside the named ones become payload fields of `llm.calling`, in their order, before the usual tail. */
export type CallInput = InTurn & {
  readonly runtimeId?: string;
  readonly pluginId?: string;
  readonly attempt?: number;
  readonly payload?: Readonly<Record<string, unknown>>;
};
export type ReplyInput = CallInput & {
  readonly text?: string;
  readonly toolCalls?: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
  readonly usage?: Readonly<Record<string, number>> | null;
  readonly finishReason?: string;
  readonly error?: string;
  readonly durationMs?: number;
};
export type SessionInput = At & {
  readonly worldId?: string | null;
  readonly title?: string;
  readonly locale?: string;
  readonly status?: string;
  readonly activePlugins?: readonly string[];
  readonly metadata?: JsonColumn;
  readonly runtimeModelOverrides?: JsonColumn;
  readonly phase?: string;
  readonly completedPlayerTurns?: number;
};
export type MessageInput = At & {
  readonly sessionId: string;
  readonly turnId: string;
  readonly sourceType: 'player' | 'runtime' | 'system' | 'tool' | 'player-input';
  readonly role: 'user' | 'assistant' | 'system';
  readonly content: string;
  readonly pluginId?: string | null;
  readonly runtimeId?: string | null;
  readonly ui?: JsonColumn;
  readonly pendingInput?: JsonColumn;
  readonly order?: number;
  /** Id of the session_summaries row that replaces this message. */
  readonly compactedBy?: string | null;
};
export type SummaryInput = At & {
  readonly sessionId: string;
  readonly turnRange: readonly [string, string];
  readonly content: string;
  readonly focusSections?: JsonColumn;
};
export type ResultInput = At & {
  readonly sessionId: string;
  readonly turnId: string;
  readonly origin?: string | null;
  readonly commitStatus?: string;
  readonly durationMs?: number;
  readonly runtimeResults?: JsonColumn;
  readonly parentTurnId?: string | null;
};
export type TurnInput = {
  readonly sessionId: string;
  readonly turnId?: string;
  readonly traceId?: string;
  readonly origin?: string;
  /** null: a turn without words of the player. */
  readonly playerText?: string | null;
  readonly runtimeCount?: number;
  /** How it ends; `none` leaves it open. */
  readonly end?: 'committed' | 'failed' | 'none';
  /** Writes what happens between start and end. */
  readonly during?: (turn: { readonly sessionId: string; readonly turnId: string; readonly traceId: string }) => void;
};
