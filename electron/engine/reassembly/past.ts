/**
 * The conversation as it stood when a call began. Rows are only added and never rewritten, so the rows of that time are
 * those written before the call; a row counts as replaced when its summary was there already. A summary that merged
 * older ones keeps the time of the oldest, so a later merge shows in its text alone (storage page, section 2).
 */
import type { HistoryRecord, SummaryRecord } from '../../assembler/types.ts';
import { applyHistoryWindow, filterRuntimeHistory, historyMessages } from '../../assembler/messages/history.ts';
import type { FrameworkTexts } from '../../assembler/types.ts';
import { messageText } from '../../assembler/piece.ts';
import type { MessageRow, SummaryRow } from '../../sources/covel-db/types.ts';
import { isEnvelope, type Entry } from './recorded.ts';

export type Past = {
  /** Rows of earlier turns, oldest first. */
  readonly rows: readonly HistoryRecord[];
  readonly summaries: readonly SummaryRecord[];
};

const ROLES = ['user', 'assistant', 'system'] as const;

/** A row as the assembler takes it. `name` is left out: the recorded requests carry none. */
export function recordOf(row: MessageRow): HistoryRecord {
  return {
    role: ROLES.find((role) => role === row.role) ?? 'user',
    content: row.content,
    turnId: row.turnId,
    sourceType: row.sourceType,
    ...(row.plugin === null ? {} : { sourcePluginId: row.plugin }),
    ...(row.runtime === null ? {} : { sourceRuntimeId: row.runtime }),
    ...(row.compactedBy === null ? {} : { compactedAtTurnId: row.compactedBy }),
    ...(row.ui === null ? {} : { ui: row.ui }),
  };
}

/** `start`: ISO time at which the call began. Rows of `turnId` itself are not past yet. */
export function pastOf(
  messages: readonly MessageRow[],
  summaries: readonly SummaryRow[],
  { turnId, start }: { readonly turnId: string; readonly start: string },
): Past {
  const live = summaries.filter((summary) => summary.createdAt <= start);
  const known = new Set(summaries.map(({ id }) => id));
  const then = new Set(live.map(({ id }) => id));
  return {
    rows: messages
      .filter((row) => row.turnId !== turnId && row.createdAt < start)
      .map((row) => {
        const isLater = row.compactedBy !== null && known.has(row.compactedBy) && !then.has(row.compactedBy);
        return recordOf(isLater ? { ...row, compactedBy: null } : row);
      }),
    summaries: live.map(({ id, content, focusSections }) => ({ id, content, focusSections })),
  };
}

export type Projection = {
  readonly history: readonly HistoryRecord[];
  readonly summaries: readonly SummaryRecord[];
  /** null: the whole history. */
  readonly maxTurns: number | null;
};

/**
 * What of the past a runtime is sent. Its window is declared in its manifest, which no database holds, so the recorded
 * history tells it: the whole history, else the newest turns that give as many messages, with or without summaries.
 */
export function projectionOf(
  past: Past,
  recorded: readonly Entry[],
  runtime: string,
  texts: FrameworkTexts,
): Projection {
  const own = filterRuntimeHistory(past.rows, runtime);
  const hasSummaries = recorded.some(({ text }) => isEnvelope(text));
  const project = (maxTurns: number | null, withSummaries: boolean): Projection => ({
    history: maxTurns === null ? own : applyHistoryWindow(own, { maxTurns }),
    summaries: withSummaries ? past.summaries : [],
    maxTurns,
  });
  const whole = project(null, true);
  const player = recorded.filter(({ role, text }) => role === 'user' && !isEnvelope(text)).length;
  const tries = [
    whole,
    ...[player, player + 1, player - 1, 0]
      .filter((turns) => turns >= 0)
      .flatMap((turns) => [project(turns, hasSummaries), project(turns, !hasSummaries)]),
  ].map((one) => ({ one, sent: historyMessages(one.history, one.summaries, texts) }));
  const same = tries.find(
    ({ sent }) =>
      sent.length === recorded.length &&
      sent.every(({ message }, i) => message.role === recorded[i]?.role && messageText(message) === recorded[i]?.text),
  );
  const alike = tries.find(({ sent }) => sent.length === recorded.length);
  return (same ?? alike)?.one ?? whole;
}
