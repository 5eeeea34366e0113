/**
 * A provider's cache holds prefixes. A request is a chain of blocks in cache key order; a prefix is named by a number
 * that two requests share exactly when they are equal up to the end of that block, settings included.
 */
import type { Prediction, Usage } from '../../../shared/model/index.ts';
import type { TextSize } from '../../../shared/tokens.ts';
import { chars, type Tokens, type TurnIndex } from '../../../shared/units.ts';

/** An explicit mark: the block that it ends (index into `prefixes`), and its lifetime as written. */
export type BlockMark = { readonly block: number; readonly ttl: string | null };

/**
 * Size of a request up to the end of each block, as the prefix measurement counts it: all UTF-16 units, and the CJK ones
 * among them. Ten thousand requests of a hundred blocks are kept at once, so these are numbers and no objects.
 */
export type BlockEnds = { readonly chars: Uint32Array; readonly cjk: Uint32Array };

/** Size up to the end of block i; nothing before the first. */
export const sizeAt = ({ chars: all, cjk }: BlockEnds, i: number): TextSize => ({
  chars: chars(all[i] ?? 0),
  cjk: chars(cjk[i] ?? 0),
});

/**
 * A request as the simulator needs it. A block is what a provider can end an entry at: a tool, a system block, one
 * content block of a message (the whole message where its content is no list). Where a provider reads what is equal to
 * the token, a long block is several ones.
 */
export type RequestBlocks = {
  /** Number of the prefix that ends with block i. */
  readonly prefixes: Uint32Array;
  readonly ends: BlockEnds;
  /** Index of the first block of each message, and one more: the block behind the last of them. */
  readonly messageStarts: Uint32Array;
  readonly marks: readonly BlockMark[];
  /**
   * What the body itself says of the whole request, with its lifetime: `cache_control` (a mark on the last block),
   * `prompt_cache_options`, `prompt_cache_retention`.
   */
  readonly automatic: { readonly ttl: string | null } | null;
  /** The body asks for no breakpoint beside its own marks (`prompt_cache_options.mode`: `explicit`). */
  readonly explicitOnly: boolean;
};

/** One answered request, in the order of time. */
export type SimCall = {
  readonly id: string;
  readonly runtimeId: string;
  readonly turnIndex: TurnIndex;
  /** The chain's request before this one; null: it is the first. */
  readonly previousId: string | null;
  readonly provider: string | null;
  readonly protocol: string | null;
  readonly model: string | null;
  /** Milliseconds since 1970; null where no clock was recorded. */
  readonly startedAt: number | null;
  readonly durationMs: number | null;
  /** The provider answered: entries were written. */
  readonly answered: boolean;
  readonly blocks: RequestBlocks;
  /** Text shared with the chain's request before, to the unit; may end inside a block. null: no such request. */
  readonly sharedWithPrevious: TextSize | null;
  readonly usage: Usage | null;
  /** Whole input as billed; null where it is not known. */
  readonly billedInput: Tokens | null;
  /** Exact count of all the texts where a tokenizer for the model is at hand, else null. */
  readonly countedInput: Tokens | null;
};

/** The longest prefix that was lost, by why it could not be read. Sizes in tokens of this call's scale. */
export type Lost = {
  /** An entry whose lifetime was over: its age and lifetime in seconds. */
  readonly expired: { readonly tokens: Tokens; readonly ageS: number; readonly lifetimeS: number } | null;
  /** An equal prefix that is too short for the model's minimum. */
  readonly tooShort: { readonly tokens: Tokens; readonly minimum: Tokens } | null;
  /** An entry further back than a mark looks. */
  readonly beyondLookback: { readonly tokens: Tokens; readonly blocks: number; readonly limit: number } | null;
  /** An equal prefix that no breakpoint ended. */
  readonly unmarked: { readonly tokens: Tokens } | null;
  /** An entry that was being written while this request began. */
  readonly notReady: { readonly tokens: Tokens; readonly callId: string } | null;
};

export const SIM_NOTES = [
  'no-clock',
  'clock-backwards',
  'lifetime-unknown',
  'minimum-unknown',
  'overlap',
  'units-unknown',
  'not-answered',
] as const;
export type SimNote = (typeof SIM_NOTES)[number];

export type SimResult = {
  readonly id: string;
  /** null: no rule is known for the model behind this protocol, or nobody answered. */
  readonly prediction: Prediction | null;
  readonly lost: Lost;
  /** Lifetime in seconds of the entry that was read, or of the longest one that could have been; null: unknown or none. */
  readonly lifetimeS: number | null;
  /** Tokens at the end of each block, on this call's scale (they add up to the bill where there is one). */
  readonly tokensAt: Uint32Array;
  readonly notes: readonly SimNote[];
};

export const NOTHING_LOST: Lost = {
  expired: null,
  tooShort: null,
  beyondLookback: null,
  unmarked: null,
  notReady: null,
};
