/**
 * A request is built so that what stays the same stands first: framework and body, what holds for the session, the
 * history, and only then what this turn brings (seed 1, sections 1 and 2). Segments are made first; the strings that
 * are sent are read from them.
 */
import { applyBudget } from './budget/apply-budget.ts';
import { COVEL_ESTIMATOR } from './budget/estimator.ts';
import { protectedTurns, resolveBudgetOptions } from './budget/options.ts';
import { checkParams } from './check.ts';
import { systemLoreEntries, worldLoreBlock } from './data/lore.ts';
import { interpolate, templateVariables } from './data/template.ts';
import { eventCatalogue, stagedActivation, turnDataBlocks } from './data/turn-data.ts';
import type { DepthInsertion } from './messages/depth.ts';
import { historyMessages } from './messages/history.ts';
import { orderMessages, turnContextMessage } from './messages/order.ts';
import { recentPicturesMessage } from './messages/pictures.ts';
import { playerMessage, storyMessages } from './messages/story.ts';
import { isBlank, messageOf, messageText, piece, textOf } from './piece.ts';
import { frameworkPreamble } from './preamble.ts';
import { runtimeId } from './runtime-id.ts';
import { extensionPiece, placementOf, selectSegments, type Placement } from './segments.ts';
import { frameworkHead, serializeSystemPrompt, type SystemParts } from './system-prompt.ts';
import type {
  AssembledContext,
  AssembledSegment,
  BuildParams,
  FrameworkTexts,
  LoreContribution,
  PromptSegment,
  SegmentedMessage,
} from './types.ts';

/** Depth of a lore entry that names none. */
const LORE_DEPTH = 4;

const present = <T>(...items: readonly (T | null)[]): readonly T[] => items.filter((item) => item !== null);

const lorePiece = (entry: LoreContribution, kind: 'lore' | 'depth', fallback: string): AssembledSegment =>
  piece(kind, kind === 'lore' ? 'system' : (entry.role ?? 'system'), entry.sourceId ?? fallback, entry.content.trim(), {
    volatility: 'session',
  });

function systemParts(
  params: BuildParams,
  texts: FrameworkTexts,
  selected: readonly PromptSegment[],
  preamble: string,
): SystemParts {
  const { manifest, sessionContext } = params;
  const runtime = { plugin: manifest.pluginId, runtime: runtimeId(manifest) };
  const contributions = sessionContext?.contributions ?? [];
  const lore = (position: 'before_plugin' | 'after_plugin'): readonly AssembledSegment[] =>
    systemLoreEntries(contributions, position).map((entry) => lorePiece(entry, 'lore', position));
  const placed = (placement: Placement): readonly AssembledSegment[] =>
    selected.filter((segment) => placementOf(segment) === placement).map(extensionPiece);
  const worldLore =
    manifest.outputKind === 'story'
      ? worldLoreBlock(sessionContext?.world?.lore, params.estimator ?? COVEL_ESTIMATOR)
      : null;
  const body = interpolate(params.promptTemplate, templateVariables(params, texts)).text;
  return {
    preamble: [piece('framework-preamble', 'system', 'preamble', preamble)],
    body: [piece('runtime-body', 'system', runtime.runtime, body, runtime)],
    lasting: [
      ...(worldLore === null ? [] : [piece('world-lore', 'system', 'world-lore', worldLore)]),
      ...placed('lasting'),
    ],
    loreBefore: lore('before_plugin'),
    session: present(eventCatalogue(params, texts), stagedActivation(params)).map((one) => ({ ...one, ...runtime })),
    loreAfter: lore('after_plugin'),
    tail: placed('tail'),
  };
}

/** Lore by depth and order first, then extension segments in their selected order. */
function depthInsertions(
  contributions: readonly LoreContribution[],
  selected: readonly PromptSegment[],
): readonly DepthInsertion<SegmentedMessage>[] {
  const lore = contributions
    .filter((entry) => entry.kind === 'lore_entry' && entry.position === 'at_depth' && !isBlank(entry.content))
    .map((entry) => ({ entry, depth: Math.max(0, Math.round(entry.depth ?? LORE_DEPTH)) }))
    .toSorted((a, b) => a.depth - b.depth || (a.entry.order ?? 0) - (b.entry.order ?? 0))
    .map(({ entry, depth }) => ({ depth, item: messageOf([lorePiece(entry, 'depth', 'at_depth')]) }));
  const extensions = selected.flatMap((segment) =>
    typeof segment.position === 'string'
      ? []
      : [{ depth: segment.position.depth, item: messageOf([extensionPiece(segment)]) }],
  );
  return [...lore, ...extensions];
}

/**
 * Builds the prompt of one runtime for one turn. `texts` are the framework's sentences in the session's instruction
 * language. The budget is applied when both `estimator` and `contextBudget` are given. Rejects with AssemblyError that
 * names the field; nothing is half-built. The same input gives the same bytes. Source: seed 1, sections 1 to 5.
 */
export async function buildContext(params: BuildParams, texts: FrameworkTexts): Promise<AssembledContext> {
  checkParams(params);
  const { manifest, turnInput, messageHistory = [], injectCacheBreakpoints = true } = params;
  const runtime = { plugin: manifest.pluginId, runtime: runtimeId(manifest) };
  const selected = selectSegments(params.promptSegments ?? [], manifest);
  const segmentsAt = (placement: Placement): readonly AssembledSegment[] =>
    selected.filter((segment) => placementOf(segment) === placement).map(extensionPiece);

  const preamble = params.frameworkPreamble ?? frameworkPreamble(manifest, turnInput.locale, texts);
  const parts = systemParts(params, texts, selected, preamble);
  const system = serializeSystemPrompt(parts, injectCacheBreakpoints);

  const blocks = (await turnDataBlocks(params, texts)).map((one) => ({ ...one, ...runtime }));
  const turnContext = turnContextMessage(blocks, segmentsAt('turn-context'));
  const { messages: segmented, currentTurnUserMessages } = orderMessages({
    beforeHistory: segmentsAt('before-history').map((segment) => messageOf([segment])),
    history: historyMessages(messageHistory, params.summaries, texts),
    player: playerMessage(turnInput, texts),
    story: storyMessages(params.executionStory, turnInput.turnId, texts),
    depth: depthInsertions(params.sessionContext?.contributions ?? [], selected),
    turnContext,
    pictures: recentPicturesMessage(messageHistory, params.pictureAttachments ?? 0, texts),
    afterHistory: segmentsAt('after-history').map((segment) => messageOf([segment])),
  });
  const context: AssembledContext = {
    systemPrompt: system.text,
    frameworkHead: frameworkHead(textOf(parts.preamble), injectCacheBreakpoints),
    messages: segmented.map(({ message }) => message),
    turnContext: turnContext ? messageText(turnContext.message) : '',
    currentTurnUserMessages,
    prunedMessageCount: 0,
    overBudget: false,
    system,
    segmented,
  };
  return withinBudget(context, params, texts);
}

/**
 * The context with its history cut to the budget; unchanged without an estimator or a budget. Messages of the current
 * turn, its turn context and summaries stay. `prunedMessageCount` adds up over repeated passes.
 */
export function withinBudget(
  context: AssembledContext,
  { estimator, contextBudget }: Pick<BuildParams, 'estimator' | 'contextBudget'>,
  texts: FrameworkTexts,
): AssembledContext {
  if (!estimator || !contextBudget) return context;
  const options = resolveBudgetOptions(contextBudget);
  const turns = protectedTurns(options.protectLastUserTurns, context.currentTurnUserMessages);
  const result = applyBudget({
    system: context.systemPrompt,
    messages: context.messages,
    budget: { ...options, protectLastUserTurns: turns },
    estimate: estimator,
    marker: texts.text('history.pruned-marker'),
  });
  const isCut = result.kept.length < context.segmented.length;
  const marker = piece('history', 'system', 'pruned', texts.text('history.pruned-marker'));
  const kept = result.kept.flatMap((i) => context.segmented[i] ?? []);
  const segmented = isCut ? [messageOf([marker]), ...kept] : context.segmented;
  return {
    ...context,
    messages: segmented.map(({ message }) => message),
    segmented,
    prunedMessageCount: context.prunedMessageCount + result.prunedMessageCount,
    overBudget: result.overBudget,
  };
}
