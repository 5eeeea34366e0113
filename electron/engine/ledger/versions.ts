/**
 * A `context.compacted` event names the summaries that it saved, and how many of the oldest it replaced by one. A merged
 * summary keeps the id of the oldest that it replaces, so one id may stand for several texts one after the other: each
 * is a version. Playing the events in order gives the versions and which of them lived when (seed 1, section 1; storage
 * page, sections 2 and 3).
 */
import type { LedgerEvent, SummaryRow } from '../../sources/covel-db/types.ts';

export type Version = {
  readonly key: string;
  readonly id: string | null;
  readonly mergedFrom: number | null;
  readonly replaces: readonly Version[];
  replacedBy: Version | null;
  /** Messages that it took in itself, beside those of the summaries that it replaces. */
  readonly own: number | null;
  readonly truncated: boolean | null;
  /** Covel's estimate of the text; null where the event counts several together. */
  readonly tokens: number | null;
  readonly saved: number | null;
  /** When the event was written; null for what no event tells of. */
  readonly bornAt: string | null;
  readonly createdAt: string | null;
  readonly endTurn: string | null;
  readonly sections: readonly string[];
  /** The row that it still is. */
  row: SummaryRow | null;
  /** Its text, from its row or from a recorded prompt. */
  content: string | null;
};

/** The versions that lived after an event, oldest first. */
export type Snapshot = { readonly at: string; readonly live: readonly Version[] };

export type Versions = { readonly all: readonly Version[]; readonly snapshots: readonly Snapshot[] };

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (payload: unknown): Fields =>
  typeof payload === 'object' && payload !== null ? (payload as Fields) : {};

/** A count, or null for anything else. */
export function countIn(payload: unknown, key: string): number | null {
  const value = fieldsOf(payload)[key];
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : null;
}

export function textIn(payload: unknown, key: string): string | null {
  const value = fieldsOf(payload)[key];
  return typeof value === 'string' && value !== '' ? value : null;
}

const textsIn = (payload: unknown, key: string): readonly string[] => {
  const value = fieldsOf(payload)[key];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
};

/** Ids that an event saved, the newest last. */
function savedIds(payload: unknown): readonly string[] {
  const newest = textIn(payload, 'summaryId');
  const ids = textsIn(payload, 'summaryIds').filter((id) => id !== newest);
  return newest === null ? ids : [...ids, newest];
}

/** What one event made of the summaries that lived before it; null for an event that cannot be read. */
function played(event: LedgerEvent, before: readonly Version[]): { made: readonly Version[]; gone: number } | null {
  const { payload } = event;
  const ids = savedIds(payload);
  if (ids.length === 0) return null;
  const merged = countIn(payload, 'summariesMerged') ?? 0;
  const messages = countIn(payload, 'messagesCompacted');
  const isTruncated = fieldsOf(payload)['summaryTruncated'];
  const isAlone = ids.length === 1;
  /** The merged one is first: it stands for the oldest. */
  const heir = merged === 0 ? null : (ids.find((id) => id === before[0]?.id) ?? ids[0] ?? null);
  // Older events may be gone: then the first that we know of are not the oldest that there were.
  const gone = heir !== null && heir === before[0]?.id ? Math.min(merged, before.length) : 0;
  const fresh = ids.filter((id) => id !== heir).length;
  const order = heir === null ? ids : [heir, ...ids.filter((id) => id !== heir)];
  const made = order.map((id, i): Version => {
    const isHeir = id === heir;
    const replaces = isHeir ? before.slice(0, gone) : [];
    const takesMessages = fresh === 0 ? isHeir : !isHeir;
    return {
      key: `${id}@${event.id}`,
      id,
      mergedFrom: isHeir ? merged : 0,
      replaces,
      replacedBy: null,
      own: takesMessages ? (fresh <= 1 ? messages : null) : 0,
      truncated: isTruncated === false ? false : isTruncated === true && isAlone ? true : null,
      tokens: isAlone ? countIn(payload, 'summaryTokens') : null,
      saved: countIn(payload, 'tokenSavings'),
      bornAt: event.createdAt,
      createdAt: isHeir ? (replaces[0]?.createdAt ?? null) : event.createdAt,
      // The event is filed under the end of the newest one.
      endTurn: i === order.length - 1 ? event.turnId : (replaces.at(-1)?.endTurn ?? null),
      sections: textsIn(payload, 'focusSections'),
      row: null,
      content: null,
    };
  });
  for (const version of made) for (const old of version.replaces) old.replacedBy = version;
  return { made, gone };
}

const ofRow = (row: SummaryRow): Version => ({
  key: row.id,
  id: row.id,
  mergedFrom: null,
  replaces: [],
  replacedBy: null,
  own: null,
  truncated: null,
  tokens: null,
  saved: null,
  bornAt: null,
  createdAt: row.createdAt,
  endTurn: row.turnRange[1],
  sections: row.focusSections,
  row,
  content: row.content,
});

/** A text that stood in recorded prompts and that neither a row nor an event accounts for. */
export const ofText = (key: string, content: string, sections: readonly string[]): Version => ({
  key,
  id: null,
  mergedFrom: null,
  replaces: [],
  replacedBy: null,
  own: null,
  truncated: null,
  tokens: null,
  saved: null,
  bornAt: null,
  createdAt: null,
  endTurn: null,
  sections,
  row: null,
  content,
});

/** Every version that rows and events tell of. A row is the last version of its id; one without events stands alone. */
export function versionsOf(rows: readonly SummaryRow[], events: readonly LedgerEvent[]): Versions {
  const all: Version[] = [];
  const snapshots: Snapshot[] = [];
  let live: readonly Version[] = [];
  for (const event of events) {
    const change = event.type === 'context.compacted' ? played(event, live) : null;
    if (!change) continue;
    const [first, ...rest] = change.made;
    const isMerge = first !== undefined && first.mergedFrom !== 0;
    const kept = live.slice(change.gone);
    live = isMerge ? [first, ...kept, ...rest] : [...kept, ...change.made];
    all.push(...change.made);
    snapshots.push({ at: event.createdAt, live });
  }
  for (const row of rows) {
    const last = all.findLast((version) => version.id === row.id);
    if (last && last.row === null) {
      last.row = row;
      last.content = row.content;
    } else if (!last) all.push(ofRow(row));
  }
  return { all, snapshots };
}
