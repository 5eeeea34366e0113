/**
 * What a call is compared with when nobody chose: the first call of a turn with the previous turn's first call of the
 * same runtime, every other call with the one before it: a retry with the attempt before, a later step with the last
 * attempt of the step before, which is the request that was answered. The call tracker measures by the same rule.
 */
import type { Baseline } from '../../shared/api.ts';
import type { CallRow } from '../../shared/model/index.ts';
import type { OpenedSource } from './opened-source.ts';

/** Turns that are searched backwards while the index of the session is still being built. */
const SEARCHED_TURNS = 50;

/** Default baseline of a call, or null for the first of its runtime. */
export function defaultBaseline(source: OpenedSource, row: CallRow, sessionId: string): CallRow | null {
  const own = source
    .index(sessionId)
    .ofTurn(row.turnId)
    .filter((other) => isOfRuntime(other, row));
  const at = own.findIndex((other) => other.id === row.id);
  if (at < 0) return null;
  return own[at - 1] ?? previousTurnFirst(source, row, sessionId);
}

/** A payload that cannot be read names no runtime; such a call is compared with nothing. */
const isUnreadable = (row: CallRow): boolean => row.pluginId === null && row.empty && !row.kernelOnly;

const isOfRuntime = (other: CallRow, row: CallRow): boolean =>
  other.runtimeId === row.runtimeId && !isUnreadable(other);

/** First call of the same runtime in the nearest earlier turn that has one. */
export function previousTurnFirst(source: OpenedSource, row: CallRow, sessionId: string): CallRow | null {
  const turns = source.turns(sessionId);
  const index = source.index(sessionId);
  const floor = index.isComplete() ? 0 : Math.max(0, row.turnIndex - 1 - SEARCHED_TURNS);
  for (let i = row.turnIndex - 2; i >= floor; i--) {
    const turn = turns[i];
    if (!turn || turn.attempts === 0) continue;
    const first = index.ofTurn(turn.turnId).find((other) => isOfRuntime(other, row));
    if (first) return first;
  }
  return null;
}

/** Calls that may be chosen instead: the nearest first calls of this runtime, and all calls of the same turn. */
export function baselineChoices(source: OpenedSource, row: CallRow, sessionId: string): readonly Baseline[] {
  const chosen = defaultBaseline(source, row, sessionId);
  const index = source.index(sessionId);
  const nearby = source
    .turns(sessionId)
    .slice(Math.max(0, row.turnIndex - 1 - SEARCHED_TURNS), row.turnIndex + 1)
    .filter((turn) => turn.attempts > 0)
    .flatMap((turn) =>
      turn.turnId === row.turnId
        ? index.ofTurn(turn.turnId)
        : index
            .ofTurn(turn.turnId)
            .filter((other) => other.runtimeId === row.runtimeId && other.step === 0 && other.attempt === 0),
    );
  return nearby
    .filter((other) => other.id !== row.id && !other.empty)
    .map((other) => ({
      callId: other.id,
      turnIndex: other.turnIndex,
      runtimeId: other.runtimeId,
      step: other.step,
      attempt: other.attempt,
      isDefault: other.id === chosen?.id,
    }));
}
