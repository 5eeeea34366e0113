/**
 * In UTF-8 a byte below 0x80 is never part of another character, so the brackets, commas and quotes of a JSON text
 * can be found on its bytes, without decoding it. Ranges are offsets of bytes, `end` exclusive. Malformed JSON is
 * answered by -1 or null, never by an exception; nesting may have any depth.
 *
 * What is checked: the grammar of containers, literals and numbers, and that strings end. What a string contains is
 * checked only when it is decoded.
 */

export type ByteRange = { readonly start: number; readonly end: number };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Bytes of a string that are looked at one by one before the native search is worth its call. */
const NEAR = 48;

const isSpace = (c: number | undefined): boolean => c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09;

/** The same memory as a Buffer; nothing is copied. */
export const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

export function skipSpace(bytes: Uint8Array, at: number, end: number): number {
  let i = at;
  while (i < end && isSpace(bytes[i])) i++;
  return i;
}

/** End of the string that opens at `at` (behind its closing quote), or -1. */
export function stringEnd(bytes: Buffer, at: number, end: number): number {
  let i = at + 1;
  const near = Math.min(end, i + NEAR);
  while (i < near) {
    const c = bytes[i];
    if (c === QUOTE) return i + 1;
    i += c === BACKSLASH ? 2 : 1;
  }
  while (i < end) {
    const quote = bytes.indexOf(QUOTE, i);
    if (quote < 0 || quote >= end) return -1;
    let backslash = quote;
    while (backslash > i && bytes[backslash - 1] === BACKSLASH) backslash--;
    if ((quote - backslash) % 2 === 0) return quote + 1;
    i = quote + 1;
  }
  return -1;
}

function literalEnd(bytes: Uint8Array, at: number, end: number, literal: string): number {
  const to = at + literal.length;
  if (to > end) return -1;
  for (let k = 0; k < literal.length; k++) if (bytes[at + k] !== literal.charCodeAt(k)) return -1;
  return to;
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const isNumberByte = (c: number | undefined): boolean =>
  c !== undefined && ((c >= 0x30 && c <= 0x39) || c === 0x2d || c === 0x2b || c === 0x2e || c === 0x65 || c === 0x45);

function numberEnd(bytes: Buffer, at: number, end: number): number {
  let i = at;
  while (i < end && isNumberByte(bytes[i])) i++;
  return i > at && NUMBER.test(bytes.toString('latin1', at, i)) ? i : -1;
}

const LITERALS: ReadonlyMap<number | undefined, string> = new Map([
  [0x74, 'true'],
  [0x66, 'false'],
  [0x6e, 'null'],
]);

/** End of the string, number or literal that begins at `at`, or -1. */
export function scalarEnd(bytes: Buffer, at: number, end: number): number {
  if (bytes[at] === QUOTE) return stringEnd(bytes, at, end);
  const literal = LITERALS.get(bytes[at]);
  return literal ? literalEnd(bytes, at, end, literal) : numberEnd(bytes, at, end);
}

/** End of the value that begins at `at` (no space before it), or -1 when it is malformed or goes beyond `end`. */
export function valueEnd(bytes: Buffer, at: number, end: number): number {
  if (at >= end) return -1;
  const first = bytes[at];
  return first === OPEN_OBJECT || first === OPEN_ARRAY ? containerEnd(bytes, at, end) : scalarEnd(bytes, at, end);
}

function containerEnd(bytes: Buffer, at: number, end: number): number {
  // One entry an open container: is it an object? A plain array, so that depth is bounded by memory alone.
  const open: boolean[] = [bytes[at] === OPEN_OBJECT];
  let i = at + 1;
  let isFirst = true;
  for (;;) {
    i = skipSpace(bytes, i, end);
    if (i >= end) return -1;
    const inObject = open[open.length - 1] === true;
    const c = bytes[i];
    if (c === (inObject ? CLOSE_OBJECT : CLOSE_ARRAY)) {
      i++;
      open.pop();
      if (open.length === 0) return i;
      isFirst = false;
      continue;
    }
    if (!isFirst) {
      if (c !== COMMA) return -1;
      i = skipSpace(bytes, i + 1, end);
    }
    if (inObject) {
      const keyEnd = i < end && bytes[i] === QUOTE ? stringEnd(bytes, i, end) : -1;
      i = keyEnd < 0 ? -1 : behindColon(bytes, keyEnd, end);
      if (i < 0) return -1;
    }
    const d = bytes[i];
    isFirst = d === OPEN_OBJECT || d === OPEN_ARRAY;
    if (isFirst) {
      open.push(d === OPEN_OBJECT);
      i++;
    } else {
      i = i < end ? scalarEnd(bytes, i, end) : -1;
      if (i < 0) return -1;
    }
  }
}

/** From the end of a key to the first byte of its value, or -1. */
function behindColon(bytes: Buffer, keyEnd: number, end: number): number {
  const colon = skipSpace(bytes, keyEnd, end);
  if (colon >= end || bytes[colon] !== COLON) return -1;
  return skipSpace(bytes, colon + 1, end);
}

/**
 * Walks the entries of the object that opens at `at`. `value` gets the key and the offset of its value and answers
 * the value's end (`valueEnd` does), or -1 to stop. Answers the object's end, or -1.
 */
export function walkEntries(
  bytes: Buffer,
  at: number,
  end: number,
  value: (key: string, start: number) => number,
): number {
  if (at >= end || bytes[at] !== OPEN_OBJECT) return -1;
  let i = skipSpace(bytes, at + 1, end);
  if (i < end && bytes[i] === CLOSE_OBJECT) return i + 1;
  for (;;) {
    const keyEnd = i < end && bytes[i] === QUOTE ? stringEnd(bytes, i, end) : -1;
    if (keyEnd < 0) return -1;
    const start = behindColon(bytes, keyEnd, end);
    if (start < 0 || start >= end) return -1;
    const key = decodeString(bytes, { start: i, end: keyEnd });
    if (key === null) return -1;
    const to = value(key, start);
    if (to < 0) return -1;
    i = skipSpace(bytes, to, end);
    if (i >= end) return -1;
    if (bytes[i] === CLOSE_OBJECT) return i + 1;
    if (bytes[i] !== COMMA) return -1;
    i = skipSpace(bytes, i + 1, end);
  }
}

/** Walks the items of the array that opens at `at`, in the same way. */
export function walkItems(bytes: Buffer, at: number, end: number, item: (start: number) => number): number {
  if (at >= end || bytes[at] !== OPEN_ARRAY) return -1;
  let i = skipSpace(bytes, at + 1, end);
  if (i < end && bytes[i] === CLOSE_ARRAY) return i + 1;
  for (;;) {
    if (i >= end) return -1;
    const to = item(i);
    if (to < 0) return -1;
    i = skipSpace(bytes, to, end);
    if (i >= end) return -1;
    if (bytes[i] === CLOSE_ARRAY) return i + 1;
    if (bytes[i] !== COMMA) return -1;
    i = skipSpace(bytes, i + 1, end);
  }
}

export const isObjectAt = (bytes: Uint8Array, at: number): boolean => bytes[at] === OPEN_OBJECT;
export const isArrayAt = (bytes: Uint8Array, at: number): boolean => bytes[at] === OPEN_ARRAY;
export const isStringAt = (bytes: Uint8Array, at: number): boolean => bytes[at] === QUOTE;
export const isNullAt = (bytes: Uint8Array, at: number): boolean => bytes[at] === 0x6e;

/** The string at a range (quotes included), unescaped; null when the range holds no well-formed string. */
export function decodeString(bytes: Buffer, range: ByteRange): string | null {
  const { start, end } = range;
  if (end - start < 2 || bytes[start] !== QUOTE || bytes[end - 1] !== QUOTE) return null;
  let isPlain = end - start <= NEAR;
  for (let i = start + 1; isPlain && i < end - 1; i++) {
    const c = bytes[i] ?? 0;
    isPlain = c >= 0x20 && c < 0x80 && c !== BACKSLASH;
  }
  if (isPlain) return bytes.toString('latin1', start + 1, end - 1);
  const value = decodeJson(bytes, range);
  return typeof value === 'string' ? value : null;
}

/** The number at a range; null when it holds something else. */
export function decodeNumber(bytes: Buffer, range: ByteRange): number | null {
  const c = bytes[range.start];
  if (c !== 0x2d && !(c !== undefined && c >= 0x30 && c <= 0x39)) return null;
  const value = decodeJson(bytes, range);
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** The value at a range by JSON.parse; undefined when it is malformed. */
export function decodeJson(bytes: Buffer, { start, end }: ByteRange): unknown {
  try {
    return JSON.parse(bytes.toString('utf8', start, end)) as unknown;
  } catch {
    return undefined;
  }
}

/** The value of a key in the object at `range`, of several the last as JSON.parse reads them; null when there is none. */
export function entryOf(bytes: Buffer, { start, end }: ByteRange, wanted: string): ByteRange | null {
  let found: ByteRange | null = null;
  walkEntries(bytes, start, end, (key, at) => {
    const to = valueEnd(bytes, at, end);
    if (key === wanted) found = { start: at, end: to };
    return to;
  });
  return found;
}
