/**
 * Gathers what a ledger is made from. Every payload of the session is searched once as bytes; a request is parsed only
 * where a summary appears for the first time or where its summaries or tool results are not those of its baseline.
 */
import { segmentText } from '../../adapters/index.ts';
import { scanPayload } from '../../cache/bytes/payload.ts';
import { LensFailure } from '../../../shared/error.ts';
import type { CallRow, Ledger, LedgerToolGroup } from '../../../shared/model/index.ts';
import { defaultBaseline } from '../baseline.ts';
import { comparison } from '../call-detail.ts';
import type { CallView } from '../call-view.ts';
import type { OpenedSource } from '../opened-source.ts';
import { decodeText, envelopesIn, readEnvelope, type Envelope } from './envelopes.ts';
import { buildLedger, type Break, type CallPlace, type Sighting } from './ledger.ts';
import { shrunkGroups } from './tool-groups.ts';

/** The thread answers other requests at least this often. */
const SLICE_MS = 12;

/** Waits for other work from time to time; false when nobody waits for the answer any more. */
function createPacer(signal: AbortSignal | null): () => Promise<boolean> {
  let until = performance.now() + SLICE_MS;
  return async () => {
    if (performance.now() > until) {
      await new Promise((resolve) => setImmediate(resolve));
      until = performance.now() + SLICE_MS;
    }
    return signal?.aborted !== true;
  };
}

/** The view of a call, or null where nothing of it can be shown. */
function viewOf(source: OpenedSource, row: CallRow): CallView | null {
  if (row.empty) return null;
  try {
    return source.view(row.id);
  } catch (thrown) {
    if (thrown instanceof LensFailure) return null;
    throw thrown;
  }
}

/** The ledger of a session. Fails with `unknown-session`. Once aborted it answers with what it has by then. */
export async function sessionLedger(
  source: OpenedSource,
  sessionId: string,
  signal: AbortSignal | null = null,
): Promise<Ledger> {
  const turns = source.turns(sessionId);
  const goOn = createPacer(signal);
  const rows = await source.index(sessionId).complete();
  const { envelopes, sightings } = await findEnvelopes(source, sessionId, rows, goOn);
  const events = source.ledger(sessionId);
  const prunedTurns = new Set(events.filter(({ type }) => type === 'context.pruned').map(({ turnId }) => turnId));
  return buildLedger({
    sessionId,
    turns,
    summaries: source.db.summaries(sessionId),
    events,
    history: source.history(sessionId),
    envelopes,
    sightings,
    breaks: await findBreaks(source, sessionId, rows, sightings, goOn),
    calls: rows.filter((row) => prunedTurns.has(row.turnId)).map((row) => placeOf(source, row)),
    toolGroups: await findToolGroups(source, rows, goOn),
  });
}

/** Each envelope of the session, and which of them every request has. */
async function findEnvelopes(
  source: OpenedSource,
  sessionId: string,
  rows: readonly CallRow[],
  goOn: () => Promise<boolean>,
): Promise<{ readonly envelopes: readonly Envelope[]; readonly sightings: readonly Sighting[] }> {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const envelopes: Envelope[] = [];
  /** Position of an envelope by its bytes; null for words that only look like one. */
  const known = new Map<string, number | null>();
  const sightings: Sighting[] = [];
  for (const ref of source.db.callRefs(sessionId)) {
    if (!(await goOn())) break;
    const row = byId.get(ref.id);
    const payload = row && source.db.payload(ref.rowid);
    if (!payload) continue;
    const there = envelopesIn(payload);
    for (const raw of there.filter((one) => !known.has(one))) {
      const text = decodeText(raw);
      const isSummary = text !== null && standsAsSummary(viewOf(source, row), text);
      known.set(raw, isSummary ? envelopes.push(readEnvelope(text)) - 1 : null);
    }
    const found = there.flatMap((raw) => known.get(raw) ?? []);
    const { id: callId, runtimeId, turnIndex, startedAt } = row;
    if (found.length > 0) sightings.push({ callId, runtimeId, turnIndex, startedAt, envelopes: found });
  }
  return { envelopes, sightings };
}

/** The player may quote a tag: only a segment that was named a summary counts. */
function standsAsSummary(view: CallView | null, text: string): boolean {
  const sides = [view?.side, view?.kernelSide()];
  return sides.some((side) =>
    side?.segments.some((segment) => segment.kind === 'summary' && segmentText(segment).includes(text)),
  );
}

/** Calls whose summaries are not those of their baseline, where that is what ended the prefix. */
async function findBreaks(
  source: OpenedSource,
  sessionId: string,
  rows: readonly CallRow[],
  sightings: readonly Sighting[],
  goOn: () => Promise<boolean>,
): Promise<readonly Break[]> {
  const seen = new Map(sightings.map((sighting) => [sighting.callId, sighting.envelopes]));
  const breaks: Break[] = [];
  for (const row of rows) {
    if (!(await goOn())) break;
    const baseline = defaultBaseline(source, row, sessionId);
    const now = seen.get(row.id) ?? [];
    const was = (baseline && seen.get(baseline.id)) ?? [];
    if (!baseline || now.join() === was.join()) continue;
    const a = viewOf(source, baseline);
    await goOn();
    const b = viewOf(source, row);
    await goOn();
    if (!a || !b || comparison(source, a, b).cause.kind !== 'compacted') continue;
    const added = now.filter((at) => !was.includes(at));
    breaks.push({
      call: { callId: row.id, runtimeId: row.runtimeId, turnIndex: row.turnIndex },
      envelopes: added.length > 0 ? added : was.filter((at) => !now.includes(at)),
    });
  }
  return breaks;
}

function placeOf(source: OpenedSource, { id, turnId, runtimeId, startedAt }: CallRow): CallPlace {
  const scan = scanPayload(source.db.payloadById(id));
  return { callId: id, turnId, runtimeId, startedAt, emitted: scan.kind === 'call' ? scan.emitted : null };
}

/** Steps of a run that do not begin with all of the step before. */
async function findToolGroups(
  source: OpenedSource,
  rows: readonly CallRow[],
  goOn: () => Promise<boolean>,
): Promise<readonly LedgerToolGroup[]> {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const groups: LedgerToolGroup[] = [];
  for (const row of rows) {
    if (!(await goOn())) break;
    const before = row.step > 0 && row.prefix ? byId.get(row.prefix.baselineId) : undefined;
    if (!before || before.turnId !== row.turnId || row.prefix?.sharedChars === before.chars) continue;
    const [a, b] = [viewOf(source, before), viewOf(source, row)];
    if (!a || !b) continue;
    const call = { callId: row.id, runtimeId: row.runtimeId, turnIndex: row.turnIndex };
    groups.push(...shrunkGroups(a.side, b.side).map((group) => ({ ...call, ...group })));
  }
  return groups;
}
