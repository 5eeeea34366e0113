/**
 * What may be compacted is a run of the oldest rows that no summary stands for: the last two turns of the player and the
 * last five rows stay as they are, and the run is only as long as one request of the fast model can carry (seed 1,
 * section 1). A row that does not fit is never cut.
 */
import type { CompactionMessage } from '../types.ts';

export type Protection = {
  /** Newest turns of the player that stay; 0: only the tail rule. */
  readonly userTurns: number;
  /** Newest rows that stay. */
  readonly tail: number;
};
export const DEFAULT_PROTECTION: Protection = { userTurns: 2, tail: 5 };

/** A picture note has the user's role, but is no turn. */
const isPlayerRow = (row: CompactionMessage): boolean => row.role === 'user' && row.sourceType !== 'system';

/** Index of the first row that must stay as it is. */
export function protectStart(messages: readonly CompactionMessage[], { userTurns, tail }: Protection): number {
  const tailStart = Math.max(0, messages.length - tail);
  if (userTurns === 0) return tailStart;
  const players = messages.flatMap((row, n) => (isPlayerRow(row) ? [n] : []));
  return Math.min(tailStart, players.at(-userTurns) ?? 0);
}

/** Rows that may be compacted now, oldest first. */
export function candidatesOf(
  messages: readonly CompactionMessage[],
  protection: Protection,
): readonly CompactionMessage[] {
  const lastTagged = messages.findLastIndex((row) => row.compactedAtTurnId !== null);
  return messages.slice(lastTagged + 1, protectStart(messages, protection));
}

/** The greatest n from 0 to `limit` that fits, where every smaller number fits too and 0 always does. */
export function longestFitting(limit: number, fits: (n: number) => boolean): number {
  let low = 0;
  let high = limit;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
