/**
 * Old segments keep their text, because every change of them breaks the prefix of all requests that follow. Only when the
 * total or the number of segments leaves no room are the oldest ones merged, as few as suffice (seed 1, section 1).
 */
import type { Estimator } from '../../assembler/types.ts';
import type { CompactionSummary, SummaryBudget } from '../types.ts';

const MERGE_PERCENT = 75;

export type MergePlan = {
  /** The oldest segments, to be merged into one; empty when there is room. */
  readonly selected: readonly CompactionSummary[];
  /** What the merged segment may cost, in tokens; 0 when nothing is merged. */
  readonly budget: number;
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0);

/**
 * @param existing live segments, oldest first
 * @param freshTokens actual size of the fresh segment
 */
export function planMerge(
  existing: readonly CompactionSummary[],
  freshTokens: number,
  limits: SummaryBudget,
  estimate: Estimator,
): MergePlan {
  const sizes = existing.map(({ content }) => estimate(content));
  const at = (taken: number): { readonly fits: boolean; readonly budget: number } => {
    const kept = sum(sizes.slice(taken));
    const source = sum(sizes.slice(0, taken));
    const budget =
      taken === 0
        ? 0
        : Math.min(
            limits.maxSegmentTokens,
            Math.max(1, limits.maxTokens - freshTokens - kept),
            Math.max(1, Math.ceil((source * MERGE_PERCENT) / 100)),
          );
    const segments = existing.length - taken + 1 + (taken > 0 ? 1 : 0);
    return { fits: segments <= limits.maxSegments && kept + freshTokens + budget <= limits.maxTokens, budget };
  };
  let taken = 0;
  while (taken < existing.length && !at(taken).fits) taken++;
  return { selected: existing.slice(0, taken), budget: at(taken).budget };
}
