/** The door of this room. */
export { turnBarrier, type HistoryView, type Passage, type TurnBarrier } from './barrier.ts';
export { failureCounter } from './failures.ts';
export { estimateHistory, maybeCompact, type CompactParams } from './gate.ts';
export { compactionThreshold, compactionWindows, summaryBudget, type SlotWindow } from './limits.ts';
export { bySummaryOrder, memoryStore } from './memory-store.ts';
export {
  defaultStrategy,
  type StrategyOptions,
  type SummaryModel,
  type SummaryReply,
  type SummaryRequest,
} from './strategy.ts';
export type { Protection } from './strategy/prefix.ts';
export type { SummaryPrompts } from './strategy/prompt.ts';
export type * from './types.ts';
