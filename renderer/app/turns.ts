/**
 * A turn is known by its id, a list by its positions. The way from one to the other is asked many times for each step,
 * so it is built once per list; lists are replaced, never changed.
 */
import type { TurnRow } from '../../shared/model/index.ts';

type Turns = readonly (TurnRow | undefined)[];

const indexes = new WeakMap<Turns, ReadonlyMap<string, number>>();

/** Position of a turn in the list, from 0; -1 when it is not there (yet). */
export function indexOfTurn(turns: Turns, turnId: string | null): number {
  if (turnId === null) return -1;
  let index = indexes.get(turns);
  if (!index) {
    index = new Map(turns.flatMap((turn, at) => (turn ? [[turn.turnId, at] as const] : [])));
    indexes.set(turns, index);
  }
  return index.get(turnId) ?? -1;
}

export const turnOf = (turns: Turns, turnId: string | null): TurnRow | undefined => turns[indexOfTurn(turns, turnId)];
