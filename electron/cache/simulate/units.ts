/**
 * DeepSeek keeps whole prefix units: one at the end of each request's input, one at the end of its output, and one where
 * two requests were found to part (cache-rules page, 3.3). A hit needs all of a unit. So A+B then A+C misses, and A+D
 * reads A. Units at fixed intervals exist too, but the interval is not published.
 */
import type { TextSize } from '../../../shared/tokens.ts';
import { tokens } from '../../../shared/units.ts';
import { putEntry, stateOf, type Entry } from './entries.ts';
import { NOTHING_LOST } from './types.ts';
import {
  entryAt,
  isInsideNextBlock,
  lifetimeFor,
  longestSeen,
  look,
  lostEntries,
  nothingFound,
  readFrom,
  put,
  see,
  tokensTo,
  type Outcome,
  type Work,
} from './work.ts';

/** A unit that ends inside a block, where two requests parted. */
type InnerUnit = { readonly size: TextSize; readonly entry: Entry };

export type Units = {
  /** Prefixes that are the whole input of a request. */
  readonly inputs: Set<number>;
  /** By request the units that end inside its blocks, the shortest first. It is known only of requests that were compared. */
  readonly inner: Map<string, readonly InnerUnit[]>;
};

/** Tokens with which every block begins (its role and names): requests that part there part at the block. */
const HEAD_OF_BLOCK = 16;
/** Only the longest units inside blocks are ever read. */
const MOST_INNER = 8;

export function byUnits(work: Work): Outcome {
  const { call, at, held, scale, previous } = work;
  const { prefixes } = call.blocks;
  const shared = call.sharedWithPrevious;
  const found = nothingFound();
  for (let i = prefixes.length - 1; i >= 0 && found.live < 0; i--) look(work, i, found);
  const output = endOfOutput(work, found.live);
  const inner = (previous && shared && held.units.inner.get(previous.call.id)) || [];
  const mine = inner.filter((unit) => shared && unit.size.chars <= shared.chars);
  const unit = mine.findLast(({ entry }) => stateOf(entry, at) === 'live');

  const atBlock = tokensTo(work, Math.max(found.live, output));
  const inBlock = unit ? scale.at(unit.size) : 0;
  const read = Math.max(atBlock, inBlock);
  const entry = unit && inBlock > atBlock ? unit.entry : entryAt(work, found.live);
  const from = readFrom(work, entry);

  const seen = longestSeen(work);
  const isInside = shared !== null && isInsideNextBlock(work, seen);
  const equal = isInside ? scale.at(shared) : tokensTo(work, seen);
  const parted = isInside && equal - tokensTo(work, seen) > HEAD_OF_BLOCK ? shared : null;
  // Equal text without a whole unit may still hold one of a fixed interval.
  if (equal > read) work.notes.add('units-unknown');
  const early = lostEntries(work, found, read);
  const known = Math.max(read, early.expired?.tokens ?? 0, early.notReady?.tokens ?? 0);
  const lost = { ...NOTHING_LOST, ...early, unmarked: equal > known ? { tokens: tokens(equal) } : null };

  if (output >= 0 && entry) {
    const { by, usedAt, readyAt, lifetimeS } = entry;
    putEntry(held.entries, prefixes[output] as number, { call: by, at: usedAt, readyAt, lifetimeS });
  }
  const lifetimeS = lifetimeFor(work, null)?.seconds ?? null;
  if (seen >= 0 && !parted) {
    // Two requests must have been there to be found alike.
    const readyAt = later(work.readyAt, held.seen.get(prefixes[seen] as number) ?? null);
    putEntry(held.entries, prefixes[seen] as number, { call, at, readyAt, lifetimeS });
  }
  if (prefixes.length > 0) put(work, prefixes.length - 1, lifetimeS);
  see(work, seen);
  held.units.inputs.add(prefixes.at(-1) ?? 0);
  keepInner(work, mine, parted, lifetimeS);
  return { read, writes: {}, from, lost, lifetimeS: entry?.lifetimeS ?? null, coveredTo: null };
}

/**
 * Last block of the answer to the request whose whole input ends with block `input`: the message that follows it here,
 * when something follows that in turn. -1: this request does not go on where another one ended.
 */
function endOfOutput({ call, held }: Work, input: number): number {
  const { messageStarts, prefixes } = call.blocks;
  if (input < 0 || !held.units.inputs.has(prefixes[input] as number)) return -1;
  const answer = messageStarts.indexOf(input + 1);
  const behind = answer < 0 ? undefined : messageStarts[answer + 1];
  return behind === undefined || behind >= prefixes.length ? -1 : behind - 1;
}

const later = (a: number | null, b: number | null): number | null =>
  a === null || b === null || b === -Infinity ? a : Math.max(a, b);

/** A unit where this request and the one before part belongs to both from now on. */
function keepInner(
  { call, at, readyAt, held, previous }: Work,
  mine: readonly InnerUnit[],
  parted: TextSize | null,
  lifetimeS: number | null,
): void {
  const { inner } = held.units;
  if (!parted || !previous) {
    inner.set(call.id, mine);
    return;
  }
  const made: InnerUnit = {
    size: parted,
    entry: { readyAt: later(readyAt, previous.readyAt), usedAt: at, by: call, lifetimeS },
  };
  const withIt = (units: readonly InnerUnit[]): readonly InnerUnit[] =>
    [...units.filter(({ size }) => size.chars !== parted.chars), made]
      .sort((a, b) => a.size.chars - b.size.chars)
      .slice(-MOST_INNER);
  inner.set(call.id, withIt(mine));
  inner.set(previous.call.id, withIt(inner.get(previous.call.id) ?? []));
}
