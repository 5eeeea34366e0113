/**
 * The chart shows how the first request of one runtime grew from turn to turn. A long session has more turns than the
 * chart has pixels, so neighbours are then drawn as one bar at their mean.
 */
import type { CallRow, TurnRow } from '../../../shared/model/index.ts';
import { rowsOf } from '../../app/lanes.ts';
import { shareOf } from '../parts/share.ts';
import { firstCall } from '../timeline/turn-row.ts';

/** Most bars that are drawn. */
export const MAX_BARS = 400;
const BIN_SIZES = [2, 5, 10, 20, 25, 50, 100, 250, 500, 1000] as const;

export type ChartBar = {
  /** First and last turn, from 1; equal unless the bar stands for several. */
  readonly from: number;
  readonly to: number;
  /** Mean input tokens of the measured calls; 0 when there are none. They add up to the whole bar. */
  readonly shared: number;
  readonly fresh: number;
  readonly calls: number;
  readonly compactions: number;
};

/** Turns to a bar: 1 while all fit among `most` bars. */
export function binSize(turns: number, most = MAX_BARS): number {
  if (turns <= most) return 1;
  return BIN_SIZES.find((size) => turns / size <= most) ?? Math.ceil(turns / most);
}

type Measured = { readonly tokens: number; readonly share: number };

/** The first call of a runtime in a turn: its tokens, and the share that the turn before had already sent. */
function measured(calls: readonly CallRow[], runtimeId: string): Measured | null {
  const call = firstCall(calls.filter((row) => row.runtimeId === runtimeId));
  const tokens = call?.inputTokens?.value ?? call?.estimate?.value;
  return call && tokens !== undefined ? { tokens, share: shareOf(call) ?? 0 } : null;
}

/** One bar a turn, or a bin of turns, in order; turns without a call of the runtime are empty places. */
export function chartBars(
  turns: readonly (TurnRow | undefined)[],
  callsByTurn: ReadonlyMap<string, readonly string[]>,
  calls: ReadonlyMap<string, CallRow>,
  runtimeId: string,
): readonly ChartBar[] {
  const size = binSize(turns.length);
  const bars: ChartBar[] = [];
  for (let at = 0; at < turns.length; at += size) {
    const group = turns.slice(at, at + size);
    const found = group.flatMap(
      (turn) => measured(rowsOf(turn && callsByTurn.get(turn.turnId), calls), runtimeId) ?? [],
    );
    const mean = (value: (one: Measured) => number): number =>
      found.length === 0 ? 0 : found.reduce((sum, one) => sum + value(one), 0) / found.length;
    const shared = mean((one) => one.tokens * one.share);
    bars.push({
      from: at + 1,
      to: at + group.length,
      shared,
      fresh: mean((one) => one.tokens) - shared,
      calls: found.length,
      compactions: group.reduce((sum, turn) => sum + (turn?.compactions ?? 0), 0),
    });
  }
  return bars;
}

export const barTotal = (bar: ChartBar): number => bar.shared + bar.fresh;
export const barShare = (bar: ChartBar): number => (barTotal(bar) > 0 ? bar.shared / barTotal(bar) : 0);

/** Position of the bar that stands for a turn (from 1); -1 when there is none. */
export const barOfTurn = (bars: readonly ChartBar[], turn: number): number =>
  bars.findIndex((bar) => turn >= bar.from && turn <= bar.to);

/** The runtime to draw: the chosen call's, else the first of the session. */
export function chartRuntime(chosen: CallRow | undefined, calls: ReadonlyMap<string, CallRow>): string | null {
  if (chosen) return chosen.runtimeId;
  for (const call of calls.values()) return call.runtimeId;
  return null;
}
