/** A session whose history cannot be compacted goes on working, only dearer; the player hears of every third failure in a row. */
import type { FailureCounter } from './types.ts';

const NOTICE_EVERY = 3;

/** Counts failures in a row for as long as the counter lives; a success forgets those of its session. */
export function failureCounter(): FailureCounter {
  const counts = new Map<string, number>();
  return {
    failed(sessionId) {
      const inARow = (counts.get(sessionId) ?? 0) + 1;
      counts.set(sessionId, inARow);
      return { inARow, notice: inARow % NOTICE_EVERY === 0 };
    },
    succeeded(sessionId) {
      counts.delete(sessionId);
    },
  };
}
