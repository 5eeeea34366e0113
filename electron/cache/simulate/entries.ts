/**
 * An entry is a prefix that a provider holds. It can be read once the answer of the request that wrote it begins, and
 * lives for its lifetime from the start of the request that wrote or last used it (cache-rules page, 3.1).
 */
import type { SimCall } from './types.ts';

export type Entry = {
  /** null: no clock. */
  readyAt: number | null;
  /** Start of the last request that wrote or refreshed it, and that request. */
  usedAt: number | null;
  by: SimCall;
  /** null: not known. */
  lifetimeS: number | null;
};

/** Entries by the number of their prefix. */
export type Entries = Map<number, Entry>;

export type EntryState = 'live' | 'expired' | 'not-ready';

/** State of an entry for a request that starts at `at`. Without clocks an entry is taken for alive. */
export function stateOf(entry: Entry, at: number | null): EntryState {
  if (at === null) return 'live';
  if (entry.readyAt !== null && at < entry.readyAt) return 'not-ready';
  const age = ageS(entry, at);
  return age !== null && entry.lifetimeS !== null && age > entry.lifetimeS ? 'expired' : 'live';
}

/** Seconds since an entry was last used; null where a clock is missing. */
export const ageS = (entry: Entry, at: number | null): number | null =>
  at === null || entry.usedAt === null ? null : (at - entry.usedAt) / 1000;

export type Use = {
  readonly call: SimCall;
  readonly at: number | null;
  readonly readyAt: number | null;
  readonly lifetimeS: number | null;
};

/** Writes an entry, or uses one that is alive again: its life begins anew, and the longer lifetime stays. */
export function putEntry(entries: Entries, prefix: number, { call, at, readyAt, lifetimeS }: Use): void {
  const there = entries.get(prefix);
  if (!there || stateOf(there, at) === 'expired') {
    entries.set(prefix, { readyAt, usedAt: at, by: call, lifetimeS });
    return;
  }
  if (readyAt !== null && there.readyAt !== null && readyAt < there.readyAt) there.readyAt = readyAt;
  there.lifetimeS = there.lifetimeS === null || lifetimeS === null ? null : Math.max(there.lifetimeS, lifetimeS);
  touchEntry(there, call, at);
}

/** Begins the life of an entry anew. */
export function touchEntry(entry: Entry, call: SimCall, at: number | null): void {
  if (at === null || (entry.usedAt !== null && at <= entry.usedAt)) return;
  entry.usedAt = at;
  entry.by = call;
}
