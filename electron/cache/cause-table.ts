/**
 * One table, read from the top: the first row that finds its evidence is the cause. Content comes in cache key
 * order (tools, system prompt, conversation), because the first difference hides all that follow it.
 */
import type { CauseKind } from '../../shared/model/index.ts';
import {
  compacted,
  depthMoved,
  historyShorter,
  messageEdited,
  pruned,
  turnContext,
  windowSlid,
} from './cause-history.ts';
import {
  anotherModel,
  appended,
  cacheKeyChanged,
  endedEarlier,
  identical,
  markersOnly,
  optionsChanged,
  responseFormatText,
  viewsDiffer,
} from './cause-request.ts';
import { extensionSegment, loreActivation, systemText, templateVariable, turnInPreHistory } from './cause-system.ts';
import { toolsChanged } from './cause-tools.ts';
import type { CauseTest } from './say.ts';

export type CauseRow = { readonly kind: CauseKind; readonly test: CauseTest };

/** Before any text is looked at. */
export const CACHE_CAUSES: readonly CauseRow[] = [
  { kind: 'unknown', test: viewsDiffer },
  { kind: 'model', test: anotherModel },
];

/** What the texts tell. */
export const CONTENT_CAUSES: readonly CauseRow[] = [
  { kind: 'identical', test: identical },
  { kind: 'append-only', test: appended },
  { kind: 'shortened', test: endedEarlier },
  { kind: 'tools-added', test: toolsChanged('tools-added') },
  { kind: 'tools-removed', test: toolsChanged('tools-removed') },
  { kind: 'tools-modified', test: toolsChanged('tools-modified') },
  { kind: 'tools-reordered', test: toolsChanged('tools-reordered') },
  { kind: 'options', test: responseFormatText },
  { kind: 'template-variable', test: templateVariable },
  { kind: 'turn-in-pre-history', test: turnInPreHistory },
  { kind: 'extension-segment', test: extensionSegment },
  { kind: 'lore-activation', test: loreActivation },
  { kind: 'system-text', test: systemText },
  { kind: 'compacted', test: compacted },
  { kind: 'pruned', test: pruned },
  { kind: 'window-slid', test: windowSlid },
  { kind: 'lore-activation', test: depthMoved },
  { kind: 'turn-context', test: turnContext },
  { kind: 'shortened', test: historyShorter },
  { kind: 'message-edited', test: messageEdited },
];

/** Content that keeps the prefix; settings beside it may still end it. */
export const KEPT: readonly CauseKind[] = ['identical', 'append-only', 'shortened', 'turn-context'];

export const SETTING_CAUSES: readonly CauseRow[] = [
  { kind: 'cache-key', test: cacheKeyChanged },
  { kind: 'options', test: optionsChanged },
  { kind: 'marker-only', test: markersOnly },
];
