/**
 * A prediction counts tokens, a request is drawn in characters. The ends of the blocks are known in both, so a count of
 * tokens becomes a place in the key text; inside a block the place is proportional.
 */
import type { CallDetail } from '../../shared/api.ts';
import type { CacheState, Prediction, SegmentId } from '../../shared/model/index.ts';
import { chars, tokens, type Chars, type Tokens } from '../../shared/units.ts';
import type { KeyRun } from '../cache/index.ts';

/** End of each block of a request in UTF-16 units of its key text, and the tokens up to there. Both ascend. */
export type BlockEnds = { readonly chars: Uint32Array; readonly tokens: Uint32Array };

export type PredictedEnd = CallDetail['predictedEnds'][number];

/** The states of a request in cache key order: what is read, then what is written, then the rest. Empty states are left out. */
export function predictedEnds(prediction: Prediction, blocks: BlockEnds): readonly PredictedEnd[] {
  const last = blocks.chars.at(-1) ?? 0;
  const ends: PredictedEnd[] = [];
  let sum = 0;
  const runs: readonly (readonly [CacheState, Tokens])[] = [
    ['read', prediction.read],
    ['write', prediction.write],
    ['uncached', prediction.uncached],
  ];
  const shown = runs.filter(([, count]) => count > 0);
  for (const [i, [state, count]] of shown.entries()) {
    sum += count;
    const end = i === shown.length - 1 ? chars(last) : placeOf(blocks, sum);
    ends.push({ state, end, tokens: { value: count, tier: prediction.tier } });
  }
  return ends;
}

/** The place in the key text up to which there are this many tokens. */
function placeOf({ chars: ends, tokens: counts }: BlockEnds, count: number): Chars {
  const at = firstFrom(counts, count);
  if (at === counts.length) return chars(ends.at(-1) ?? 0);
  const [from, to] = [ends[at - 1] ?? 0, ends[at] as number];
  const [before, until] = [counts[at - 1] ?? 0, counts[at] as number];
  return chars(Math.round(from + ((to - from) * (count - before)) / Math.max(1, until - before)));
}

/** Tokens of the blocks that end at or before this place. */
export function tokensBefore({ chars: ends, tokens: counts }: BlockEnds, place: Chars): Tokens {
  const past = firstFrom(ends, place + 1);
  return tokens(past === 0 ? 0 : (counts[past - 1] as number));
}

/** Index of the first number that is at least `value`. */
function firstFrom(ascending: Uint32Array, value: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** For each segment the state that covers most of it; segments without a place in the key text are left out. */
export function segmentStates(
  runs: ReadonlyMap<SegmentId, readonly KeyRun[]>,
  ends: readonly PredictedEnd[],
): Readonly<Record<SegmentId, CacheState>> {
  const states: Record<SegmentId, CacheState> = {};
  for (const [id, own] of runs) {
    let most = 0;
    let from = 0;
    for (const { state, end } of ends) {
      const covered = own.reduce(
        (sum, run) => sum + Math.max(0, Math.min(run.end, end) - Math.max(run.start, from)),
        0,
      );
      if (covered > most) {
        most = covered;
        states[id] = state;
      }
      from = end;
    }
  }
  return states;
}
