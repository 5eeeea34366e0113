/**
 * A turn block is short and changes in islands: a number here, a name there. Words (single characters in Chinese
 * and Japanese, which put no spaces between words) are compared by the shortest edit script, found greedily
 * from both ends of the diagonal band (E. Myers, "An O(ND) Difference Algorithm", 1986); texts that differ too
 * much for that are shown as one removed and one added run.
 */
export type Piece = { readonly kind: 'same' | 'added' | 'removed'; readonly text: string };

const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu;

/** Cuts a text into words, spaces and single signs; joined again they give the text. */
export const wordsOf = (text: string): readonly string[] => text.match(WORD) ?? [];

/** Longest edit script that is looked for, in words; beyond it the middle is given as replaced. */
const MOST_EDITS = 600;

/** Furthest reaching x by diagonal, one array a number of edits; null when more than `most` edits are needed. */
function traceOf(a: readonly string[], b: readonly string[], most: number): readonly Int32Array[] | null {
  const limit = Math.min(most, a.length + b.length);
  const reach = new Int32Array(2 * limit + 3);
  const trace: Int32Array[] = [];
  for (let edits = 0; edits <= limit; edits++) {
    trace.push(reach.slice());
    for (let k = -edits; k <= edits; k += 2) {
      const at = k + limit + 1;
      const down = k === -edits || (k !== edits && reach[at - 1]! < reach[at + 1]!);
      let x = down ? reach[at + 1]! : reach[at - 1]! + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      reach[at] = x;
      if (x >= a.length && x - k >= b.length) return trace;
    }
  }
  return null;
}

/** Walks the trace back from the ends of both texts. */
function script(a: readonly string[], b: readonly string[], trace: readonly Int32Array[]): readonly Piece[] {
  const middle = (trace[0]!.length - 1) / 2;
  const backwards: Piece[] = [];
  let x = a.length;
  let y = b.length;
  const same = (untilX: number, untilY: number): void => {
    while (x > untilX && y > untilY) {
      backwards.push({ kind: 'same', text: a[--x]! });
      y--;
    }
  };
  for (let edits = trace.length - 1; edits > 0; edits--) {
    const reach = trace[edits]!;
    const k = x - y;
    const down = k === -edits || (k !== edits && reach[middle + k - 1]! < reach[middle + k + 1]!);
    const fromX = reach[middle + k + (down ? 1 : -1)]!;
    same(fromX, fromX - k - (down ? 1 : -1));
    backwards.push(down ? { kind: 'added', text: b[--y]! } : { kind: 'removed', text: a[--x]! });
  }
  same(0, 0);
  return backwards.toReversed();
}

/** Neighbours of one kind become one piece; between two equal pieces what was removed comes before what was added. */
function tidy(pieces: readonly Piece[]): readonly Piece[] {
  const out: Piece[] = [];
  let removed = '';
  let added = '';
  const flush = (): void => {
    if (removed !== '') out.push({ kind: 'removed', text: removed });
    if (added !== '') out.push({ kind: 'added', text: added });
    removed = added = '';
  };
  for (const piece of pieces) {
    if (piece.kind === 'removed') removed += piece.text;
    else if (piece.kind === 'added') added += piece.text;
    else if (piece.text !== '') {
      flush();
      const last = out.at(-1);
      if (last?.kind === 'same') out[out.length - 1] = { kind: 'same', text: last.text + piece.text };
      else out.push(piece);
    }
  }
  flush();
  return out;
}

/**
 * Pieces of the change from `before` to `after`. The same and removed pieces together give `before`, the same
 * and added ones give `after`.
 */
export function wordDiff(before: string, after: string): readonly Piece[] {
  const a = wordsOf(before);
  const b = wordsOf(after);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const from = a.slice(start, a.length - end);
  const to = b.slice(start, b.length - end);
  const trace = traceOf(from, to, MOST_EDITS);
  const middle: readonly Piece[] = trace
    ? script(from, to, trace)
    : [
        { kind: 'removed', text: from.join('') },
        { kind: 'added', text: to.join('') },
      ];
  return tidy([
    { kind: 'same', text: a.slice(0, start).join('') },
    ...middle,
    { kind: 'same', text: end > 0 ? a.slice(-end).join('') : '' },
  ]);
}
