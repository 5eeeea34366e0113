/**
 * An adapter sends the system prompt as one string, as blocks or as parts, without sentinels and with other white
 * space between the parts. So each part of the kernel view is looked for in the wire's leading system texts, in order;
 * what stands between found parts was added by an adapter or a hook.
 */
import type { PromptMessage, Text, WirePrompt } from '../../../shared/model/index.ts';
import { SENTINEL } from '../kernel/parse.ts';
import { beforeSpace } from './blocks.ts';
import { addedRanges, contextRanges, systemRanges, type Draft, type Range } from './drafts.ts';
import { UNKNOWN, type NamingEvidence } from './evidence.ts';
import { systemPieces, type PieceKind } from './pieces.ts';
import type { Placed } from './places.ts';
import { cut, runOf, spokenTexts } from './run.ts';
import { PREAMBLE_OPEN } from './tags.ts';

/** What the kernel view says must follow: a part of the system prompt, or a system message of its own. */
type Expected = { readonly text: string; readonly ranges: (text: string) => readonly Range[]; readonly ahead: boolean };

/** One leading text of the wire. `message`: its index in the prompt. `spoken`: a text part, not some other field. */
type Entry = { readonly message: number; readonly text: Text; readonly spoken: boolean };

type Found = { readonly entry: number; readonly start: number; readonly end: number; readonly expected: Expected };

export type SystemDraft = Draft & { readonly message: number };

const GAP = new RegExp(`(?:\\s|${SENTINEL})*`, 'y');
/** A part that is not where it should be is searched for further on, this often at most. */
const SEARCHES = 16;

function afterGap(text: string, from: number): number {
  GAP.lastIndex = from;
  GAP.test(text);
  return GAP.lastIndex;
}

const messageText = (message: PromptMessage): string =>
  spokenTexts(message)
    .map((text) => text.text)
    .join('');

function expectedOf(kernel: Placed, evidence: NamingEvidence): readonly Expected[] {
  const expected: Expected[] = [];
  kernel.messages.forEach((message, i) => {
    if (message.role !== 'system') return;
    const place = kernel.places[i];
    const text = messageText(message);
    if (place?.kind === 'prompt') {
      const pieces = systemPieces(text);
      const hasPreamble = pieces[0]?.kind === 'preamble';
      for (const piece of pieces) {
        const ranges = (own: string): readonly Range[] => systemRanges(own, piece.kind, evidence, hasPreamble);
        expected.push({ text: piece.text, ranges, ahead: true });
      }
    } else {
      const ranges = (own: string): readonly Range[] =>
        place?.kind === 'named' ? [{ start: 0, end: own.length, name: place.name }] : contextRanges(own, false);
      expected.push({ text: text.trim(), ranges, ahead: i < kernel.leading });
    }
  });
  return expected.filter(({ text }) => text !== '');
}

/** Finds the expected texts in order: at the next place, or, for leading ones, the first place further on. */
function locate(entries: readonly Entry[], expected: readonly Expected[]): readonly Found[] {
  const found: Found[] = [];
  let entry = 0;
  /** Where the next part must begin: behind the white space and sentinels after the last one. */
  let next = 0;
  let searches = SEARCHES;
  const move = (where: number, offset: number): void => {
    entry = where;
    next = offset;
    for (let here = entries[entry]; here !== undefined; here = entries[++entry]) {
      next = here.spoken ? afterGap(here.text.text, next) : here.text.text.length;
      if (next < here.text.text.length) return;
      next = 0;
    }
  };
  const take = (where: number, start: number, what: Expected): void => {
    const end = start + what.text.length;
    found.push({ entry: where, start, end, expected: what });
    move(where, end);
  };
  move(0, 0);
  for (const what of expected) {
    const here = entries[entry];
    if (here === undefined) break;
    if (here.text.text.startsWith(what.text, next)) take(entry, next, what);
    else if (what.ahead && searches-- > 0) {
      for (let i = entry; i < entries.length; i++) {
        const other = entries[i] as Entry;
        const place = other.spoken ? other.text.text.indexOf(what.text, i === entry ? next : 0) : -1;
        if (place < 0) continue;
        take(i, place, what);
        break;
      }
    }
  }
  return found;
}

/** Cache sentinels close the part that they follow. */
const CLOSING = new RegExp(`(?:\\s*${SENTINEL})*`, 'y');

function afterSentinels(text: string, from: number): number {
  CLOSING.lastIndex = from;
  CLOSING.test(text);
  return CLOSING.lastIndex;
}

/** Where the white space between an added text and the found part behind it begins. */
const beforeGap = (text: string, from: number, end: number): number =>
  afterGap(text, from) >= end ? from : beforeSpace(text, from, end);

/**
 * All ranges of one text: what was found takes the white space before it and the sentinels behind it, the last one also
 * the white space at the end.
 */
function rangesOf(text: string, found: readonly Found[]): readonly Range[] {
  const ranges: Range[] = [];
  let done = 0;
  const added = (end: number): void => {
    for (const range of addedRanges(text.slice(done, end))) {
      ranges.push({ ...range, start: range.start + done, end: range.end + done });
    }
    done = end;
  };
  for (const { start, end, expected } of found) {
    const before = beforeGap(text, done, start);
    if (before > done) added(before);
    const until = afterSentinels(text, end);
    const own = expected.ranges(text.slice(start, end));
    own.forEach((range, i) => {
      ranges.push({
        start: i === 0 ? done : range.start + start,
        end: i === own.length - 1 ? until : range.end + start,
        name: range.name,
      });
    });
    done = until;
  }
  if (afterGap(text, done) < text.length) added(text.length);
  const last = ranges.pop() ?? { start: 0, name: UNKNOWN };
  return [...ranges, { ...last, end: text.length }];
}

/** Without a kernel view: blocks of an Anthropic prompt end at its boundaries, all else is told by tags. */
function bareRanges(entries: readonly Entry[], at: number, wire: Placed, blocks: boolean, evidence: NamingEvidence) {
  const { text, message } = entries[at] as Entry;
  const place = wire.places[message];
  const cutInBlocks = blocks && entries.length > 1 && (entries[0] as Entry).text.text.startsWith(PREAMBLE_OPEN);
  if (cutInBlocks) {
    const kind: PieceKind = at === 0 ? 'preamble' : at === 1 ? 'body' : 'whole';
    return at < 2 ? structural(systemRanges(text.text, kind, evidence)) : addedRanges(text.text);
  }
  if (blocks || place?.kind === 'prompt') return systemRanges(text.text, 'whole', evidence);
  if (place?.kind === 'named') return [{ start: 0, end: text.text.length, name: place.name }];
  return contextRanges(text.text, false);
}

/** The block boundary proves these names, not a sentinel. */
const structural = (ranges: readonly Range[]): readonly Range[] =>
  ranges.map((range) => ({ ...range, name: { ...range.name, proof: 'structure' as const } }));

/** Names the leading system texts of a prompt. `kernel`: the placed kernel view, or null. */
export function nameSystem(
  prompt: WirePrompt,
  wire: Placed,
  kernel: Placed | null,
  evidence: NamingEvidence,
): readonly SystemDraft[] {
  const entries: Entry[] = [];
  for (let message = 0; message < wire.leading; message++) {
    for (const part of (prompt.messages[message] as PromptMessage).parts) {
      for (const text of part.texts) entries.push({ message, text, spoken: part.type === 'text' });
    }
  }
  const found = kernel === null ? [] : locate(entries, expectedOf(kernel, evidence));
  const byEntry = new Map<number, Found[]>();
  for (const one of found) {
    const list = byEntry.get(one.entry);
    if (list === undefined) byEntry.set(one.entry, [one]);
    else list.push(one);
  }
  const blocks = prompt.protocol === 'anthropic-messages-v1';
  return entries.flatMap((entry, i): readonly SystemDraft[] => {
    const { text, message, spoken } = entry;
    if (!spoken) return [{ name: UNKNOWN, role: 'system', texts: [text], message }];
    // A kernel view of which nothing is found in the request (concealed, cut) proves nothing about it.
    const bare = found.length === 0;
    const ranges = bare ? bareRanges(entries, i, wire, blocks, evidence) : rangesOf(text.text, byEntry.get(i) ?? []);
    const run = runOf([text]);
    return ranges
      .map((range) => ({ name: range.name, role: 'system' as const, texts: cut(run, range.start, range.end), message }))
      .filter((draft) => draft.texts.length > 0);
  });
}
