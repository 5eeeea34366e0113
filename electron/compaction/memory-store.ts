/**
 * A store that lives as long as its process. Its rows are never changed in place: a transaction works on a draft, and
 * the draft becomes the state only when the work is done, so that rolling back means forgetting it.
 */
import { byUnits } from '../assembler/data/escape.ts';
import type { CompactionMessage, CompactionSummary, CompactionTransaction, HistoryStore } from './types.ts';

type State = { readonly messages: readonly CompactionMessage[]; readonly summaries: readonly CompactionSummary[] };

/** Order of summaries everywhere. */
export const bySummaryOrder = (a: CompactionSummary, b: CompactionSummary): number =>
  byUnits(a.createdAt, b.createdAt) || byUnits(a.id, b.id);

const ofSession = <T extends { readonly sessionId: string }>(rows: readonly T[], sessionId: string): T[] =>
  rows.filter((row) => row.sessionId === sessionId);

/**
 * A store with these rows.
 * @param messages in canonical order
 * @param summaries in any order
 */
export function memoryStore(
  messages: readonly CompactionMessage[],
  summaries: readonly CompactionSummary[] = [],
): HistoryStore {
  let state: State = { messages, summaries: [...summaries].sort(bySummaryOrder) };
  return {
    messages: (sessionId) => ofSession(state.messages, sessionId),
    summaries: (sessionId) => ofSession(state.summaries, sessionId),
    append: (...rows) => {
      state = { ...state, messages: [...state.messages, ...rows] };
    },
    transaction(work) {
      const draft = draftOf(state);
      const result = work(draft.tx);
      state = draft.state();
      return result;
    },
  };
}

function draftOf(start: State): { readonly tx: CompactionTransaction; state(): State } {
  let { messages, summaries } = start;
  const hasSummary = (id: string): boolean => summaries.some((summary) => summary.id === id);
  const retag = (chosen: (row: CompactionMessage) => boolean, summaryId: string): void => {
    messages = messages.map((row) => (chosen(row) ? { ...row, compactedAtTurnId: summaryId } : row));
  };
  const tx: CompactionTransaction = {
    summaries: (sessionId) => ofSession(summaries, sessionId),
    uncompactedPrefix: (sessionId, limit) =>
      ofSession(messages, sessionId)
        .filter((row) => row.compactedAtTurnId === null)
        .slice(0, limit),
    retagMessages(fromSummaryIds, toSummaryId) {
      const from = new Set(fromSummaryIds);
      retag((row) => row.compactedAtTurnId !== null && from.has(row.compactedAtTurnId), toSummaryId);
    },
    deleteSummary(summaryId) {
      if (!hasSummary(summaryId)) throw new Error(`no summary ${summaryId}`);
      summaries = summaries.filter((summary) => summary.id !== summaryId);
    },
    saveSummary(summary) {
      if (hasSummary(summary.id)) throw new Error(`summary ${summary.id} exists`);
      summaries = [...summaries, summary].sort(bySummaryOrder);
    },
    tagMessages(messageIds, summaryId) {
      const ids = new Set(messageIds);
      const found = messages.filter((row) => ids.has(row.id) && row.compactedAtTurnId === null).length;
      if (found !== ids.size) throw new Error(`${ids.size - found} of ${ids.size} messages cannot be tagged`);
      retag((row) => ids.has(row.id), summaryId);
    },
  };
  return { tx, state: () => ({ messages, summaries }) };
}
