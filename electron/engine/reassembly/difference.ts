/**
 * Two prompts differ first at one place. Why is said only where what differs proves it; all else is `unknown`.
 */
import type { AssembledContext, AssembledSegment } from '../../assembler/types.ts';
import { messageText } from '../../assembler/piece.ts';
import { stripSentinels } from '../../assembler/data/escape.ts';
import type { ReassemblyReason } from '../../../shared/api.ts';
import { isCutOf } from '../ledger/envelopes.ts';
import { inWireForm, isEnvelope, plainText, type Entry, type Recorded } from './recorded.ts';

/** What the database and the trace tell about the time of the call and after it. */
export type Evidence = {
  /** A `context.pruned` event of this turn and runtime. */
  readonly pruned: boolean;
  /** A compaction after the call merged summaries into one. */
  readonly mergedLater: boolean;
  /** Rows of messages that the file holds, by their text. */
  readonly rowTexts: ReadonlySet<string>;
};

export type Place = {
  /** Index of the entry; 0 is the system prompt where there is one. */
  readonly at: number;
  readonly offset: number;
  readonly recorded: Entry | null;
  readonly assembled: Entry | null;
  /** The assembled segment at the place; null behind the last. */
  readonly segment: AssembledSegment | null;
};

const imagesOf = (content: AssembledContext['messages'][number]['content']): number =>
  typeof content === 'string' ? 0 : content.filter((part) => part.type !== 'text').length;

type Owned = { readonly entry: Entry; readonly segments: readonly AssembledSegment[] };

function ownedEntries(context: AssembledContext): readonly Owned[] {
  const system: readonly Owned[] =
    context.systemPrompt === ''
      ? []
      : [{ entry: { role: 'system', text: context.systemPrompt, images: 0 }, segments: context.system.segments }];
  return [
    ...system,
    ...context.segmented.map(({ message, segments }) => ({
      entry: { role: message.role, text: messageText(message), images: imagesOf(message.content) },
      segments,
    })),
  ];
}

/** In the wire's form parts of a message stand by themselves. */
function wireForm(context: AssembledContext): readonly Entry[] {
  const { systemPrompt, messages } = context;
  return inWireForm([
    { role: 'system', text: systemPrompt, images: 0 },
    ...messages.flatMap(({ role, content }): readonly Entry[] =>
      typeof content === 'string'
        ? [{ role, text: content, images: 0 }]
        : content.flatMap((part) => (part.type === 'text' ? [{ role, text: part.text, images: 0 }] : [])),
    ),
  ]);
}

function parting(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  let at = 0;
  while (at < end && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}

/** The segment at an offset of a text; white space and sentinels behind a segment belong to it. */
function segmentAt(segments: readonly AssembledSegment[], offset: number): AssembledSegment | null {
  let end = 0;
  for (const segment of segments) {
    end += segment.text.length;
    if (offset < end) return segment;
  }
  return segments.at(-1) ?? null;
}

/** The segment that begins with the core of a text: the wire's form has lost the addresses. */
const segmentWith = (owned: readonly Owned[], entry: Entry | null, offset: number): AssembledSegment | null => {
  if (!entry) return null;
  const near = entry.text.slice(Math.max(0, offset - 20), offset + 20);
  return (
    owned.flatMap(({ segments }) => segments).find((one) => stripSentinels(one.text).includes(near)) ??
    owned.flatMap(({ segments }) => segments).find((one) => entry.text.includes(stripSentinels(one.text).trim())) ??
    null
  );
};

/** Where the recorded and the assembled prompt part; null when they are equal. */
export function firstDifference(recorded: Recorded, context: AssembledContext): Place | null {
  const owned = ownedEntries(context);
  const isKernel = recorded.view === 'kernel';
  const assembled = isKernel ? owned.map(({ entry }) => entry) : wireForm(context);
  const length = Math.max(recorded.entries.length, assembled.length);
  for (let at = 0; at < length; at++) {
    const was = recorded.entries[at] ?? null;
    const now = assembled[at] ?? null;
    if (was && now && was.role === now.role && was.text === now.text && was.images === now.images) continue;
    const offset = was && now && was.role === now.role ? parting(was.text, now.text) : 0;
    const segment = isKernel ? segmentAt(owned[at]?.segments ?? [], offset) : segmentWith(owned, now, offset);
    return { at, offset, recorded: was, assembled: now, segment };
  }
  return null;
}

const squeezed = (text: string): string => stripSentinels(text).replace(/\s+/g, ' ').trim();
const BLOCK = /^<([A-Za-z][\w-]*)>[^]*?<\/\1>/gm;
const blocksOf = (text: string): readonly string[] => (text.match(BLOCK) ?? []).toSorted();

type Asked = Place & {
  readonly evidence: Evidence;
  readonly sameLength: boolean;
  /** Without their lore entries both system prompts are the same. */
  readonly loreAlone: boolean;
  /** The place stands before this turn's own messages. */
  readonly inHistory: boolean;
  /** Summaries that the request shows beyond those that were assembled. */
  readonly summariesLost: number;
};

/** A text without some others, white space aside. */
const without = (text: string, parts: readonly string[]): string =>
  parts
    .map(squeezed)
    .toSorted((a, b) => b.length - a.length)
    .reduce((rest, part) => (part === '' ? rest : rest.replace(part, () => ' ')), squeezed(text))
    .replace(/\s+/g, ' ')
    .trim();

function differsInLoreAlone(place: Place, recorded: Recorded, context: AssembledContext): boolean {
  if (place.recorded?.role !== 'system' || place.assembled?.role !== 'system' || place.at !== 0) return false;
  const was = recorded.segments.filter(({ kind }) => kind === 'lore').map(plainText);
  const now = context.system.segments.filter(({ kind }) => kind === 'lore').map(({ text }) => text);
  return was.length + now.length > 0 && without(place.recorded.text, was) === without(place.assembled.text, now);
}

/** The first that fits. Each test reads only what differs and what the file proves. */
const REASONS: readonly (readonly [ReassemblyReason, (asked: Asked) => boolean])[] = [
  [
    'pruned',
    // The marker of a cut is a message of its own; on a wire it may have joined the system prompt.
    ({ evidence, sameLength, recorded: was, assembled: now, segment }) =>
      (segment?.kind === 'summary' && was !== null && now !== null && isCutOf(was.text, now.text)) ||
      (evidence.pruned && (!sameLength || (was?.role === 'system' && now !== null && was.text.startsWith(now.text)))),
  ],
  [
    'picture',
    ({ recorded: was, assembled: now, segment }) =>
      (was?.images ?? 0) !== (now?.images ?? 0) || segment?.kind === 'pictures',
  ],
  ['lore-differs', ({ loreAlone }) => loreAlone],
  [
    'separator',
    ({ recorded: was, assembled: now }) =>
      was !== null && was.role === now?.role && squeezed(was.text) === squeezed(now.text),
  ],
  [
    'turn-data-order',
    ({ recorded: was, assembled: now, segment }) =>
      segment?.kind === 'turn-context' &&
      was?.role === 'system' &&
      now !== null &&
      blocksOf(was.text).length > 1 &&
      blocksOf(was.text).join() === blocksOf(now.text).join(),
  ],
  ['world-changed', ({ segment }) => segment?.kind === 'world-lore'],
  ['summary-merged', ({ recorded: was, evidence }) => evidence.mergedLater && was !== null && isEnvelope(was.text)],
  [
    'summary-changed',
    ({ segment, recorded: was, summariesLost }) =>
      segment?.kind === 'summary' && was !== null && isEnvelope(was.text) && summariesLost === 0,
  ],
  ['summary-missing', ({ recorded: was, summariesLost }) => was !== null && isEnvelope(was.text) && summariesLost > 0],
  [
    'history-changed',
    ({ segment, recorded: was, evidence, sameLength }) =>
      segment?.kind === 'history' && was !== null && sameLength && !evidence.rowTexts.has(was.text),
  ],
  [
    'row-missing',
    ({ segment, recorded: was, evidence, sameLength, inHistory }) =>
      was !== null &&
      inHistory &&
      was.role !== 'system' &&
      !sameLength &&
      segment?.kind !== 'summary' &&
      !evidence.rowTexts.has(was.text) &&
      !isEnvelope(was.text),
  ],
  [
    'story-changed',
    ({ segment, recorded: was, sameLength }) => sameLength && segment?.kind === 'story' && was?.role === 'assistant',
  ],
  [
    'player-changed',
    ({ segment, recorded: was, sameLength }) => sameLength && segment?.kind === 'player' && was?.role === 'user',
  ],
];

/** Index of the first entry that belongs to this turn: turn context, pictures or the player's words. */
function ownTurnStart({ view, entries, segments }: Recorded): number {
  const own = segments.find(({ kind }) => kind === 'turn-context' || kind === 'pictures' || kind === 'player');
  if (!own) return entries.length;
  if (view === 'kernel') return own.message ?? entries.length;
  const text = plainText(own).trim();
  return entries.findLastIndex((entry) => entry.text.includes(text));
}

/** Why the two part at `place`. */
export function reasonOf(
  place: Place,
  recorded: Recorded,
  context: AssembledContext,
  evidence: Evidence,
): ReassemblyReason {
  const length = recorded.view === 'kernel' ? ownedEntries(context).length : wireForm(context).length;
  const asked: Asked = {
    ...place,
    evidence,
    sameLength: length === recorded.entries.length,
    loreAlone: differsInLoreAlone(place, recorded, context),
    inHistory: place.at < ownTurnStart(recorded),
    summariesLost:
      recorded.entries.filter(({ text }) => isEnvelope(text)).length -
      context.segmented.filter(({ segments }) => segments[0]?.kind === 'summary').length,
  };
  return REASONS.find(([, fits]) => fits(asked))?.[0] ?? 'unknown';
}
