/**
 * A turn is judged by the first request of each of its runtimes: how much of it was already in the cache after the turn
 * before. Later steps of a tool loop always share nearly everything, so they would only hide a break.
 */
import type { CallRow, TurnRow } from '../../../shared/model/index.ts';
import { lanesOf } from '../../app/lanes.ts';
import type { SignName } from '../../ui/Sign.tsx';
import { shareOf } from '../parts/share.ts';

/** Bars that fit into the line of a row. */
export const MAX_BARS = 4;

export type TurnBar = {
  readonly runtimeId: string;
  /** `first`: nothing to compare with. `unknown`: not measured, or nothing recorded. `none`: did not call. */
  readonly kind: 'share' | 'first' | 'unknown' | 'none';
  /** Tokens shared with the baseline, of all tokens of the request, from 0 to 1; 0 unless `share`. */
  readonly share: number;
};

export type MarkKind = 'compaction' | 'pruned' | 'failure' | 'interrupted' | 'images' | 'retries' | 'running';
export type Mark = { readonly kind: MarkKind; readonly sign: SignName; readonly n: number };

/** The call that stands for a runtime in a turn: its first one. */
export const firstCall = (calls: readonly CallRow[]): CallRow | undefined =>
  calls.find((call) => call.step === 0 && call.attempt === 0) ?? calls[0];

/** Calls without their retries. */
export function callGroups(calls: Iterable<CallRow>): number {
  let count = 0;
  for (const call of calls) if (call.attempt === 0) count++;
  return count;
}

/** The runtimes of a session in order of first appearance. */
export function runtimesOf(calls: Iterable<CallRow>): readonly string[] {
  const seen = new Set<string>();
  for (const call of calls) seen.add(call.runtimeId);
  return [...seen];
}

/** One bar per runtime of the session, so that bars of one runtime stand below each other. */
export function barsOf(
  calls: readonly CallRow[],
  runtimes: readonly string[],
  isFirstTurn: boolean,
): readonly TurnBar[] {
  const lanes = new Map(lanesOf(calls).map((lane) => [lane.runtimeId, lane.calls]));
  return runtimes.slice(0, MAX_BARS).map((runtimeId): TurnBar => {
    const call = firstCall(lanes.get(runtimeId) ?? []);
    if (!call) return { runtimeId, kind: 'none', share: 0 };
    const share = shareOf(call);
    if (share !== null) return { runtimeId, kind: 'share', share };
    return { runtimeId, kind: isFirstTurn && !call.empty ? 'first' : 'unknown', share: 0 };
  });
}

/** What happened in a turn, in fixed order; nothing that did not happen. */
export function marksOf(turn: TurnRow, calls: readonly CallRow[]): readonly Mark[] {
  const retries = calls.filter((call) => call.attempt > 0).length;
  const isLast = (call: CallRow): boolean =>
    !calls.some((one) => one.runtimeId === call.runtimeId && one.step === call.step && one.attempt > call.attempt);
  // A runtime may go on after a call that failed for good: then no event speaks of it, only the reply.
  const failed = calls.filter((call) => call.error !== null && isLast(call)).length;
  const all: readonly Mark[] = [
    { kind: 'compaction', sign: 'diamond', n: turn.compactions },
    { kind: 'pruned', sign: 'cut', n: turn.pruned },
    { kind: 'failure', sign: 'cross', n: Math.max(turn.failures, failed, turn.status === 'failed' ? 1 : 0) },
    { kind: 'interrupted', sign: 'pause', n: turn.status === 'interrupted' ? 1 : 0 },
    { kind: 'running', sign: 'clock', n: turn.status === 'running' ? 1 : 0 },
    { kind: 'images', sign: 'picture', n: turn.images },
    { kind: 'retries', sign: 'retry', n: retries },
  ];
  return all.filter((mark) => mark.n > 0);
}
