/**
 * Only what stands before the first difference can be read from a prefix cache; equal text behind it is paid
 * again. So one place splits the request: segments before it are shared, the segment that owns it differs,
 * everything behind it is new, whether its own text changed or not.
 */
import type { Comparison } from '../../../shared/api.ts';
import type { SegmentRow } from '../../../shared/model/index.ts';

export type PrefixState = 'shared' | 'difference' | 'new';

export type Cut = {
  /** Segment at which the shared prefix ends; equal to the number of segments when all is shared. */
  readonly segment: number;
  /** Estimated tokens before the place, counted over the segments. */
  readonly tokens: number;
  /** The texts part here; false when the request only goes on (or ends) after a shared beginning. */
  readonly isDifference: boolean;
};

const before = (segments: readonly SegmentRow[], end: number): number =>
  segments.slice(0, end).reduce((sum, segment) => sum + segment.tokens.value, 0);

/** How much of a segment's text stands before an offset of the string at `path`, from 0 to 1; null when not in it. */
function placeInside(segment: SegmentRow, path: string, offset: number): number | null {
  let passed = 0;
  for (const span of segment.spans) {
    if (span.path === path && span.start <= offset && offset <= span.end) {
      return segment.chars > 0 ? (passed + offset - span.start) / segment.chars : 0;
    }
    passed += span.end - span.start;
  }
  return null;
}

/** Where the shared prefix ends among the segments; null without a baseline. */
export function cutOf(segments: readonly SegmentRow[], comparison: Comparison | null): Cut | null {
  if (!comparison) return null;
  const { divergence, shared, size } = comparison;
  if (divergence) {
    const named = segments.findIndex((segment) => segment.id === divergence.segment);
    const owner =
      named >= 0
        ? named
        : segments.findIndex((segment) => placeInside(segment, divergence.path, divergence.offset) !== null);
    if (owner >= 0) {
      const segment = segments[owner]!;
      const inside = placeInside(segment, divergence.path, divergence.offset) ?? 0;
      return { segment: owner, tokens: before(segments, owner) + inside * segment.tokens.value, isDifference: true };
    }
  }
  if (!divergence && shared.chars >= size.chars)
    return { segment: segments.length, tokens: before(segments, segments.length), isDifference: false };
  const index = (divergence ? null : goesOnAt(segments, comparison)) ?? nearestTo(shared.share, segments);
  return { segment: index, tokens: before(segments, index), isDifference: divergence !== null };
}

/**
 * Where a request that begins with all of the earlier one goes on: at the added segments at its end. The player's
 * words of the turn before are history now, so they count as added although their text was there.
 */
function goesOnAt(segments: readonly SegmentRow[], { changed, aTurn, bTurn }: Comparison): number | null {
  const added = new Set(changed.flatMap((change) => (change.change === 'added' ? [change.segment] : [])));
  let index = segments.length;
  while (index > 0 && added.has(segments[index - 1]!.id)) index--;
  const first = segments[index];
  if (!first) return null;
  return first.kind === 'history' && first.role === 'user' && bTurn > aTurn ? index + 1 : index;
}

/** Without anything better, the boundary nearest to the shared part of the characters. */
function nearestTo(share: number, segments: readonly SegmentRow[]): number {
  const goal = share * segments.reduce((sum, segment) => sum + segment.chars, 0);
  let passed = 0;
  let index = 0;
  while (index < segments.length && passed + segments[index]!.chars / 2 <= goal) passed += segments[index++]!.chars;
  return index;
}

/** State of each segment; null without a baseline. */
export function stateOf(index: number, cut: Cut | null): PrefixState | null {
  if (!cut) return null;
  if (index < cut.segment) return 'shared';
  return index === cut.segment && cut.isDifference ? 'difference' : 'new';
}

/** State of a run from `from` to `to`: the first difference inside it wins, then what most of it is. */
export function stateOfRun(from: number, to: number, cut: Cut | null): PrefixState | null {
  if (!cut) return null;
  if (cut.isDifference && from <= cut.segment && cut.segment < to) return 'difference';
  return to <= cut.segment ? 'shared' : 'new';
}
