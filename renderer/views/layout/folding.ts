/**
 * A long session sends thousands of history messages and a handful of everything else. Neighbours of one sort
 * (tool definitions, history messages, the steps of a tool loop) are therefore listed as one row that opens.
 */
import type { SegmentKind, SegmentRow } from '../../../shared/model/index.ts';

export type FoldName = 'tools' | 'history' | 'loop' | 'alike';

const FOLD: Partial<Readonly<Record<SegmentKind, FoldName>>> = {
  tool: 'tools',
  history: 'history',
  'picture-note': 'history',
  'tool-call': 'loop',
  'tool-result': 'loop',
};

/** Kinds that are listed one by one until there are this many of one kind in a row. */
const ALIKE: ReadonlySet<SegmentKind> = new Set(['pre-history', 'lore', 'depth', 'unknown']);
const MANY = 6;

/** Neighbouring segments from `from` up to, not including, `to`. A run of one segment has no fold. */
export type Run = { readonly fold: FoldName | null; readonly from: number; readonly to: number };

/** Cuts the segments into runs, in order and without gaps: neighbours that share a fold become one run. */
export function runsOf(segments: readonly SegmentRow[]): readonly Run[] {
  const runs: Run[] = [];
  for (let from = 0; from < segments.length;) {
    const { kind } = segments[from]!;
    const fold = FOLD[kind] ?? (ALIKE.has(kind) ? 'alike' : null);
    const belongs = (other: SegmentKind): boolean => (fold === 'alike' ? other === kind : FOLD[other] === fold);
    let to = from + 1;
    while (fold !== null && to < segments.length && belongs(segments[to]!.kind)) to++;
    const least = fold === 'alike' ? MANY : 2;
    if (to - from >= least) runs.push({ fold, from, to });
    else for (let one = from; one < to; one++) runs.push({ fold: null, from: one, to: one + 1 });
    from = to;
  }
  return runs;
}

/** A line of the segment table: one segment, or the head of a folded run. */
export type Line =
  | { readonly kind: 'segment'; readonly segment: number; readonly run: number; readonly inFold: boolean }
  | { readonly kind: 'fold'; readonly run: number; readonly isOpen: boolean };

/** The lines to draw. `open` holds the indexes of the runs that are opened. */
export function linesOf(runs: readonly Run[], open: ReadonlySet<number>): readonly Line[] {
  const lines: Line[] = [];
  runs.forEach((run, index) => {
    if (run.fold === null) {
      lines.push({ kind: 'segment', segment: run.from, run: index, inFold: false });
      return;
    }
    const isOpen = open.has(index);
    lines.push({ kind: 'fold', run: index, isOpen });
    if (!isOpen) return;
    for (let segment = run.from; segment < run.to; segment++)
      lines.push({ kind: 'segment', segment, run: index, inFold: true });
  });
  return lines;
}

/** The line that stands for a segment: its own, or the head of the closed run that holds it. -1 when there is none. */
export function lineOfSegment(lines: readonly Line[], runs: readonly Run[], segment: number): number {
  return lines.findIndex((line) =>
    line.kind === 'segment'
      ? line.segment === segment
      : !line.isOpen && runs[line.run]!.from <= segment && segment < runs[line.run]!.to,
  );
}

/** The segment that is chosen by a step of one line up or down; heads of open runs are passed over. */
export function stepSegment(
  lines: readonly Line[],
  runs: readonly Run[],
  segment: number | null,
  by: 1 | -1,
): number | null {
  const stops = lines.filter((line) => line.kind === 'segment' || !line.isOpen);
  if (stops.length === 0) return null;
  const at = segment === null ? -1 : lineOfSegment(stops, runs, segment);
  const next = at < 0 ? 0 : Math.min(stops.length - 1, Math.max(0, at + by));
  const line = stops[next]!;
  return line.kind === 'segment' ? line.segment : runs[line.run]!.from;
}
