/**
 * A merge writes its text under the id and time of the oldest summary that it replaces, and the texts that were sent
 * before it are rows no more. The request still shows them; and because compaction always takes the oldest rows that
 * are left, the events before the call tell how many rows they stood for (seed 1, section 1).
 */
import type { SummaryRecord } from '../../assembler/types.ts';
import type { LedgerEvent } from '../../sources/covel-db/types.ts';
import { countIn } from '../ledger/versions.ts';
import type { Past } from './past.ts';
import { ofKind, plainText, unescapeXml, type Recorded } from './recorded.ts';

const ENVELOPE = /^<compacted_history>\n# sections:([^\n]*)\n([^]*)\n<\/compacted_history>/;

/** The summaries that the request shows, in its order. Their ids are not in it. */
const shownSummaries = (recorded: Recorded): readonly Omit<SummaryRecord, 'id'>[] =>
  ofKind(recorded, 'summary').flatMap((segment) => {
    const [, heading = '', inside] = ENVELOPE.exec(plainText(segment)) ?? [];
    if (inside === undefined) return [];
    const sections = heading.trim();
    return [
      {
        content: unescapeXml(inside),
        focusSections: sections === '' ? [] : sections.split(', ').map(unescapeXml),
      },
    ];
  });

/** Did a compaction after `start` put one summary in the place of others? */
export const mergedAfter = (events: readonly LedgerEvent[], start: string): boolean =>
  events.some(
    ({ type, createdAt, payload }) =>
      type === 'context.compacted' && createdAt > start && (countIn(payload, 'summariesMerged') ?? 0) > 0,
  );

/** How many of the oldest rows were behind summaries at `start`; null where an event does not tell. */
function coveredAt(events: readonly LedgerEvent[], start: string): number | null {
  let covered = 0;
  for (const { type, createdAt, payload } of events) {
    if (type !== 'context.compacted' || createdAt > start) continue;
    const count = countIn(payload, 'messagesCompacted');
    if (count === null) return null;
    covered += count;
  }
  return covered;
}

/** Of a row whose summary is another one now: it stands behind a summary, but behind none that is given. */
const BEHIND = 'behind a summary of then';

export type PastShown = Past & {
  /** Ids of summaries whose texts the request alone still has. */
  readonly taken: ReadonlySet<string>;
};

/**
 * The past with the summaries that the request shows, where a later merge replaced some of them; else as it is. Those
 * that still are rows as they were sent come from the database.
 */
export function beforeMerge(past: Past, recorded: Recorded, events: readonly LedgerEvent[], start: string): PastShown {
  const shown = shownSummaries(recorded);
  const covered = coveredAt(events, start);
  if (shown.length === 0 || covered === null || !mergedAfter(events, start)) return { ...past, taken: new Set() };
  const summaries = shown.map((one, i): SummaryRecord => {
    const kept = past.summaries.find(({ content }) => content === one.content);
    return kept ?? { id: `of the request ${i + 1}`, ...one };
  });
  const known = new Set(past.summaries);
  return {
    summaries,
    rows: past.rows.map(({ compactedAtTurnId: _tag, ...row }, i) =>
      i < covered ? { ...row, compactedAtTurnId: BEHIND } : row,
    ),
    taken: new Set(summaries.filter((one) => !known.has(one)).map(({ id }) => id)),
  };
}
