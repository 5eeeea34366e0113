/**
 * A part of a request as a person reads it: texts as they are, everything else as indented JSON. Each string keeps
 * its line, so that a place in the body is a line of the text. Characters that would break a line in an editor are
 * shown as symbols of the same width.
 */
import type { Json, JsonObject, JsonPointer, KeyPart } from '../../shared/model/index.ts';
import { isObject, jsonTokens, pointerKey, valueAt, withoutSentinels } from './json-walk.ts';
import { CACHE_MARKERS } from './key-order.ts';
import { zoneOf } from './key-text.ts';

export type Page = {
  readonly lines: string[];
  /** 1-based line on which the string at a pointer begins, and whether its own lines follow one another there. */
  readonly at: Map<JsonPointer, { readonly line: number; readonly unfolded: boolean }>;
};

export const newPage = (): Page => ({ lines: [], at: new Map() });

/** Fields whose string is the text of a message or block, not a fact about it. */
const TEXT_FIELDS: readonly string[] = ['text', 'content', 'output', 'thinking', 'reasoning_content', 'arguments'];
/** Lists of blocks that are unfolded. */
const BLOCK_FIELDS: readonly string[] = ['content', 'parts', 'summary', 'output'];
/** Shown in the heading. */
const HEADING_FIELDS: readonly string[] = ['role', 'type'];

/** Types of blocks that are nothing but text. */
const PLAIN_BLOCKS: readonly string[] = ['text', 'input_text', 'output_text'];

/** Deeper levels are indented no further. */
const MAX_INDENT = 40;

const SYMBOLS: Readonly<Record<string, string>> = {
  '\r': '\u240D',
  '\u2028': '\u2424',
  '\u2029': '\u2424',
  '\0': '\u2400',
};

const visible = (text: string): string => text.replace(/[\r\u2028\u2029\0]/g, (unit) => SYMBOLS[unit] ?? unit);

/** `── message 15 · user ──` */
export function headingOf(part: KeyPart): string {
  const found = /^(.*?) \((.*)\)$/s.exec(part.label);
  return visible(`── ${found ? `${found[1]} · ${found[2]}` : part.label} ──`).replaceAll('\n', ' ');
}

/** Writes a part with its heading, and an empty line after it. */
export function writePart(page: Page, part: KeyPart, body: JsonObject): void {
  page.lines.push(headingOf(part));
  const value = valueAt(body, part.path);
  if (value === undefined) writeText(page, part.text, null);
  else if (zoneOf(part) === 'tool') writeJson(page, value, part.path);
  else writeValue(page, value, part.path);
  page.lines.push('');
}

function writeText(page: Page, text: string, path: JsonPointer | null): void {
  if (path !== null) page.at.set(path, { line: page.lines.length + 1, unfolded: true });
  for (const line of visible(withoutSentinels(text)).split('\n')) page.lines.push(line);
}

/** A message or block: its texts, then what else it carries. Goes down two levels at most, the rest is JSON. */
function writeValue(page: Page, value: Json, path: JsonPointer, depth = 0): void {
  if (typeof value === 'string') return writeText(page, value, path);
  if (!isObject(value) || depth > 2) return writeJson(page, value, path);
  for (const key of Object.keys(value)) {
    if (CACHE_MARKERS.includes(key)) continue;
    const field = value[key] as Json;
    const at = `${path}/${pointerKey(key)}`;
    if (HEADING_FIELDS.includes(key) && typeof field === 'string') writeFact(page, key, field, at, depth);
    else if (TEXT_FIELDS.includes(key) && typeof field === 'string') writeText(page, field, at);
    else if (BLOCK_FIELDS.includes(key) && Array.isArray(field)) {
      (field as readonly Json[]).forEach((item, i) => writeValue(page, item, `${at}/${i}`, depth + 1));
    } else if (typeof field === 'object' && field !== null) {
      page.lines.push(visible(`${key}:`));
      writeJson(page, field, at);
    } else writeFact(page, key, field, at, depth);
  }
}

/** A short fact on one line. Roles stand in the heading; `text` blocks need no word for it. */
function writeFact(page: Page, key: string, value: Json, path: JsonPointer, depth: number): void {
  const isPlain =
    HEADING_FIELDS.includes(key) && (depth === 0 || (typeof value === 'string' && PLAIN_BLOCKS.includes(value)));
  if (typeof value === 'string') {
    page.at.set(path, { line: page.lines.length + (isPlain ? 0 : 1), unfolded: false });
  }
  if (isPlain) return;
  const shown = typeof value === 'string' ? visible(value).replaceAll('\n', '\u2424') : JSON.stringify(value);
  page.lines.push(visible(key === 'type' ? `[${shown}]` : `${key}: ${shown}`));
}

/** Indented JSON without cache marks. */
function writeJson(page: Page, value: Json, path: JsonPointer): void {
  let line = '';
  let level = 0;
  let fresh = false;
  const flush = (): void => {
    page.lines.push(line);
    line = '  '.repeat(Math.min(level, MAX_INDENT));
  };
  for (const token of jsonTokens(value, path, { marks: 'drop', text: withoutSentinels })) {
    if (fresh && token.kind !== 'end') flush();
    if (token.kind === 'start') level++;
    if (token.kind === 'end') {
      level--;
      if (!fresh) flush();
    }
    if (token.string !== null) page.at.set(token.path(), { line: page.lines.length + 1, unfolded: false });
    line += visible(token.kind === 'key' ? `${token.text} ` : token.text);
    fresh = token.kind === 'start';
    if (token.kind === 'comma') flush();
  }
  page.lines.push(line);
}
