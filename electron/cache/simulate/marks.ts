/**
 * Explicit breakpoints (cache-rules page, 3.1 to 3.3). Every mark whose prefix reaches the minimum becomes an entry.
 * Anthropic's and Qwen's marks look back a limited number of blocks for an earlier entry; OpenAI's are matched against
 * the latest breakpoints of the conversation, wherever they stand, and one more is set at the end of the request.
 */
import { tokens } from '../../../shared/units.ts';
import type { Lifetime } from '../rules.ts';
import { touchEntry } from './entries.ts';
import {
  entryAt,
  lifetimeFor,
  lifetimeFound,
  longestSeen,
  look,
  lostEntries,
  nothingFound,
  readFrom,
  put,
  reachesMinimum,
  see,
  tokensTo,
  type Found,
  type Outcome,
  type Work,
} from './work.ts';
import type { BlockMark, Lost } from './types.ts';

type Mark = { readonly block: number; readonly id: string; readonly lifetime: Lifetime | null };

/** Marks look back for entries; a mark for the whole request stands on its last block. */
export function byMarks(work: Work): Outcome {
  const { automatic, marks: own, prefixes } = work.call.blocks;
  const whole = automatic ? [{ block: prefixes.length - 1, ttl: automatic.ttl }] : [];
  const marks = marksOf(work, [...own, ...whole], work.rule.maxBreakpoints ?? Infinity);
  const limit = work.rule.lookbackBlocks ?? Infinity;
  const found = nothingFound();
  for (const { block } of marks) {
    for (let i = block; i > Math.max(-1, block - limit, found.live); i--) look(work, i, found);
  }
  return outcomeOf(work, marks, found, beyondLookback(work, marks, found, limit));
}

/** Breakpoints are matched without a limit of blocks; the newest message ends one by itself. */
export function byBreakpoints(work: Work): Outcome {
  const { blocks } = work.call;
  const last = blocks.prefixes.length - 1;
  const most = work.rule.maxBreakpoints ?? Infinity;
  const ownTtl = blocks.automatic?.ttl ?? null;
  const implicit: readonly BlockMark[] = blocks.explicitOnly || last < 0 ? [] : [{ block: last, ttl: ownTtl }];
  const marks = marksOf(work, [...blocks.marks.slice(-(most - implicit.length)), ...implicit], most);
  const found = nothingFound();
  if (marks.length > 0) {
    let considered = 0;
    const limit = work.rule.matchBreakpoints ?? Infinity;
    for (let i = last; i >= 0 && found.live < 0 && considered < limit; i--) if (look(work, i, found)) considered++;
  }
  return outcomeOf(work, marks, found, null);
}

/** The latest marks in the order of their blocks, one for each block: of several the one that lives longest. */
function marksOf(work: Work, marks: readonly BlockMark[], most: number): readonly Mark[] {
  const byBlock = new Map<number, Mark>();
  for (const { block, ttl } of marks) {
    if (block < 0) continue;
    const lifetime = lifetimeFor(work, ttl);
    const there = byBlock.get(block);
    if (there && secondsOf(there.lifetime) >= secondsOf(lifetime)) continue;
    byBlock.set(block, { block, id: lifetime?.id ?? ttl ?? '?', lifetime });
  }
  return [...byBlock.values()].sort((a, b) => a.block - b.block).slice(-most);
}

const secondsOf = (lifetime: Lifetime | null): number => lifetime?.seconds ?? Infinity;

function outcomeOf(work: Work, marks: readonly Mark[], found: Found, beyond: Lost['beyondLookback']): Outcome {
  const entry = entryAt(work, found.live);
  const read = tokensTo(work, found.live);
  const from = readFrom(work, entry);
  const early = lostEntries(work, found, read);
  const lifetimeS = lifetimeFound(work, found);
  const seen = longestSeen(work);
  const lost: Lost = {
    ...early,
    beyondLookback: beyond,
    tooShort: tooShort(work, marks, seen, read),
    unmarked: unmarked(
      work,
      seen,
      Math.max(read, early.expired?.tokens ?? 0, early.notReady?.tokens ?? 0, beyond?.tokens ?? 0),
    ),
  };

  if (entry && work.rule.refreshOnRead)
    touchEntry(work.held.entries, work.call.blocks.prefixes[found.live] as number, work.call, work.at);
  const long = marks.filter(({ block }) => reachesMinimum(work, block));
  for (const { block, lifetime } of long) put(work, block, lifetime?.seconds ?? null);
  see(work);
  const last = long.at(-1);
  const coveredTo = last && last.block > found.live ? last.block : found.live;
  return {
    read,
    writes: writesOf(work, long, read),
    from,
    lost,
    lifetimeS,
    coveredTo: coveredTo < 0 ? null : coveredTo,
  };
}

/** Written stretches from the end of the read to the last mark, each at the longest lifetime of a mark that covers it. */
function writesOf(work: Work, marks: readonly Mark[], read: number): Readonly<Record<string, number>> {
  const writes: Record<string, number> = {};
  let end = tokensTo(work, marks.at(-1)?.block ?? -1);
  let longest: Mark | null = null;
  for (const mark of marks.toReversed()) {
    const from = Math.max(read, Math.min(end, tokensTo(work, mark.block)));
    if (longest && end > from) writes[longest.id] = (writes[longest.id] ?? 0) + end - from;
    end = from;
    if (!longest || secondsOf(mark.lifetime) > secondsOf(longest.lifetime)) longest = mark;
  }
  if (longest && end > read) writes[longest.id] = (writes[longest.id] ?? 0) + end - read;
  return writes;
}

/** The longest live entry that lies before a mark, but further back than it looks. */
function beyondLookback(work: Work, marks: readonly Mark[], found: Found, limit: number): Lost['beyondLookback'] {
  let mark = marks.length - 1;
  const all = nothingFound();
  for (let i = marks[mark]?.block ?? -1; i > found.live; i--) {
    while (mark > 0 && (marks[mark - 1] as Mark).block >= i) mark--;
    const blocks = (marks[mark] as Mark).block - i + 1;
    if (blocks <= limit) continue;
    look(work, i, all);
    if (all.live === i) return { tokens: tokens(tokensTo(work, i)), blocks, limit };
  }
  return null;
}

/** An equal prefix below the minimum: at a mark, or the longest that there is. */
function tooShort(work: Work, marks: readonly Mark[], seen: number, read: number): Lost['tooShort'] {
  const { minimum } = work;
  if (minimum === null) return null;
  const isShort = (i: number): boolean => i >= 0 && tokensTo(work, i) < minimum;
  const equal = marks.filter(({ block }) => block <= seen && isShort(block)).at(-1)?.block ?? -1;
  const longest = tokensTo(work, isShort(seen) ? seen : equal);
  return longest > read ? { tokens: tokens(longest), minimum } : null;
}

/** An equal prefix that is long enough, and longer than any entry that was found. */
function unmarked(work: Work, seen: number, known: number): Lost['unmarked'] {
  const size = tokensTo(work, seen);
  return size > known && reachesMinimum(work, seen) ? { tokens: tokens(size) } : null;
}
