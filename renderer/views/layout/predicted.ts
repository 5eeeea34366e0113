/**
 * A prediction says how many tokens in a row are read, written or neither, counted on the scale of the bill; the strip is
 * drawn on the scale of its segments. The two meet at the segments: a state belongs to a segment when it covers most of
 * it, so the place where two states part lies between the middles of the segments that have them, and exactly at a
 * breakpoint where there is one.
 */
import type { CallDetail } from '../../../shared/api.ts';
import type { CacheState, SegmentRow } from '../../../shared/model/index.ts';
import type { LayoutModel } from './view-model.ts';

export type StateRun = {
  readonly state: CacheState;
  /** Tokens of the segments before it, and up to its end. */
  readonly from: number;
  readonly to: number;
};

/** What is known of the prediction: still to come, there, or none (no rule known, not answered, nothing recorded). */
export type PredictionState = 'pending' | 'there' | 'none';
export const predictionState = ({ predictionState: state, prediction }: CallDetail): PredictionState =>
  state === 'pending' ? 'pending' : prediction ? 'there' : 'none';

/** The predicted states in order, laid over the segments; empty without a prediction. */
export function predictedRuns({ detail, segments, starts, total }: LayoutModel): readonly StateRun[] {
  const ends = detail.predictedEnds;
  const all = ends.reduce((sum, end) => sum + end.tokens.value, 0);
  if (all <= 0 || total <= 0) return [];
  const marked = new Set(
    detail.breakpoints.flatMap(({ afterSegment }) => (afterSegment === null ? [] : [afterSegment])),
  );
  const states = segments.map(({ id }) => detail.segmentStates[id] ?? null);
  let counted = 0;
  let from = 0;
  return ends.map(({ state, tokens }, i): StateRun => {
    counted += tokens.value;
    const next = ends[i + 1]?.state;
    const guess = (counted * total) / all;
    const place = next === undefined ? total : partAt(guess, state, next, states, segments, starts, marked);
    const run = { state, from, to: Math.max(from, place) };
    from = run.to;
    return run;
  });
}

/** Where `state` ends and `next` begins, nearest to a guess. */
function partAt(
  guess: number,
  state: CacheState,
  next: CacheState,
  states: readonly (CacheState | null)[],
  segments: readonly SegmentRow[],
  starts: readonly number[],
  marked: ReadonlySet<string>,
): number {
  let best = guess;
  let nearest = Infinity;
  for (let i = 0; i + 1 < segments.length; i++) {
    if (states[i] !== state || states[i + 1] !== next) continue;
    const edge = starts[i + 1]!;
    const low = (starts[i]! + edge) / 2;
    const high = (edge + starts[i + 2]!) / 2;
    const place = marked.has(segments[i]!.id) ? edge : Math.min(high, Math.max(low, guess));
    const off = Math.abs(edge - guess);
    if (off < nearest) [best, nearest] = [place, off];
  }
  return best;
}

/** State of the segments from `from` up to, not including, `to`; null where none of them has one. */
export function cacheStateOf(
  { segmentStates }: Pick<CallDetail, 'segmentStates'>,
  segments: readonly SegmentRow[],
  from: number,
  to: number,
): CacheState | 'mixed' | null {
  const found = new Set(segments.slice(from, to).flatMap(({ id }) => segmentStates[id] ?? []));
  const [only] = found;
  return found.size > 1 ? 'mixed' : (only ?? null);
}
