/**
 * How much history may cost is measured against the effective window: the smaller input window of the story and
 * the fast slot (seed 1, section 1). Shares are computed in whole numbers, so that 12 % of 3,200 is 384 exactly.
 */
import type { SummaryBudget } from './types.ts';

/** Live segments of a session. */
const MAX_SEGMENTS = 8;
/** No budget is set below this, in tokens, unless the window itself is smaller. */
const MIN_TOKENS = 128;
const MAX_TOTAL_TOKENS = 8192;
const MAX_SEGMENT_TOKENS = 2048;
const THRESHOLD_PERCENT = 60;
const TOTAL_PERCENT = 12;
const SEGMENT_PERCENT = 4;
const FRESH_PERCENT = 25;

const percentOf = (percent: number, n: number): number => (n * percent) / 100;
const clamp = (n: number, low: number, high: number): number => Math.min(high, Math.max(low, n));

/** The estimate above which history is compacted, in tokens. Equality does not compact. */
export const compactionThreshold = (contextWindow: number): number => percentOf(THRESHOLD_PERCENT, contextWindow);

/** A window that limits can be computed from. */
export const isWindow = (tokens: number): boolean => Number.isFinite(tokens) && tokens > 0;

/**
 * What summaries may cost in an effective window of so many tokens: total 12 % (128 to 8,192, never above the window),
 * one segment 4 % (128 to 2,048, never above the total), eight segments.
 */
export function summaryBudget(contextWindow: number): SummaryBudget {
  const window = Math.max(1, Math.floor(contextWindow));
  const share = (percent: number): number => Math.floor(percentOf(percent, contextWindow));
  const maxTokens = Math.min(window, clamp(share(TOTAL_PERCENT), MIN_TOKENS, MAX_TOTAL_TOKENS));
  const maxSegmentTokens = Math.min(maxTokens, clamp(share(SEGMENT_PERCENT), MIN_TOKENS, MAX_SEGMENT_TOKENS));
  return { maxTokens, maxSegmentTokens, maxSegments: MAX_SEGMENTS };
}

/** Target of a fresh segment: 25 % of its source, at least 128, never above what one segment may cost. */
export const freshTarget = (sourceTokens: number, budget: SummaryBudget): number =>
  Math.min(budget.maxSegmentTokens, Math.max(MIN_TOKENS, Math.ceil(percentOf(FRESH_PERCENT, sourceTokens))));

/** A model slot: its context window and what is reserved for its answer, in tokens. */
export type SlotWindow = { readonly window: number; readonly reserve: number };

/** The windows that compaction works with; each slot's input window is its window without its reserve. */
export function compactionWindows(
  story: SlotWindow,
  fast: SlotWindow,
): { readonly contextWindow: number; readonly inputWindow: number } {
  const inputWindow = fast.window - fast.reserve;
  return { contextWindow: Math.min(inputWindow, story.window - story.reserve), inputWindow };
}
