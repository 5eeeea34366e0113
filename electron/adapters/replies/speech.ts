/**
 * What a reply says, in two voices: text and reasoning. Reasoning comes in blocks; the ones that are not blank are
 * joined by a blank line (assembler page, 9.1.4). What was said is exactly the sum of the deltas.
 */
import { createThinkSplitter } from './think.ts';
import type { StreamEvent } from './types.ts';

export type Said = { readonly text: string; readonly reasoning: string; readonly inline: boolean };

export type Speech = {
  text(delta: string): void;
  reasoning(delta: string): void;
  /** The reasoning that follows is another block. */
  nextBlock(): void;
  /** Says what was held back. */
  end(): Said;
  said(): Said;
};

/** `inline`: reasoning may stand in the text, between think tags. */
export function createSpeech(emit: (event: StreamEvent) => void, inline: boolean): Speech {
  const splitter = inline ? createThinkSplitter() : null;
  let text = '';
  let reasoning = '';
  let fromText = false;
  /** White space of a block that may be blank. */
  let blank = '';
  let opened = false;

  const think = (delta: string): void => {
    if (!opened) {
      blank += delta;
      if (delta.trim() === '') return;
      delta = reasoning === '' ? blank : `\n\n${blank}`;
      blank = '';
      opened = true;
    }
    if (delta === '') return;
    reasoning += delta;
    emit({ type: 'reasoning-delta', text: delta });
  };
  const nextBlock = (): void => {
    opened = false;
    blank = '';
  };
  const speak = (delta: string): void => {
    if (delta === '') return;
    text += delta;
    emit({ type: 'text-delta', text: delta });
  };
  const split = (pieces: readonly { readonly type: 'text' | 'reasoning'; readonly text: string }[]): void => {
    for (const piece of pieces) {
      if (piece.type === 'text') speak(piece.text);
      else {
        if (!fromText) nextBlock();
        fromText = true;
        think(piece.text);
      }
    }
  };
  const said = (): Said => ({ text, reasoning, inline: fromText });
  return {
    text: (delta) => (splitter ? split(splitter.push(delta)) : speak(delta)),
    reasoning: think,
    nextBlock,
    end: () => {
      if (splitter) split(splitter.end());
      return said();
    },
    said,
  };
}

export const silent = (): void => undefined;
