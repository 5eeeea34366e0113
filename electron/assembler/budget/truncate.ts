/**
 * What a long text says stands mostly at its two ends. A text that must shrink keeps its head and its tail around one
 * marker, as much of both as fits (seed 1, section 5). Lengths are UTF-16 units; a surrogate pair is never cut.
 */
import type { Estimator } from '../types.ts';

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
const insidePair = (text: string, at: number): boolean =>
  at > 0 && at < text.length && isHigh(text.charCodeAt(at - 1)) && isLow(text.charCodeAt(at));

/** The first `length` units of a text, one fewer where the cut would split a pair. */
export const headOf = (text: string, length: number): string =>
  text.slice(0, insidePair(text, length) ? length - 1 : length);

/** The last `length` units of a text, one fewer where the cut would split a pair. */
export function tailOf(text: string, length: number): string {
  const at = text.length - length;
  return text.slice(insidePair(text, at) ? at + 1 : at);
}

/** A text on one line of at most `length` units; what was cut off ends in an ellipsis. */
export function oneLine(text: string, length: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= length ? line : `${headOf(line, length - 1)}…`;
}

export type HeadTailOptions = {
  readonly marker: string;
  /** Tokens by which the whole request is over its limit; at least 1. */
  readonly excess: number;
  readonly estimate: Estimator;
};

/**
 * The text with its middle replaced by the marker on a line of its own, by as many tokens as the excess asks for and one
 * more; the marker alone where nothing else fits. null when the text is no larger than the marker.
 */
export function headTail(text: string, { marker, excess, estimate }: HeadTailOptions): string | null {
  const middle = `\n${marker}\n`;
  const size = estimate(text);
  const markerSize = estimate(middle);
  if (size <= markerSize) return null;
  const target = Math.max(markerSize, size - excess - 1);
  if (markerSize >= target) return marker.trim();
  let best = middle;
  let low = 0;
  let high = text.length;
  while (low < high) {
    const keep = Math.ceil((low + high) / 2);
    const candidate = headOf(text, Math.ceil(keep / 2)) + middle + tailOf(text, Math.floor(keep / 2));
    if (estimate(candidate) <= target) {
      best = candidate;
      low = keep;
    } else high = keep - 1;
  }
  return best;
}
