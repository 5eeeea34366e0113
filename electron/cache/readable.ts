/** Both requests as text for a diff editor, part by part in cache key order, placed where they part. */
import type { KeyText } from '../../shared/model/index.ts';
import { addSizes, NO_TEXT, prefixTokens, sizeOf } from '../../shared/tokens.ts';
import { chars, estimated, type Chars, type Measured } from '../../shared/units.ts';
import { relationOf } from './facts.ts';
import { withoutSentinels, valueAt } from './json-walk.ts';
import { keyOf } from './key-text.ts';
import { locate } from './locate.ts';
import { newPage, writePart, type Page } from './readable-part.ts';
import { sharedPrefixOf } from './shared-prefix.ts';
import type { CallSide } from './types.ts';

export type ReadableDiff = {
  readonly left: string;
  readonly right: string;
  /** 1-based line of the divergence; null when the texts do not part. */
  readonly leftLine: number | null;
  readonly rightLine: number | null;
  /** Parts at the beginning that are equal, and their estimated tokens. */
  readonly equalParts: number;
  readonly equalTokens: Measured;
};

/** Left is the baseline `a`, right the later request `b`. Cache marks are left out, as in the comparison. */
export function readableDiff(a: CallSide, b: CallSide): ReadableDiff {
  const keyA = keyOf(a);
  const keyB = keyOf(b);
  const prefix = sharedPrefixOf(keyA, keyB);
  const comparable = a.protocol === b.protocol;
  const equalParts = !comparable ? 0 : (prefix.first?.part ?? keyB.parts.length);
  const equalSize = keyB.parts.slice(0, equalParts).reduce((sum, part) => addSizes(sum, sizeOf(part.text)), NO_TEXT);
  const left = writeAll(a, keyA);
  const right = writeAll(b, keyB);
  const parted = relationOf(prefix, keyA, keyB) === 'parted' ? prefix.first : null;
  const at = comparable ? parted : { part: 0, offset: chars(0) };
  return {
    left: left.page.lines.join('\n'),
    right: right.page.lines.join('\n'),
    leftLine: at && lineOf(left, a, keyA, at.part, at.offset),
    rightLine: at && lineOf(right, b, keyB, at.part, at.offset),
    equalParts,
    equalTokens: estimated(prefixTokens(equalSize)),
  };
}

type Written = { readonly page: Page; readonly headings: readonly number[] };

function writeAll(side: CallSide, key: KeyText): Written {
  const page = newPage();
  const headings = key.parts.map((part) => {
    const heading = page.lines.length + 1;
    writePart(page, part, side.body);
    return heading;
  });
  return { page, headings };
}

/** Line of a place; the heading of the part where its string has no line of its own. */
function lineOf(written: Written, side: CallSide, key: KeyText, index: number, offset: Chars): number | null {
  const part = key.parts[index];
  const heading = written.headings[index];
  if (!part || heading === undefined) return written.page.lines.length || null;
  const place = locate(part, side.body, offset);
  const start = place && written.page.at.get(place.path);
  if (!place || !start) return heading;
  const value = valueAt(side.body, place.path);
  if (!start.unfolded || typeof value !== 'string') return start.line;
  return start.line + withoutSentinels(value.slice(0, place.offset)).split('\n').length - 1;
}
