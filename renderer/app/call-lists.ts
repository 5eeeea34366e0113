/**
 * A call is listed more than once: first alone with its turn, then by the index, which also knows what it shares, and
 * again when its reply has come. Rows are merged so that a later, poorer row never takes away what is known.
 */
import type { CallRow } from '../../shared/model/index.ts';

export type CallLists = {
  readonly calls: ReadonlyMap<string, CallRow>;
  /** Ids in recorded order. */
  readonly callsByTurn: ReadonlyMap<string, readonly string[]>;
};

/** What of a row can still change after it was first listed: its reply, and what it shares. */
const isSameRow = (a: CallRow, b: CallRow): boolean =>
  a.replyId === b.replyId &&
  a.error === b.error &&
  a.turnIndex === b.turnIndex &&
  a.inputTokens?.value === b.inputTokens?.value &&
  a.prefix?.baselineId === b.prefix?.baselineId &&
  a.prefix?.sharedChars === b.prefix?.sharedChars;

/** The lists with these rows in them, or null when they say nothing new, so that nothing need be drawn again. */
export function mergeCalls(lists: CallLists, rows: readonly CallRow[]): CallLists | null {
  const changed = rows.flatMap((row) => {
    const old = lists.calls.get(row.id);
    const merged = old?.prefix && !row.prefix ? { ...row, prefix: old.prefix } : row;
    return old && isSameRow(old, merged) ? [] : [merged];
  });
  if (changed.length === 0) return null;
  const calls = new Map(lists.calls);
  const grown = new Map<string, string[]>();
  for (const row of changed) {
    if (!calls.has(row.id)) {
      const ids = grown.get(row.turnId) ?? [...(lists.callsByTurn.get(row.turnId) ?? [])];
      ids.push(row.id);
      grown.set(row.turnId, ids);
    }
    calls.set(row.id, row);
  }
  return { calls, callsByTurn: grown.size > 0 ? new Map([...lists.callsByTurn, ...grown]) : lists.callsByTurn };
}
