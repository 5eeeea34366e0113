/**
 * A cause that wastes tokens is met on many calls. The table ranks the causes; one that is opened says what it means and
 * lists its calls, a hundred at a time, so that ten thousand of them do not have to be drawn.
 */
import type { CacheCall, CacheCauseRow } from '../../../shared/model/index.ts';

/** Calls of a cause that are listed at first, and with each step more. */
export const CALLS_AT_ONCE = 100;

export type CauseLine =
  | {
      readonly kind: 'cause';
      readonly key: string;
      readonly row: CacheCauseRow;
      readonly isOpen: boolean;
      /** Of the largest waste, from 0 to 1. */
      readonly share: number;
    }
  /** What the cause means and what to do, in full. It cannot be chosen. */
  | { readonly kind: 'note'; readonly key: string; readonly row: CacheCauseRow }
  | { readonly kind: 'call'; readonly key: string; readonly row: CacheCauseRow; readonly call: CacheCall }
  | { readonly kind: 'more'; readonly key: string; readonly row: CacheCauseRow; readonly rest: number };

export const causeKey = ({ kind, runtimeId }: CacheCauseRow): string => `${kind} ${runtimeId}`;

/** The lines to draw. `open`: how many calls of each opened cause are listed, by its key. */
export function causeLines(
  causes: readonly CacheCauseRow[],
  calls: ReadonlyMap<string, CacheCall>,
  open: Readonly<Record<string, number>>,
): readonly CauseLine[] {
  const most = causes.reduce((max, row) => Math.max(max, row.tokens), 0);
  return causes.flatMap((row): readonly CauseLine[] => {
    const key = causeKey(row);
    const shown = open[key] ?? 0;
    const head: CauseLine = { kind: 'cause', key, row, isOpen: shown > 0, share: most > 0 ? row.tokens / most : 0 };
    if (shown === 0) return [head];
    const rest = row.callIds.length - shown;
    return [
      head,
      { kind: 'note', key: `${key} note`, row },
      ...row.callIds.slice(0, shown).flatMap((id): readonly CauseLine[] => {
        const call = calls.get(id);
        return call ? [{ kind: 'call', key: `${key} ${id}`, row, call }] : [];
      }),
      ...(rest > 0 ? [{ kind: 'more' as const, key: `${key} more`, row, rest }] : []),
    ];
  });
}

const isStop = (line: CauseLine): boolean => line.kind !== 'note';

/** Index of the chosen line: the one of that key, else the first; -1 when there is none. */
export function chosenLine(lines: readonly CauseLine[], key: string | null): number {
  const at = lines.findIndex((line) => isStop(line) && line.key === key);
  return at >= 0 ? at : lines.findIndex(isStop);
}

/** Key of the line that a step leads to; null when there is none. Notes are passed over; both ends hold. */
export function stepLine(lines: readonly CauseLine[], key: string | null, by: 1 | -1): string | null {
  const stops = lines.filter(isStop);
  const at = stops.findIndex((line) => line.key === key);
  const next = at < 0 ? 0 : Math.min(stops.length - 1, Math.max(0, at + by));
  return stops[next]?.key ?? null;
}

/** `open` after a cause was opened, closed, or asked for more of its calls. */
export function toggled(open: Readonly<Record<string, number>>, key: string): Readonly<Record<string, number>> {
  const { [key]: shown, ...others } = open;
  return shown === undefined ? { ...open, [key]: CALLS_AT_ONCE } : others;
}
export const withMore = (open: Readonly<Record<string, number>>, key: string): Readonly<Record<string, number>> => ({
  ...open,
  [key]: (open[key] ?? 0) + CALLS_AT_ONCE,
});
