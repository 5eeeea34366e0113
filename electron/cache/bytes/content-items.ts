/**
 * Where the contents of a message stand in its compact JSON. What JSON.stringify wrote has no spaces between its
 * tokens, so one quick pass finds them; anything else is walked by the grammar.
 */
import { isArrayAt, valueEnd, walkEntries, type ByteRange } from './json-bytes.ts';
import { fieldAt } from './layout.ts';

export type ContentItems = {
  /** Starts and ends of the items, by turns. */
  readonly bounds: readonly number[];
  readonly role: ByteRange | null;
};

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** The items of `content`, else of `parts`; null where a message has none. */
export function contentItems(bytes: Buffer, { start, end }: ByteRange): ContentItems | null {
  const found: Found = { content: null, parts: null, role: null };
  if (!readCompact(bytes, start, end, found)) {
    Object.assign(found, { content: null, parts: null, role: null });
    walkEntries(bytes, start, end, (key, at) => {
      const to = valueEnd(bytes, at, end);
      const range = { start: at, end: to };
      if (key === 'role') found.role = range;
      else if (key === 'content' || key === 'parts') found[key] = fieldAt(bytes, range)?.bounds ?? null;
      return to;
    });
  }
  const bounds = found.content ?? found.parts;
  return bounds && bounds.length > 0 ? { bounds, role: found.role } : null;
}

type Found = { content: readonly number[] | null; parts: readonly number[] | null; role: ByteRange | null };

/** Reads an object without spaces; false where it is none. */
function readCompact(bytes: Buffer, start: number, end: number, found: Found): boolean {
  if (bytes[start] !== OPEN_OBJECT) return false;
  let i = start;
  do {
    const keyAt = i + 1;
    const keyEnd = bytes[keyAt] === QUOTE ? compactStringEnd(bytes, keyAt, end) : -1;
    if (keyEnd < 0 || bytes[keyEnd] !== COLON) return false;
    const at = keyEnd + 1;
    // The names that count have four to seven letters.
    const key = keyEnd - keyAt <= 9 ? bytes.toString('latin1', keyAt + 1, keyEnd - 1) : '';
    const isList = (key === 'content' || key === 'parts') && isArrayAt(bytes, at);
    const bounds: number[] | null = isList ? [] : null;
    i = bounds ? itemsEnd(bytes, at, end, bounds) : compactEnd(bytes, at, end);
    if (i < 0) return false;
    if (bounds) found[key as 'content' | 'parts'] = bounds;
    else if (key === 'role') found.role = { start: at, end: i };
  } while (bytes[i] === COMMA);
  return bytes[i] === CLOSE_OBJECT && i + 1 === end;
}

/** Collects the items of the array at `at`; answers its end, or -1. */
function itemsEnd(bytes: Buffer, at: number, end: number, bounds: number[]): number {
  if (bytes[at + 1] === CLOSE_ARRAY) return at + 2;
  let i = at;
  do {
    const from = i + 1;
    i = compactEnd(bytes, from, end);
    if (i < 0) return -1;
    bounds.push(from, i);
  } while (bytes[i] === COMMA);
  return bytes[i] === CLOSE_ARRAY ? i + 1 : -1;
}

/** End of the value at `at`, or -1. */
function compactEnd(bytes: Buffer, at: number, end: number): number {
  let depth = 0;
  let i = at;
  while (i < end) {
    const c = bytes[i] as number;
    if (c === QUOTE) {
      i = compactStringEnd(bytes, i, end);
      if (i < 0 || depth === 0) return i;
      continue;
    }
    if (c === OPEN_OBJECT || c === OPEN_ARRAY) depth++;
    else if (c === CLOSE_OBJECT || c === CLOSE_ARRAY) {
      if (depth === 0) return i > at ? i : -1;
      if (--depth === 0) return i + 1;
    } else if (c === COMMA && depth === 0) return i > at ? i : -1;
    else if (c <= 0x20) return -1;
    i++;
  }
  return -1;
}

/** End of the string that opens at `at`, or -1. Texts are full of escaped quotes, so the bytes are looked at in turn. */
function compactStringEnd(bytes: Buffer, at: number, end: number): number {
  let i = at + 1;
  while (i < end) {
    const c = bytes[i];
    if (c === QUOTE) return i + 1;
    i += c === BACKSLASH ? 2 : 1;
  }
  return -1;
}
