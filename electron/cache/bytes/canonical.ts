/**
 * The text of a part is what JSON.stringify would write of its value without cache markers. Recorded JSON is
 * nearly always written that way already; then the part is a run of the recorded bytes. What JSON.stringify would
 * have written otherwise (spaces, needless escapes, other numbers, keys that it would reorder or merge) is found
 * on the bytes, and only such a part is parsed and written anew.
 */
import { isHan, sizeOf, type TextSize } from '../../../shared/tokens.ts';
import { chars } from '../../../shared/units.ts';
import { CACHE_BREAK, CACHE_MARKERS } from '../key-order.ts';
import { decodeJson, decodeString, scalarEnd, valueEnd, type ByteRange } from './json-bytes.ts';

/** `json`: the run is JSON text. `text`: the run is a string's content, escaped as JSON.stringify escapes it. */
export type Form = 'json' | 'text';

/** A text as a run of bytes, in the recorded payload or in a copy of its own. */
export type Run = { readonly source: Buffer; readonly start: number; readonly end: number };
export type SizedRun = Run & { readonly size: TextSize };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const MARKERS: readonly Buffer[] = CACHE_MARKERS.map((name) => Buffer.from(name));
const BREAK = Buffer.from(CACHE_BREAK);
/** More keys in one object than this are not compared with each other one by one. */
const MOST_KEYS = 32;

/** The value at `range` as JSON text without markers; null when it is malformed. */
export function canonicalJson(bytes: Buffer, range: ByteRange): SizedRun | null {
  const { start, end } = range;
  const tally = newTally();
  const cuts = markerCuts(bytes, start, end, tally);
  if (cuts) {
    const run = withoutCuts({ source: bytes, start, end }, cuts);
    return sized(run, run.end - run.start - tally.trailing, tally.cjk);
  }
  const value = decodeJson(bytes, range);
  return value === undefined ? null : measured(writtenAnew(value, bytes, range), 'json');
}

/** The content of the string at `range` (quotes included); null when it is malformed. */
export function canonicalText(bytes: Buffer, range: ByteRange): SizedRun | null {
  const { start, end } = range;
  const tally = newTally();
  if (canonicalStringEnd(bytes, start, end, tally) === end) {
    const run = { source: bytes, start: start + 1, end: end - 1 };
    return sized(run, run.end - run.start - tally.trailing - tally.escaping, tally.cjk);
  }
  const text = decodeString(bytes, range);
  if (text === null) return null;
  const source = Buffer.from(JSON.stringify(text));
  return measured({ source, start: 1, end: source.length - 1 }, 'text');
}

/** The run without Covel's marks of cache boundaries. */
export function withoutBreaks(run: SizedRun, form: Form): SizedRun {
  const bytes = run.source.subarray(run.start, run.end);
  const cuts: number[] = [];
  for (let at = bytes.indexOf(BREAK); at >= 0; at = bytes.indexOf(BREAK, at + BREAK.length)) {
    cuts.push(run.start + at, run.start + at + BREAK.length);
  }
  return cuts.length === 0 ? run : measured(withoutCuts(run, cuts), form);
}

/** The text of a run from its first byte, or from `from`, to its last, or to `to`; both on the edge of a character. */
export function textOf(run: Run, form: Form, from = run.start, to = run.end): string {
  const text = run.source.toString('utf8', from, to);
  return form === 'text' && text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
}

/** No unit takes more bytes than its escape, `\uXXXX`. */
export const BYTES_OF_UNIT = 6;

/** The last place at or before `at` bytes of a run where a character, or in an escaped text an escape, begins. */
export function edgeBefore({ source, start, end }: Run, form: Form, at: number): number {
  if (start + at >= end) return at;
  let edge = start + at;
  while (edge > start && ((source[edge] ?? 0) & 0xc0) === 0x80) edge--;
  if (form === 'json') return edge - start;
  for (let back = 1; back < BYTES_OF_UNIT && edge - back >= start; back++) {
    const slash = edge - back;
    if (source[slash] !== 0x5c) continue;
    let first = slash;
    while (first > start && source[first - 1] === 0x5c) first--;
    // An even run before it: this backslash begins an escape.
    if ((slash - first) % 2 !== 0) continue;
    return back < (source[slash + 1] === 0x75 ? 6 : 2) ? slash - start : edge - start;
  }
  return edge - start;
}

const measured = (run: Run, form: Form): SizedRun => ({ ...run, size: sizeOf(textOf(run, form)) });

const sized = ({ source, start, end }: Run, units: number, cjk: number): SizedRun => ({
  source,
  start,
  end,
  size: { chars: chars(units), cjk: chars(cjk) },
});

/** What a text has less in UTF-16 units than in bytes, and its CJK units; counted while its strings are checked. */
type Tally = {
  /** Bytes that add no unit to the one (or, of an astral character, the two) of their character. */
  trailing: number;
  /** Bytes that an escape has beyond the one unit it stands for. */
  escaping: number;
  cjk: number;
};

const newTally = (): Tally => ({ trailing: 0, escaping: 0, cjk: 0 });

function writtenAnew(value: unknown, bytes: Buffer, { start, end }: ByteRange): Run {
  let text: string;
  try {
    text = JSON.stringify(value, (key, inner: unknown) => (CACHE_MARKERS.includes(key) ? undefined : inner)) ?? '';
  } catch {
    // Nested too deeply to be written anew: taken as it stands.
    text = bytes.toString('utf8', start, end);
  }
  const source = Buffer.from(text);
  return { source, start: 0, end: source.length };
}

function withoutCuts(run: Run, cuts: readonly number[]): Run {
  if (cuts.length === 0) return run;
  const pieces: Buffer[] = [];
  let at = run.start;
  for (let k = 0; k < cuts.length; k += 2) {
    pieces.push(run.source.subarray(at, cuts[k]));
    at = cuts[k + 1] as number;
  }
  pieces.push(run.source.subarray(at, run.end));
  const source = Buffer.concat(pieces);
  return { source, start: 0, end: source.length };
}

/**
 * Starts and ends, by turns, of the marker entries in a well-formed value that JSON.stringify would write in exactly
 * these bytes; null when it would write others.
 */
function markerCuts(bytes: Buffer, start: number, end: number, tally: Tally): number[] | null {
  const cuts: number[] = [];
  /** Where the keys of each open object begin in `keys`; -1 for an array. */
  const open: number[] = [];
  /** Starts and ends of the keys of all open objects. */
  const keys: number[] = [];
  let i = start;
  let isFirst = true;
  for (;;) {
    const keysFrom = open[open.length - 1];
    if (keysFrom !== undefined) {
      const c = bytes[i];
      if (c === (keysFrom < 0 ? 0x5d : 0x7d)) {
        if (keysFrom >= 0) keys.length = keysFrom;
        open.pop();
        i++;
        if (open.length === 0) return i === end ? cuts : null;
        isFirst = false;
        continue;
      }
      const before = i;
      if (!isFirst) {
        if (c !== COMMA) return null;
        i++;
      }
      if (keysFrom >= 0) {
        const keyAt = i;
        const keyEnd = canonicalStringEnd(bytes, keyAt, end, tally);
        if (keyEnd < 0 || bytes[keyEnd] !== 0x3a) return null;
        if (isMarker(bytes, keyAt + 1, keyEnd - 1)) {
          const to = valueEnd(bytes, keyEnd + 1, end);
          if (to < 0 || (isFirst && bytes[to] !== COMMA && bytes[to] !== 0x7d)) return null;
          // One comma goes with the entry: the one before it, or behind it where nothing stands before.
          i = isFirst && bytes[to] === COMMA ? to + 1 : to;
          cuts.push(before, i);
          isFirst = isFirst && i > to;
          continue;
        }
        if (!isNewKey(bytes, keyAt + 1, keyEnd - 1, keys, keysFrom)) return null;
        keys.push(keyAt + 1, keyEnd - 1);
        i = keyEnd + 1;
      }
    }
    const c = bytes[i];
    if (c === 0x7b || c === 0x5b) {
      open.push(c === 0x7b ? keys.length : -1);
      isFirst = true;
      i++;
      continue;
    }
    i = canonicalScalarEnd(bytes, i, end, tally);
    if (i < 0) return null;
    if (open.length === 0) return i === end ? cuts : null;
    isFirst = false;
  }
}

function isMarker(bytes: Buffer, start: number, end: number): boolean {
  return MARKERS.some(
    (name) =>
      name.length === end - start && bytes[start] === name[0] && bytes.compare(name, 0, name.length, start, end) === 0,
  );
}

/** A key that JSON.stringify leaves in its place: not seen before in this object, and no array index. */
function isNewKey(bytes: Buffer, start: number, end: number, keys: readonly number[], from: number): boolean {
  const first = bytes[start];
  if (first !== undefined && first >= 0x30 && first <= 0x39) return false;
  if (keys.length - from > 2 * MOST_KEYS) return false;
  for (let k = from; k < keys.length; k += 2) {
    const other = keys[k] as number;
    if ((keys[k + 1] as number) - other !== end - start) continue;
    let n = 0;
    while (n < end - start && bytes[other + n] === bytes[start + n]) n++;
    if (n === end - start) return false;
  }
  return true;
}

/** End of a scalar that JSON.stringify would write in these bytes, or -1. */
function canonicalScalarEnd(bytes: Buffer, at: number, end: number, tally: Tally): number {
  if (bytes[at] === QUOTE) return canonicalStringEnd(bytes, at, end, tally);
  if (at >= end) return -1;
  const to = scalarEnd(bytes, at, end);
  const first = bytes[at] ?? 0;
  if (to < 0 || first > 0x39) return to;
  const text = bytes.toString('latin1', at, to);
  return String(Number(text)) === text ? to : -1;
}

/** Escapes of one letter: `"` `\` b f n r t. */
const SHORT_ESCAPES: readonly boolean[] = Array.from({ length: 128 }, (_, c) =>
  '"\\bfnrt'.includes(String.fromCharCode(c)),
);

const PLAIN = 1;
const CJK_LEAD = 2;
/**
 * PLAIN: a byte that stands for itself in a string, ASCII but for quote, backslash and controls. CJK_LEAD: one that
 * only CJK characters of three bytes begin with (U+3000 to U+9FFF, U+B000 to U+CFFF). All others need a closer look.
 */
const BYTE_KINDS = Uint8Array.from({ length: 256 }, (_, c) => {
  if (c >= 0x20 && c < 0x80 && c !== QUOTE && c !== BACKSLASH) return PLAIN;
  return (c >= 0xe3 && c <= 0xe9) || c === 0xeb || c === 0xec ? CJK_LEAD : 0;
});

/** End of the string that opens at `at`, if JSON.stringify would write it in these bytes; else -1. */
function canonicalStringEnd(bytes: Buffer, at: number, end: number, tally: Tally): number {
  if (bytes[at] !== QUOTE) return -1;
  let trailing = 0;
  let escaping = 0;
  let cjk = 0;
  let i = at + 1;
  while (i < end) {
    const c = bytes[i] as number;
    const kind = BYTE_KINDS[c];
    if (kind === PLAIN) {
      i++;
      // Most of a text is such bytes, and none of them ends it.
      while (BYTE_KINDS[bytes[i] as number] === PLAIN) i++;
    } else if (kind === CJK_LEAD) {
      if (!isContinuation(bytes[i + 1]) || !isContinuation(bytes[i + 2])) return -1;
      cjk++;
      trailing += 2;
      i += 3;
    } else if (c >= 0x80) {
      const length = sequenceLength(bytes, i);
      if (length === 0) return -1;
      if (length === 3 && isHan(unitOf3(c, bytes[i + 1] as number, bytes[i + 2] as number))) cjk++;
      trailing += length === 2 ? 1 : 2;
      i += length;
    } else if (c === QUOTE) {
      tally.trailing += trailing;
      tally.escaping += escaping;
      tally.cjk += cjk;
      return i + 1;
    } else if (c !== BACKSLASH) {
      return -1;
    } else if (SHORT_ESCAPES[bytes[i + 1] ?? 0]) {
      escaping++;
      i += 2;
    } else if (isNeededEscape(bytes, i)) {
      escaping += 5;
      i += 6;
    } else {
      return -1;
    }
  }
  return -1;
}

const unitOf3 = (a: number, b: number, c: number): number => ((a & 0x0f) << 12) | ((b & 0x3f) << 6) | (c & 0x3f);

/** Bytes of the character that begins at `at`; 0 where it is no well-formed UTF-8, which decodes to something else. */
function sequenceLength(bytes: Buffer, at: number): number {
  const lead = bytes[at] as number;
  const second = bytes[at + 1];
  if (second === undefined || lead < 0xc2 || lead > 0xf4 || !isContinuation(second)) return 0;
  if (lead < 0xe0) return 2;
  if (!isContinuation(bytes[at + 2])) return 0;
  // Overlong forms, surrogates, and what lies beyond the last character.
  if (lead < 0xf0) return (lead === 0xe0 && second < 0xa0) || (lead === 0xed && second > 0x9f) ? 0 : 3;
  const isOutside = (lead === 0xf0 && second < 0x90) || (lead === 0xf4 && second > 0x8f);
  return isOutside || !isContinuation(bytes[at + 3]) ? 0 : 4;
}

const isContinuation = (c: number | undefined): boolean => c !== undefined && (c & 0xc0) === 0x80;

/** Is the `\uXXXX` at `at` one that JSON.stringify writes: a control character without a letter, or a lone surrogate? */
function isNeededEscape(bytes: Buffer, at: number): boolean {
  if (bytes[at + 1] !== 0x75) return false;
  const unit = escapedUnit(bytes, at);
  if (unit < 0) return false;
  if (unit < 0x20) return unit !== 8 && unit !== 9 && unit !== 10 && unit !== 12 && unit !== 13;
  if (unit < 0xd800 || unit > 0xdfff) return false;
  if (unit > 0xdbff || bytes[at + 6] !== BACKSLASH || bytes[at + 7] !== 0x75) return true;
  const digits = bytes.toString('latin1', at + 8, at + 12);
  return !/^[dD][c-fC-F]/.test(digits);
}

/** The unit that `\uXXXX` names, in lower-case digits as JSON.stringify writes them; else -1. */
function escapedUnit(bytes: Buffer, at: number): number {
  let unit = 0;
  for (let k = at + 2; k < at + 6; k++) {
    const c = bytes[k] ?? 0;
    const digit = c >= 0x30 && c <= 0x39 ? c - 0x30 : c >= 0x61 && c <= 0x66 ? c - 0x57 : -1;
    if (digit < 0) return -1;
    unit = unit * 16 + digit;
  }
  return unit;
}
