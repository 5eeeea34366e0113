/** How the rows of the conversation in one request go on from those in another. */
import type { Segment } from '../../shared/model/index.ts';
import { textOf } from './changes.ts';
import { historyOf, type Facts } from './facts.ts';

export type HistoryShift = {
  readonly was: readonly Segment[];
  readonly now: readonly Segment[];
  /** Rows at the beginning of the earlier history that the later one does not have. */
  readonly dropped: number;
  /** Rows from there on that both have, in order. */
  readonly kept: number;
};

const sameRow = (a: Segment | undefined, b: Segment | undefined): boolean =>
  a !== undefined && b !== undefined && a.role === b.role && textOf(a) === textOf(b);

/**
 * The smallest number of rows to drop so that the later history goes on with what is left. When nothing is left it
 * counts as dropped only if the later history has rows of its own, none of them among the dropped.
 */
export function historyShift(facts: Facts): HistoryShift {
  const was = historyOf(facts.a);
  const now = historyOf(facts.b);
  const dropped = now.length === 0 ? 0 : droppedRows(was, now);
  let kept = 0;
  while (sameRow(was[dropped + kept], now[kept])) kept++;
  return { was, now, dropped, kept };
}

function droppedRows(was: readonly Segment[], now: readonly Segment[]): number {
  for (let k = 0; k < was.length; k++) {
    const left = Math.min(was.length - k, now.length);
    let same = 0;
    while (same < left && sameRow(was[k + same], now[same])) same++;
    if (same === left) return k;
  }
  const texts = new Set(now.map(textOf));
  return was.some((row) => texts.has(textOf(row))) ? 0 : was.length;
}
