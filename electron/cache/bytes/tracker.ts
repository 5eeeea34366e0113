/**
 * Rows of several runtimes are written side by side; each runtime has its own prefix in the provider's cache. A
 * runtime's next request repeats most of its last one, so that one, and the first of its turn, are all that has to be
 * kept to place and measure the next call.
 */
import { type TextSize } from '../../../shared/tokens.ts';
import { kernelKey, sharedPrefix, wireKey, type CallKey, type SharedBytes } from './key-bytes.ts';
import { layOut, type BodyLayout, type Fields, type Layout } from './layout.ts';
import { chosenRequest, scanLayout, type CallScan, type PayloadScan } from './payload.ts';

export type TrackedCall = {
  readonly scan: PayloadScan;
  /** Call group inside turn and runtime, from 0: attempt 0 opens one, a higher attempt belongs to the last one. */
  readonly step: number;
  readonly attempt: number;
  /** False for a retry, which belongs to the group of the call that it repeats. */
  readonly opensGroup: boolean;
  /** Size of the key text; null when there is none to read. */
  readonly size: TextSize | null;
  /** No body was recorded. */
  readonly kernelOnly: boolean;
  /**
   * For the first call of a turn the first call of the runtime's previous turn; for a later step the last attempt of the
   * step before, because it is the request that was answered; for a retry the attempt before it. Both are the call before.
   */
  readonly baselineId: string | null;
  /** null without baseline, when one of the two cannot be read, or when the baseline was no longer in memory. */
  readonly prefix: SharedBytes | null;
  /** First row of this runtime in its turn. */
  readonly firstOfTurn: boolean;
};

export type CallTracker = {
  /** Takes the next `llm.calling` row of the session. */
  track(call: CallPayload): TrackedCall;
};

export type CallPayload = {
  readonly id: string;
  readonly turnId: string;
  readonly payload: Uint8Array | null;
  /** Nobody will write into `payload` any more, so that it can be kept as it is. Otherwise it is copied. */
  readonly isOwned?: boolean;
  /** Sees the key text and the fields of the chosen body (null: kernel view) while their bytes are there. */
  readonly read?: (key: CallKey, body: Fields | null) => void;
};

/** Bytes of payloads that are kept at most, over all runtimes of a session. */
const KEPT_BYTES = 160_000_000;
/** Buffers that wait for their next payload, so that memory is not asked for anew with every call. */
const SPARE_BUFFERS = 4;
const LARGEST_SPARE = 8_000_000;

/** A call that later ones are compared with. Without `data` its bytes were given up. `copy` is the memory it was copied to. */
type Kept = {
  readonly id: string;
  data: { readonly copy: Buffer | null; readonly layout: Layout; readonly key: CallKey | null } | null;
};

type Runtime = {
  turnId: string;
  /** Call groups and last call by turn; a turn may come back after another one. */
  readonly turns: Map<string, { readonly groups: number; readonly lastId: string }>;
  /** First call of the newest turn, and the last call; often one and the same. */
  first: Kept;
  last: Kept;
};

/** One tracker a session, fed in write order (`created_at, seq`). It goes on where it stopped when the file grows. */
export function createCallTracker({ keptBytes: limit = KEPT_BYTES } = {}): CallTracker {
  /** By runtime id, the one used last at the end. */
  const runtimes = new Map<string | null, Runtime>();
  const spare: Buffer[] = [];
  let keptBytes = 0;

  function copyOf(payload: Uint8Array): Buffer {
    const at = spare.findIndex((buffer) => buffer.length >= payload.length);
    const memory = at < 0 ? Buffer.allocUnsafeSlow(roomFor(payload.length)) : (spare.splice(at, 1)[0] as Buffer);
    memory.set(payload);
    return memory;
  }

  function release(kept: Kept): void {
    if (!kept.data) return;
    keptBytes -= sizeInMemory(kept);
    if (kept.data.copy) giveBack(kept.data.copy);
    kept.data = null;
  }

  function giveBack(memory: Buffer): void {
    if (memory.length <= LARGEST_SPARE) spare.push(memory);
    if (spare.length > SPARE_BUFFERS) spare.shift();
  }

  /** Gives up the bytes of the runtimes that were not used for the longest time, never those of the last one used. */
  function keepBounds(current: Runtime): void {
    for (const runtime of runtimes.values()) {
      if (keptBytes <= limit || runtime === current) return;
      for (const kept of [runtime.first, runtime.last]) release(kept);
    }
  }

  function guidesFor(turnId: string): Layout[] {
    const guides: Layout[] = [];
    for (const runtime of runtimes.values()) {
      const likely = runtime.turnId === turnId ? runtime.last : runtime.first;
      if (likely.data) guides.push(likely.data.layout);
    }
    return guides;
  }

  return {
    track({ id, turnId, payload, isOwned = false, read }) {
      if (payload === null) return unreadable({ kind: 'unreadable', reason: 'null' });
      const copy = isOwned ? null : copyOf(payload);
      const layout = layOut(copy ? copy.subarray(0, payload.length) : payload, guidesFor(turnId));
      if (typeof layout === 'string') {
        if (copy) giveBack(copy);
        return unreadable({ kind: 'unreadable', reason: layout });
      }
      const scan = scanLayout(layout);
      const before = runtimes.get(scan.runtimeId);
      const turn = before?.turns.get(turnId);
      const firstOfTurn = turn === undefined;
      const isRetry = scan.attempt > 0 && !firstOfTurn;
      const groups = (turn?.groups ?? 0) + (isRetry ? 0 : 1);
      const baseline = baselineOf(before, turn?.lastId ?? null);
      const key = keyOf(layout, scan, baseline?.data?.key ?? undefined);

      const prefix = key && baseline?.data?.key ? sharedPrefix(baseline.data.key, key) : null;
      if (key) read?.(key, bodyOf(layout, scan)?.fields ?? null);
      const kept: Kept = { id, data: { copy, layout, key } };
      keptBytes += sizeInMemory(kept);
      const runtime = before ?? { turnId, turns: new Map(), first: kept, last: kept };
      const replaced = new Set([runtime.first, runtime.last]);
      runtime.turnId = turnId;
      runtime.turns.set(turnId, { groups, lastId: id });
      if (firstOfTurn) runtime.first = kept;
      runtime.last = kept;
      for (const still of [runtime.first, runtime.last]) replaced.delete(still);
      for (const old of replaced) release(old);
      runtimes.delete(scan.runtimeId);
      runtimes.set(scan.runtimeId, runtime);
      keepBounds(runtime);

      return {
        scan,
        step: groups - 1,
        attempt: scan.attempt,
        opensGroup: !isRetry,
        size: key?.size ?? null,
        kernelOnly: chosenRequest(scan) === null,
        baselineId: baseline?.id ?? null,
        prefix,
        firstOfTurn,
      };
    },
  };
}

/** @param lastId last call of the runtime in the same turn; null for the first one */
function baselineOf(runtime: Runtime | undefined, lastId: string | null): Kept | null {
  if (!runtime) return null;
  if (lastId === null) return runtime.first;
  return [runtime.last, runtime.first].find((kept) => kept.id === lastId) ?? { id: lastId, data: null };
}

function keyOf(layout: Layout, scan: CallScan, like: CallKey | undefined): CallKey | null {
  const body = bodyOf(layout, scan);
  const protocol = chosenRequest(scan)?.protocol ?? null;
  return body ? wireKey(layout.bytes, scan, protocol, body, like) : kernelKey(layout.bytes, scan, layout, like);
}

function bodyOf(layout: Layout, scan: CallScan): BodyLayout | null {
  const request = chosenRequest(scan);
  return (request?.body && layout.requests[request.sameBodyAs ?? request.index]?.body) || null;
}

const unreadable = (scan: PayloadScan): TrackedCall => ({
  scan,
  step: 0,
  attempt: 0,
  opensGroup: false,
  size: null,
  kernelOnly: false,
  baselineId: null,
  prefix: null,
  firstOfTurn: false,
});

const sizeInMemory = ({ data }: Kept): number => data?.copy?.length ?? data?.layout.bytes.length ?? 0;

/** Room for a payload that grows from turn to turn, so that a buffer serves for some of them. */
const roomFor = (length: number): number => Math.ceil((length * 1.25) / 65536) * 65536;
