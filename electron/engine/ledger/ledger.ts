/**
 * The ledger of a session from what was found of it: rows, events, the texts that recorded prompts show, and the
 * calls that broke. A text that is no row any more vanished; which summary it was is told by its place among the
 * summaries of that time, or by Covel's own estimate of it. Where that fails it stands for itself, without an id.
 */
import type { LedgerEvent, SummaryRow } from '../../sources/covel-db/types.ts';
import type {
  HistoryRow,
  Ledger,
  LedgerCall,
  LedgerPruning,
  LedgerSummary,
  LedgerToolGroup,
  TurnRow,
} from '../../../shared/model/index.ts';
import { estimateTokens } from '../../../shared/tokens.ts';
import { estimated, type TurnIndex } from '../../../shared/units.ts';
import { isCutOf, type Envelope } from './envelopes.ts';
import { countIn, ofText, textIn, versionsOf, type Snapshot, type Version } from './versions.ts';

/** A call and the envelopes of its request, as positions in `envelopes`, in order. */
export type Sighting = LedgerCall & { readonly startedAt: string | null; readonly envelopes: readonly number[] };

/** A call whose prefix ended because summaries changed: those that its request has and its baseline had not, or the other way round. */
export type Break = { readonly call: LedgerCall; readonly envelopes: readonly number[] };

/** A call of a turn, as far as a pruning needs it. `emitted`: its place among the turn's events. */
export type CallPlace = {
  readonly callId: string;
  readonly turnId: string;
  readonly runtimeId: string;
  readonly startedAt: string | null;
  readonly emitted: number | null;
};

export type LedgerFacts = {
  readonly sessionId: string;
  readonly turns: readonly TurnRow[];
  readonly summaries: readonly SummaryRow[];
  readonly events: readonly LedgerEvent[];
  readonly history: readonly HistoryRow[];
  /** Each envelope that any request showed, once. */
  readonly envelopes: readonly Envelope[];
  /** First the earliest; calls without envelopes may be left out. */
  readonly sightings: readonly Sighting[];
  readonly breaks: readonly Break[];
  /** Calls of the turns in which something was pruned, in order. */
  readonly calls: readonly CallPlace[];
  readonly toolGroups: readonly LedgerToolGroup[];
};

/** Everything that was taken away in a session, and what each summary cost. */
export function buildLedger(facts: LedgerFacts): Ledger {
  const { turns, summaries, events, envelopes, sightings } = facts;
  const { all, snapshots } = versionsOf(summaries, events);
  const owners = ownersOf(envelopes, sightings, all, snapshots);
  const listed = [...all, ...new Set(owners.filter((owner) => owner !== null && !all.includes(owner)))].filter(
    (version) => version !== null,
  );
  const rowOrder = (version: Version): number => (version.row ? summaries.indexOf(version.row) : summaries.length);
  const ordered = listed
    .map((version, i) => ({ version, i }))
    .toSorted((a, b) => rowOrder(a.version) - rowOrder(b.version) || a.i - b.i)
    .map(({ version }) => version);
  const messages = coveredBy(ordered, facts.history);
  const broke = brokenBy(facts.breaks, owners);
  const positions = new Map(turns.map((turn) => [turn.turnId, turn.index]));
  const turnOfRow = new Map(facts.history.map((row) => [row.id, row.turnId]));
  return {
    sessionId: facts.sessionId,
    turns: turns.length,
    summaries: ordered.map((version): LedgerSummary => {
      const ids = messages.get(version) ?? null;
      const turnRange = version.row?.turnRange ?? rangeOf(ids, turnOfRow) ?? ([null, version.endTurn] as const);
      const size = version.content === null ? version.tokens : estimateTokens(version.content);
      return {
        key: version.key,
        id: version.id,
        turnRange,
        turns: [positions.get(turnRange[0] ?? '') ?? null, positions.get(turnRange[1] ?? '') ?? null],
        messageIds: ids,
        messages: ids?.length ?? messagesOf(version),
        tokens: size === null ? null : estimated(size),
        budget: null,
        mergedFrom: version.mergedFrom,
        replaces: version.replaces.map((old) => old.key),
        replacedBy: version.replacedBy?.key ?? null,
        truncated: version.truncated,
        createdAt: version.row?.createdAt ?? version.createdAt,
        live: version.row !== null,
        madeIn: runningAt(turns, version.bornAt ?? version.createdAt),
        saved: version.saved === null ? null : estimated(version.saved),
        focusSections: version.row?.focusSections ?? version.sections,
        content: version.content,
        broke: broke.get(version) ?? [],
      };
    }),
    pruned: events.flatMap((event) => (event.type === 'context.pruned' ? pruning(event, facts.calls, positions) : [])),
    toolGroups: facts.toolGroups,
    decay: [],
  };
}

/** The version that each envelope is a text of; null for one that no request showed. */
function ownersOf(
  envelopes: readonly Envelope[],
  sightings: readonly Sighting[],
  all: readonly Version[],
  snapshots: readonly Snapshot[],
): readonly (Version | null)[] {
  const owners: (Version | null)[] = envelopes.map(
    ({ content }) => all.find((version) => version.row !== null && version.content?.trim() === content) ?? null,
  );
  const known = [...all];
  for (const sighting of sightings) {
    for (const [place, at] of sighting.envelopes.entries()) {
      const envelope = envelopes[at];
      if (!envelope || owners[at]) continue;
      const owner =
        known.find((version) => version.content?.trim() === envelope.content) ??
        known.find((version) => version.content !== null && isCutOf(envelope.content, version.content.trim())) ??
        vanishedOne(sighting, place, envelope, all, snapshots) ??
        ofText(`text@${sighting.callId}@${place}`, envelope.content, envelope.sections);
      owner.content ??= envelope.content;
      owners[at] = owner;
      if (!known.includes(owner)) known.push(owner);
    }
  }
  return owners;
}

/** The version without a text that stood at this place when the call was made. */
function vanishedOne(
  sighting: Sighting,
  place: number,
  envelope: Envelope,
  all: readonly Version[],
  snapshots: readonly Snapshot[],
): Version | null {
  const { startedAt } = sighting;
  const then = startedAt === null ? null : snapshots.findLast((snapshot) => snapshot.at <= startedAt);
  const there = then?.live.length === sighting.envelopes.length ? then.live[place] : undefined;
  if (there) return there.content === null ? there : null;
  const size = estimateTokens(envelope.content);
  const alike = all.filter((version) => version.content === null && version.tokens === size);
  return alike.length === 1 ? (alike[0] ?? null) : null;
}

/** How many messages a version covers with all that it replaced, from the events; null where one of them is silent. */
function messagesOf(version: Version): number | null {
  if (version.mergedFrom === null || version.mergedFrom > version.replaces.length) return null;
  let sum = version.own;
  for (const old of version.replaces) {
    const own = messagesOf(old);
    sum = sum === null || own === null ? null : sum + own;
  }
  return sum;
}

/**
 * The messages of each version. Those of a live one carry its id. Compaction always takes the oldest that are left, so
 * the messages of a merged summary are those of its parts in their order.
 */
function coveredBy(
  versions: readonly Version[],
  history: readonly HistoryRow[],
): ReadonlyMap<Version, readonly string[]> {
  const found = new Map<Version, readonly string[]>();
  if (history.length > 0 && history.every((row) => row.compactedBy === undefined)) return found;
  const byId = Map.groupBy(history, (row) => row.compactedBy ?? '');
  const divide = (version: Version, ids: readonly string[]): void => {
    found.set(version, ids);
    if (messagesOf(version) !== ids.length) return;
    let from = 0;
    for (const old of version.replaces) {
      const to = from + (messagesOf(old) ?? 0);
      divide(old, ids.slice(from, to));
      from = to;
    }
  };
  for (const version of versions)
    if (version.row)
      divide(
        version,
        (byId.get(version.row.id) ?? []).map((row) => row.id),
      );
  return found;
}

function rangeOf(
  ids: readonly string[] | null,
  turnOfRow: ReadonlyMap<string, string>,
): readonly [string | null, string | null] | null {
  const first = ids?.[0];
  const last = ids?.at(-1);
  if (first === undefined || last === undefined) return null;
  return [turnOfRow.get(first) ?? null, turnOfRow.get(last) ?? null];
}

/** The first call of each runtime that broke because of a version. */
function brokenBy(
  breaks: readonly Break[],
  owners: readonly (Version | null)[],
): ReadonlyMap<Version, readonly LedgerCall[]> {
  const found = new Map<Version, LedgerCall[]>();
  for (const { call, envelopes } of breaks) {
    for (const owner of new Set(envelopes.map((at) => owners[at] ?? null))) {
      if (!owner) continue;
      const calls = found.get(owner) ?? [];
      found.set(owner, calls);
      if (!calls.some((other) => other.runtimeId === call.runtimeId)) calls.push(call);
    }
  }
  return found;
}

function pruning(
  event: LedgerEvent,
  calls: readonly CallPlace[],
  positions: ReadonlyMap<string, TurnIndex>,
): LedgerPruning {
  const { payload, turnId, createdAt } = event;
  const runtimeId = textIn(payload, 'runtimeId');
  const emitted = countIn(payload, 'seq');
  const follows = (call: CallPlace): boolean =>
    emitted !== null && call.emitted !== null
      ? call.emitted > emitted
      : call.startedAt !== null && call.startedAt >= createdAt;
  const call = calls.find((one) => one.turnId === turnId && one.runtimeId === runtimeId && follows(one));
  return {
    callId: call?.callId ?? null,
    messages: countIn(payload, 'prunedMessageCount'),
    runtimeId,
    turnId,
    turnIndex: positions.get(turnId) ?? null,
    createdAt,
  };
}

/** The latest turn that had started by then. */
function runningAt(turns: readonly TurnRow[], at: string | null): TurnIndex | null {
  if (at === null) return null;
  return turns.findLast((turn) => turn.startedAt !== null && turn.startedAt <= at)?.index ?? null;
}
