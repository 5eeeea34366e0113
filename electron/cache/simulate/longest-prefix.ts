/**
 * Most providers cache by themselves: what a request shares with an earlier one is read, in steps of so many tokens and
 * from a minimum on; nothing has to be marked (cache-rules page, 3.2 and 3.3).
 */
import { tokens } from '../../../shared/units.ts';
import { billsWrites, granularityOf } from '../rules.ts';
import { putEntries, stateOf } from './entries.ts';
import {
  entryAt,
  isInsideNextBlock,
  lifetimeFor,
  lifetimeFound,
  look,
  lostEntries,
  nothingFound,
  readFrom,
  tokensTo,
  type Outcome,
  type Work,
} from './work.ts';
import { NOTHING_LOST } from './types.ts';

export function byLongestPrefix(work: Work): Outcome {
  const { call, rule, minimum, scale } = work;
  const last = call.blocks.prefixes.length - 1;
  const found = nothingFound();
  // Whoever held a prefix holds all that it begins with, at least as fresh.
  for (let i = last; i >= 0 && found.live < 0; i--) look(work, i, found);
  const step = granularityOf(rule) ?? 1;
  const inStep = (size: number): number => Math.floor(size / step) * step;
  const isLong = (size: number): boolean => size > 0 && size >= (minimum ?? 0);

  const lifetime = lifetimeFor(work, call.blocks.automatic?.ttl ?? null);
  const lifetimeS = lifetime?.seconds ?? null;
  const shared = Math.max(tokensTo(work, found.live), insideNextBlock(work, found.live, lifetimeS));
  const floored = inStep(shared);
  const read = isLong(floored) ? floored : 0;
  const entry = read > 0 ? entryAt(work, found.live) : null;
  const from = readFrom(work, entry);
  const lost = {
    ...NOTHING_LOST,
    ...lostEntries(work, found, Math.max(read, shared)),
    tooShort: read === 0 && shared > 0 ? { tokens: tokens(shared), minimum: minimum ?? tokens(step) } : null,
  };
  const lifetimeOfFound = lifetimeFound(work, found);

  putEntries(work.held.entries, call.blocks.prefixes, { call, at: work.at, readyAt: work.readyAt, lifetimeS });
  const end = inStep(scale.total);
  const isBilled = billsWrites(rule) === true && isLong(end) && end > read;
  return {
    read,
    writes: isBilled ? { [lifetime?.id ?? '?']: end - read } : {},
    from,
    lost,
    lifetimeS: lifetimeOfFound,
    coveredTo: null,
  };
}

/** Tokens up to where the request before of the chain is equal inside the next block; 0 where that is not held. */
function insideNextBlock(work: Work, live: number, lifetimeS: number | null): number {
  const { call, previous, scale, at } = work;
  if (!previous || !call.sharedWithPrevious || !isInsideNextBlock(work, live)) return 0;
  const held = { readyAt: previous.readyAt, usedAt: previous.at, by: previous.call, lifetimeS };
  return stateOf(held, at) === 'live' ? scale.at(call.sharedWithPrevious) : 0;
}
