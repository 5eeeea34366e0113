/**
 * A run is the text of one message as the model reads it, made of the texts at its addresses. Names are found in the
 * run; a range of the run is turned back into addressed texts.
 */
import { chars } from '../../../shared/units.ts';
import type { PromptMessage, Text } from '../../../shared/model/index.ts';

export type Run = { readonly text: string; readonly texts: readonly Text[]; readonly starts: readonly number[] };

/** A part of one text, offsets relative to it. */
export const sliceText = (text: Text, start: number, end: number): Text =>
  start === 0 && end === text.text.length
    ? text
    : {
        path: text.path,
        start: chars(text.start + start),
        end: chars(text.start + end),
        text: text.text.slice(start, end),
      };

export function runOf(texts: readonly Text[]): Run {
  const starts: number[] = [];
  let length = 0;
  for (const text of texts) {
    starts.push(length);
    length += text.text.length;
  }
  return { text: texts.length === 1 ? (texts[0] as Text).text : texts.map((t) => t.text).join(''), texts, starts };
}

/** The addressed texts of a range of the run. */
export function cut(run: Run, start: number, end: number): readonly Text[] {
  let low = 0;
  let high = run.starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((run.starts[middle] as number) <= start) low = middle;
    else high = middle - 1;
  }
  const found: Text[] = [];
  for (let i = low; i < run.texts.length && (run.starts[i] as number) < end; i++) {
    const text = run.texts[i] as Text;
    const from = Math.max(0, start - (run.starts[i] as number));
    const to = Math.min(text.text.length, end - (run.starts[i] as number));
    if (to > from) found.push(sliceText(text, from, to));
  }
  return found;
}

/** The texts that people or the assembler wrote: text parts only. */
export const spokenTexts = (message: PromptMessage): readonly Text[] =>
  message.parts.length === 1 && message.parts[0]?.type === 'text'
    ? message.parts[0].texts
    : message.parts.flatMap((part) => (part.type === 'text' ? part.texts : []));
