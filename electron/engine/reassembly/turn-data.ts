/**
 * The turn context is one message: data blocks joined by single line breaks, then, behind a blank line, what extensions
 * bring (seed 1, section 2). How a recorded block was joined tells which of the two it is. Their contents come from code
 * and from results of the run; rows of plugin data alone may still be in the database.
 */
import type {
  Activation,
  FrameworkTexts,
  InjectDeclaration,
  PluginDataRow,
  PromptSegment,
  Slot,
} from '../../assembler/types.ts';
import { injectBlocks, storeOf } from '../../assembler/data/inject.ts';
import type { Json, Segment } from '../../../shared/model/index.ts';
import { insideOf, ofKind, plainText, unescapeXml, type Recorded } from './recorded.ts';

export type TurnData = {
  readonly inject: readonly InjectDeclaration[];
  readonly results: ReadonlyMap<string, { readonly output: Json }>;
  readonly inputSlots: { readonly [name: string]: Slot } | null;
  readonly exportSlots: { readonly [name: string]: Slot } | null;
  readonly activation: Activation | null;
  readonly segments: readonly PromptSegment[];
  /** Tags whose rows the database still holds as the request shows them. */
  readonly fromDatabase: ReadonlySet<string>;
};

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The JSON inside a block; null where there is none. */
function jsonIn(text: string, tag: string): { readonly [key: string]: unknown } | null {
  try {
    const value: unknown = JSON.parse(unescapeXml(insideOf(text, tag) ?? ''));
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

const isSource = (value: unknown): boolean =>
  isRecord(value) && typeof value['pluginId'] === 'string' && typeof value['runtimeId'] === 'string';

function slotsIn(text: string, tag: string): { readonly [name: string]: Slot } | null {
  const value = jsonIn(text, tag);
  const isSlot = (slot: unknown): boolean =>
    isRecord(slot) &&
    (slot['cardinality'] === 'one'
      ? isSource(slot['source']) && 'value' in slot
      : slot['cardinality'] === 'all' &&
        Array.isArray(slot['items']) &&
        slot['items'].every((item: unknown) => isRecord(item) && isSource(item['source'])));
  return value && Object.values(value).every(isSlot) ? (value as { readonly [name: string]: Slot }) : null;
}

export function activationIn(text: string): Activation | null {
  const value = jsonIn(text, 'runtime-activation');
  if (!value || !['stage', 'event', 'manual'].includes(String(value['source']))) return null;
  return value as unknown as Activation;
}

const FORMATS = ['summary', 'full', 'ids-only'] as const;

/** The declaration under which the plugin's rows give exactly this block; null where no namespace does. */
async function dataInject(
  text: string,
  tag: string,
  pluginId: string,
  rows: readonly PluginDataRow[],
  texts: FrameworkTexts,
): Promise<InjectDeclaration | null> {
  const namespaces = new Set(rows.filter((row) => row.pluginId === pluginId).map((row) => row.namespace));
  for (const namespace of namespaces) {
    if (namespace.startsWith('_')) continue;
    for (const format of FORMATS) {
      const inject: InjectDeclaration = { kind: 'plugin-data', namespace, as: tag, format };
      const [made] = await injectBlocks(
        {
          promptTemplate: '',
          manifest: { name: pluginId, pluginId, input: { inject: [inject] } },
          turnInput: { sessionId: '', turnId: '', origin: '', playerMessage: '' },
          store: storeOf(rows),
        },
        texts,
      );
      if (made?.text === text) return inject;
    }
  }
  return null;
}

const DATA_TAGS: ReadonlySet<string> = new Set(['runtime-inputs', 'runtime-exports', 'runtime-activation']);
const TAG = /^<([A-Za-z][\w-]*)>/;

type Block = { readonly segment: Segment; readonly text: string; readonly tag: string | null };

/** How many of the blocks are data: the last of the three known tags, and what single line breaks join to the first. */
function dataBlocks(blocks: readonly Block[], whole: string): ReadonlySet<Block> {
  const known = blocks.findIndex((block) => block.tag !== null && DATA_TAGS.has(block.tag));
  let at = 0;
  const ends = blocks.map(({ text }) => {
    const start = whole.indexOf(text, at);
    const gap = start < 0 ? null : whole.slice(at, start);
    at = start < 0 ? at : start + text.length;
    return gap;
  });
  const data = new Set(blocks.filter((block) => block.tag !== null && DATA_TAGS.has(block.tag)));
  const isJoined = (i: number): boolean => ends[i] === '\n';
  // Without any of the three, two blocks that a single line break joins are both data.
  const from = known >= 0 ? known : blocks.findIndex((_, i) => i > 0 && isJoined(i));
  for (let i = from; i > 0 && isJoined(i); i--) data.add(blocks[i - 1] as Block);
  if (known < 0 && from > 0) data.add(blocks[from] as Block);
  return data;
}

export async function turnDataOf(
  recorded: Recorded,
  pluginId: string,
  rows: readonly PluginDataRow[],
  texts: FrameworkTexts,
): Promise<TurnData> {
  const blocks = ofKind(recorded, 'turn-context').map((segment): Block => {
    const text = plainText(segment);
    const tag = TAG.exec(text)?.[1] ?? null;
    return { segment, text, tag: tag !== null && insideOf(text, tag) !== null ? tag : null };
  });
  const whole = blocks.flatMap(({ segment }) => segment.texts.map(({ text }) => text)).join('');
  const data = dataBlocks(blocks, whole);
  const results = new Map<string, { readonly output: Json }>();
  const inject: InjectDeclaration[] = [];
  const segments: PromptSegment[] = [];
  const fromDatabase = new Set<string>();
  let inputSlots: TurnData['inputSlots'] = null;
  let exportSlots: TurnData['exportSlots'] = null;
  let activation: TurnData['activation'] = null;
  for (const [i, block] of blocks.entries()) {
    const { segment, text, tag } = block;
    if (tag === 'runtime-inputs' && (inputSlots ??= slotsIn(text, tag))) continue;
    if (tag === 'runtime-exports' && (exportSlots ??= slotsIn(text, tag))) continue;
    if (tag === 'runtime-activation' && (activation ??= activationIn(text))) continue;
    if (data.has(block) && tag !== null) {
      const stored = await dataInject(text, tag, pluginId, rows, texts);
      if (stored) {
        fromDatabase.add(tag);
        inject.push(stored);
      } else {
        const from = `recorded/${i}`;
        results.set(from, { output: { text: unescapeXml(insideOf(text, tag) ?? '') } });
        inject.push({ kind: 'runtime', from, field: 'text', as: tag });
      }
      continue;
    }
    segments.push({
      id: segment.origin.label,
      content: text,
      position: 'system',
      audience: 'all',
      volatility: 'turn',
      order: i,
      ...(segment.origin.plugin === null ? {} : { providerPluginId: segment.origin.plugin }),
    });
  }
  return { inject, results, inputSlots, exportSlots, activation, segments, fromDatabase };
}
