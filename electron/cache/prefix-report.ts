/**
 * How much of a request a provider can read from its cache is decided between a turn's first request and the one
 * of the turn before, of the same runtime: the later requests of a turn only append (seed 1, section 5).
 */
import { prefixTokens, type TextSize } from '../../shared/tokens.ts';
import type { Chars, Tokens } from '../../shared/units.ts';
import { asBuffer } from './bytes/json-bytes.ts';
import type { SharedBytes } from './bytes/key-bytes.ts';
import { createCallTracker, type CallPayload, type CallTracker } from './bytes/tracker.ts';
import {
  NO_SUCH_PART,
  covelDifference,
  covelRequest,
  covelSize,
  type CovelPart,
  type CovelRequest,
} from './covel-measure.ts';

/** A turn's first request against that of the turn before. */
export type PrefixPair = {
  /** Of the later request. */
  readonly size: Chars;
  readonly tokens: Tokens;
  readonly shared: Chars;
  readonly sharedTokens: Tokens;
  /** Label of the first different part, `(identical)`, `(request ends earlier)` or `(other protocol)`. */
  readonly firstDifference: string;
  /** UTF-16 units into the part's text; 0 with a label in parentheses. */
  readonly offset: number;
  /** 40 units before to 80 after the place; `(no such part)` where the earlier request had ended. Absent where nothing differs. */
  readonly was?: string;
  readonly now?: string;
  /** Ids of the two calls; only with `show`. */
  readonly a?: string;
  readonly b?: string;
};

/** One runtime of one session, keys as on the command line. */
export type PrefixEntry = {
  readonly sessionId: string;
  readonly runtimeId: string | null;
  readonly turns: number;
  /** Measure `lens`: call groups, a retry counts with its call. Measure `covel`: all rows. */
  readonly calls: number;
  /** Sum over all rows. */
  readonly totalChars: number;
  /** One number a turn; null where the request cannot be read. */
  readonly firstRequestChars: readonly (number | null)[];
  readonly pairs: readonly PrefixPair[];
};

export type PrefixReport = {
  /** Takes the next `llm.calling` row; rows of a session in write order (`created_at, seq`). */
  add(row: CallPayload & { readonly sessionId: string }): void;
  /** Sessions in the order of their first rows, runtimes of a session by first appearance. */
  entries(): readonly PrefixEntry[];
  /** Rows whose payload is no JSON object; they are counted nowhere else. */
  flagged(): number;
};

type Counted = {
  readonly sessionId: string;
  readonly runtimeId: string | null;
  turns: number;
  calls: number;
  totalChars: number;
  readonly firstRequestChars: (number | null)[];
  readonly pairs: PrefixPair[];
};

/** Counts a row; false when it cannot be read. */
type Measure = (
  row: CallPayload & { readonly sessionId: string },
  entryOf: (runtimeId: string | null) => Counted,
) => boolean;

/**
 * Measures all calls of a file. `lens`: the cache key text on bytes. `covel`: the measure of Covel's own script, rows
 * parsed one by one. `show` adds to each pair which calls it compares.
 */
export function createPrefixReport(measure: 'lens' | 'covel', options: { readonly show: boolean }): PrefixReport {
  const sessions = new Map<string, Map<string | null, Counted>>();
  const take = measure === 'lens' ? lensMeasure(options.show) : covelMeasure(options.show);
  let flagged = 0;
  return {
    add(row) {
      const entries = sessions.get(row.sessionId) ?? new Map<string | null, Counted>();
      sessions.set(row.sessionId, entries);
      const isRead = take(row, (runtimeId) => {
        const entry = entries.get(runtimeId) ?? newEntry(row.sessionId, runtimeId);
        entries.set(runtimeId, entry);
        return entry;
      });
      if (!isRead) flagged++;
    },
    entries: () => [...sessions.values()].flatMap((entries) => [...entries.values()]),
    flagged: () => flagged,
  };
}

const newEntry = (sessionId: string, runtimeId: string | null): Counted => ({
  sessionId,
  runtimeId,
  turns: 0,
  calls: 0,
  totalChars: 0,
  firstRequestChars: [],
  pairs: [],
});

function lensMeasure(show: boolean): Measure {
  const trackers = new Map<string, CallTracker>();
  return (row, entryOf) => {
    const tracker = trackers.get(row.sessionId) ?? createCallTracker();
    trackers.set(row.sessionId, tracker);
    const call = tracker.track(row);
    if (call.scan.kind !== 'call') return false;
    const entry = entryOf(call.scan.runtimeId);
    if (call.opensGroup) entry.calls++;
    entry.totalChars += call.size?.chars ?? 0;
    if (!call.firstOfTurn) return true;
    entry.turns++;
    entry.firstRequestChars.push(call.size?.chars ?? null);
    if (call.prefix) entry.pairs.push({ ...pairOf(call.prefix), ...(show && { a: call.baselineId ?? '', b: row.id }) });
    return true;
  };
}

const SPECIAL = {
  identical: '(identical)',
  'request-ends-earlier': '(request ends earlier)',
  'other-protocol': '(other protocol)',
} as const;

function pairOf({ kind, size, shared, first, was, now }: SharedBytes): PrefixPair {
  if (kind !== 'differs') return { ...figures(size, shared), firstDifference: SPECIAL[kind], offset: 0 };
  return {
    ...figures(size, shared),
    firstDifference: first?.label ?? '?',
    offset: first?.offset ?? 0,
    was: was ?? NO_SUCH_PART,
    now: now ?? '',
  };
}

const figures = (size: TextSize, shared: TextSize) => ({
  size: size.chars,
  tokens: prefixTokens(size),
  shared: shared.chars,
  sharedTokens: prefixTokens(shared),
});

type FirstOfTurn = { readonly id: string; readonly turnId: string; readonly parts: readonly CovelPart[] };

function covelMeasure(show: boolean): Measure {
  const firsts = new Map<Counted, FirstOfTurn>();
  return ({ id, turnId, payload }, entryOf) => {
    const request = payload && requestOf(payload);
    if (!request) return false;
    const entry = entryOf(request.runtimeId);
    const size = covelSize(request.parts);
    entry.calls++;
    entry.totalChars += size.chars;
    const previous = firsts.get(entry);
    if (previous?.turnId === turnId) return true;
    entry.turns++;
    entry.firstRequestChars.push(size.chars);
    if (previous) {
      const { shared, label, offset, was, now } = covelDifference(previous.parts, request.parts);
      entry.pairs.push({
        ...figures(size, shared),
        firstDifference: label,
        offset,
        ...(was !== null && { was }),
        ...(now !== null && { now }),
        ...(show && { a: previous.id, b: id }),
      });
    }
    firsts.set(entry, { id, parts: request.parts, turnId });
    return true;
  };
}

/** null for what is no JSON object, or is nested too deeply to be written anew. */
function requestOf(payload: Uint8Array): CovelRequest | null {
  try {
    return covelRequest(JSON.parse(asBuffer(payload).toString('utf8')));
  } catch {
    return null;
  }
}
