/** What the line above the two texts says, and when the texts are better not given to a diff editor. */
import type { Baseline, Comparison, DiffDetail } from '../../../shared/api.ts';
import type { SegmentChange, SegmentKind, SegmentRow } from '../../../shared/model/index.ts';

/** A diff editor holds both texts in lines and compares them in one worker; beyond this only the place is shown. */
const MOST_CHARS = 6_000_000;

export type DiffShape = 'editor' | 'identical' | 'too-long';

export function shapeOf(detail: DiffDetail): DiffShape {
  if (detail.left === detail.right) return 'identical';
  return detail.left.length + detail.right.length > MOST_CHARS ? 'too-long' : 'editor';
}

export type Owner = { readonly kind: SegmentKind; readonly label: string };

/**
 * Kind and name of the segment that owns the first difference, or of the one that stood there and is gone; null where
 * nothing parts or no segment owns it.
 */
export function ownerOf(comparison: Comparison, segments: readonly SegmentRow[]): Owner | null {
  if (comparison.divergence?.gone) return comparison.divergence.gone;
  const id = comparison.divergence?.segment ?? null;
  if (id === null) return null;
  const change = comparison.changed.find((one) => one.segment === id && one.change !== 'removed');
  if (change) return { kind: change.kind, label: change.label };
  const row = segments.find((one) => one.id === id);
  return row ? { kind: row.kind, label: row.origin.label } : null;
}

/** Choices newest first, the default one on top. */
export const sortedBaselines = (baselines: readonly Baseline[]): readonly Baseline[] =>
  baselines.toSorted(
    (a, b) =>
      Number(b.isDefault) - Number(a.isDefault) ||
      b.turnIndex - a.turnIndex ||
      a.runtimeId.localeCompare(b.runtimeId) ||
      b.step - a.step ||
      b.attempt - a.attempt,
  );

/** Changes of one sort in a row, as one: their number, the first of them, and the sum of their tokens. */
export type ChangeRun = { readonly first: SegmentChange; readonly count: number; readonly tokens: number };

/** Neighbours with the same change that people call the same are one run; `nameOf` gives that name. */
export function changeRuns(
  changes: readonly SegmentChange[],
  nameOf: (change: SegmentChange) => string,
): readonly ChangeRun[] {
  const runs: ChangeRun[] = [];
  for (const change of changes) {
    const last = runs.at(-1);
    const isAlike = last?.first.change === change.change && nameOf(last.first) === nameOf(change);
    if (last && isAlike)
      runs[runs.length - 1] = { ...last, count: last.count + 1, tokens: last.tokens + change.tokens.value };
    else runs.push({ first: change, count: 1, tokens: change.tokens.value });
  }
  return runs;
}
