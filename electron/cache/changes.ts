/**
 * Segments of two requests are the same when kind, name, plugin and text agree; they are one segment with a new
 * text when only the text does not. The words of a player become history one turn later: that is another kind, so
 * it counts as added there.
 */
import type { Segment, SegmentChange } from '../../shared/model/index.ts';
import { comparedText, segmentRow } from '../adapters/index.ts';

export type Standing = 'equal' | 'added' | 'removed' | 'modified' | 'moved';

export type Changes = {
  /** Without the equal ones: in the order of b, removed ones where they stood in a. */
  readonly list: readonly SegmentChange[];
  standing(segment: Segment): Standing;
  /** The same segment of the other request; null when it is only here. */
  partner(segment: Segment): Segment | null;
};

/** The text of a segment as it is compared. */
export const textOf = (segment: Segment): string => comparedText(segment);

/** What a segment is, apart from its text. A row of the history is itself only within its own turn. */
function nameOf(segment: Segment): string {
  const turn = segment.kind === 'history' || segment.kind === 'picture-note' ? segment.origin.turnId : null;
  return JSON.stringify([segment.kind, segment.role, segment.origin.label, segment.origin.plugin, turn]);
}

export function changesBetween(a: readonly Segment[], b: readonly Segment[]): Changes {
  const partners = new Map<Segment, Segment>();
  const pair = (was: Segment, now: Segment): void => {
    partners.set(was, now);
    partners.set(now, was);
  };
  const pairUp = (keyOf: (segment: Segment) => string): void => {
    const waiting = new Map<string, Segment[]>();
    for (const segment of a) {
      if (partners.has(segment)) continue;
      const key = keyOf(segment);
      const there = waiting.get(key);
      if (there) there.push(segment);
      else waiting.set(key, [segment]);
    }
    const taken = new Map<string, number>();
    for (const segment of b) {
      if (partners.has(segment)) continue;
      const key = keyOf(segment);
      const nth = taken.get(key) ?? 0;
      const was = waiting.get(key)?.[nth];
      if (!was) continue;
      taken.set(key, nth + 1);
      pair(was, segment);
    }
  };
  pairUp((segment) => `${nameOf(segment)}${textOf(segment)}`);
  const equal = new Set(partners.keys());
  pairUp(nameOf);

  const indexInA = new Map(a.map((segment, index) => [segment, index] as const));
  const kept = inOrder(
    b.filter((segment) => equal.has(segment)),
    (segment) => indexInA.get(partners.get(segment) as Segment) ?? 0,
  );
  const inB = new Set(b);
  const standing = (segment: Segment): Standing => {
    const partner = partners.get(segment);
    if (!partner) return inB.has(segment) ? 'added' : 'removed';
    if (!equal.has(segment)) return 'modified';
    return kept.has(inB.has(segment) ? segment : partner) ? 'equal' : 'moved';
  };
  return { list: listOf(a, b, standing, partners), standing, partner: (segment) => partners.get(segment) ?? null };
}

function listOf(
  a: readonly Segment[],
  b: readonly Segment[],
  standing: (segment: Segment) => Standing,
  partners: ReadonlyMap<Segment, Segment>,
): readonly SegmentChange[] {
  const indexInB = new Map(b.map((segment, index) => [segment, index] as const));
  const placed: { readonly at: number; readonly change: SegmentChange }[] = [];
  const add = (segment: Segment, at: number): void => {
    const change = standing(segment);
    if (change === 'equal') return;
    const { tokens } = segmentRow(segment);
    placed.push({
      at,
      change: { segment: segment.id, kind: segment.kind, label: segment.origin.label, change, tokens },
    });
  };
  let last = -1;
  for (const segment of a) {
    const partner = partners.get(segment);
    if (partner) last = indexInB.get(partner) ?? last;
    else add(segment, last + 0.5);
  }
  b.forEach(add);
  return placed.sort((x, y) => x.at - y.at).map((entry) => entry.change);
}

/** The longest run of items whose ranks rise: what stayed in order, so that the rest was moved. */
function inOrder<T>(items: readonly T[], rankOf: (item: T) => number): ReadonlySet<T> {
  const ends: number[] = [];
  const before: number[] = [];
  items.forEach((item, index) => {
    const rank = rankOf(item);
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (rankOf(items[ends[middle] as number] as T) < rank) low = middle + 1;
      else high = middle;
    }
    before[index] = low > 0 ? (ends[low - 1] as number) : -1;
    ends[low] = index;
  });
  const kept = new Set<T>();
  for (let at = ends.length > 0 ? (ends[ends.length - 1] as number) : -1; at !== -1; at = before[at] as number) {
    kept.add(items[at] as T);
  }
  return kept;
}
