/**
 * The door of this room. The measures on bytes stand apart in `bytes/`, because they never build a prompt, and
 * `prices.ts`, because it loads a price list of its own.
 */
export { breakpointsOf } from './breakpoints.ts';
export { textOf } from './changes.ts';
export { compareCalls, type CallComparison } from './compare.ts';
export {
  bucketsOf,
  costOf,
  predictedBuckets,
  wastedCost,
  type Cost,
  type CostBuckets,
  type CostParts,
  type Price,
} from './cost.ts';
export { keyOf, keyText } from './key-text.ts';
export { locate, stringRuns, type Place } from './locate.ts';
export { readableDiff, type ReadableDiff } from './readable.ts';
export {
  billsWrites,
  cacheRuleFor,
  granularityOf,
  lifetimeOf,
  minimumOf,
  parseCacheRules,
  readFactorOf,
  type CacheRule,
  type CacheRules,
  type RuleQuery,
} from './rules.ts';
export { segmentRuns, type KeyRun } from './segment-runs.ts';
export { sharedPrefixOf } from './shared-prefix.ts';
export type { Between, CallSide } from './types.ts';
export {
  errorSourcesOf,
  verdictOf,
  type Difference,
  type Verdict,
  type VerdictInput,
  type VerdictRule,
} from './verdict.ts';
