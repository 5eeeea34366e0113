/**
 * A turn's data is sent once: the next turn repeats the request before only up to the end of its history (seed 1,
 * section 2). A later step of the same turn repeats all of it.
 */
import { keyOf, stringRuns, type CallSide } from '../cache/index.ts';
import type { SegmentKind } from '../../shared/model/index.ts';
import { chars, type Chars } from '../../shared/units.ts';

/** What belongs to one turn, or moves with every turn, and what follows it. */
const TURN_DATA: readonly SegmentKind[] = [
  'turn-context',
  'pictures',
  'player',
  'story',
  'story-cue',
  'depth',
  'post-history',
  'retry-hint',
];

/** UTF-16 units of the request's key text that the next turn's request can repeat; all of it where nothing is of one turn. */
export function historyEnd(side: CallSide): Chars {
  const { body, segments } = side;
  const texts = segments.filter(({ kind }) => TURN_DATA.includes(kind)).flatMap((segment) => segment.texts);
  let before = 0;
  for (const part of keyOf(side).parts) {
    const own = texts.filter(({ path }) => path === part.path || path.startsWith(`${part.path}/`));
    if (own.length > 0) {
      for (const string of stringRuns(part, body)) {
        const starts = own.flatMap(({ path, start }) => (path === string.path ? [start] : []));
        // Escapes make a place inside a string a little later than this.
        if (starts.length > 0) return chars(before + string.start + Math.min(...starts));
      }
    }
    before += part.text.length;
  }
  return chars(before);
}
