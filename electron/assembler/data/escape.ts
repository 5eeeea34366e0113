/**
 * Data stands between tags in a prompt, and cache breakpoints are marked in the same text. So that data can neither
 * open nor close a block nor become a breakpoint, it is cleaned where it becomes text: every function of this folder
 * that returns text has passed its data through `stripSentinels` (mostly by way of `escapeXml`). What reaches a prompt
 * without a block (history, the player's words, extension segments) goes through `stripSentinels` in the same way
 * where its segment is made; the sentinels themselves are written afterwards (seed 1, sections 4 and 5).
 */
import { headOf } from '../budget/truncate.ts';
import { AssemblyError } from '../types.ts';

const DELIMITER = '\ue000';
/** Marks the end of a cacheable part of the system prompt. */
export const CACHE_SENTINEL = `${DELIMITER}COVEL_CACHE_BREAK${DELIMITER}`;

const SENTINEL_OR_DELIMITER = new RegExp(`${DELIMITER}(?:COVEL_CACHE_BREAK${DELIMITER})?`, 'g');

/**
 * Data without cache sentinels. Loose delimiters go too: otherwise two harmless pieces could join into a sentinel, or
 * half a sentinel could swallow the real one that follows it.
 */
export const stripSentinels = (text: string): string =>
  text.includes(DELIMITER) ? text.replace(SENTINEL_OR_DELIMITER, '') : text;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Data between tags: `&`, `<`, `>` become entities, sentinels are removed; quotes and braces stay. */
export const escapeXml = (text: string): string =>
  stripSentinels(text).replace(/[&<>]/g, (sign) => ENTITIES[sign] as string);

const NAME = /^[A-Za-z0-9_-]+$/;

/**
 * The tag name of `as`: `<scene>` or `scene` gives `scene`. Letters, digits, `-` and `_` only, anything else throws
 * AssemblyError `bad-tag` naming `field`.
 */
export function checkTag(as: string, field = 'as'): string {
  const name = as.startsWith('<') && as.endsWith('>') ? as.slice(1, -1) : as;
  if (NAME.test(name)) return name;
  throw new AssemblyError('bad-tag', field, `${field}: ${JSON.stringify(as)} is not a tag name like <scene>.`);
}

/** Long text inside one block: only its own closing tag is disarmed (`<` becomes `&lt;`), all else stays as written. */
export const neutraliseClosing = (text: string, tag: string): string =>
  stripSentinels(text).replace(new RegExp(`<(?=/${checkTag(tag, 'tag')}\\s*>)`, 'gi'), '&lt;');

/** `<tag>`, the lines, `</tag>`, each on its own line. The lines must be cleaned already. */
export const block = (tag: string, ...lines: readonly string[]): string => `<${tag}>\n${lines.join('\n')}\n</${tag}>`;

/** The first `max` UTF-16 units and `mark`, when the text is longer; a surrogate pair is never cut in two. */
export const cut = (text: string, max: number, mark = '...'): string =>
  text.length <= max ? text : headOf(text, max) + mark;

/** Order of strings by UTF-16 units, the same on every machine. */
export const byUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
