/**
 * A template is the same text every time, with islands where values are filled in. So a body whose lines mostly
 * stand where they stood may have been filled with other values; a body that was written anew has no such frame.
 */
import { chars, type Chars } from '../../shared/units.ts';
import { commonLead, commonTail } from './shared-prefix.ts';

export type Islands = {
  readonly count: number;
  /** Share of the longer text that is the same. */
  readonly share: number;
  /** The first island: UTF-16 offset in both texts, and what stands there. */
  readonly offset: Chars;
  /** Where `was` and `now` begin in their texts; behind `offset` where the lines that follow begin alike. */
  readonly start: Chars;
  readonly was: string;
  readonly now: string;
};

/** Lines of one side beyond this are not aligned; the whole middle counts as one island. */
const MAX_LINES = 600;

/** The places where two texts differ; null when they are equal. */
export function islandsBetween(was: string, now: string): Islands | null {
  if (was === now) return null;
  const linesA = was.split('\n');
  const linesB = now.split('\n');
  const lead = leadingLines(linesA, linesB);
  const tail = trailingLines(linesA, linesB, lead);
  const middleA = linesA.slice(lead, linesA.length - tail);
  const middleB = linesB.slice(lead, linesB.length - tail);
  const kept = alignedLines(middleA, middleB);

  // Runs of lines between aligned ones, refined to the characters that differ.
  const runs: { readonly was: string; readonly now: string }[] = [];
  let a = 0;
  let b = 0;
  let equal = length(linesA.slice(0, lead)) + length(linesA.slice(linesA.length - tail));
  for (const [i, j] of [...kept, [middleA.length, middleB.length] as const]) {
    if (i > a || j > b) runs.push({ was: middleA.slice(a, i).join('\n'), now: middleB.slice(b, j).join('\n') });
    if (i < middleA.length) equal += (middleA[i]?.length ?? 0) + 1;
    a = i + 1;
    b = j + 1;
  }
  for (const run of runs) {
    const start = commonLead(run.was, run.now);
    equal += start + commonTail(run.was, run.now, Math.min(run.was.length, run.now.length) - start);
  }
  const start = commonLead(was, now);
  const first = runs[0] ?? { was, now };
  const inFirst = commonLead(first.was, first.now);
  const back = commonTail(first.was, first.now, Math.min(first.was.length, first.now.length) - inFirst);
  return {
    count: Math.max(1, runs.length),
    share: Math.min(1, equal / Math.max(was.length, now.length, 1)),
    offset: chars(start),
    start: chars(length(linesA.slice(0, lead)) + inFirst),
    was: first.was.slice(inFirst, first.was.length - back),
    now: first.now.slice(inFirst, first.now.length - back),
  };
}

const length = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.length + 1, 0);

function leadingLines(a: readonly string[], b: readonly string[]): number {
  const limit = Math.min(a.length, b.length);
  let n = 0;
  while (n < limit && a[n] === b[n]) n++;
  return n;
}

function trailingLines(a: readonly string[], b: readonly string[], lead: number): number {
  const limit = Math.min(a.length, b.length) - lead;
  let n = 0;
  while (n < limit && a[a.length - 1 - n] === b[b.length - 1 - n]) n++;
  return n;
}

/** Pairs of equal lines that keep their order: the longest common subsequence. */
function alignedLines(a: readonly string[], b: readonly string[]): readonly (readonly [number, number])[] {
  if (a.length === 0 || b.length === 0 || a.length > MAX_LINES || b.length > MAX_LINES) return [];
  const width = b.length + 1;
  const best = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const skip = Math.max(best[(i + 1) * width + j] ?? 0, best[i * width + j + 1] ?? 0);
      best[i * width + j] = a[i] === b[j] ? (best[(i + 1) * width + j + 1] ?? 0) + 1 : skip;
    }
  }
  const pairs: (readonly [number, number])[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if ((best[(i + 1) * width + j] ?? 0) >= (best[i * width + j + 1] ?? 0)) i++;
    else j++;
  }
  return pairs;
}
