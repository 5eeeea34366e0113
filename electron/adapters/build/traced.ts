/**
 * Every character of a body knows its segment: an adapter works on traced texts, whose runs carry their segment
 * through every cut and join, and the addresses are read off when the body is finished. Strings in a body that a model
 * reads are traced texts or stand below an owned value; nothing is looked up afterwards.
 */
import type { Json, JsonPointer, SegmentId } from '../../../shared/model/index.ts';
import { chars, type Chars } from '../../../shared/units.ts';
import { at as pointerTo } from '../json.ts';

/** A stretch of text with one origin. `segment` null: the adapter's own words. */
export type TextRun = { readonly text: string; readonly segment: SegmentId | null };

const TRACED = Symbol('traced');
/** A text of known origin. Runs are never empty. */
export type Traced = { readonly [TRACED]: true; readonly runs: readonly TextRun[]; readonly length: number };

const make = (all: readonly TextRun[]): Traced => {
  const runs = all.filter((run) => run.text !== '');
  return { [TRACED]: true, runs, length: runs.reduce((sum, run) => sum + run.text.length, 0) };
};

const OWNED = Symbol('owned');
/**
 * A value whose texts all belong to one segment: a tool's definition, a call's arguments, a schema. `segment` null: what
 * the adapter adds by itself, or what came without any text of a segment.
 */
export type Owned<T> = { readonly [OWNED]: true; readonly value: T; readonly segment: SegmentId | null };
export const own = <T>(value: T, segment: SegmentId | null): Owned<T> => ({ [OWNED]: true, value, segment });

const isTraced = (value: object): value is Traced => TRACED in value;
const isOwned = (value: object): value is Owned<unknown> => OWNED in value;

export const trace = (text: string, segment: SegmentId | null): Traced => make([{ text, segment }]);
export const traceRuns = (runs: readonly TextRun[]): Traced => make(runs);
export const NO_TEXT: Traced = make([]);
export const isEmpty = (text: Traced): boolean => text.length === 0;
export const plain = ({ runs }: Traced): string =>
  runs.length === 1 ? (runs[0]?.text ?? '') : runs.map((run) => run.text).join('');

/** Joined with a separator that belongs to the text behind it (see the README: blanks belong to what brings them). */
export function join(texts: readonly Traced[], separator: string): Traced {
  const runs: TextRun[] = [];
  for (const [i, text] of texts.entries()) {
    if (i > 0 && separator !== '') runs.push({ text: separator, segment: text.runs[0]?.segment ?? null });
    runs.push(...text.runs);
  }
  return make(runs);
}

/** From `start` to `end` in UTF-16 units. */
export function slice(text: Traced, start: number, end: number = text.length): Traced {
  const runs: TextRun[] = [];
  let at = 0;
  for (const run of text.runs) {
    const from = Math.max(0, start - at);
    const to = Math.min(run.text.length, end - at);
    if (to > from) runs.push({ text: run.text.slice(from, to), segment: run.segment });
    at += run.text.length;
  }
  return make(runs);
}

/** Around a text: the head belongs to its first segment, the tail to its last. */
export function wrap(text: Traced, head: string, tail: string): Traced {
  const first = text.runs[0]?.segment ?? null;
  const last = text.runs.at(-1)?.segment ?? null;
  return make([{ text: head, segment: first }, ...text.runs, { text: tail, segment: last }]);
}

/** Cut at every occurrence of `mark`, which is left out; occurrences that span two runs count. */
export function split(text: Traced, mark: string): readonly Traced[] {
  const whole = plain(text);
  if (!whole.includes(mark)) return [text];
  const pieces: Traced[] = [];
  let from = 0;
  for (let at = whole.indexOf(mark); at >= 0; at = whole.indexOf(mark, from)) {
    pieces.push(slice(text, from, at));
    from = at + mark.length;
  }
  pieces.push(slice(text, from));
  return pieces;
}

export function without(text: Traced, mark: string): Traced {
  const pieces = split(text, mark);
  return pieces.length === 1 ? text : join(pieces, '');
}
export function trimEnd(text: Traced): Traced {
  const length = plain(text).trimEnd().length;
  return length === text.length ? text : slice(text, 0, length);
}

/** What a tree becomes when its texts are written out. */
export type Settled<T> = T extends Traced
  ? string
  : T extends Owned<infer V>
    ? Settled<V>
    : T extends string | number | boolean | null | undefined
      ? T
      : { [K in keyof T]: Settled<T[K]> };

/** Range of a string in a body, and the segment it belongs to; null: the adapter's own words. */
export type SourceSpan = {
  readonly path: JsonPointer;
  readonly start: Chars;
  readonly end: Chars;
  readonly segment: SegmentId | null;
};

/** Who owns what below a place of the body; null as in `Owned`. */
export type Ownership = { readonly path: JsonPointer; readonly segment: SegmentId | null };

export type SettledBody<T> = {
  readonly body: Settled<T>;
  readonly spans: readonly SourceSpan[];
  readonly owned: readonly Ownership[];
};

/** Writes a tree out; spans and ownership come in the order of the tree. Fields that are undefined are left out. */
export function settle<T>(tree: T): SettledBody<T> {
  const spans: SourceSpan[] = [];
  const owned: Ownership[] = [];
  const write = (value: unknown, path: JsonPointer): Json | undefined => {
    if (typeof value !== 'object' || value === null) return value as Json | undefined;
    if (Array.isArray(value)) return value.map((item, i) => write(item, pointerTo(path, i)) ?? null);
    if (isTraced(value)) {
      let at = 0;
      for (const run of value.runs) {
        const end = at + run.text.length;
        const last = spans.at(-1);
        if (last?.path === path && last.segment === run.segment) spans[spans.length - 1] = { ...last, end: chars(end) };
        else spans.push({ path, start: chars(at), end: chars(end), segment: run.segment });
        at = end;
      }
      return plain(value);
    }
    if (isOwned(value)) {
      owned.push({ path, segment: value.segment });
      return write(value.value, path);
    }
    const fields: [string, Json][] = [];
    for (const [key, item] of Object.entries(value)) {
      const written = write(item, pointerTo(path, key));
      if (written !== undefined) fields.push([key, written]);
    }
    // Not by assignment: a key may be named `__proto__`.
    return Object.fromEntries(fields);
  };
  return { body: write(tree, '') as Settled<T>, spans, owned };
}
