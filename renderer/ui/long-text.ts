/**
 * A prompt text can be fifty megabytes. Drawing the beginning is quick at any length, and a browser skips what is
 * off screen when a text is given to it in blocks; so a long text is cut at first, and in blocks when shown whole.
 */
export type Range = { readonly start: number; readonly end: number };
export type Piece = { readonly text: string; readonly isMarked: boolean };

/** Shown before a person asks for more, in UTF-16 units. */
export const FIRST_PART = 200_000;
const BLOCK = 16_000;

/** An end that does not split a surrogate pair. */
const whole = (text: string, end: number): number => {
  const unit = text.charCodeAt(end - 1);
  return end < text.length && unit >= 0xd800 && unit <= 0xdbff ? end - 1 : end;
};

/** The first `limit` units of a text, or all of it. */
export const beginningOf = (text: string, limit: number): string =>
  text.length <= limit ? text : text.slice(0, whole(text, limit));

/** Blocks of about 16,000 units that give the text when joined, cut behind a line break where there is one. */
export function blocksOf(text: string): readonly Range[] {
  const blocks: Range[] = [];
  for (let start = 0; start < text.length;) {
    let end = Math.min(text.length, start + BLOCK);
    if (end < text.length) {
      const line = text.lastIndexOf('\n', end - 1);
      end = line >= start ? line + 1 : whole(text, end);
    }
    blocks.push({ start, end });
    start = end;
  }
  return blocks;
}

/** One block as marked and unmarked pieces. `marks` are ascending and do not overlap. */
export function piecesOf(text: string, block: Range, marks: readonly Range[]): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = block.start;
  const push = (end: number, isMarked: boolean): void => {
    if (end > at) pieces.push({ text: text.slice(at, end), isMarked });
    at = Math.max(at, end);
  };
  for (const mark of marks) {
    if (mark.end <= block.start || mark.start >= block.end) continue;
    push(Math.max(block.start, mark.start), false);
    push(Math.min(block.end, mark.end), true);
  }
  push(block.end, false);
  return pieces;
}
