/**
 * The recorded request as the assembler would give it: entries (role and text) and named segments. Covel's own view of
 * the request, sentinels included, is the better witness; where it was concealed the wire's body serves, whose adapter
 * has taken the sentinels out and has cut or merged messages, so that both sides are brought to one form.
 */
import { comparedText } from '../../adapters/index.ts';
import { stripSentinels } from '../../assembler/data/escape.ts';
import type { CallSide } from '../../cache/index.ts';
import type { PromptMessage, Role, Segment, SegmentKind } from '../../../shared/model/index.ts';

/** What is compared: one message of the kernel's view, or one text of the wire. */
export type Entry = { readonly role: Role; readonly text: string; readonly images: number };

export type Recorded = {
  readonly view: 'kernel' | 'wire';
  readonly entries: readonly Entry[];
  /** Segments of the entries; `message` is an index of `entries` in the kernel's view. */
  readonly segments: readonly Segment[];
  /** Tools, tool loop and corrections of this run: they stand outside what the assembler builds. */
  readonly outside: readonly Segment[];
};

const OUTSIDE: ReadonlySet<SegmentKind> = new Set([
  'tool',
  'tool-call',
  'tool-result',
  'retry-hint',
  'response-format',
]);

const WRAPPER = /^<system-instruction>\n|\n<\/system-instruction>$/g;

function entryOf(message: PromptMessage): Entry {
  const spoken = message.parts.flatMap((part) => (part.type === 'text' ? part.texts : []));
  return {
    role: message.role,
    text: spoken.map((text) => text.text).join(''),
    images: message.parts.filter((part) => part.type === 'image').length,
  };
}

export function readRecorded(side: CallSide): Recorded {
  const { prompt, segments } = side;
  const own = prompt.messages.map((_, i) => segments.filter((segment) => segment.message === i));
  const isOutside = own.map((list) => list.length > 0 && list.every((segment) => OUTSIDE.has(segment.kind)));
  const kept = prompt.messages.filter((_, i) => isOutside[i] !== true);
  const at = new Map<number, number>();
  isOutside.forEach((skip, i) => {
    if (!skip) at.set(i, at.size);
  });
  const view = prompt.protocol === null ? 'kernel' : 'wire';
  return {
    view,
    entries: view === 'kernel' ? kept.map(entryOf) : wireEntries(kept),
    segments: segments
      .filter((segment) => !OUTSIDE.has(segment.kind))
      .map((segment) => ({ ...segment, message: segment.message === null ? null : (at.get(segment.message) ?? null) })),
    outside: segments.filter((segment) => OUTSIDE.has(segment.kind)),
  };
}

/** Each text part by itself: adapters merge neighbours of one role. */
const wireEntries = (messages: readonly PromptMessage[]): readonly Entry[] =>
  inWireForm(
    messages.flatMap(({ role, wrapped, parts }) =>
      parts.flatMap((part): readonly Entry[] =>
        part.type === 'text'
          ? part.texts.map(({ text }) => ({
              role: wrapped ? 'system' : role,
              text: text.replaceAll(WRAPPER, ''),
              images: 0,
            }))
          : [],
      ),
    ),
  );

/** Leading system texts as one, no sentinels, no white space at the edges of texts, no empty texts. */
export function inWireForm(entries: readonly Entry[]): readonly Entry[] {
  const plain = entries
    .map(({ role, text }): Entry => ({
      role,
      text: stripSentinels(text)
        .trim()
        .replace(/\s*\n\s*\n\s*/g, '\n\n'),
      images: 0,
    }))
    .filter(({ text }) => text !== '');
  const lead = plain.findIndex(({ role }) => role !== 'system');
  const head = plain.slice(0, lead < 0 ? plain.length : lead);
  const system: Entry = { role: 'system', text: head.map(({ text }) => text).join('\n\n'), images: 0 };
  return [...(head.length === 0 ? [] : [system]), ...plain.slice(head.length)];
}

/** Texts of the segments of some kinds, as a request is compared: without sentinels and white space at system edges. */
export const ofKind = (recorded: Recorded, ...kinds: readonly SegmentKind[]): readonly Segment[] =>
  recorded.segments.filter((segment) => kinds.includes(segment.kind));

export const plainText = (segment: Segment): string => stripSentinels(comparedText(segment));

/** A summary of earlier turns as it is sent. */
export const isEnvelope = (text: string): boolean => text.startsWith('<compacted_history>\n');

/** The inside of `<tag>…</tag>`; null for another text. */
export function insideOf(text: string, tag: string): string | null {
  const open = `<${tag}>`;
  const close = `</${tag}>`;
  return text.startsWith(open) && text.endsWith(close) ? text.slice(open.length, -close.length) : null;
}

export const unescapeXml = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
