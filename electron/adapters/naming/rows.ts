/**
 * History is the newest end of the committed rows, in order, with some left out (other runtimes, compaction,
 * windows). So messages are matched from the newest to the oldest, and a row is never used twice.
 */
import type { HistoryRow } from '../../../shared/model/index.ts';

export type RowFinder = {
  /** The newest row with this role and text that is older than all found before; null when there is none. */
  before(role: string, text: string): HistoryRow | null;
};

const keyOf = (role: string, text: string): string => `${role}\n${text}`;

function indexBy(rows: readonly HistoryRow[], text: (row: HistoryRow) => string): Map<string, number[]> {
  const places = new Map<string, number[]>();
  rows.forEach((row, i) => {
    const key = keyOf(row.role, text(row));
    const list = places.get(key);
    if (list === undefined) places.set(key, [i]);
    else list.push(i);
  });
  return places;
}

/**
 * Finds rows by exact text, then by text without the white space around it. `texts`: all that will be asked for; a
 * session has many more rows than a request has messages, so rows of another length are left aside at once.
 */
export function rowFinder(rows: readonly HistoryRow[], texts: Iterable<string>): RowFinder {
  const lengths = new Set<number>();
  for (const text of texts) lengths.add(text.trim().length);
  lengths.delete(0);
  const told = rows.filter((row) => lengths.has(row.content.trim().length));
  const exact = indexBy(told, (row) => row.content);
  const trimmed = indexBy(told, (row) => row.content.trim());
  let next = told.length;
  const last = (list: number[] | undefined): number => {
    while (list !== undefined && list.length > 0 && (list.at(-1) as number) >= next) list.pop();
    return list?.at(-1) ?? -1;
  };
  return {
    before(role, text) {
      const same = last(exact.get(keyOf(role, text)));
      const place = same >= 0 ? same : last(trimmed.get(keyOf(role, text.trim())));
      if (place < 0) return null;
      next = place;
      return told[place] ?? null;
    },
  };
}
