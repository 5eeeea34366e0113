/**
 * A body is text that an author wrote, with places that the engine fills with data. Whoever edits the text changes
 * words; so a change counts as filled in only when it looks like data (JSON, a number, a time, an id) or when the same
 * value stands elsewhere in the request, where the engine delivers data.
 */
import type { Segment, SegmentKind } from '../../shared/model/index.ts';
import { textOf } from './changes.ts';

/** What proves that a range of a body was filled in. */
export type Filled =
  | { readonly by: 'value'; readonly value: string; readonly segment: Segment }
  | { readonly by: 'json' }
  | { readonly by: 'literal' };

/** A range of a text, UTF-16 units. */
export type Range = { readonly text: string; readonly start: number; readonly end: number };

/** Kinds of segments in which the engine delivers data of the turn, the characters and the world. */
const DATA_KINDS: readonly SegmentKind[] = ['turn-context', 'player', 'extension', 'pre-history', 'post-history'];

const LONGEST_VALUE = 300;
const LONGEST_DATA = 40_000;
/** How far an enclosing JSON value is looked for, and how many openings are tried. */
const JSON_REACH = 20_000;
const JSON_TRIES = 40;

/** @param segments of the request to which the text belongs */
export function filledBy(range: Range, segments: readonly Segment[]): Filled | null {
  if (range.text.slice(range.start, range.end).trim() === '') return null;
  for (const segment of segments) {
    if (!DATA_KINDS.includes(segment.kind)) continue;
    const value = valuesIn(segment).find((one) => covers(one, range));
    if (value !== undefined) return { by: 'value', value, segment };
  }
  if (isInJson(range)) return { by: 'json' };
  return LITERAL.test(tokenAround(range)) ? { by: 'literal' } : null;
}

/** What stands for itself in a block of data: quoted texts, lines, and what follows the name on a line. */
function valuesIn(segment: Segment): readonly string[] {
  const text = textOf(segment).slice(0, LONGEST_DATA);
  if (segment.kind === 'player') return [text.trim()];
  const quoted = [...text.matchAll(/"([^"\n\\]+)"/g)].map((match) => match[1] ?? '');
  const lines = text.split('\n').flatMap((line) => {
    if (line.startsWith('<')) return [];
    const bare = line.replace(/^[\s#*•|-]+/, '');
    const named = /^[^:：]{1,60}[:：]\s*(.+)$/.exec(bare)?.[1] ?? '';
    return [bare, ...named.split(/[,，、;；|]/), named.replace(/\s*[([（【|].*$/, '')];
  });
  return [...quoted, ...lines]
    .map((value) => value.trim())
    .filter((value) => value.length <= LONGEST_VALUE && /[\p{L}\p{N}]/u.test(value));
}

const isWord = (unit: string | undefined): boolean => unit !== undefined && /\w/.test(unit);

/** Whether the value stands in the text around all of the range, not as a part of a longer word. */
function covers(value: string, { text, start, end }: Range): boolean {
  const inner = text.slice(start, end).trim();
  if (value.length < inner.length || (value.length < 2 && value !== inner)) return false;
  const from = start + (text.slice(start, end).length - text.slice(start, end).trimStart().length);
  const at = text.indexOf(value, Math.max(0, from + inner.length - value.length));
  if (at < 0 || at > from) return false;
  const joinsBefore = isWord(text[at - 1]) && isWord(value[0]);
  const joinsBehind = isWord(value.at(-1)) && isWord(text[at + value.length]);
  return !joinsBefore && !joinsBehind;
}

/** Whether an object or a list around the range can be read as JSON. */
function isInJson({ text, start, end }: Range): boolean {
  let tries = JSON_TRIES;
  for (let at = start; at >= Math.max(0, start - JSON_REACH) && tries > 0; at--) {
    const unit = text[at];
    if (unit !== '{' && unit !== '[') continue;
    tries--;
    const close = closeOf(text, at);
    if (close >= end && isJson(text.slice(at, close))) return true;
  }
  return false;
}

/** Behind the bracket that closes the one at `open`; -1 when none does. */
function closeOf(text: string, open: number): number {
  let depth = 0;
  let inString = false;
  for (let at = open; at < Math.min(text.length, open + JSON_REACH); at++) {
    const unit = text[at];
    if (unit === '\\' && inString) at++;
    else if (unit === '"') inString = !inString;
    else if (inString) continue;
    else if (unit === '{' || unit === '[') depth++;
    else if ((unit === '}' || unit === ']') && --depth === 0) return at + 1;
  }
  return -1;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A number, a date or time made of numbers, a truth value, a UUID or a long hexadecimal id. */
const LITERAL =
  /^(?:true|false|null|(?=.*\d)[\d.,:+/%TZ-]+|[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|(?=.*\d)[\da-f]{16,})$/i;
const TOKEN = /[\w.,:+/%-]/;

/** The range with the rest of the word or number that it is a part of. */
function tokenAround({ text, start, end }: Range): string {
  const inner = text.slice(start, end);
  let from = start + (inner.length - inner.trimStart().length);
  let to = end - (inner.length - inner.trimEnd().length);
  while (from > 0 && TOKEN.test(text[from - 1] ?? '')) from--;
  while (to < text.length && TOKEN.test(text[to] ?? '')) to++;
  return text.slice(from, to).replace(/[.,:]+$/, '');
}
