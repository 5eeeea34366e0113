/**
 * A segment is a run of strings of the body; in the key text each of them stands somewhere between the first character
 * and the last, and that place decides whether a cache can hold it.
 */
import type { SegmentId } from '../../shared/model/index.ts';
import { chars, type Chars } from '../../shared/units.ts';
import { keyOf } from './key-text.ts';
import { stringRuns, type StringRun } from './locate.ts';
import type { CallSide } from './types.ts';

/** Place in the key text, UTF-16 units from its beginning. */
export type KeyRun = { readonly start: Chars; readonly end: Chars };

/**
 * Where the texts of each segment stand in the key text, in the order of the segments. Exact at the ends of strings;
 * inside a string with escapes the place is proportional. A text outside the key text (a response schema) has no run.
 */
export function segmentRuns(side: CallSide): ReadonlyMap<SegmentId, readonly KeyRun[]> {
  const strings = new Map<string, StringRun>();
  let before = 0;
  for (const part of keyOf(side).parts) {
    for (const { path, start, end } of stringRuns(part, side.body)) {
      strings.set(path, { path, start: chars(before + start), end: chars(before + end) });
    }
    before += part.text.length;
  }
  const lengths = new Map<string, number>();
  for (const { texts } of side.segments)
    for (const { path, end } of texts) lengths.set(path, Math.max(lengths.get(path) ?? 0, end));
  return new Map(
    side.segments.map(({ id, texts }) => [
      id,
      texts.flatMap(({ path, start, end }) => {
        const string = strings.get(path);
        if (!string) return [];
        const scale = (string.end - string.start) / Math.max(1, lengths.get(path) ?? 0);
        const at = (offset: number): Chars => chars(Math.round(string.start + offset * scale));
        return [{ start: at(start), end: at(end) }];
      }),
    ]),
  );
}
