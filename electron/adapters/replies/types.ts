/**
 * A reply is whole or it is a fault: HTTP 200 alone says nothing, a stream counts only with its protocol's end, and a
 * tool call is released only when the reply that made it was accepted (assembler page, 8.9).
 */
import type { Json, JsonObject, ReportedUsage } from '../../../shared/model/index.ts';
import type { Tokens } from '../../../shared/units.ts';
import type { ProviderContinuation } from '../build/types.ts';
import type { UsageRule } from '../usage-conventions.ts';

export const FINISH_REASONS = ['stop', 'length', 'tool_calls', 'content_filter', 'error', 'other'] as const;
export type FinishReason = (typeof FINISH_REASONS)[number];
/** `raw`: the provider's own word; null where it gave none. */
export type Finish = { readonly unified: FinishReason; readonly raw: string | null };

/** `arguments`: JSON text as the model wrote it; `{}` where it wrote nothing. */
export type ReplyToolCall = { readonly id: string; readonly name: string; readonly arguments: string };

/** What the provider itself says about its cache, where the request asked for it (cache rules page). */
export type CacheDiagnosis = {
  /** `cache_hit`, `tools_changed`, `unavailable`, … as the provider spells it. */
  readonly reason: string;
  readonly missedTokens: Tokens | null;
};

export const REPLY_WARNINGS = [
  /** A call without whole arguments in a reply that was cut off: not released. */
  'call-dropped',
  /** A call without a name: not released. */
  'call-without-name',
  /** More than one answer was sent; the first is read. */
  'more-choices',
  /** The text at the end is not the text that was streamed; the one at the end counts. */
  'text-differs',
] as const;
export type ReplyWarning = (typeof REPLY_WARNINGS)[number];

export type ReplyDiagnostics = {
  readonly responseId: string | null;
  /** The model as the provider names it. */
  readonly model: string | null;
  readonly cache: CacheDiagnosis | null;
  readonly warnings: readonly ReplyWarning[];
  /** The usage object as it came. */
  readonly rawUsage: Json | null;
};

export type Reply = {
  readonly text: string;
  readonly reasoning: string;
  /**
   * Where the reasoning stood: in a field of its own (Chat: its name), or as `<think>` text in the reply, which is
   * never sent back. null: there is none.
   */
  readonly reasoningFrom: 'native' | 'reasoning_content' | 'reasoning' | 'inline' | null;
  readonly toolCalls: readonly ReplyToolCall[];
  readonly finish: Finish;
  readonly usage: ReportedUsage | null;
  /** Native blocks to send back as they came; null where text and tool calls say it all. */
  readonly continuation: ProviderContinuation | null;
  readonly diagnostics: ReplyDiagnostics;
};

export const REPLY_FAULT_CODES = [
  'PROVIDER_ERROR',
  'REFUSAL',
  'CONFIG_ERROR',
  'SCHEMA_VALIDATION_FAILED',
  'RATE_LIMITED',
  'REQUEST_BUDGET_EXCEEDED',
] as const;
export type ReplyFaultCode = (typeof REPLY_FAULT_CODES)[number];

export const FAILURE_KINDS = [
  'unreachable',
  'timeout',
  'auth',
  'quota',
  'rate_limited',
  'not_found',
  'overloaded',
  'server',
  'bad_request',
  'refused',
  'config',
  'unknown',
] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

export type ReplyFault = {
  readonly code: ReplyFaultCode;
  readonly kind: FailureKind;
  /** The provider's words, or ours where it gave none. English. */
  readonly message: string;
  /** Whether the same request may succeed when it is sent again. */
  readonly retriable: boolean;
  /** A refused reply is billed too. null: nothing was reported. */
  readonly usage: ReportedUsage | null;
};

/** A reply has no `code`. */
export const isFault = (result: Reply | ReplyFault): result is ReplyFault => 'code' in result;

/**
 * Deltas joined are the text and the reasoning of the reply (but for the warning `text-differs`). Exactly one `done` or
 * one `fault` comes, as the last.
 */
export type StreamEvent =
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'reasoning-delta'; readonly text: string }
  /** Progress only: `index` tells calls apart, `id` and `name` may still be unknown. */
  | {
      readonly type: 'tool-argument-delta';
      readonly index: number;
      readonly id: string | null;
      readonly name: string | null;
      readonly text: string;
    }
  | { readonly type: 'tool-call'; readonly call: ReplyToolCall }
  | { readonly type: 'done'; readonly reply: Reply }
  | { readonly type: 'fault'; readonly fault: ReplyFault };

/** What a reply is read against: the request that it answers. */
export type ReplyOptions = {
  readonly model: string;
  /** Base URL that the request went to, for the continuation; null: the protocol's public endpoint. */
  readonly baseUrl: string | null;
  /** Compact JSON of the request's body: the ids of calls that came without one are made from it. */
  readonly requestBody: string;
  /** SHA-256 of a text as 64 hex digits; this room does no cryptography of its own. */
  readonly sha256Hex: (text: string) => string;
  /** `usage` of the provider's cache rule; null: the protocol's own fields. */
  readonly usageRule: UsageRule | null;
};

/** Takes the data of one server-sent event after the other. After `done` or `fault` it says nothing more. */
export type ReplyStream = {
  /** `data` of one event, as text; `[DONE]` ends the stream. */
  event(data: string): readonly StreamEvent[];
  /** The connection ended. */
  end(): readonly StreamEvent[];
};

/** A protocol's part of a stream: takes events in and builds the reply that a request without `stream` would get. */
export type Accumulator = {
  /** `terminal`: nothing more is to come. A fault ends the stream. null: go on. */
  add(event: JsonObject, emit: (event: StreamEvent) => void): ReplyFault | 'terminal' | null;
  /** The whole reply; a fault where the protocol's end never came. */
  close(emit: (event: StreamEvent) => void): Reply | ReplyFault;
};
