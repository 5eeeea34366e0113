/** Door of the assembler. Start reading at build-context.ts. */
export { buildContext, withinBudget } from './build-context.ts';
export { assembleRun } from './pipeline.ts';
export type { LoadedHistory, PipelineParams, PipelineSteps, SharedView } from './pipeline.ts';
export {
  postContextAssembly,
  preLlmCall,
  requestDefaults,
  rewritten,
  transformHistory,
  type AgentPreferences,
  type ExplicitSettings,
  type HistoryTransform,
  type LlmCallDraft,
  type PostContextAssemblyHook,
  type PostContextAssemblyPayload,
  type PreLlmCallHook,
  type RequestDefaults,
  type RewrittenPrompt,
  type ToolChoice,
} from './hooks.ts';
export { resegment, resegmentMessages } from './resegment.ts';
export { completionMode, frameworkPreamble, type CompletionMode } from './preamble.ts';
export { extensionPiece, placementOf, selectSegments, type Placement } from './segments.ts';
export { frameworkHead, serializeSystemPrompt, splitAtSentinels, type SystemParts } from './system-prompt.ts';
export { characterSheetSegments, type CharacterSchema } from './data/characters.ts';
export { storyDimensionSegments, trackerDimensionSegments } from './data/dimensions.ts';
export { CACHE_SENTINEL, stripSentinels } from './data/escape.ts';
export { storeOf } from './data/inject.ts';
export { compileLorebook, type LorebookEntry, type LoreScan } from './data/lore.ts';
export { characterNotesSegments, type CharacterCard } from './data/notes.ts';
export {
  applyHistoryWindow,
  filterRuntimeHistory,
  historyMessages,
  looksStructured,
  summaryMessage,
  type HistoryWindow,
} from './messages/history.ts';
export { captionOf, pictureNote, pictureNoteRow, picturesOf } from './messages/picture-notes.ts';
export {
  MAX_PICTURE_BYTES,
  MAX_PICTURES,
  prepareForModel,
  recentPicturesMessage,
  remembered,
  withoutImageData,
  type PictureOptions,
  type PreparedMessages,
  type SkippedPicture,
  type StoredPicture,
} from './messages/pictures.ts';
export { storySoFar, type FinishedRun } from './messages/story.ts';
export { CHARS4, COVEL_ESTIMATOR, messagesTokens, messageTokens } from './budget/estimator.ts';
export {
  budgetOfLimits,
  protectedTurns,
  resolveBudgetOptions,
  tokenLimits,
  type BudgetOptions,
  type LimitSources,
  type TokenLimits,
} from './budget/options.ts';
export {
  overflowText,
  requestBudget,
  type RequestBudgetInput,
  type RequestBudgetResult,
} from './budget/request-budget.ts';
export { EMPTY_LEDGER, parseLedger, type ToolLedger } from './budget/tool-ledger.ts';
export type { ShrinkMode } from './budget/tool-shrink.ts';
export { instructionLanguage, languageName, localeCandidates } from './locale.ts';
export { fill, frameworkTexts, type TextFiles } from './texts.ts';
export { runtimeId } from './runtime-id.ts';
export { messageText } from './piece.ts';
export * from './types.ts';
