/**
 * The rows of all calls of a session. They need each payload once (runtime, step, attempt, sizes, shared
 * prefix), so they are built in the background, in write order, and handed out as they come; everything
 * that a single turn needs can be read at once without waiting for them.
 */
import { recordedUsage } from '../adapters/usage.ts';
import { createCallTracker, type TrackedCall } from '../cache/bytes/tracker.ts';
import type { CallRef, CovelDb, ReplyRef } from '../sources/covel-db/types.ts';
import type { CallPrefix, CallRow, SharedPrefix } from '../../shared/model/index.ts';
import { prefixTokens } from '../../shared/tokens.ts';
import { billed, estimated, turnIndex, type TurnIndex } from '../../shared/units.ts';
import { pairReplies } from './pairing.ts';
import type { SideDb } from './side-db.ts';

/** The thread answers other requests at least this often while it builds. */
const SLICE_MS = 12;
/** Newest turns whose tracked calls are kept, for replies and calls that a followed file adds to them. */
const OPEN_TURNS = 8;

export type IndexListener = {
  readonly signal: AbortSignal;
  readonly rows: (rows: readonly CallRow[]) => void;
  readonly progress: (done: number, total: number) => void;
};

export type SessionIndex = {
  /** Hands out all rows, those already there at once; resolves when the last one is out or the signal aborts. */
  follow(listener: IndexListener): Promise<number>;
  /** All rows, in the order of turns and then of writing. */
  complete(): Promise<readonly CallRow[]>;
  /** Rows of one turn; read on demand (then without the prefix of its first calls) when the index is not there yet. */
  ofTurn(turnId: string): readonly CallRow[];
  row(callId: string): CallRow | null;
  isComplete(): boolean;
  /** Takes in what was written since; rows of unfinished turns are made again. */
  grow(): void;
  stop(): void;
};

export type SessionIndexOptions = {
  readonly db: CovelDb;
  readonly sessionId: string;
  readonly sideDb: SideDb;
  /** Position of each turn; asked again after `grow`. */
  readonly turnPositions: () => ReadonlyMap<string, TurnIndex>;
};

type Tracked = { readonly ref: CallRef; readonly call: TrackedCall };

export function createSessionIndex({ db, sessionId, sideDb, turnPositions }: SessionIndexOptions): SessionIndex {
  let tracker = createCallTracker();
  let refs = db.callRefs(sessionId);
  let replies = Map.groupBy(db.replies(sessionId), (reply) => reply.turnId);
  let positions = turnPositions();
  let refsByTurn = Map.groupBy(refs, (ref) => ref.turnId);
  /** Tracked calls of turns that miss rows, and of the newest ones. */
  const open = new Map<string, Tracked[]>();
  const byId = new Map<string, CallRow>();
  const byTurn = new Map<string, readonly CallRow[]>();
  const listeners = new Set<IndexListener>();
  let next = 0;
  let building: Promise<void> | null = null;
  let stopped = false;

  const kept = sideDb.load(db.info.identity, sessionId);
  if (kept && kept.length === refs.length) {
    for (const [turnId, rows] of Map.groupBy(kept, (row) => row.turnId)) publish(turnId, rows);
    next = refs.length;
  }

  function publish(turnId: string, rows: readonly CallRow[]): void {
    byTurn.set(turnId, rows);
    for (const row of rows) byId.set(row.id, row);
    for (const listener of listeners) if (!listener.signal.aborted) listener.rows(rows);
  }

  function take(ref: CallRef): void {
    const call = tracker.track({ id: ref.id, turnId: ref.turnId, payload: db.payload(ref.rowid), isOwned: true });
    const calls = open.get(ref.turnId) ?? [];
    calls.push({ ref, call });
    open.set(ref.turnId, calls);
    if (calls.length < (refsByTurn.get(ref.turnId)?.length ?? 0)) return;
    publish(ref.turnId, rowsOf(ref.turnId, calls));
    if (open.size <= OPEN_TURNS) return;
    const done = open.keys().find((turnId) => byTurn.has(turnId));
    if (done !== undefined) open.delete(done);
  }

  function rowsOf(turnId: string, calls: readonly Tracked[]): readonly CallRow[] {
    return callRows(calls, replies.get(turnId) ?? [], positions.get(turnId) ?? turnIndex(0));
  }

  async function build(): Promise<void> {
    while (next < refs.length && !stopped) {
      const until = performance.now() + SLICE_MS;
      while (next < refs.length && performance.now() < until) take(refs[next++] as CallRef);
      for (const listener of listeners) if (!listener.signal.aborted) listener.progress(next, refs.length);
      await new Promise((resolve) => setImmediate(resolve));
    }
    building = null;
    if (!stopped) sideDb.save(db.info.identity, sessionId, inOrder());
  }

  function start(): Promise<void> {
    if (next >= refs.length || stopped) return Promise.resolve();
    building ??= build();
    return building;
  }

  const inOrder = (): readonly CallRow[] => [...byTurn.values()].flat().sort((a, b) => a.turnIndex - b.turnIndex);

  return {
    async follow(listener) {
      const there = inOrder();
      if (there.length > 0) listener.rows(there);
      listeners.add(listener);
      listener.signal.addEventListener('abort', () => listeners.delete(listener));
      await start();
      listeners.delete(listener);
      return byId.size;
    },
    async complete() {
      await start();
      return inOrder();
    },
    ofTurn(turnId) {
      const there = byTurn.get(turnId);
      if (there) return there;
      const alone = createCallTracker();
      const calls = (refsByTurn.get(turnId) ?? []).map((ref) => ({
        ref,
        call: alone.track({ id: ref.id, turnId, payload: db.payload(ref.rowid) }),
      }));
      return rowsOf(turnId, calls);
    },
    row: (callId) => byId.get(callId) ?? null,
    isComplete: () => next >= refs.length,
    grow() {
      const before = refs;
      refs = db.callRefs(sessionId);
      replies = Map.groupBy(db.replies(sessionId), (reply) => reply.turnId);
      refsByTurn = Map.groupBy(refs, (ref) => ref.turnId);
      positions = turnPositions();
      const isAppended = before.every((ref, i) => refs[i]?.id === ref.id);
      const isTracked =
        next === 0 || refs.slice(before.length).every((ref) => open.has(ref.turnId) || !byTurn.has(ref.turnId));
      if (!isAppended || !isTracked || (next > 0 && open.size === 0)) {
        // Rows were swept, or the rows came from the side database and no tracker saw them: begin again. The old
        // rows stay until they are replaced.
        tracker = createCallTracker();
        open.clear();
        next = 0;
        return;
      }
      // A reply may have come after its call was taken in.
      for (const [turnId, calls] of open) {
        const all = refsByTurn.get(turnId)?.length ?? 0;
        if (calls.length >= all) publish(turnId, rowsOf(turnId, calls));
        else byTurn.delete(turnId);
      }
    },
    stop() {
      stopped = true;
    },
  };
}

/** Rows of one turn's calls with their replies. */
export function callRows(
  calls: readonly Tracked[],
  replies: readonly ReplyRef[],
  index: TurnIndex,
): readonly CallRow[] {
  const repliesByRuntime = Map.groupBy(replies, (reply) => reply.runtimeId ?? '');
  const pairs = new Map<string, ReplyRef>();
  for (const [runtime, group] of Map.groupBy(calls, ({ call }) => runtimeOf(call) ?? '')) {
    const asked = group.map(({ ref, call }) => ({
      id: ref.id,
      createdAt: ref.createdAt,
      attempt: call.attempt,
      emitted: call.scan.kind === 'call' ? call.scan.emitted : null,
    }));
    for (const [id, reply] of pairReplies(asked, repliesByRuntime.get(runtime) ?? [])) pairs.set(id, reply);
  }
  return calls.map(({ ref, call }) => callRow(ref, call, pairs.get(ref.id) ?? null, index));
}

const runtimeOf = (call: TrackedCall): string | null => (call.scan.kind === 'call' ? call.scan.runtimeId : null);

function callRow(ref: CallRef, call: TrackedCall, reply: ReplyRef | null, index: TurnIndex): CallRow {
  const scan = call.scan.kind === 'call' ? call.scan : null;
  const answered =
    scan?.requests.findLast((request) => request.statusCode !== null && request.statusCode < 300) ??
    scan?.requests.at(-1);
  const reported = reply ? recordedUsage(reply.usage, reply.finishReason === 'error') : null;
  const estimate = call.size ? estimated(prefixTokens(call.size)) : null;
  const input = reported?.input ?? null;
  return {
    id: ref.id,
    turnId: ref.turnId,
    turnIndex: index,
    runtimeId: scan?.runtimeId ?? '?',
    pluginId: scan?.pluginId ?? null,
    step: call.step,
    attempt: call.attempt,
    protocol: answered?.protocol ?? null,
    provider: answered?.provider ?? scan?.provider ?? null,
    model: scan?.model ?? null,
    startedAt: scan?.startedAt ?? null,
    replyId: reply?.id ?? null,
    durationMs: reply?.durationMs ?? null,
    finishReason: reply?.finishReason ?? null,
    error: reply?.error ?? null,
    inputTokens: input === null ? estimate : billed(input),
    estimate,
    chars: call.size?.chars ?? null,
    usage: reported?.usage ?? null,
    ...(reported && reported.problems.length > 0 ? { usageProblems: reported.problems } : {}),
    httpAttempts: scan?.requests.length ?? 0,
    payloadBytes: ref.payloadBytes,
    kernelOnly: call.kernelOnly,
    empty: call.size === null,
    prefix: call.baselineId !== null && call.prefix ? callPrefix(call.baselineId, call.prefix) : null,
  };
}

const LABELS = {
  identical: '(identical)',
  'request-ends-earlier': '(request ends earlier)',
  'other-protocol': '(other protocol)',
} as const;

function callPrefix(baselineId: string, prefix: SharedPrefix): CallPrefix {
  return {
    baselineId,
    shared: estimated(prefixTokens(prefix.shared)),
    sharedChars: prefix.shared.chars,
    firstDifference: prefix.kind === 'differs' ? (prefix.first?.label ?? '?') : LABELS[prefix.kind],
  };
}
