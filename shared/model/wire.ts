/**
 * A wire body is the JSON that was sent to a provider. Every text in it has an address: a JSON pointer
 * (RFC 6901) to a string, and a range of UTF-16 units in that string.
 */
import type { Chars } from '../units.ts';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

export const PROTOCOLS = [
  'anthropic-messages-v1',
  'openai-chat-v1',
  'openai-responses-v1',
  'google-generative-ai-v1',
] as const;
export type Protocol = (typeof PROTOCOLS)[number];

export const isProtocol = (value: unknown): value is Protocol => (PROTOCOLS as readonly unknown[]).includes(value);

/** JSON pointer into a wire body, for instance `/messages/3/content/0/text`. */
export type JsonPointer = string;

/** A run of text in a body. `path` always points at a string; `start` and `end` are UTF-16 offsets in it. */
export type TextAt = { readonly path: JsonPointer; readonly start: Chars; readonly end: Chars };

/** One entry of `providerRequests`: one HTTP request, body resolved (see bodyRef in the storage page). */
export type HttpAttempt = {
  readonly index: number;
  readonly provider: string | null;
  readonly protocol: string | null;
  /** Compact JSON text of the body, or null where the trace has none. */
  readonly body: string | null;
  /** The entry repeats the body of this earlier entry. */
  readonly sameBodyAs: number | null;
  readonly complete: boolean | null;
  readonly omittedFields: number | null;
  readonly startedAt: string | null;
  readonly durationMs: number | null;
  readonly statusCode: number | null;
  readonly failed: boolean;
  readonly transportAttempt: number | null;
  readonly logicalAttempt: number | null;
  readonly retryReason: string | null;
};
