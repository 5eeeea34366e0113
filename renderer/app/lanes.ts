/**
 * The calls of a turn interleave in time, but a person reads them runtime by runtime. A lane holds the calls of one
 * runtime; lanes stand in the order in which their runtimes first called.
 */
import type { CallRow } from '../../shared/model/index.ts';

export type Lane = { readonly runtimeId: string; readonly calls: readonly CallRow[] };

/** Calls of one turn (in recorded order) by runtime, in order of first appearance. */
export function lanesOf(calls: readonly CallRow[]): readonly Lane[] {
  const lanes = new Map<string, CallRow[]>();
  for (const call of calls) {
    const lane = lanes.get(call.runtimeId);
    if (lane) lane.push(call);
    else lanes.set(call.runtimeId, [call]);
  }
  return [...lanes].map(([runtimeId, of]) => ({ runtimeId, calls: of }));
}

/** The rows behind a turn's ids; ids whose row is not there yet are left out. */
export const rowsOf = (ids: readonly string[] | undefined, calls: ReadonlyMap<string, CallRow>): readonly CallRow[] =>
  (ids ?? []).flatMap((id) => calls.get(id) ?? []);

/**
 * The call to show in a turn: the one at the same place as the call shown before (runtime, step, attempt), else
 * that runtime's first call, else the first call of the turn; null when the turn has none.
 */
export function sameCall(calls: readonly CallRow[], before: CallRow | undefined): CallRow | null {
  const lane = calls.filter((call) => call.runtimeId === before?.runtimeId);
  const place = lane.find((call) => call.step === before?.step && call.attempt === before.attempt);
  return place ?? lane[0] ?? lanesOf(calls)[0]?.calls[0] ?? null;
}

/** Last part of a runtime id: `world-init/dimension-tracker` is shown as `dimension-tracker`. */
export const shortRuntime = (runtimeId: string): string => runtimeId.slice(runtimeId.lastIndexOf('/') + 1) || runtimeId;
