/**
 * From a range of text to named segments: blocks by their tags, lore by its headings, the rest by the part of the
 * prompt it stands in.
 */
import type { Role, Text } from '../../../shared/model/index.ts';
import { WRAPPER_CLOSE, WRAPPER_OPEN } from '../parts.ts';
import { splitBlocks, splitHeadings, summaryStarts, type Block } from './blocks.ts';
import { name, UNKNOWN, type Name, type NamingEvidence } from './evidence.ts';
import type { PieceKind } from './pieces.ts';
import { cut, type Run } from './run.ts';
import { FORMAT_OPEN, PREAMBLE_LAST, PREAMBLE_OPEN, SUMMARY_OPEN, tagFact } from './tags.ts';

/** A named run of texts that has no number yet. */
export type Draft = { readonly name: Name; readonly role: Role; readonly texts: readonly Text[] };

/** A range of a text and its name. */
export type Range = { readonly start: number; readonly end: number; readonly name: Name };

/** A block that the assembler or a plugin put into the system prompt. */
function systemBlock(tag: string, kind: PieceKind): Name {
  const fact = tagFact(tag);
  const plugin = fact?.plugin ?? null;
  if (fact !== null && fact.kind !== 'extension' && fact.kind !== 'turn-context') return name(fact.kind, 'tag', tag);
  if (kind === 'whole' && fact?.kind === 'turn-context') return name('turn-context', 'tag', tag, { plugin });
  return name('extension', 'tag', tag, { plugin }, kind === 'tail' ? 'turn' : 'session');
}

/** Text between the blocks of a part: lore entries by their headings, else what the part holds. */
function systemText(text: string, block: Block, kind: PieceKind): readonly Range[] {
  const rest: Readonly<Record<PieceKind, Name>> = {
    preamble: UNKNOWN,
    body: UNKNOWN,
    whole: UNKNOWN,
    stable: name('extension', 'sentinel', 'text'),
    inner: name('extension', 'sentinel', 'text'),
    lore: name('lore', 'sentinel', 'text'),
    tail: name('extension', 'sentinel', 'pre-history', {}, 'turn'),
  };
  const headed = splitHeadings(text.slice(block.start, block.end), kind === 'lore' ? 'any' : 'rules');
  return headed.map(({ label, start, end }) => ({
    start: block.start + start,
    end: block.start + end,
    name: label === null ? rest[kind] : name('lore', 'marker', label),
  }));
}

const blockRanges = (text: string, kind: PieceKind): readonly Range[] =>
  splitBlocks(text).flatMap((block) =>
    block.tag === null
      ? systemText(text, block, kind)
      : [{ start: block.start, end: block.end, name: systemBlock(block.tag, kind) }],
  );

const bodyName = (proof: 'sentinel' | 'tag' | 'structure', evidence: NamingEvidence): Name =>
  name('runtime-body', proof, evidence.runtimeId ?? 'runtime', {
    plugin: evidence.pluginId,
    runtime: evidence.runtimeId,
  });

const shifted = (ranges: readonly Range[], by: number): readonly Range[] =>
  ranges.map((range) => ({ ...range, start: range.start + by, end: range.end + by }));

/** End of the preamble: where the blank line behind its last block begins, or the end of the text. */
function preambleEnd(text: string): number {
  if (!text.trimStart().startsWith(PREAMBLE_OPEN)) return 0;
  const last = text.indexOf(`\n${PREAMBLE_LAST}`);
  if (last < 0) return 0;
  const gap = /\n[ \t]*\n\s*/g;
  gap.lastIndex = last + 1;
  const found = gap.exec(text);
  return found === null || gap.lastIndex === text.length ? text.length : found.index;
}

/**
 * A system prompt that no sentinel divides: the preamble by its own headings, then the runtime body up to the first
 * block with a well-known tag. Without preamble or such a block nothing proves where the body is.
 */
function wholeRanges(text: string, evidence: NamingEvidence, hasPreamble: boolean): readonly Range[] {
  const head = preambleEnd(text);
  const rest = text.slice(head);
  const ranges: Range[] =
    head === 0 ? [] : [{ start: 0, end: head, name: name('framework-preamble', 'marker', 'preamble') }];
  if (rest === '') return ranges;
  const blocks = splitBlocks(rest);
  const known = blocks.find((block) => block.tag !== null && tagFact(block.tag) !== null);
  if (known === undefined && head === 0 && !hasPreamble) {
    return [...ranges, { start: head, end: text.length, name: UNKNOWN }];
  }
  const end = known?.start ?? rest.length;
  if (end > 0) ranges.push({ start: head, end: head + end, name: bodyName('tag', evidence) });
  return [...ranges, ...shifted(blockRanges(rest.slice(end), 'whole'), head + end)];
}

/** Names for one part of the system prompt; the ranges together are the whole text. */
export function systemRanges(
  text: string,
  kind: PieceKind,
  evidence: NamingEvidence,
  hasPreamble = false,
): readonly Range[] {
  if (kind === 'preamble')
    return [{ start: 0, end: text.length, name: name('framework-preamble', 'sentinel', 'preamble') }];
  if (kind === 'body') return [{ start: 0, end: text.length, name: bodyName('sentinel', evidence) }];
  return kind === 'whole' ? wholeRanges(text, evidence, hasPreamble) : blockRanges(text, kind);
}

/** System text that the adapter or a hook added: the schema instruction, well-known blocks, else unknown. */
export function addedRanges(text: string): readonly Range[] {
  const format = text.includes(FORMAT_OPEN);
  return format
    ? [{ start: 0, end: text.length, name: name('response-format', 'tag', 'response format') }]
    : blockRanges(text, 'whole');
}

/** The blocks of the turn context. Ranges of `text`; the characters of a wrapper belong to the outer blocks. */
export function contextRanges(text: string, wrapped: boolean): readonly Range[] {
  const head = wrapped ? WRAPPER_OPEN.length : 0;
  const tail = wrapped ? WRAPPER_CLOSE.length : 0;
  const blocks = splitBlocks(text.slice(head, text.length - tail));
  if (blocks.length === 0) return [{ start: 0, end: text.length, name: name('turn-context', 'position', 'text') }];
  return blocks.map(({ tag, start, end }, i) => ({
    start: i === 0 ? 0 : start + head,
    end: i === blocks.length - 1 ? text.length : end + head,
    name:
      tag === null
        ? name('turn-context', 'position', 'text')
        : name('turn-context', 'tag', tag, { plugin: tagFact(tag)?.plugin ?? null }),
  }));
}

/** The envelopes of a summary message, numbered on from `before`. */
export function summaryRanges(text: string, before: number): readonly Range[] {
  const starts = summaryStarts(text, SUMMARY_OPEN);
  return starts.map((start, i) => ({
    start,
    end: starts[i + 1] ?? text.length,
    name: name('summary', 'tag', `summary ${before + i + 1}`),
  }));
}

export const draftsOf = (run: Run, ranges: readonly Range[], role: Role): readonly Draft[] =>
  ranges
    .map((range) => ({ name: range.name, role, texts: cut(run, range.start, range.end) }))
    .filter((draft) => draft.texts.length > 0);
