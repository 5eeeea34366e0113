/** What strip and table draw, worked out once from a call and the runs that are opened. */
import type { CallDetail } from '../../../shared/api.ts';
import type { SegmentRow } from '../../../shared/model/index.ts';
import { familyOf, type Family } from './families.ts';
import { runsOf, type Run } from './folding.ts';
import { cutOf, type Cut } from './prefix-state.ts';

export type LayoutModel = {
  readonly detail: CallDetail;
  readonly segments: readonly SegmentRow[];
  /** Tokens before each segment, and after the last. */
  readonly starts: readonly number[];
  readonly total: number;
  readonly runs: readonly Run[];
  readonly cut: Cut | null;
};

export function modelOf(detail: CallDetail): LayoutModel {
  const { segments } = detail;
  const starts = [0];
  for (const segment of segments) starts.push(starts.at(-1)! + segment.tokens.value);
  return {
    detail,
    segments,
    starts,
    total: starts.at(-1)!,
    runs: runsOf(segments),
    cut: cutOf(segments, detail.comparison),
  };
}

export const tokensOfRun = ({ starts }: LayoutModel, run: Run): number => starts[run.to]! - starts[run.from]!;

/** Family of a run: that of its first segment. */
export const familyOfRun = ({ segments }: LayoutModel, run: Run): Family => familyOf(segments[run.from]!.kind);

/** Index of the segment that holds a place counted in tokens; -1 when there is no segment. */
export function segmentAt({ starts, segments }: LayoutModel, tokens: number): number {
  let low = 0;
  let high = segments.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= tokens) low = middle;
    else high = middle - 1;
  }
  return high < 0 ? -1 : low;
}

/** What a person chose before, to be found again in the next call. */
export type Remembered = Pick<SegmentRow, 'kind'> & { readonly label: string; readonly plugin: string | null };

export const remember = ({ kind, origin }: SegmentRow): Remembered => ({
  kind,
  label: origin.label,
  plugin: origin.plugin,
});

/**
 * The segment to show: the chosen one, else the one that a person looked at in the call before, else where the
 * shared prefix ends, else the first. -1 when there is none.
 */
export function shownSegment(model: LayoutModel, chosen: string | null, before: Remembered | null): number {
  const { segments, cut, detail } = model;
  const byId = (id: string | null): number => (id === null ? -1 : segments.findIndex((one) => one.id === id));
  const tries = [
    byId(chosen),
    before
      ? segments.findIndex(
          (one) => one.kind === before.kind && one.origin.label === before.label && one.origin.plugin === before.plugin,
        )
      : -1,
    byId(detail.comparison?.divergence?.segment ?? null),
    cut && cut.segment < segments.length ? cut.segment : -1,
  ];
  return tries.find((index) => index >= 0) ?? (segments.length > 0 ? 0 : -1);
}
