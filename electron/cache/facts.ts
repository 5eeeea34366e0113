/**
 * Everything that can explain a difference, gathered once: the place where the requests part, who owns it on either
 * side, and what changed among segments and settings.
 */
import type { KeyPart, KeyText, Segment, SegmentKind, SharedPrefix } from '../../shared/model/index.ts';
import type { Chars } from '../../shared/units.ts';
import { changesBetween, type Changes } from './changes.ts';
import { keyOf, zoneOf } from './key-text.ts';
import { changedOptions, type OptionChange } from './options.ts';
import { ownersOf } from './owners.ts';
import { sharedPrefixOf } from './shared-prefix.ts';
import type { Between, CallSide } from './types.ts';

/** Where the two requests part. A part is null where a request ended before. */
export type Parting = {
  readonly index: number;
  readonly offset: Chars;
  readonly partA: KeyPart | null;
  readonly partB: KeyPart | null;
  readonly ownerA: Segment | null;
  readonly ownerB: Segment | null;
  /** The segment of the later request at the place: the one that holds it, if it changed, else the one behind it. */
  readonly holder: Segment | null;
  /** The segment of the earlier request that stood there and is gone, while the later one has nothing new there. */
  readonly gone: Segment | null;
};

/** How the later request stands to the earlier one when nothing of either is contradicted. */
export type Relation = 'same' | 'grew' | 'grew-inside-last' | 'ended' | 'parted';

export type Facts = {
  readonly a: CallSide;
  readonly b: CallSide;
  readonly between: Between;
  readonly keyA: KeyText;
  readonly keyB: KeyText;
  readonly prefix: SharedPrefix;
  readonly relation: Relation;
  /** null unless the requests parted. */
  readonly parting: Parting | null;
  readonly changes: Changes;
  readonly options: readonly OptionChange[];
};

export function gatherFacts(a: CallSide, b: CallSide, between: Between): Facts {
  const keyA = keyOf(a);
  const keyB = keyOf(b);
  const prefix = sharedPrefixOf(keyA, keyB);
  const relation = relationOf(prefix, keyA, keyB);
  const changes = changesBetween(a.segments, b.segments);
  return {
    a,
    b,
    between,
    keyA,
    keyB,
    prefix,
    relation,
    parting: relation === 'parted' ? partingOf(a, b, keyA, keyB, prefix, changes) : null,
    changes,
    options: changedOptions(a.body, b.body),
  };
}

/** What closes a list of contents and the message around it, and nothing else. */
const CLOSERS = /^[\]}]+$/;

export function relationOf(prefix: SharedPrefix, keyA: KeyText, keyB: KeyText): Relation {
  if (prefix.kind === 'identical') return 'same';
  if (!prefix.first) return 'ended';
  const { part, offset } = prefix.first;
  if (part === keyA.parts.length) return 'grew';
  const last = keyA.parts[part];
  const next = keyB.parts[part];
  // Gemini's neighbours of one role are one content, so a longer conversation may go on inside the last of them.
  const goesOn =
    last !== undefined &&
    next !== undefined &&
    part === keyA.parts.length - 1 &&
    zoneOf(last) === 'message' &&
    CLOSERS.test(last.text.slice(offset)) &&
    next.text[offset] === ',' &&
    last.text[offset] === ']';
  return goesOn ? 'grew-inside-last' : 'parted';
}

function partingOf(
  a: CallSide,
  b: CallSide,
  keyA: KeyText,
  keyB: KeyText,
  prefix: SharedPrefix,
  changes: Changes,
): Parting | null {
  if (!prefix.first) return null;
  const { part: index, offset } = prefix.first;
  const ownersB = ownersOf(b);
  const ownerA = ownersOf(a).at(keyA, index, offset);
  const ownerB = ownersB.at(keyB, index, offset);
  const isKept = (segment: Segment | null): boolean =>
    segment === null || ['equal', 'moved'].includes(changes.standing(segment));
  const inPlace = ownersB.inPlace(keyB, index, offset);
  const holder = isKept(inPlace) ? ownerB : inPlace;
  return {
    index,
    offset,
    partA: keyA.parts[index] ?? null,
    partB: keyB.parts[index] ?? null,
    ownerA,
    ownerB,
    holder,
    gone: ownerA !== null && changes.standing(ownerA) === 'removed' && isKept(holder) ? ownerA : null,
  };
}

/** Where in the request the kinds of segments stand. */
const SYSTEM: readonly SegmentKind[] = [
  'framework-preamble',
  'runtime-body',
  'world-lore',
  'extension',
  'lore',
  'events',
  'activation',
];
const HISTORY: readonly SegmentKind[] = ['history', 'picture-note'];
const CURRENT: readonly SegmentKind[] = [
  'turn-context',
  'pictures',
  'player',
  'story',
  'story-cue',
  'post-history',
  'retry-hint',
];

type Region = 'system' | 'history' | 'current' | 'other';

/** Region of a segment: `other` is everything that has rules of its own (tools, summaries, depth, tool calls). */
export function regionOf(segment: Segment | null): Region {
  if (!segment) return 'other';
  if (SYSTEM.includes(segment.kind)) return 'system';
  if (HISTORY.includes(segment.kind)) return 'history';
  return CURRENT.includes(segment.kind) ? 'current' : 'other';
}

/** A note of the framework that older messages are left out; it is no message of the conversation. */
export const isPrunedMarker = (segment: Segment): boolean => segment.origin.label === 'pruned marker';

/** The rows of the conversation that a request repeats, oldest first. */
export const historyOf = (side: CallSide): readonly Segment[] =>
  side.segments.filter((segment) => regionOf(segment) === 'history' && !isPrunedMarker(segment));
