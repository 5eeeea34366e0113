/**
 * A prompt cache is a prefix cache: what a request shares with an earlier one, from the first character
 * on and in the order in which the provider hashes the request, is all that can be read from it.
 */
import type { TextSize } from '../tokens.ts';
import type { Chars, Measured, Tokens } from '../units.ts';
import type { SegmentId, SegmentKind } from './prompt.ts';
import type { JsonPointer } from './wire.ts';

/** One part of a request in cache key order: a tool, a system text block, a message or an item. */
export type KeyPart = {
  /** `tool 2 (roll-dice)`, `system block 1`, `message 7 (user)`. */
  readonly label: string;
  /** Pointer of the part in the body. */
  readonly path: JsonPointer;
  /** A system text block: its text. Everything else: its compact JSON with keys in body order. Cache marks removed. */
  readonly text: string;
};

export type KeyText = { readonly parts: readonly KeyPart[] };

/** Where two requests stop being equal. `part` indexes the later request's parts. */
export type FirstDifference = {
  readonly part: number;
  readonly label: string;
  readonly path: JsonPointer;
  /** UTF-16 offset in the part's text. */
  readonly offset: Chars;
};

export type SharedPrefix = {
  readonly kind: 'differs' | 'identical' | 'request-ends-earlier' | 'other-protocol';
  /** Size of the later request. */
  readonly size: TextSize;
  readonly shared: TextSize;
  readonly first: FirstDifference | null;
};

export const CAUSE_KINDS = [
  'append-only',
  'identical',
  'shortened',
  'model',
  'tools-added',
  'tools-removed',
  'tools-modified',
  'tools-reordered',
  'system-text',
  'template-variable',
  'lore-activation',
  'extension-segment',
  'turn-in-pre-history',
  'window-slid',
  'compacted',
  'pruned',
  'turn-context',
  'message-edited',
  'options',
  'cache-key',
  'marker-only',
  'ttl-elapsed',
  'below-minimum',
  'lookback-exceeded',
  'no-matching-breakpoint',
  'provider-miss',
  'unknown',
] as const;
export type CauseKind = (typeof CAUSE_KINDS)[number];

/** A sentence for people by its key in shared/language, with what fills it. */
export type Sentence = { readonly key: string; readonly values: Readonly<Record<string, string | number>> };

export type Cause = {
  readonly kind: CauseKind;
  readonly evidence: readonly Sentence[];
  /** null where nothing needs to be done. */
  readonly advice: Sentence | null;
};

export type Divergence = {
  /** Label of the part, as in KeyPart. */
  readonly part: string;
  /** Pointer of the string in the later body where the texts part, or of the part itself in its structure. */
  readonly path: JsonPointer;
  /** UTF-16 offset in the string at `path`. */
  readonly offset: Chars;
  /** Segment of the later request at the place: the one whose text begins to differ, or that stands there now. */
  readonly segment: SegmentId | null;
  /** Segment of the earlier request that stood at the place and is gone; nothing new took its place. */
  readonly gone?: { readonly kind: SegmentKind; readonly label: string } | null;
  /** 40 units before to 80 after the place, in the part's text. */
  readonly was: string | null;
  readonly now: string | null;
};

export type SegmentChange = {
  /** Segment of the later request; for `removed` of the earlier one. */
  readonly segment: SegmentId;
  readonly kind: SegmentKind;
  readonly label: string;
  readonly change: 'added' | 'removed' | 'modified' | 'moved';
  readonly tokens: Measured;
};

/** What the provider charged for one call. Buckets are disjoint and add up to its total; null = not reported. */
export type Usage = {
  readonly uncached: Tokens | null;
  readonly read: Tokens | null;
  readonly write: Tokens | null;
  readonly output: Tokens | null;
};

export type Breakpoint = {
  readonly kind: 'explicit' | 'implicit';
  readonly path: JsonPointer;
  readonly ttl: string | null;
  /** Last segment before the breakpoint, in cache key order. */
  readonly afterSegment: SegmentId | null;
  readonly prefixTokens: Measured;
  /** null where no minimum is known for the model. */
  readonly belowMinimum: boolean | null;
};
