/**
 * Agents of one turn that read the whole history must read the same one. So history is compacted at most once a turn:
 * by the first of them, while the others wait. A runtime with `agent.history.maxTurns` reads a window of its own; it
 * neither starts that nor waits for it (seed 1, section 1).
 */

/** `maxTurns` of the runtime's declaration; null: it reads the shared history. */
export type HistoryView = { readonly maxTurns: number | null };

export type Passage<T> =
  /** A declared window: passed at once. */
  | { readonly kind: 'window' }
  /** What the turn's one compaction came to. `first` for the agent whose prompt was measured. */
  | { readonly kind: 'shared'; readonly first: boolean; readonly result: T };

export type TurnBarrier<T> = {
  /** @param compact runs for the first agent with the shared view alone. When it rejects, all of them do. */
  enter(view: HistoryView, compact: () => Promise<T>): Promise<Passage<T>>;
};

/** The barrier of one turn. */
export function turnBarrier<T>(): TurnBarrier<T> {
  let running: Promise<T> | null = null;
  return {
    async enter(view, compact) {
      if (view.maxTurns !== null) return { kind: 'window' };
      const first = running === null;
      running ??= compact();
      return { kind: 'shared', first, result: await running };
    },
  };
}
