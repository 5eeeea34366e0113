/**
 * History is the newest end of the committed rows, in order, with some left out (other runtimes, compaction,
 * windows). So messages are matched from the newest to the oldest, and a row is never used twice.
 */
import type { HistoryRow } from '../../../shared/model/index.ts';

export type RowFinder = {
  /** The newest row with this role and text that is older than all found before; null when there is none. */
  before(role: string, text: string): HistoryRow | null;
};

/**
 * Finds rows by their text without the white space around it, which adapters may cut. `texts`: all that will be asked
 * for; a session has many more rows than a request has messages, so rows of another length are left aside at once.
 */
export function rowFinder(rows: readonly HistoryRow[], texts: Iterable<string>): RowFinder {
  const lengths = new Set<number>();
  for (const text of texts) lengths.add(text.trim().length);
  lengths.delete(0);
  const places = new Map<string, Map<string, number[]>>();
  rows.forEach((row, i) => {
    const text = row.content.trim();
    if (!lengths.has(text.length)) return;
    const byText = places.get(row.role) ?? new Map<string, number[]>();
    places.set(row.role, byText);
    const list = byText.get(text);
    if (list === undefined) byText.set(text, [i]);
    else list.push(i);
  });
  let next = rows.length;
  return {
    before(role, text) {
      const list = places.get(role)?.get(text.trim()) ?? [];
      while (list.length > 0 && (list.at(-1) as number) >= next) list.pop();
      const at = list.at(-1);
      if (at === undefined) return null;
      next = at;
      return rows[at] ?? null;
    },
  };
}
