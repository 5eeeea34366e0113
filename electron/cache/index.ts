/** The door of this room. The measures on bytes stand apart in `bytes/`, because they never build a prompt. */
export { breakpointsOf } from './breakpoints.ts';
export { textOf } from './changes.ts';
export { compareCalls, type CallComparison } from './compare.ts';
export { keyText } from './key-text.ts';
export { locate, type Place } from './locate.ts';
export { readableDiff, type ReadableDiff } from './readable.ts';
export { parseCacheRules, type CacheRule, type CacheRules } from './rules.ts';
export { sharedPrefixOf } from './shared-prefix.ts';
export type { Between, CallSide } from './types.ts';
