/**
 * A provider reads its cache from the first character on. So two requests are compared part by part in cache key
 * order, and the first part that differs unit by unit; nothing after it counts.
 */
import type { KeyText, SharedPrefix } from '../../shared/model/index.ts';
import { addSizes, NO_TEXT, sizeOf, type TextSize } from '../../shared/tokens.ts';
import { chars } from '../../shared/units.ts';

/**
 * What `b`, the later request, shares with `a`. `first` is null when all of `b` is shared; where `a` ended, it is
 * the beginning of the part that `b` adds. Offsets are UTF-16 units.
 */
export function sharedPrefixOf(a: KeyText, b: KeyText): SharedPrefix {
  let shared: TextSize = NO_TEXT;
  let equal = 0;
  while (equal < b.parts.length && a.parts[equal]?.text === b.parts[equal]?.text) {
    shared = addSizes(shared, sizeOf(b.parts[equal]?.text ?? ''));
    equal++;
  }
  const rest = b.parts.slice(equal).reduce((sum, part) => addSizes(sum, sizeOf(part.text)), NO_TEXT);
  const size = addSizes(shared, rest);
  const part = b.parts[equal];
  if (!part) {
    return {
      kind: a.parts.length === b.parts.length ? 'identical' : 'request-ends-earlier',
      size,
      shared,
      first: null,
    };
  }
  const offset = commonLead(a.parts[equal]?.text ?? '', part.text);
  return {
    kind: 'differs',
    size,
    shared: addSizes(shared, sizeOf(part.text.slice(0, offset))),
    first: { part: equal, label: part.label, path: part.path, offset: chars(offset) },
  };
}

/** Leading UTF-16 units that two texts have in common. */
export function commonLead(a: string, b: string): number {
  const limit = Math.min(a.length, b.length);
  let at = 0;
  while (at < limit && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}

/** Trailing UTF-16 units that two texts have in common, at most `limit`. */
export function commonTail(a: string, b: string, limit: number): number {
  let n = 0;
  while (n < limit && a.charCodeAt(a.length - 1 - n) === b.charCodeAt(b.length - 1 - n)) n++;
  return n;
}

/** 40 units before to 80 after a place, as the prefix measurement shows it. */
export const around = (text: string, offset: number): string => text.slice(Math.max(0, offset - 40), offset + 80);
