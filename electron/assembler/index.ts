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
export { CACHE_SENTINEL, stripSentinels } from './data/escape.ts';
export { storeOf } from './data/inject.ts';
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
  type PictureOptions,
  type PreparedMessages,
  type SkippedPicture,
  type StoredPicture,
} from './messages/pictures.ts';
export { storySoFar, type FinishedRun } from './messages/story.ts';
export { insertAtDepth, type DepthInsertion } from './messages/depth.ts';
export { instructionLanguage, languageName, localeCandidates } from './locale.ts';
export { fill, frameworkTexts, type TextFiles } from './texts.ts';
export { runtimeId } from './runtime-id.ts';
export { messageText } from './piece.ts';
export * from './types.ts';
