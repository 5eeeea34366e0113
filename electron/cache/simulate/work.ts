/** What a strategy is told of one answered call, and what it answers; and what all of them do alike. */
import { isProtocol } from '../../../shared/model/index.ts';
import { tokens, type Tokens } from '../../../shared/units.ts';
import { lifetimeOf, type CacheRule, type Lifetime } from '../rules.ts';
import { ageS, putEntry, stateOf, type Entries, type Entry } from './entries.ts';
import type { Scale } from './scale.ts';
import type { Table } from './table.ts';
import type { Lost, SimCall, SimNote } from './types.ts';

/** What one provider holds for one model by one rule. */
export type Held = {
  readonly entries: Entries;
  /** Every prefix of every answered request, whether or not it is held. */
  readonly seen: Table<Seen>;
  /** Prefixes that are the whole input of an answered request, and when the first of them was answered. */
  readonly inputs: Map<number, number>;
};

/**
 * Who went through a prefix. Requests that go on alike are one branch, those that end there are another.
 * `next`: the prefix that the branch goes on with, of the branch that was answered first. `otherReadyAt`: when any other
 * branch was answered first, Infinity without one; from then on two requests are known to part here.
 */
export type Seen = { readonly next: number; readonly readyAt: number; readonly otherReadyAt: number };

export type Work = {
  readonly call: SimCall;
  readonly at: number | null;
  readonly readyAt: number | null;
  readonly rule: CacheRule;
  readonly held: Held;
  readonly scale: Scale;
  /** null: not known. */
  readonly minimum: Tokens | null;
  /** The chain's request before, if it was answered by the same provider and model under the same rule. */
  readonly previous: { readonly call: SimCall; readonly at: number | null; readonly readyAt: number | null } | null;
  readonly notes: Set<SimNote>;
};

export type Outcome = {
  readonly read: number;
  /** Written tokens by lifetime; empty where the provider bills no writes. */
  readonly writes: Readonly<Record<string, number>>;
  /** The request that left in the cache what is read, and how long before; null: nothing is read. */
  readonly from: { readonly call: SimCall; readonly ageS: number | null } | null;
  readonly lost: Lost;
  /** Of the entry that was read, else of the longest that could have been. */
  readonly lifetimeS: number | null;
  /** Last block that the cache holds after this request, where the bill tells it: read and written tokens end there. */
  readonly coveredTo: number | null;
};

export type Strategy = (work: Work) => Outcome;

/** Tokens up to the end of block i; 0 before the first. */
export const tokensTo = ({ scale }: Work, i: number): number => (i < 0 ? 0 : (scale.tokensAt[i] as number));

export const reachesMinimum = (work: Work, i: number): boolean => tokensTo(work, i) >= (work.minimum ?? 0);

/** A search for entries among the prefixes of a request: the longest block of each kind, -1: none. */
export type Found = { live: number; expired: number; notReady: number };

export const nothingFound = (): Found => ({ live: -1, expired: -1, notReady: -1 });

/** Looks at the prefix that ends with block i; answers whether there is an entry. */
export function look({ call, at, held }: Work, i: number, found: Found): boolean {
  const entry = held.entries.get(call.blocks.prefixes[i] as number);
  if (!entry) return false;
  const state = stateOf(entry, at);
  if (state === 'live') found.live = Math.max(found.live, i);
  else if (state === 'expired') found.expired = Math.max(found.expired, i);
  else found.notReady = Math.max(found.notReady, i);
  return true;
}

export const entryAt = ({ call, held }: Work, i: number): Entry | null =>
  i < 0 ? null : (held.entries.get(call.blocks.prefixes[i] as number) ?? null);

/** The last block up to which some answered request was the same; -1: none was. */
export function longestSeen({ call, held }: Work): number {
  const { prefixes } = call.blocks;
  let i = prefixes.length - 1;
  while (i >= 0 && held.seen.get(prefixes[i] as number) === undefined) i--;
  return i;
}

/**
 * Whether the request before of the chain is equal up to block i, and then some way into the next one. Where all of the
 * next block's text is equal, it is a setting that differs.
 */
export function isInsideNextBlock({ call, previous }: Work, i: number): boolean {
  const { blocks, sharedWithPrevious: shared } = call;
  if (!previous || !shared || i >= blocks.prefixes.length - 1) return false;
  const theirs = previous.call.blocks.prefixes;
  if (i >= 0 && theirs[i] !== blocks.prefixes[i]) return false;
  if (theirs[i + 1] === blocks.prefixes[i + 1]) return false;
  const { chars } = blocks.ends;
  return shared.chars > (chars[i] ?? 0) && shared.chars < (chars[i + 1] ?? 0);
}

/** From now on the prefixes of this request are seen. Answers the blocks behind which requests are now known to part, or earlier. */
export function see({ call, held, readyAt }: Work): readonly number[] {
  const { prefixes } = call.blocks;
  const ready = readyAt ?? -Infinity;
  const parted: number[] = [];
  for (let i = 0; i < prefixes.length; i++) {
    const prefix = prefixes[i] as number;
    const there = held.seen.get(prefix);
    const now = withBranch(there, prefixes[i + 1] ?? ENDS, ready);
    if (now === there) continue;
    held.seen.set(prefix, now);
    if (now.otherReadyAt !== (there?.otherReadyAt ?? Infinity)) parted.push(i);
  }
  return parted;
}

/** The branch of the requests that end at a prefix; prefixes are numbered from 1. */
const ENDS = 0;

function withBranch(there: Seen | undefined, next: number, readyAt: number): Seen {
  if (!there) return { next, readyAt, otherReadyAt: Infinity };
  if (next === there.next) return readyAt < there.readyAt ? { ...there, readyAt } : there;
  if (readyAt < there.readyAt) return { next, readyAt, otherReadyAt: there.readyAt };
  return readyAt < there.otherReadyAt ? { ...there, otherReadyAt: readyAt } : there;
}

export const put = ({ call, at, readyAt, held }: Work, i: number, lifetimeS: number | null): void =>
  putEntry(held.entries, call.blocks.prefixes[i] as number, { call, at, readyAt, lifetimeS });

/** Who left an entry that is read, as it stands before this request uses it; notes what had to be taken for granted. */
export function readFrom({ at, notes }: Work, entry: Entry | null): Outcome['from'] {
  if (!entry) return null;
  const age = ageS(entry, at);
  if (entry.lifetimeS === null) notes.add('lifetime-unknown');
  else if (age === null) notes.add('no-clock');
  return { call: entry.by, ageS: age };
}

/** Lifetime of what this request writes by a mark, or by itself (`ttl` null). Several without a default: the longest. */
export function lifetimeFor({ rule, call }: Work, ttl: string | null): Lifetime | null {
  const protocol = isProtocol(call.protocol) ? call.protocol : null;
  const named = lifetimeOf(rule, ttl, protocol, call.model);
  if (named || ttl !== null) return named;
  const longest = rule.ttl.findLast((entry) => entry.isMaximum);
  return longest ? lifetimeOf(rule, longest.id, protocol, call.model) : null;
}

/** What was found but not read, where it is longer than what was. `read` in tokens. */
export function lostEntries(work: Work, found: Found, read: number): Pick<Lost, 'expired' | 'notReady'> {
  const old = tokensTo(work, found.expired) > read ? entryAt(work, found.expired) : null;
  const early = tokensTo(work, found.notReady) > read ? entryAt(work, found.notReady) : null;
  if (early) work.notes.add('overlap');
  return {
    expired: old && {
      tokens: tokens(tokensTo(work, found.expired)),
      ageS: ageS(old, work.at) ?? 0,
      lifetimeS: old.lifetimeS ?? 0,
    },
    notReady: early && { tokens: tokens(tokensTo(work, found.notReady)), callId: early.by.id },
  };
}

/** Lifetime of the longest entry that was found, whatever its state. */
export const lifetimeFound = (work: Work, found: Found): number | null =>
  entryAt(work, found.live >= 0 ? found.live : Math.max(found.expired, found.notReady))?.lifetimeS ?? null;
