/**
 * An entry is a prefix that a provider holds. It can be read once the answer of the request that wrote it begins, and
 * lives for its lifetime from the start of the request that wrote or last used it (cache-rules page, 3.1).
 */
import type { Table } from './table.ts';
import type { SimCall } from './types.ts';

/** Never changed, so that prefixes of one history share one entry. */
export type Entry = {
  /** null: no clock. */
  readonly readyAt: number | null;
  /** Start of the last request that wrote or refreshed it, and that request. */
  readonly usedAt: number | null;
  readonly by: SimCall;
  /** null: not known. */
  readonly lifetimeS: number | null;
};

/** Entries by the number of their prefix. */
export type Entries = Table<Entry>;

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
export function putEntry(entries: Entries, prefix: number, use: Use): void {
  entries.set(prefix, written(entries.get(prefix), use));
}

/** The same for all these prefixes; neighbours that shared an entry share the new one. */
export function putEntries(entries: Entries, prefixes: Iterable<number>, use: Use): void {
  let before: Entry | undefined;
  let after: Entry | null = null;
  for (const prefix of prefixes) {
    const there = entries.get(prefix);
    if (!after || there !== before) after = written(there, use);
    before = there;
    entries.set(prefix, after);
  }
}

function written(there: Entry | undefined, { call, at, readyAt, lifetimeS }: Use): Entry {
  if (!there || stateOf(there, at) === 'expired') return { readyAt, usedAt: at, by: call, lifetimeS };
  const isSooner = readyAt !== null && there.readyAt !== null && readyAt < there.readyAt;
  return touched(
    {
      ...there,
      readyAt: isSooner ? readyAt : there.readyAt,
      lifetimeS: there.lifetimeS === null || lifetimeS === null ? null : Math.max(there.lifetimeS, lifetimeS),
    },
    call,
    at,
  );
}

/** Begins the life of an entry anew. */
export function touchEntry(entries: Entries, prefix: number, call: SimCall, at: number | null): void {
  const there = entries.get(prefix);
  if (there) entries.set(prefix, touched(there, call, at));
}

const touched = (entry: Entry, call: SimCall, at: number | null): Entry =>
  at === null || (entry.usedAt !== null && at <= entry.usedAt) ? entry : { ...entry, usedAt: at, by: call };
