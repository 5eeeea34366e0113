/**
 * Every character of a request knows the segment that put it there. A prompt is read from a wire body
 * (or from the kernel view) as tools and messages whose texts keep their addresses; naming then groups
 * those texts into segments. Texts are never copied apart from their addresses.
 */
import type { Chars, Measured, TurnIndex } from '../units.ts';
import type { Json, JsonPointer, Protocol, TextAt } from './wire.ts';

export type Role = 'system' | 'user' | 'assistant' | 'tool';
export type Volatility = 'stable' | 'session' | 'turn';

export const SEGMENT_KINDS = [
  'tool',
  'framework-preamble',
  'runtime-body',
  'world-lore',
  'extension',
  'lore',
  'events',
  'activation',
  'pre-history',
  'summary',
  'history',
  'picture-note',
  'turn-context',
  'pictures',
  'player',
  'story',
  'story-cue',
  'depth',
  'post-history',
  'tool-call',
  'tool-result',
  'response-format',
  'retry-hint',
  'unknown',
] as const;
export type SegmentKind = (typeof SEGMENT_KINDS)[number];

/** Text with its address in the body. `text` is exactly the string at `path` from `start` to `end`. */
export type Text = TextAt & { readonly text: string };

export type ToolDef = {
  readonly name: string;
  readonly description: string | null;
  readonly path: JsonPointer;
  /** The definition as it stands in the body. */
  readonly value: Json;
  /** Every string of the definition, in the order of the body. */
  readonly texts: readonly Text[];
};

export type PromptPart =
  | { readonly type: 'text'; readonly texts: readonly Text[] }
  | { readonly type: 'reasoning'; readonly texts: readonly Text[] }
  | { readonly type: 'tool-call'; readonly id: string | null; readonly name: string; readonly texts: readonly Text[] }
  | {
      readonly type: 'tool-result';
      readonly id: string | null;
      readonly name: string | null;
      readonly texts: readonly Text[];
    }
  | { readonly type: 'image'; readonly mediaType: string | null; readonly texts: readonly Text[] }
  | { readonly type: 'other'; readonly texts: readonly Text[] };

export type PromptMessage = {
  readonly role: Role;
  /** A system message that stands after the first user or assistant message. */
  readonly late: boolean;
  /** A late system message that was sent as user text inside `<system-instruction>`. */
  readonly wrapped: boolean;
  readonly path: JsonPointer;
  readonly parts: readonly PromptPart[];
};

/** An explicit cache mark, where it stands: the pointer of the object that carries it. */
export type CacheMark = { readonly path: JsonPointer; readonly ttl: string | null };

/** A request, read back. `protocol` is null for the kernel view. Leading system texts come first in `messages`. */
export type WirePrompt = {
  readonly protocol: Protocol | null;
  readonly tools: readonly ToolDef[];
  readonly messages: readonly PromptMessage[];
  /** Texts of a response schema outside the messages. */
  readonly responseFormat: readonly Text[];
  readonly marks: readonly CacheMark[];
};

export type SegmentId = string;

export type Origin = {
  readonly plugin: string | null;
  readonly runtime: string | null;
  /** Short name: a tag, a tool, a runtime, "turn 7". */
  readonly label: string;
  /** Turn in which this text was written, where a row of turn_messages proves it. */
  readonly turnId: string | null;
};

/** What proved the name of a segment. `none` belongs to kind `unknown` alone. */
export type Proof = 'structure' | 'sentinel' | 'tag' | 'row' | 'position' | 'marker' | 'none';

export type Segment = {
  readonly id: SegmentId;
  readonly kind: SegmentKind;
  readonly role: Role;
  readonly origin: Origin;
  /** null where the kind has none (history, the player's words, unknown). */
  readonly volatility: Volatility | null;
  readonly proof: Proof;
  /** Index of the message in WirePrompt.messages; null for tools and the response format. */
  readonly message: number | null;
  /** In the order of the cache key. All segments together cover every text of the prompt exactly once. */
  readonly texts: readonly Text[];
  /** Kind `tool` only: the definition as it stands in the body, without cache marks. */
  readonly definition?: Json;
};

/** A segment as it is listed: without its text. */
export type SegmentRow = {
  readonly id: SegmentId;
  readonly kind: SegmentKind;
  readonly role: Role;
  readonly origin: Origin;
  readonly volatility: Volatility | null;
  readonly proof: Proof;
  /** Sum of the spans. */
  readonly chars: Chars;
  readonly tokens: Measured;
  readonly spans: readonly TextAt[];
};

/** One block of the turn context, in order. */
export type TurnBlock = {
  readonly segment: SegmentId;
  /** Tag name; null for text outside any tag. */
  readonly tag: string | null;
  readonly chars: Chars;
  readonly tokens: Measured;
  /** null where there is no earlier call to compare with. */
  readonly changedSincePreviousTurn: boolean | null;
};

/** A row of turn_messages, as naming needs it. */
export type HistoryRow = {
  readonly id: string;
  readonly turnId: string;
  readonly turnIndex: TurnIndex | null;
  readonly sourceType: string;
  readonly plugin: string | null;
  readonly runtime: string | null;
  readonly role: string;
  readonly content: string;
  readonly picture: boolean;
  /** Id of the summary that replaces it (`compacted_at_turn_id`); null: none does. Absent where the file cannot tell. */
  readonly compactedBy?: string | null;
};
