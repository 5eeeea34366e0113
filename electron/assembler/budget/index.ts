/** Door of the budget: estimates, limits, the hard trim, the tool ledger and the check of each request. */
export { CHARS4, COVEL_ESTIMATOR, MEDIA_TOKENS, messagesTokens, messageTokens } from './estimator.ts';
export { budgetOfLimits, protectedTurns, resolveBudgetOptions, tokenLimits, UNKNOWN_WINDOW } from './options.ts';
export type { BudgetOptions, LimitSources, TokenLimits } from './options.ts';
export { applyBudget, isCompactedHistory } from './apply-budget.ts';
export type { ApplyBudgetInput, BudgetedMessages } from './apply-budget.ts';
export { headTail, oneLine } from './truncate.ts';
export { toolGroups } from './tool-groups.ts';
export type { GroupCall, ToolGroup } from './tool-groups.ts';
export { EMPTY_LEDGER, parseLedger, replayLedger } from './tool-ledger.ts';
export type { LedgerEntry, MessageOrigin, ToolLedger, TracedMessage } from './tool-ledger.ts';
export type { ShrinkMode } from './tool-shrink.ts';
export { overflowText, requestBudget } from './request-budget.ts';
export type { RequestBudgetInput, RequestBudgetResult, RequestCounters, RequestSplit } from './request-budget.ts';
