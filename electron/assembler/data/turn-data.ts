/**
 * What changes every turn stands behind the history in one system message, so that the prefix before it stays the
 * same: injected blocks in the order of their declaration, inputs, exports, and the activation unless it ran inside
 * its stage, which is the same every turn and stays in the system prompt (seed 1, section 2).
 *
 * Text: `events.instruction`.
 */
import type { SegmentKind, Volatility } from '../../../shared/model/index.ts';
import type { AssembledSegment, BuildParams, FrameworkTexts } from '../types.ts';
import { block, escapeXml } from './escape.ts';
import { injectBlocks } from './inject.ts';
import { activationBlock, runtimeExportsBlock, runtimeInputsBlock } from './slots.ts';

function segment(
  { manifest }: BuildParams,
  kind: SegmentKind,
  label: string,
  volatility: Volatility,
  text: string | null,
): AssembledSegment | null {
  if (text === null) return null;
  return {
    kind,
    role: 'system',
    plugin: manifest.pluginId,
    runtime: manifest.name,
    label,
    turnId: null,
    volatility,
    position: 'system',
    text,
  };
}

/**
 * The data blocks of the turn context, one segment each with its tag as label; the caller joins them by single
 * newlines. Rejects with AssemblyError as `injectBlocks` says.
 */
export async function turnDataBlocks(params: BuildParams, texts: FrameworkTexts): Promise<readonly AssembledSegment[]> {
  const { inputSlots, exportSlots, executionStory = [], activation } = params;
  const injected = await injectBlocks(params, texts);
  const turnActivation = activation?.source === 'stage' ? undefined : activation;
  const blocks: readonly (readonly [string, string | null])[] = [
    ...injected.map(({ tag, text }) => [tag, text] as const),
    ['runtime-inputs', runtimeInputsBlock(inputSlots, executionStory, texts)],
    ['runtime-exports', runtimeExportsBlock(exportSlots)],
    ['runtime-activation', activationBlock(turnActivation)],
  ];
  return blocks.flatMap(([tag, text]) => segment(params, 'turn-context', tag, 'turn', text) ?? []);
}

/** `<available-events>` for the system prompt: only for a runtime that advertises events, and only with a catalogue. */
export function eventCatalogue(params: BuildParams, texts: FrameworkTexts): AssembledSegment | null {
  const { manifest, eventCatalogText = '' } = params;
  if (manifest.advertiseEvents !== true || eventCatalogText.trim() === '') return null;
  const text = block('available-events', escapeXml(eventCatalogText), '', texts.text('events.instruction'));
  return segment(params, 'events', 'available-events', 'stable', text);
}

/** `<runtime-activation>` of a runtime that runs inside its stage, for the system prompt. */
export function stagedActivation(params: BuildParams): AssembledSegment | null {
  const staged = params.activation?.source === 'stage' ? params.activation : undefined;
  return segment(params, 'activation', 'runtime-activation', 'stable', activationBlock(staged));
}
