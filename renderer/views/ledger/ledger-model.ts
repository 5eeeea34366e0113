/**
 * A summary stands for a run of turns, so the ledger of a session is a line of turns with bars on it: what lives stands
 * on the first line, and what vanished below, in as few lines as keep the bars apart.
 */
import type { LedgerSummary } from '../../../shared/model/index.ts';

/** What no budget of one summary exceeds, whatever the window (seed 1, section 1), in tokens. */
export const SEGMENT_CAP = 2048;
export const TOTAL_CAP = 8192;

/** A bar on the line; `left` and `width` are shares of it. */
export type LineBar = {
  readonly summary: LedgerSummary;
  readonly lane: number;
  readonly left: number;
  readonly width: number;
};

/** First and last turn of a bar; a summary whose start is unknown is drawn at its end. null: no turn is known. */
export function spanOf({ turns: [from, to] }: LedgerSummary): readonly [number, number] | null {
  const first = from ?? to;
  const last = to ?? from;
  return first === null || last === null ? null : [Math.min(first, last), Math.max(first, last)];
}

/** Bars of a session of so many turns. Summaries without a place on the line are left out. */
export function barsOf(summaries: readonly LedgerSummary[], turns: number): readonly LineBar[] {
  /** Last turn of each lane so far; lane 0 is for those that live. */
  const ends: number[] = [0];
  return summaries.flatMap((summary): readonly LineBar[] => {
    const span = spanOf(summary);
    if (!span || turns === 0) return [];
    const [from, to] = span;
    const free = ends.findIndex((end, i) => i > 0 && end < from);
    const lane = summary.live ? 0 : free > 0 ? free : ends.length;
    ends[lane] = to;
    return [{ summary, lane, left: (from - 1) / turns, width: (to - from + 1) / turns }];
  });
}

export const lanesIn = (bars: readonly LineBar[]): number =>
  bars.reduce((most, bar) => Math.max(most, bar.lane + 1), 1);

/** Pixels that a number under the line needs. */
const TICK_ROOM = 44;
const STEPS = [1, 2, 5] as const;

/** Turns whose number is written: the first, then round ones as close as there is room for. */
export function ticksOf(turns: number, width: number): readonly number[] {
  if (turns === 0 || width <= 0) return [];
  const least = (turns * TICK_ROOM) / width;
  let step = 1;
  for (let scale = 1; step < least; scale *= 10)
    step = STEPS.map((each) => each * scale).find((each) => each >= least) ?? 10 * scale;
  const ticks = [1];
  for (let turn = step; turn <= turns; turn += step)
    if (turn > 1 && (turn - 1) * (width / turns) >= TICK_ROOM / 2) ticks.push(turn);
  return ticks;
}

/** How full the bar of a size is drawn: against its budget, or where that is unknown against what none exceeds. */
export function fillOf({ tokens, budget }: LedgerSummary): number {
  return tokens === null ? 0 : Math.min(1, tokens.value / (budget?.segment ?? SEGMENT_CAP));
}

export type LedgerTotals = {
  readonly live: number;
  readonly vanished: number;
  readonly messages: number;
  readonly tokens: number;
};

/** What the summaries that live now replace and cost. */
export function totalsOf(summaries: readonly LedgerSummary[]): LedgerTotals {
  const live = summaries.filter((summary) => summary.live);
  return {
    live: live.length,
    vanished: summaries.length - live.length,
    messages: live.reduce((sum, summary) => sum + (summary.messages ?? 0), 0),
    tokens: live.reduce((sum, summary) => sum + (summary.tokens?.value ?? 0), 0),
  };
}

/** The summary on screen: the chosen one while it exists, else the newest that lives, else the newest. */
export const shownSummary = (summaries: readonly LedgerSummary[], key: string | null): LedgerSummary | null =>
  summaries.find((summary) => summary.key === key) ??
  summaries.findLast((summary) => summary.live) ??
  summaries.at(-1) ??
  null;
