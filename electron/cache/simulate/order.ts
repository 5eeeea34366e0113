/**
 * Rows are written when a call is over, so calls that ran side by side stand in the order of their ends. A provider
 * sees them in the order of their starts. A call that was made from an earlier one's answer began after it, whatever
 * the clock says.
 */
import type { SimCall, SimNote } from './types.ts';

export type TimedCall = {
  readonly call: SimCall;
  /** Place in the order given. */
  readonly index: number;
  /** Milliseconds; null where no clock was recorded. */
  readonly at: number | null;
  /** When what it writes can be read. */
  readonly readyAt: number | null;
  readonly notes: readonly SimNote[];
};

/** No answer comes in the instant of the request: of two that begin at once neither can read what the other writes. */
const SHORTEST_MS = 1;

type Last = { readonly at: number; readonly readyAt: number; readonly call: SimCall };

/**
 * The calls by their starts; of those that began at once the one that was answered first comes first. Other ties, and
 * calls without a clock, stay where they were given. Where the clock ran backwards
 * from a call to one that must have come later, the later one counts as begun when the earlier one was answered.
 */
export function inTimeOrder(calls: readonly SimCall[]): readonly TimedCall[] {
  const lasts = new Map<string, Last>();
  let place = -Infinity;
  let ready = -Infinity;
  const timed = calls.map((call, index) => {
    const { startedAt, durationMs, runtimeId } = call;
    const clock = startedAt !== null && Number.isFinite(startedAt) ? startedAt : null;
    const last = lasts.get(runtimeId);
    const isBackwards = clock !== null && last !== undefined && clock < last.at && mustFollow(call, last.call);
    const at = isBackwards ? last.readyAt : clock;
    const readyAt = at === null ? null : at + Math.max(SHORTEST_MS, durationMs ?? 0);
    if (at !== null) place = at;
    if (readyAt !== null) ready = readyAt;
    if (at !== null && readyAt !== null && (!last || at >= last.at)) lasts.set(runtimeId, { at, readyAt, call });
    const notes: SimNote[] = [
      ...(at === null ? (['no-clock'] as const) : []),
      ...(isBackwards ? (['clock-backwards'] as const) : []),
    ];
    return { call, index, at, readyAt, notes, place, ready };
  });
  return timed.sort((a, b) => a.place - b.place || a.ready - b.ready || a.index - b.index);
}

/** The next turn of a runtime, or the next step of its loop, which repeats the whole request before. */
function mustFollow(call: SimCall, before: SimCall): boolean {
  if (call.turnIndex !== before.turnIndex) return call.turnIndex > before.turnIndex;
  const count = before.blocks.prefixes.length;
  const { prefixes } = call.blocks;
  return count > 0 && prefixes.length > count && prefixes[count - 1] === before.blocks.prefixes[count - 1];
}
