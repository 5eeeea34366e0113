/**
 * History is the newest end of the committed rows, in order, with some left out (other runtimes, compaction,
 * windows). So messages are matched from the newest to the oldest, and a row is never used twice.
 */
import type { HistoryRow } from '../../../shared/model/index.ts';

export type FoundRow = { readonly row: HistoryRow; readonly at: number };
export type RowFinder = {
  /** The newest row with this role and text that is older than all found before, and its index; null: there is none. */
  before(role: string, text: string): FoundRow | null;
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
      const row = rows[at];
      return row === undefined ? null : { row, at };
    },
  };
}

/** A message of the history: where it stands, its role, and its row where the text proves one (null: it does not). */
export type HistoryLine = { readonly at: number; readonly role: string; readonly found: FoundRow | null };

/**
 * Rows of messages whose text was changed on the way (a hook shortened it). Between two neighbours with rows, messages
 * and rows follow one another; where as many rows of a role are left as messages of that role, each message is its row.
 * @param lines the messages of the history, oldest first
 * @returns rows by the place of their message
 */
export function rowsByOrder(
  rows: readonly HistoryRow[],
  lines: readonly HistoryLine[],
): ReadonlyMap<number, HistoryRow> {
  const known = lines.flatMap((line) => (line.found === null ? [] : [line.found.row]));
  const sourceOf = (row: HistoryRow): string => `${row.role} ${row.sourceType} ${row.runtime}`;
  const roles = new Set(known.map((row) => row.role));
  const sources = new Set(known.map(sourceOf));
  /** Other runtimes have rows of their own that this history leaves out. */
  const belongs = (row: HistoryRow): boolean =>
    row.content.trim() !== '' && (!roles.has(row.role) || sources.has(sourceOf(row)));

  const byOrder = new Map<number, HistoryRow>();
  let open: HistoryLine[] = [];
  let after = -1;
  const settle = (before: number): void => {
    for (const [role, messages] of Map.groupBy(open, (line) => line.role)) {
      const all = rows.slice(after + 1, before).filter((row) => row.role === role && belongs(row));
      // What stands before the first known row is a summary: the rows next to it are the newest of the older ones.
      const left = after < 0 && known.length > 0 ? all.slice(-messages.length) : all;
      if (left.length === messages.length) messages.forEach((line, i) => byOrder.set(line.at, left[i] as HistoryRow));
    }
    open = [];
  };
  for (const line of lines) {
    if (line.found === null) open.push(line);
    else {
      if (open.length > 0) settle(line.found.at);
      after = line.found.at;
    }
  }
  if (open.length > 0) settle(rows.length);
  return byOrder;
}
