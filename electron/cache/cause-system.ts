/**
 * The system prompt stands before the whole history, so whatever changes in it hides the history from the cache.
 * Covel has a place for what changes every turn: the turn context (seed 1, sections 2 to 4).
 */
import { say } from '../../shared/language/types.ts';
import type { Segment, SegmentKind, Sentence } from '../../shared/model/index.ts';
import { textOf } from './changes.ts';
import { regionOf, type Facts } from './facts.ts';
import { islandsBetween } from './island.ts';
import { filledBy, type Filled } from './filled.ts';
import { named, quote, standingOf, whereItParts, type CauseTest } from './say.ts';

/** A body of which less than this stays was written anew, whatever was filled into it. */
const TEMPLATE_SHARE = 0.5;

/** The segment before the history that explains the parting; null when none of either owner stands there. */
export function culpritIn(facts: Facts, regions: (segment: Segment) => boolean): Segment | null {
  const { parting, changes } = facts;
  if (!parting) return null;
  const { ownerA, ownerB } = parting;
  const b = ownerB && regions(ownerB) ? ownerB : null;
  const a = ownerA && regions(ownerA) ? ownerA : null;
  const order = [
    [b, 'added'],
    [a, 'removed'],
    [b, 'modified'],
    [a, 'modified'],
    [b, 'moved'],
    [a, 'moved'],
  ] as const;
  return order.find(([segment, standing]) => segment && changes.standing(segment) === standing)?.[0] ?? b ?? a;
}

/** System kinds, and messages of segments before the history, which are kept apart from it only by their role. */
const beforeHistory = (segment: Segment): boolean => regionOf(segment) === 'system' || segment.kind === 'pre-history';

const isTurnData = (segment: Segment): boolean =>
  segment.kind === 'pre-history' || (segment.kind === 'extension' && segment.volatility === 'turn');

type Match = (segment: Segment) => boolean;
const kindIs =
  (...kinds: readonly SegmentKind[]): Match =>
  (segment) =>
    kinds.includes(segment.kind);

function culprit(facts: Facts, match: Match): Segment | null {
  const found = culpritIn(facts, beforeHistory);
  return found && match(found) ? found : null;
}

/** The earlier and the later form of a segment that is in both requests. */
function forms(facts: Facts, segment: Segment): readonly [was: Segment, now: Segment] | null {
  const partner = facts.changes.partner(segment);
  if (!partner) return null;
  return facts.b.segments.includes(segment) ? [partner, segment] : [segment, partner];
}

function textChange(facts: Facts, segment: Segment): readonly Sentence[] {
  const both = forms(facts, segment);
  const islands = both && islandsBetween(textOf(both[0]), textOf(both[1]));
  return islands ? [say('evidence.segment-text', { before: quote(islands.was), after: quote(islands.now) })] : [];
}

/** The parts at which the requests part, where no segment tells what became what. */
function partChange({ parting }: Facts): readonly Sentence[] {
  const islands = parting?.partA && parting.partB && islandsBetween(parting.partA.text, parting.partB.text);
  return islands ? [say('evidence.segment-text', { before: quote(islands.was), after: quote(islands.now) })] : [];
}

/** All segments of the same kinds that changed: they often change together. */
function alike(facts: Facts, found: Segment, match: Match): readonly Sentence[] {
  const changed = (segment: Segment): boolean =>
    match(segment) && !['equal', 'moved'].includes(facts.changes.standing(segment));
  const gone = facts.a.segments.filter((segment) => changed(segment) && !facts.changes.partner(segment));
  const rest = [...facts.b.segments.filter(changed), ...gone].filter(
    (segment) => segment !== found && facts.changes.partner(segment) !== found,
  );
  return [found, ...rest].slice(0, 8).map((segment) => standingOf(facts, segment));
}

const origin = (segment: Segment): readonly Sentence[] =>
  segment.origin.plugin ? [say('evidence.by-plugin', { plugin: segment.origin.plugin })] : [];

/** How what was filled in is told from what an author rewrote. */
function filledSentence(filled: Filled): Sentence {
  if (filled.by === 'json') return say('evidence.filled-json', {});
  if (filled.by === 'literal') return say('evidence.filled-literal', {});
  return say('evidence.filled-value', { ...named(filled.segment), value: quote(filled.value) });
}

export const templateVariable: CauseTest = (facts) => {
  const body = culprit(facts, kindIs('runtime-body'));
  const both = body && forms(facts, body);
  if (!both) return null;
  const [was, now] = both.map(textOf) as [string, string];
  const islands = islandsBetween(was, now);
  if (!islands || islands.share < TEMPLATE_SHARE) return null;
  const { start } = islands;
  const filled =
    filledBy({ text: now, start, end: start + islands.now.length }, facts.b.segments) ??
    filledBy({ text: was, start, end: start + islands.was.length }, facts.a.segments);
  if (!filled) return null;
  return {
    evidence: [
      ...whereItParts(facts),
      say('evidence.island', { offset: islands.offset, before: quote(islands.was), after: quote(islands.now) }),
      filledSentence(filled),
      say('evidence.islands', { count: islands.count, share: islands.share }),
    ],
    advice: say('advice.template-variable', {}),
  };
};

export const turnInPreHistory: CauseTest = (facts) => {
  const found = culprit(facts, isTurnData);
  if (!found) return null;
  const place = found.kind === 'pre-history' ? 'evidence.before-history' : 'evidence.after-boundary';
  return {
    evidence: [
      ...whereItParts(facts),
      ...alike(facts, found, isTurnData),
      ...textChange(facts, found),
      say(place, {}),
      ...origin(found),
    ],
    advice: say('advice.turn-in-pre-history', { label: found.origin.label }),
  };
};

export const extensionSegment: CauseTest = (facts) => {
  const match: Match = (segment) => segment.kind === 'extension' && !isTurnData(segment);
  const found = culprit(facts, match);
  if (!found) return null;
  return {
    evidence: [
      ...whereItParts(facts),
      ...alike(facts, found, match),
      ...textChange(facts, found),
      say('evidence.declared', { volatility: found.volatility ?? 'session' }),
      ...origin(found),
    ],
    advice: say('advice.extension-segment', { label: found.origin.label }),
  };
};

export const loreActivation: CauseTest = (facts) => {
  const match = kindIs('lore');
  const found = culprit(facts, match);
  if (!found) return null;
  return {
    evidence: [...whereItParts(facts), ...alike(facts, found, match), ...textChange(facts, found)],
    advice: say('advice.lore-activation', {}),
  };
};

/** A system text that nothing names, before the first message of the conversation: its place alone tells what it is. */
function isUnnamedHead({ a, b }: Facts, segment: Segment): boolean {
  const isSystem = ({ kind, role }: Segment): boolean => kind === 'unknown' && role === 'system';
  if (!isSystem(segment)) return false;
  const segments = b.segments.includes(segment) ? b.segments : a.segments;
  const before = segments.slice(0, segments.indexOf(segment));
  return before.every((one) => one.kind === 'tool' || regionOf(one) === 'system' || isSystem(one));
}

/** Whatever else stands in the system prompt: preamble, a rewritten body, world lore, the event catalogue. */
export const systemText: CauseTest = (facts) => {
  const found = culpritIn(facts, (segment) => beforeHistory(segment) || isUnnamedHead(facts, segment));
  if (!found || (regionOf(found) !== 'system' && found.kind !== 'unknown')) return null;
  const bodyOf = (segments: readonly Segment[]): string | null =>
    segments.find((segment) => segment.kind === 'runtime-body')?.origin.label ?? null;
  const [was, now] = [bodyOf(facts.a.segments), bodyOf(facts.b.segments)];
  const other = was !== null && now !== null && was !== now ? [say('evidence.runtimes', { was, now })] : [];
  const what =
    found.kind === 'unknown'
      ? [say('evidence.unnamed', {}), ...partChange(facts)]
      : [standingOf(facts, found), ...textChange(facts, found)];
  return {
    evidence: [...whereItParts(facts), ...other, ...what],
    advice: say('advice.system-text', {}),
  };
};
