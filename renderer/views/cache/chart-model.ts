/**
 * Every turn is drawn twice: what was sent (shared with the request before, or new), and beside it what was billed for
 * it (read, written, in full). Where the two green parts part, the cache was not used as it could have been. A long
 * session has more turns than pixels, so neighbours are then drawn at their mean.
 */
import type { CacheCall } from '../../../shared/model/index.ts';
import { binSize } from '../session-chart/chart-data.ts';
import { billedOf, sumKnown } from './cache-model.ts';

/** Token sums of a turn, or means of a run of turns. `shared + fresh` is all that was sent. */
export type ChartTurn = {
  readonly from: number;
  readonly to: number;
  readonly shared: number;
  readonly fresh: number;
  readonly read: number;
  readonly write: number;
  readonly uncached: number;
  /** Millionths of a dollar; null when no price is known for any call. */
  readonly cost: number | null;
  readonly calls: number;
  /** Calls whose bill is unknown or contradicts itself: they are missing on the right. */
  readonly unbilled: number;
  /** Calls that no price is known for. */
  readonly unpriced: number;
};

/** Most turns, or runs of turns, that are drawn: two bars each must be told apart. */
export const MAX_TURNS = 130;
export const turnsToABar = (turns: number): number => binSize(turns, MAX_TURNS);

type Parts = Omit<ChartTurn, 'from' | 'to'>;

/** `shareOf`: share of a call's request that its baseline already had; null where it was not measured. */
function partsOf(calls: readonly CacheCall[], shareOf: (id: string) => number | null): Parts {
  let shared = 0;
  let sent = 0;
  let read = 0;
  let write = 0;
  let uncached = 0;
  let unbilled = 0;
  for (const call of calls) {
    const input = call.input?.value ?? 0;
    sent += input;
    shared += input * (shareOf(call.id) ?? 0);
    const billed = billedOf(call);
    if (!billed) unbilled++;
    read += billed?.read ?? 0;
    write += billed?.write ?? 0;
    uncached += billed?.uncached ?? 0;
  }
  return {
    shared,
    fresh: sent - shared,
    read,
    write,
    uncached,
    cost: sumKnown(calls.map((call) => call.cost)),
    calls: calls.length,
    unbilled,
    unpriced: calls.filter((call) => call.cost === null && (call.usage ?? call.prediction) !== null).length,
  };
}

const mean = (turns: readonly Parts[], value: (one: Parts) => number): number =>
  turns.length === 0 ? 0 : turns.reduce((sum, one) => sum + value(one), 0) / turns.length;

/** One entry a turn, or a run of turns, for a session of `turns` turns. Turns without calls are empty places. */
export function chartTurns(
  calls: readonly CacheCall[],
  turns: number,
  shareOf: (id: string) => number | null,
): readonly ChartTurn[] {
  const byTurn = new Map<number, CacheCall[]>();
  for (const call of calls) {
    const of = byTurn.get(call.turnIndex);
    if (of) of.push(call);
    else byTurn.set(call.turnIndex, [call]);
  }
  const size = turnsToABar(turns);
  const drawn: ChartTurn[] = [];
  for (let from = 1; from <= turns; from += size) {
    const to = Math.min(turns, from + size - 1);
    const parts: Parts[] = [];
    for (let turn = from; turn <= to; turn++) {
      const of = byTurn.get(turn);
      if (of) parts.push(partsOf(of, shareOf));
    }
    const priced = parts.flatMap(({ cost }) => (cost === null ? [] : [cost]));
    drawn.push({
      from,
      to,
      shared: mean(parts, (one) => one.shared),
      fresh: mean(parts, (one) => one.fresh),
      read: mean(parts, (one) => one.read),
      write: mean(parts, (one) => one.write),
      uncached: mean(parts, (one) => one.uncached),
      cost: priced.length === 0 ? null : priced.reduce((sum, cost) => sum + cost, 0) / priced.length,
      calls: parts.reduce((sum, one) => sum + one.calls, 0),
      unbilled: parts.reduce((sum, one) => sum + one.unbilled, 0),
      unpriced: parts.reduce((sum, one) => sum + one.unpriced, 0),
    });
  }
  return drawn;
}

export const sentOf = (turn: Pick<ChartTurn, 'shared' | 'fresh'>): number => turn.shared + turn.fresh;
export const billedSum = ({ read, write, uncached }: ChartTurn): number => read + write + uncached;

const STEPS = [1, 2, 2.5, 5, 10] as const;

/** Smallest round number (1, 2, 2.5 or 5 times a power of ten) that is no smaller than `value`; 0 stays 0. */
export function roundUp(value: number): number {
  if (value <= 0) return 0;
  const power = 10 ** Math.floor(Math.log10(value));
  return (STEPS.find((step) => step * power >= value * (1 - 1e-9)) ?? 10) * power;
}
