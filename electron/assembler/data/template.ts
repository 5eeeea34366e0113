/**
 * Only the body of a runtime is a template, and it is read once: what a variable brings in is never read again.
 * A variable reaches own properties only. Between a line that starts with `<name>` and the next `</name>` values are
 * escaped, so that world text cannot close the block; elsewhere they stand as they are (seed 1, section 4).
 *
 * What the seed leaves open is read by the letter: a line that starts with spaces or whose tag has attributes opens
 * nothing; a tag that is never closed opens nothing; inside a block the first `</name>` closes it, however often
 * `<name>` was repeated; blocks of different names may overlap, and a value inside any of them is escaped.
 */
import type { Json } from '../../../shared/model/index.ts';
import type { BuildParams, Dimension, FrameworkTexts, World } from '../types.ts';
import { currentCharacter, npcLines, sessionCharacters } from './characters.ts';
import { escapeXml, stripSentinels } from './escape.ts';
import { modelFacingText } from './model-facing.ts';

export type TemplateVariables = { readonly [name: string]: unknown };
/** Where the value of a variable stands in the interpolated text (UTF-16 offsets). */
export type Island = { readonly start: number; readonly end: number; readonly path: string };
export type Interpolated = { readonly text: string; readonly islands: readonly Island[] };

/** Value at a dotted path through own properties; undefined where a step is missing. */
function lookUp(variables: TemplateVariables, path: string): unknown {
  let current: unknown = variables;
  for (const step of path.split('.')) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, step)) return undefined;
    current = (current as Readonly<Record<string, unknown>>)[step];
  }
  return current;
}

/** A value as a template or an inject block writes it; missing and null are empty. */
export function renderValue(value: unknown, field?: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  return typeof value === 'object' && value !== null ? modelFacingText(value as Json, field) : '';
}

type Placeholder = { readonly start: number; readonly end: number; readonly path: string };

/** All `{{ path }}`, left to right. A path has at least one unit and no `}`; any other braces are plain text. */
function placeholders(template: string): readonly Placeholder[] {
  const found: Placeholder[] = [];
  for (let start = template.indexOf('{{'); start >= 0;) {
    const brace = template.indexOf('}', start + 2);
    if (brace < 0) break;
    if (template[brace + 1] === '}' && brace > start + 2) {
      found.push({ start, end: brace + 2, path: template.slice(start + 2, brace).trim() });
      start = template.indexOf('{{', brace + 2);
    } else start = template.indexOf('{{', brace + 1);
  }
  return found;
}

type TagBlock = { readonly start: number; readonly end: number };

/** The tag blocks of a template in the order of their opening lines; `end` is the place of the closing tag. */
function tagBlocks(template: string): readonly TagBlock[] {
  const blocks: TagBlock[] = [];
  const closes = new Map<string, number>();
  for (const match of template.matchAll(/^<([^\s<>/{}]+)>/gm)) {
    const name = match[1] as string;
    const start = match.index + match[0].length;
    let end = closes.get(name);
    if (end === undefined || (end >= 0 && end < start)) {
      end = template.indexOf(`</${name}>`, start);
      closes.set(name, end);
    }
    if (end >= 0) blocks.push({ start, end });
  }
  return blocks;
}

/** Fills the variables of a template in one pass. Unknown and null variables become empty. Sentinels are removed. */
export function interpolate(template: string, variables: TemplateVariables): Interpolated {
  const blocks = tagBlocks(template);
  const out: string[] = [];
  const islands: Island[] = [];
  let length = 0;
  let done = 0;
  let nextBlock = 0;
  let escapedUntil = 0;
  const add = (text: string): void => {
    out.push(text);
    length += text.length;
  };
  for (const { start, end, path } of placeholders(template)) {
    for (let b = blocks[nextBlock]; b && b.start <= start; b = blocks[++nextBlock]) {
      escapedUntil = Math.max(escapedUntil, b.end);
    }
    add(stripSentinels(template.slice(done, start)));
    const value = renderValue(lookUp(variables, path), `{{ ${path} }}`);
    const text = start < escapedUntil ? escapeXml(value) : stripSentinels(value);
    islands.push({ start: length, end: length + text.length, path });
    add(text);
    done = end;
  }
  add(stripSentinels(template.slice(done)));
  return { text: out.join(''), islands };
}

/** `inputs.<plugin>.<runtime>`: a key without a slash names both. Maps without prototype: any name is a plain key. */
function inputVariables(results: BuildParams['completedResults']): unknown {
  const inputs = Object.create(null) as Record<string, Record<string, Json>>;
  for (const [key, { output }] of results ?? []) {
    if (output === null || output === undefined) continue;
    const slash = key.indexOf('/');
    const plugin = slash < 0 ? key : key.slice(0, slash);
    const runtime = slash < 0 ? key : key.slice(slash + 1);
    const own = (inputs[plugin] ??= Object.create(null) as Record<string, Json>);
    own[runtime] = output;
  }
  return inputs;
}

/** What a prompt may see of a dimension: the current value, never the author's rule or starting value. */
const dimensionView = ({ name, description, schema, value, version }: Dimension): unknown => ({
  ...(name === undefined ? {} : { name }),
  ...(description === undefined ? {} : { description }),
  ...(schema === undefined ? {} : { schema }),
  ...(value === undefined ? {} : { value }),
  ...(version === undefined ? {} : { version }),
});

function worldVariables(world: World): unknown {
  const { name, description, tags, lore, schema, entries, dimensions } = world;
  const views = Object.create(null) as Record<string, unknown>;
  for (const [id, dimension] of Object.entries(dimensions ?? {})) views[id] = dimensionView(dimension);
  return { name, description, tags, lore, schema, entries, dimensions: dimensions === undefined ? undefined : views };
}

/**
 * The variables of seed 1, section 4. The session snapshot wins over `sessionMeta`. `texts` gives the one fixed line
 * of `characters.npcs`.
 */
export function templateVariables(params: BuildParams, texts: FrameworkTexts): TemplateVariables {
  const { turnInput, sessionContext, sessionMeta } = params;
  const snapshot = sessionContext?.sessionMeta;
  const formValues = snapshot?.lastFormValues ?? sessionMeta?.lastFormValues;
  const hasForm = formValues !== undefined && Object.keys(formValues).length > 0;
  const current = currentCharacter(params);
  const seats = sessionContext?.seats;
  return {
    inputs: inputVariables(params.completedResults),
    world: worldVariables(sessionContext?.world ?? {}),
    session: {
      id: turnInput.sessionId,
      turnNumber: snapshot?.turnNumber ?? sessionContext?.turnNumber ?? sessionMeta?.turnNumber ?? 0,
    },
    characters: {
      npcs: npcLines(sessionCharacters(params), { currentCharacterId: current?.id, seats, texts }),
    },
    player: {
      message: turnInput.playerMessage,
      character: current,
      lastFormValues: hasForm ? modelFacingText(formValues, 'lastFormValues') : '',
      lastFormValuesRaw: formValues,
    },
    userSettings: params.userSettings ?? {},
  };
}
