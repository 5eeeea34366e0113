/**
 * Two key texts are compared part by part. In well-formed UTF-8 equal bytes are equal text, so only the first
 * different part is decoded; there the result must be what a comparison of UTF-16 units would give.
 */
import type { SharedPrefix } from '../../../shared/model/index.ts';
import { NO_TEXT, addSizes, sizeOf, type TextSize } from '../../../shared/tokens.ts';
import { chars } from '../../../shared/units.ts';
import { commonRun, isSameRun } from './byte-prefix.ts';
import { BYTES_OF_UNIT, edgeBefore, textOf } from './canonical.ts';
import { kernelKey, labelOf, pathOf, sizeOfParts, type BytePart, type CallKey } from './key-bytes.ts';

/** `was` and `now`: the texts around the first difference; null where a request has no such part, or nothing differs. */
export type SharedBytes = SharedPrefix & { readonly was: string | null; readonly now: string | null };

/** Units shown before and after the first difference. */
const BEFORE = 40;
const AFTER = 80;

/** What `b`, the later request, has in common with `a`. If one of them was recorded without a body, both are compared on the kernel view. */
export function sharedPrefix(a: CallKey, b: CallKey): SharedBytes {
  const [left, right] = onOneView(a, b);
  const nothing = { shared: NO_TEXT, first: null, was: null, now: null };
  if (!left || !right || left.protocol !== right.protocol) return { kind: 'other-protocol', size: b.size, ...nothing };

  const known = right.leading?.of === left.id ? right.leading.parts : 0;
  const equal = equalParts(left.parts, right.parts, known);
  const shared = sizeOfParts(right.parts, equal);
  const was = left.parts[equal];
  const now = right.parts[equal];
  if (!now) {
    return { kind: was ? 'request-ends-earlier' : 'identical', size: right.size, ...nothing, shared };
  }
  const place = was ? firstDifference(was, now) : { size: NO_TEXT, was: null, now: headOf(now) };
  return {
    kind: 'differs',
    size: right.size,
    shared: addSizes(shared, place.size),
    first: { part: equal, label: labelOf(now), path: pathOf(now), offset: place.size.chars },
    was: place.was,
    now: place.now,
  };
}

function onOneView(a: CallKey, b: CallKey): readonly [CallKey | null, CallKey | null] {
  const isMixed = (a.protocol === null) !== (b.protocol === null);
  return isMixed ? [kernelView(a), kernelView(b)] : [a, b];
}

const kernelView = (key: CallKey): CallKey | null => (key.protocol === null ? key : kernelKey(key.bytes, key.scan));

/** How many parts at the beginning are equal. Neighbours that moved by the same distance are compared as one run. */
function equalParts(a: readonly BytePart[], b: readonly BytePart[], known: number): number {
  const count = Math.min(a.length, b.length);
  let done = known;
  while (done < count) {
    const left = a[done] as BytePart;
    const right = b[done] as BytePart;
    if (!isSamePart(left, right)) return done;
    done++;
    let last = done;
    while (last < count && isMovedAlike(left, a[last] as BytePart, right, b[last] as BytePart)) last++;
    if (last === done) continue;
    const end = (a[last - 1] as BytePart).end;
    const common = left.end + commonRun(left.source, left.end, right.source, right.end, end - left.end);
    while (done < last && (a[done] as BytePart).end <= common) done++;
  }
  return done;
}

function isMovedAlike(a0: BytePart, a: BytePart, b0: BytePart, b: BytePart): boolean {
  const shift = b0.start - a0.start;
  const isInPlace = a.source === a0.source && b.source === b0.source && a.start >= a0.end && b.start >= b0.end;
  const isOneShift = b0.end - a0.end === shift && b.start - a.start === shift && b.end - a.end === shift;
  return isInPlace && isOneShift && a.form === b.form;
}

function isSamePart(a: BytePart, b: BytePart): boolean {
  // A text can read like JSON; then only the decoded texts can be compared.
  if (a.form !== b.form) return textOf(a, a.form) === textOf(b, b.form);
  const length = a.end - a.start;
  return length === b.end - b.start && isSameRun(a.source, a.start, b.source, b.start, length);
}

type Place = { readonly size: TextSize; readonly was: string; readonly now: string };

/** Two parts that differ: what they have in common, and the texts around the place. */
function firstDifference(a: BytePart, b: BytePart): Place {
  if (a.form !== b.form) return ofTexts(textOf(a, a.form), textOf(b, b.form), NO_TEXT);
  const length = Math.min(a.end - a.start, b.end - b.start);
  const common = commonRun(a.source, a.start, b.source, b.start, length);
  const edge = Math.min(edgeBefore(a, a.form, common), edgeBefore(b, b.form, common));
  const head = textOf(b, b.form, b.start, b.start + edge);
  const window = edge + (AFTER + 2) * BYTES_OF_UNIT;
  return ofTexts(head + tailOf(a, edge, window), head + tailOf(b, edge, window), sizeOf(head));
}

/** `known`: size of what both texts begin with. */
function ofTexts(a: string, b: string, known: TextSize): Place {
  let offset: number = known.chars;
  while (offset < a.length && offset < b.length && a.charCodeAt(offset) === b.charCodeAt(offset)) offset++;
  const size = offset === known.chars ? known : sizeOf(b.slice(0, offset));
  const excerpt = (text: string): string => text.slice(Math.max(0, offset - BEFORE), offset + AFTER);
  return { size: { chars: chars(offset), cjk: size.cjk }, was: excerpt(a), now: excerpt(b) };
}

const headOf = (part: BytePart): string => tailOf(part, 0, (AFTER + 2) * BYTES_OF_UNIT).slice(0, AFTER);

/** The text from one edge of a character up to `until` bytes, or to the next edge before it. */
function tailOf(part: BytePart, from: number, until: number): string {
  const length = part.end - part.start;
  const to = until >= length ? length : edgeBefore(part, part.form, until);
  return textOf(part, part.form, part.start + from, part.start + to);
}
