/**
 * A hook gives back strings. What of them is still the text of a segment is known by comparing; the rest is the
 * hook's own.
 */
import { CACHE_SENTINEL } from './data/escape.ts';
import { messageText, piece } from './piece.ts';
import type { AssembledSegment, LlmMessage, SegmentedMessage, SegmentedText } from './types.ts';

/** The text without white space and sentinels at its end. */
function core(text: string): string {
  let rest = text.trimEnd();
  while (rest.endsWith(CACHE_SENTINEL)) rest = rest.slice(0, -CACHE_SENTINEL.length).trimEnd();
  return rest;
}

/** How many units of white space and sentinels a text begins with. */
function gapLength(text: string): number {
  let rest = text.trimStart();
  while (rest.startsWith(CACHE_SENTINEL)) rest = rest.slice(CACHE_SENTINEL.length).trimStart();
  return text.length - rest.length;
}

/** Finds the known segments in `text`, in their order; runs between them are of kind `unknown`, label `hook`. */
export function resegment(text: string, known: readonly AssembledSegment[], role: LlmMessage['role']): SegmentedText {
  const segments: AssembledSegment[] = [];
  let done = 0;
  const between = (end: number): void => {
    const gap = text.slice(done, end);
    const last = segments.at(-1);
    const head = last ? gapLength(gap) : 0;
    if (last && head > 0) segments[segments.length - 1] = { ...last, text: last.text + gap.slice(0, head) };
    if (head < gap.length) segments.push({ ...piece('unknown', role, 'hook', ''), text: gap.slice(head) });
    done = end;
  };
  for (const segment of known) {
    const own = core(segment.text);
    const start = own === '' ? -1 : text.indexOf(own, done);
    if (start < 0) continue;
    between(start);
    segments.push({ ...segment, text: own });
    done = start + own.length;
  }
  between(text.length);
  return { text, segments };
}

function isSame(a: LlmMessage, b: LlmMessage): boolean {
  if (a === b) return true;
  if (a.role !== b.role || (typeof a.content === 'string' && a.content !== b.content)) return false;
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The messages with their segments: known ones in their order keep theirs, others are looked into or unknown. */
export function resegmentMessages(
  messages: readonly LlmMessage[],
  known: readonly SegmentedMessage[],
): readonly SegmentedMessage[] {
  let from = 0;
  return messages.map((message) => {
    const at = known.findIndex((one, i) => i >= from && isSame(one.message, message));
    if (at >= 0) {
      from = at + 1;
      return { message, segments: known[at]?.segments ?? [] };
    }
    const near = known[from];
    const segments = near?.message.role === message.role ? near.segments : [];
    return { message, segments: resegment(messageText(message), segments, message.role).segments };
  });
}
