/**
 * Some models write their reasoning into the reply, between `<think>` and `</think>` at its very start (assembler page,
 * 8.9). Only there it is split out; a later tag is text. White space around the tags belongs to neither side.
 */
const OPEN = '<think>';
const CLOSE = '</think>';

export type ThinkPiece = { readonly type: 'text' | 'reasoning'; readonly text: string };

/** Splits a text that comes in pieces of any size; the pieces that come out do not depend on how it was cut. */
export type ThinkSplitter = { push(text: string): readonly ThinkPiece[]; end(): readonly ThinkPiece[] };

/** Length of the longest end of `text` that could be the start of `mark`. */
function openEnd(text: string, mark: string): number {
  for (let n = Math.min(text.length, mark.length - 1); n > 0; n--) if (mark.startsWith(text.slice(-n))) return n;
  return 0;
}

export function createThinkSplitter(): ThinkSplitter {
  let state: 'start' | 'reasoning' | 'after' | 'text' = 'start';
  /** What may still become a tag, or white space that may belong to one. */
  let held = '';
  let heldIsBlank = true;
  let said = false;

  const reasoning = (text: string, closes: boolean): readonly ThinkPiece[] => {
    const from = said ? text : text.trimStart();
    const keep = closes ? from.trimEnd() : from.slice(0, from.trimEnd().length);
    held = closes ? '' : from.slice(keep.length);
    if (keep === '') return [];
    said = true;
    return [{ type: 'reasoning', text: keep }];
  };

  /** White space alone decides nothing, however much of it comes. */
  const push = (text: string): readonly ThinkPiece[] => {
    if (state !== 'text' && heldIsBlank && text.trim() === '') {
      if (state === 'start' || (state === 'reasoning' && said)) held += text;
      return [];
    }
    const pieces = step(text);
    heldIsBlank = held.trim() === '';
    return pieces;
  };

  const step = (text: string): readonly ThinkPiece[] => {
    if (state === 'text') return text === '' ? [] : [{ type: 'text', text }];
    const all = held + text;
    held = '';
    if (state === 'start') {
      const head = all.trimStart();
      if (head.startsWith(OPEN)) {
        state = 'reasoning';
        return step(head.slice(OPEN.length));
      }
      if (OPEN.startsWith(head)) {
        held = all;
        return [];
      }
      state = 'text';
      return [{ type: 'text', text: all }];
    }
    if (state === 'reasoning') {
      const close = all.indexOf(CLOSE);
      if (close >= 0) {
        const pieces = reasoning(all.slice(0, close), true);
        state = 'after';
        return [...pieces, ...step(all.slice(close + CLOSE.length))];
      }
      const open = openEnd(all, CLOSE);
      const pieces = reasoning(all.slice(0, all.length - open), false);
      held += all.slice(all.length - open);
      return pieces;
    }
    const rest = all.trimStart();
    if (rest === '') return [];
    state = 'text';
    return [{ type: 'text', text: rest }];
  };

  return {
    push,
    end: () => {
      const rest = held;
      held = '';
      if (state === 'reasoning') return reasoning(rest, true);
      const pieces: readonly ThinkPiece[] = rest === '' ? [] : [{ type: 'text', text: rest }];
      state = 'text';
      return pieces;
    },
  };
}

/** The two sides of a whole text. */
export function splitThink(text: string): { readonly text: string; readonly reasoning: string } {
  const splitter = createThinkSplitter();
  const pieces = [...splitter.push(text), ...splitter.end()];
  const side = (type: ThinkPiece['type']): string =>
    pieces.flatMap((piece) => (piece.type === type ? piece.text : [])).join('');
  return { text: side('text'), reasoning: side('reasoning') };
}
