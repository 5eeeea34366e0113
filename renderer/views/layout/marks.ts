/**
 * Breakpoints often stand close together (the end of the system prompt and the first history message), so their
 * ticks are always drawn and their words only where there is room; the last one, the end of what can be cached, wins.
 */
import type { Breakpoint, SegmentRow } from '../../../shared/model/index.ts';
import type { Scale } from './scale.ts';

export type Mark = {
  readonly breakpoint: Breakpoint;
  /** Place of the tick, and of the middle of its words, in pixels; null when there is no room for words. */
  readonly x: number;
  readonly labelX: number | null;
  readonly label: string;
};

/** About the width of the words at 10 px. */
const widthOf = (label: string): number =>
  Array.from(label).reduce((sum, sign) => sum + ((sign.codePointAt(0) ?? 0) > 0x2e7f ? 10 : 5.6), 0);
const GAP = 8;

/** Places the breakpoints behind the segment they follow; `label` gives their words. */
export function marksOf(
  breakpoints: readonly Breakpoint[],
  segments: readonly SegmentRow[],
  scale: Scale,
  label: (breakpoint: Breakpoint) => string,
): readonly Mark[] {
  const ends = new Map<string, number>();
  let tokens = 0;
  for (const segment of segments) ends.set(segment.id, (tokens += segment.tokens.value));
  const placed = breakpoints.map((breakpoint) => {
    const after = breakpoint.afterSegment === null ? undefined : ends.get(breakpoint.afterSegment);
    return { breakpoint, x: scale.at(after ?? breakpoint.prefixTokens.value), label: label(breakpoint) };
  });
  const taken: { from: number; to: number }[] = [];
  const labelX = (mark: (typeof placed)[number]): number | null => {
    const half = widthOf(mark.label) / 2;
    const middle = Math.min(Math.max(mark.x, half), Math.max(half, scale.width - half));
    const from = middle - half - GAP;
    const to = middle + half + GAP;
    if (taken.some((one) => from < one.to && one.from < to)) return null;
    taken.push({ from: middle - half, to: middle + half });
    return middle;
  };
  const last = placed.at(-1);
  const lastX = last ? labelX(last) : null;
  return placed.map((mark) => ({ ...mark, labelX: mark === last ? lastX : labelX(mark) }));
}
