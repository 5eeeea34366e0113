/** The messages that summaries took out of prompts are never deleted: their words are still rows of turn_messages. */
import type { LedgerMessage } from '../../../shared/api.ts';
import type { HistoryRow } from '../../../shared/model/index.ts';

/** The rows with these ids, in the order of the history. */
export function ledgerMessages(history: readonly HistoryRow[], ids: readonly string[]): readonly LedgerMessage[] {
  const wanted = new Set(ids);
  return history
    .filter((row) => wanted.has(row.id))
    .map(({ id, turnIndex, role, sourceType, runtime, picture, content }) => ({
      id,
      turnIndex,
      role,
      sourceType,
      runtime,
      picture,
      text: content,
    }));
}
