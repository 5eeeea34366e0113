/**
 * A prompt cache is a prefix cache: what a request shares with an earlier one, from the first character
 * on and in the order in which the provider hashes the request, is all that can be read from it.
 */
import type { TextSize } from '../tokens.ts';
import type { Chars, Measured, Tier, Tokens, TurnIndex, UsdMicros } from '../units.ts';
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

/**
 * What is wrong with reported usage. `over-total`: cached and written tokens exceed the input that should hold them.
 * `negative`, `fractional`, `not-a-number`: a counter that is no count. `split-differs`: writes by lifetime do not add
 * up to the reported write.
 */
export const USAGE_PROBLEMS = ['over-total', 'negative', 'fractional', 'not-a-number', 'split-differs'] as const;
export type UsageProblem = (typeof USAGE_PROBLEMS)[number];

/** Usage as one provider reported it. */
export type ReportedUsage = {
  readonly usage: Usage;
  /** The provider's whole input; null where it cannot be known. */
  readonly input: Tokens | null;
  /** Written tokens by lifetime (`5m`, `1h`, `30m`); null where the provider does not tell them apart. */
  readonly writes: Readonly<Record<string, Tokens>> | null;
  readonly problems: readonly UsageProblem[];
};

/** What the rules say of one call. Disjoint; `read + write + uncached` is the call's whole input. */
export type Prediction = {
  /** Id of the rule in resources/cache-rules.json. */
  readonly rule: string;
  readonly read: Tokens;
  readonly write: Tokens;
  readonly uncached: Tokens;
  /** Written tokens by lifetime; empty where the provider bills no writes. */
  readonly writes: Readonly<Record<string, Tokens>>;
  /** How the positions inside the request were counted. Their sum is the billed total where there is one. */
  readonly tier: Tier;
  readonly why: readonly Sentence[];
};

/** Predicted state of a stretch of a request. */
export type CacheState = 'read' | 'write' | 'uncached';

/** Known reasons for which a right prediction and a right bill differ (all three named by the field). */
export const ERROR_SOURCES = ['shared-cache', 'tokenizer', 'block-rounding'] as const;
export type ErrorSource = (typeof ERROR_SOURCES)[number];

/** One call in the cache overview. Money in millionths of a US dollar; null: no price is known. */
export type CacheCall = {
  readonly id: string;
  readonly turnId: string;
  readonly turnIndex: TurnIndex;
  readonly runtimeId: string;
  readonly step: number;
  readonly attempt: number;
  readonly startedAt: string | null;
  readonly protocol: string | null;
  readonly provider: string | null;
  readonly model: string | null;
  /** Whole input: billed where it was reported, else counted or estimated. null: unreadable. */
  readonly input: Measured | null;
  readonly usage: Usage | null;
  readonly usageProblems: readonly UsageProblem[];
  /** null: no rule is known for the model, or the call was not answered. */
  readonly prediction: Prediction | null;
  /** Whether predicted and billed read agree within the tolerance; null where they cannot be compared. */
  readonly holds: boolean | null;
  /** Why they may differ although both are right; empty where they agree. */
  readonly errorSources: readonly ErrorSource[];
  /** What the call cost by the billed buckets; by the predicted ones (`costTier` estimated) where none were billed. */
  readonly cost: UsdMicros | null;
  readonly costTier: Tier | null;
  /** The chain's request before this one, and the time from its start to this one's start in milliseconds. */
  readonly previousId: string | null;
  readonly gapMs: number | null;
  /** Lifetime of the entry that this call could have read, in seconds; null where it is unknown or there was none. */
  readonly lifetimeS: number | null;
  /** `append-only`, `identical` and `turn-context` are no misses: `wasted` is 0 then. null: first request of its chain. */
  readonly cause: Cause | null;
  /**
   * Tokens that an earlier request had left in the cache and that this one paid again. For `below-minimum`, where nothing
   * could be left: what it shares with an earlier request and pays again.
   */
  readonly wasted: Tokens;
  readonly wastedCost: UsdMicros | null;
  /** What limits the figures of this call: a missing clock, calls side by side, an attempt that failed elsewhere. */
  readonly notes: readonly Sentence[];
};

export type CacheCauseRow = {
  readonly kind: CauseKind;
  readonly runtimeId: string;
  /** In the order of the session. */
  readonly callIds: readonly string[];
  readonly tokens: Tokens;
  readonly cost: UsdMicros | null;
  readonly advice: Sentence | null;
};

export type CacheRuntimeRow = {
  readonly runtimeId: string;
  readonly calls: number;
  /** Of the calls that were answered. */
  readonly inputTokens: Tokens;
  /** Sums over the calls that reported them; null where none did. */
  readonly read: Tokens | null;
  readonly write: Tokens | null;
  /** Sum of the predictions; null where no rule is known. */
  readonly predictedRead: Tokens | null;
  /** read / (uncached + read + write) of all that was billed; null where no call says what was read. */
  readonly hitRate: number | null;
  /** Calls with a bill that does not say what was read; the hit rate counts them as not read. */
  readonly unreported: number;
  readonly wasted: Tokens;
  /** null: no price is known for any of its calls. */
  readonly cost: UsdMicros | null;
  readonly wastedCost: UsdMicros | null;
  /** Calls that could not be priced, for want of a price or of sound usage; their cost is not in `cost`. */
  readonly unpriced: number;
};

export type Calibration = {
  /** Calls with a prediction and a billed read. */
  readonly calls: number;
  readonly matched: number;
  readonly toleranceTokens: Tokens;
};

/** The cache of one session, explained. */
export type CacheOverview = {
  readonly sessionId: string;
  /** In time order. */
  readonly calls: readonly CacheCall[];
  readonly runtimes: readonly CacheRuntimeRow[];
  /** Ranked by wasted tokens, most first. */
  readonly causes: readonly CacheCauseRow[];
  readonly calibration: Calibration;
  readonly calibrationByProvider: readonly (Calibration & { readonly provider: string })[];
  /** Calls whose usage contradicts itself; it is in no sum. */
  readonly flagged: readonly string[];
  /** Dates of the rules and of the prices. */
  readonly rulesAsOf: string;
  readonly pricesAsOf: string;
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
  /** Smallest prefix that is cached for this model; null where it is not known. */
  readonly minimum: Tokens | null;
};
