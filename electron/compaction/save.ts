/**
 * Between loading history and saving a summary a provider may take a minute, and what prompts see may be a transformed
 * copy of the stored rows. So one transaction reads both again, writes everything or nothing, and never tags a run of
 * messages with a gap in it (seed 1, section 1).
 */
import type { Checked } from './check.ts';
import type { CompactionMessage, CompactionSummary, CompactionTransaction, ProposedSummary } from './types.ts';

export type SaveOutcome =
  | {
      readonly kind: 'saved';
      readonly saved: readonly CompactionSummary[];
      readonly live: readonly CompactionSummary[];
    }
  | { readonly kind: 'summaries-changed' }
  | { readonly kind: 'projection-differs' };

export type SaveRequest = {
  readonly sessionId: string;
  readonly accepted: Extract<Checked, { readonly kind: 'accepted' }>;
  /** The summaries that the answer was checked against, oldest first. */
  readonly existing: readonly CompactionSummary[];
  /** The row of each message id of the answer. */
  readonly rows: ReadonlyMap<string, CompactionMessage>;
  readonly now: number;
  readonly newId: () => string;
};

/** Runs inside a transaction; throws when a write fails. */
export function saveSegments(tx: CompactionTransaction, request: SaveRequest): SaveOutcome {
  const { sessionId, accepted, existing } = request;
  if (!sameSummaries(tx.summaries(sessionId), existing)) return { kind: 'summaries-changed' };
  const prefix = tx.uncompactedPrefix(sessionId, accepted.messageIds.length);
  if (!accepted.messageIds.every((id, n) => prefix[n]?.id === id)) return { kind: 'projection-differs' };

  const saved = recordsOf(request);
  for (const [n, segment] of accepted.segments.entries()) {
    const record = saved[n];
    if (record) write(tx, segment, record);
  }
  return { kind: 'saved', saved, live: tx.summaries(sessionId) };
}

function write(tx: CompactionTransaction, segment: ProposedSummary, record: CompactionSummary): void {
  if (segment.replacesSummaryIds.length > 0) tx.retagMessages(segment.replacesSummaryIds, record.id);
  for (const id of segment.replacesSummaryIds) tx.deleteSummary(id);
  tx.saveSummary(record);
  if (segment.messageIds.length > 0) tx.tagMessages(segment.messageIds, record.id);
}

const sameSummaries = (now: readonly CompactionSummary[], before: readonly CompactionSummary[]): boolean =>
  now.length === before.length &&
  now.every((summary, n) => summary.id === before[n]?.id && summary.content === before[n].content);

/** One record a segment. A merged one inherits id, first turn and time of the oldest summary that it replaces. */
function recordsOf({ sessionId, accepted, existing, rows, now, newId }: SaveRequest): readonly CompactionSummary[] {
  const byId = new Map(existing.map((summary) => [summary.id, summary]));
  const times = existing.map(({ createdAt }) => createdAt);
  return accepted.segments.map(({ messageIds, replacesSummaryIds, content, focusSections }) => {
    const oldest = byId.get(replacesSummaryIds[0] ?? '');
    const newest = byId.get(replacesSummaryIds.at(-1) ?? '');
    if (oldest && newest) return { ...oldest, turnRangeEnd: newest.turnRangeEnd, content, focusSections };
    const createdAt = laterThan(times, now);
    times.push(createdAt);
    return {
      id: newId(),
      sessionId,
      turnRangeStart: rows.get(messageIds[0] ?? '')?.turnId ?? '',
      turnRangeEnd: rows.get(messageIds.at(-1) ?? '')?.turnId ?? '',
      content,
      focusSections,
      createdAt,
    };
  });
}

/** Summaries sort by this text, so a fresh one must stand after all others whatever the clock says. */
function laterThan(times: readonly string[], now: number): string {
  const latest = Math.max(now, ...times.map((time) => Date.parse(time)).filter(Number.isFinite));
  // The second step serves times without milliseconds: `…00Z` sorts after `…00.001Z`.
  const steps = [now, latest + 1, latest + 1000].map((time) => new Date(time).toISOString());
  const found = steps.find((step) => times.every((time) => step > time));
  if (found === undefined) throw new Error('a stored summary has a time after which none can follow');
  return found;
}
