/** Every view of a call asks the engine about the same two ids. */
import { useLens } from '../app/store.ts';

export type CallRef = { readonly sourceId: string; readonly callId: string };

/** The chosen call, or null when none is chosen. */
export function useCall(): CallRef | null {
  const sourceId = useLens((state) => state.source?.sourceId ?? null);
  const callId = useLens((state) => state.callId);
  return sourceId !== null && callId !== null ? { sourceId, callId } : null;
}
