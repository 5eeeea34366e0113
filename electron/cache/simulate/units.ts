/**
 * DeepSeek keeps whole prefix units: one at the end of each request's input, one at the end of its output, and one where
 * two requests were found to part (cache-rules page, 3.3). A hit needs all of a unit. So A+B then A+C misses, and A+D
 * reads A. Units at fixed intervals exist too, but the interval is not published.
 */
import { tokens } from '../../../shared/units.ts';
import { putEntry } from './entries.ts';
import { NOTHING_LOST } from './types.ts';
import {
  entryAt,
  lifetimeFor,
  longestSeen,
  look,
  lostEntries,
  nothingFound,
  put,
  readFrom,
  see,
  tokensTo,
  type Outcome,
  type Work,
} from './work.ts';

export function byUnits(work: Work): Outcome {
  const { call, at, held } = work;
  const { prefixes } = call.blocks;
  const last = prefixes.length - 1;
  const found = nothingFound();
  for (let i = last; i >= 0 && found.live < 0; i--) look(work, i, found);
  const entry = entryAt(work, found.live);
  const from = readFrom(work, entry);
  const output = endOfOutput(work, found.live);
  const read = tokensTo(work, Math.max(found.live, output));

  const seen = longestSeen(work);
  const equal = tokensTo(work, seen);
  // Equal text without a whole unit may still hold one of a fixed interval.
  if (equal > read) work.notes.add('units-unknown');
  const early = lostEntries(work, found, read);
  const known = Math.max(read, early.expired?.tokens ?? 0, early.notReady?.tokens ?? 0);
  const lost = { ...NOTHING_LOST, ...early, unmarked: equal > known ? { tokens: tokens(equal) } : null };

  if (output >= 0 && entry) {
    // That the text was an answer is told by this request, so one that begins with it in the same instant cannot know it.
    const { by, usedAt, lifetimeS } = entry;
    const readyAt = work.readyAt ?? entry.readyAt;
    putEntry(held.entries, prefixes[output] as number, { call: by, at: usedAt, readyAt, lifetimeS });
  }
  const lifetimeS = lifetimeFor(work, null)?.seconds ?? null;
  // Two requests that part must both have been there; a unit that is met again lives on.
  for (const i of new Set([...see(work), seen])) {
    if (i < 0) continue;
    const parted = held.seen.get(prefixes[i] as number)?.otherReadyAt ?? Infinity;
    if (parted === Infinity) continue;
    const readyAt = work.readyAt === null ? null : parted;
    putEntry(held.entries, prefixes[i] as number, { call, at, readyAt, lifetimeS });
  }
  if (last >= 0) {
    put(work, last, lifetimeS);
    const whole = prefixes[last] as number;
    held.inputs.set(whole, Math.min(held.inputs.get(whole) ?? Infinity, work.readyAt ?? -Infinity));
  }
  return { read, writes: {}, from, lost, lifetimeS: entry?.lifetimeS ?? null, coveredTo: null };
}

/**
 * Last block of the answer to the request whose whole input ends with block `input`: the message that follows it here,
 * when something follows that in turn. -1: this request does not go on where another one ended.
 */
function endOfOutput({ call, at, held }: Work, input: number): number {
  const { messageStarts, prefixes } = call.blocks;
  const answeredAt = input < 0 ? undefined : held.inputs.get(prefixes[input] as number);
  if (answeredAt === undefined || (at !== null && at < answeredAt)) return -1;
  const answer = messageStarts.indexOf(input + 1);
  const behind = answer < 0 ? undefined : messageStarts[answer + 1];
  return behind === undefined || behind >= prefixes.length ? -1 : behind - 1;
}
