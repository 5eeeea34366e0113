/**
 * A runtime declares which upstream outputs and which rows of its own plugin stand in its prompt. Rows come from the
 * store as a bounded window, never as a whole namespace; hidden world data is refused before the store is asked
 * (seed 1, sections 1 and 4; assembler page, sections 3.2 and 3.3).
 *
 * Texts: `note.none`; `note.rows-shown` {total} {shown}.
 */
import type { Json } from '../../../shared/model/index.ts';
import {
  AssemblyError,
  type BuildParams,
  type FrameworkTexts,
  type InjectDeclaration,
  type PluginDataRow,
  type PluginDataStore,
} from '../types.ts';
import { block, byUnits, checkTag, cut, escapeXml } from './escape.ts';
import { compactJson, modelFacingJson } from './model-facing.ts';
import { renderValue } from './template.ts';

/** Rows of a namespace that a prompt shows when the declaration says nothing. */
const DEFAULT_ROWS = 50;
const SUMMARY_CHARS = 200;

export type InjectBlock = { readonly tag: string; readonly text: string };
type RuntimeInject = Extract<InjectDeclaration, { kind: 'runtime' }>;
type DataInject = Extract<InjectDeclaration, { kind: 'plugin-data' }>;

const isHidden = (namespace: string): boolean => namespace === '_hidden' || namespace.startsWith('_hidden.');
const fieldOf = (index: number, name: string): string => `manifest.input.inject[${index}].${name}`;

/** A row's value without the `id` that repeats its key. */
function withoutKey(value: Json, key: string): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { id, ...rest } = value as { readonly [name: string]: Json };
  return id === key ? rest : value;
}

const rowJson = ({ key, value }: PluginDataRow): string =>
  compactJson(withoutKey(modelFacingJson(value, `plugin data ${key}`), key));

const ROWS = {
  summary: (row: PluginDataRow) => `- ${row.key} | ${cut(rowJson(row), SUMMARY_CHARS)}`,
  full: (row: PluginDataRow) => `- ${row.key}: ${rowJson(row)}`,
  'ids-only': (row: PluginDataRow) => `- ${row.key}`,
} as const;

/**
 * Checks all declarations before anything is read or built. Throws AssemblyError: `bad-tag`; `hidden-namespace`;
 * `store` for a missing store; `configuration` for an unknown kind or format or a bad number of rows.
 */
export function checkInjects(injects: readonly InjectDeclaration[], store: PluginDataStore | undefined): void {
  for (const [index, inject] of injects.entries()) {
    checkTag(inject.as, fieldOf(index, 'as'));
    const kind: string = inject.kind;
    if (inject.kind === 'runtime') continue;
    if (inject.kind !== 'plugin-data') {
      throw new AssemblyError('configuration', fieldOf(index, 'kind'), `There is no inject of kind "${kind}".`);
    }
    const { namespace, format = 'summary', maxEntries = DEFAULT_ROWS } = inject;
    if (isHidden(namespace)) {
      const field = fieldOf(index, 'namespace');
      throw new AssemblyError('hidden-namespace', field, `${field}: hidden data "${namespace}" never enters a prompt.`);
    }
    if (!Object.hasOwn(ROWS, format)) {
      const field = fieldOf(index, 'format');
      throw new AssemblyError('configuration', field, `${field}: there is no format "${String(format)}".`);
    }
    if (!Number.isInteger(maxEntries) || maxEntries < 0) {
      const field = fieldOf(index, 'maxEntries');
      throw new AssemblyError('configuration', field, `${field} must be a whole number from 0 on.`);
    }
    if (!store) {
      throw new AssemblyError(
        'store',
        'store',
        `A store is needed: ${fieldOf(index, 'namespace')} reads "${namespace}".`,
      );
    }
  }
}

/** `<tag>value</tag>` on one line; null when the result, the field or its value is missing. */
function runtimeBlock(
  inject: RuntimeInject,
  index: number,
  results: BuildParams['completedResults'],
): InjectBlock | null {
  const output = results?.get(inject.from)?.output;
  if (typeof output !== 'object' || output === null || !Object.hasOwn(output, inject.field)) return null;
  const value = (output as { readonly [name: string]: Json })[inject.field];
  if (value === undefined || value === null) return null;
  const tag = checkTag(inject.as, fieldOf(index, 'as'));
  return { tag, text: `<${tag}>${escapeXml(renderValue(value, fieldOf(index, 'field')))}</${tag}>` };
}

async function dataBlock(
  inject: DataInject,
  index: number,
  params: BuildParams,
  store: PluginDataStore,
  texts: FrameworkTexts,
): Promise<InjectBlock> {
  const { namespace, format = 'summary', maxEntries = DEFAULT_ROWS } = inject;
  const tag = checkTag(inject.as, fieldOf(index, 'as'));
  const { sessionId } = params.turnInput;
  const { pluginId } = params.manifest;
  let window: Awaited<ReturnType<PluginDataStore['getPluginDataPromptWindow']>>;
  try {
    window = await store.getPluginDataPromptWindow(sessionId, pluginId, namespace, maxEntries);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const field = fieldOf(index, 'namespace');
    const error = new AssemblyError('store', field, `${field}: reading "${namespace}" failed: ${reason}`);
    error.cause = cause;
    throw error;
  }
  const { entries, total } = window;
  if (total === 0 && entries.length === 0) return { tag, text: `<${tag}>${texts.text('note.none')}</${tag}>` };
  const lines = entries.map((row) => escapeXml(ROWS[format](row)));
  if (total > entries.length) lines.push(texts.text('note.rows-shown', { total, shown: entries.length }));
  return { tag, text: block(tag, ...lines) };
}

/** The blocks of `input.inject` in the order of their declaration. Errors: those of `checkInjects`, or `store`. */
export async function injectBlocks(params: BuildParams, texts: FrameworkTexts): Promise<readonly InjectBlock[]> {
  const injects = params.manifest.input?.inject ?? [];
  const { store } = params;
  checkInjects(injects, store);
  const blocks: InjectBlock[] = [];
  for (const [index, inject] of injects.entries()) {
    if (inject.kind === 'runtime') {
      const made = runtimeBlock(inject, index, params.completedResults);
      if (made) blocks.push(made);
    } else if (store) blocks.push(await dataBlock(inject, index, params, store, texts));
  }
  return blocks;
}

/**
 * The rows a prompt shows: all of them up to `max`, in order of creation. Above that the older half (rounded down) as
 * anchors, then the most recently updated of the others, both in order of creation. Times are ISO texts
 * in UTC; equal ones keep the given order.
 */
export function pluginDataWindow(rows: readonly PluginDataRow[], max: number): readonly PluginDataRow[] {
  const limit = Math.max(0, Math.floor(max));
  const created = rows.toSorted((a, b) => byUnits(a.createdAt, b.createdAt));
  if (created.length <= limit) return created;
  const anchors = Math.floor(limit / 2);
  const recent = created
    .map((row, index) => ({ row, index }))
    .slice(anchors)
    .sort((a, b) => byUnits(b.row.updatedAt, a.row.updatedAt) || b.index - a.index)
    .slice(0, limit - anchors)
    .sort((a, b) => a.index - b.index);
  return [...created.slice(0, anchors), ...recent.map(({ row }) => row)];
}

/** A store over rows that are already in memory; the rows belong to one session. */
export function storeOf(rows: readonly PluginDataRow[]): PluginDataStore {
  return {
    getPluginDataPromptWindow: (_sessionId, pluginId, namespace, maxEntries) => {
      const own = rows.filter((row) => row.pluginId === pluginId && row.namespace === namespace);
      return Promise.resolve({ entries: pluginDataWindow(own, maxEntries), total: own.length });
    },
  };
}
