/**
 * After the system prompt comes the conversation. It normally only grows, and the turn's own data stands after it;
 * summaries, windows and budgets change its beginning, and with it everything that follows.
 */
import { say } from '../../shared/language/types.ts';
import type { Segment, Sentence } from '../../shared/model/index.ts';
import { textOf } from './changes.ts';
import { culpritIn } from './cause-system.ts';
import { historyOf, isPrunedMarker, regionOf } from './facts.ts';
import { islandsBetween } from './island.ts';
import { listOf, named, quote, standingOf, tokensOf, whereItParts, type CauseTest } from './say.ts';
import { historyShift } from './window.ts';

const summaries = (segments: readonly Segment[]): readonly Segment[] =>
  segments.filter((segment) => segment.kind === 'summary');

export const compacted: CauseTest = (facts) => {
  const { a, b, changes, between } = facts;
  const now = summaries(b.segments).filter((segment) => changes.standing(segment) !== 'equal');
  const gone = summaries(a.segments).filter((segment) => changes.standing(segment) === 'removed');
  if (now.length === 0 && gone.length === 0) return null;
  const evidence: Sentence[] = [...whereItParts(facts)];
  for (const segment of now) {
    if (changes.standing(segment) === 'added') {
      evidence.push(say('evidence.summary-added', { label: segment.origin.label, tokens: tokensOf(segment) }));
    } else evidence.push(say('evidence.summary-changed', { label: segment.origin.label }));
  }
  for (const segment of gone) evidence.push(say('evidence.summary-removed', { label: segment.origin.label }));
  const replaced = historyOf(a).filter((row) => changes.standing(row) === 'removed').length;
  if (replaced > 0) evidence.push(say('evidence.messages-replaced', { count: replaced, turn: a.turnIndex }));
  if (between.compacted.length > 0) evidence.push(say('evidence.compaction-ran', { count: between.compacted.length }));
  return { evidence, advice: say('advice.compacted', {}) };
};

export const pruned: CauseTest = (facts) => {
  const { a, b, between, changes, parting } = facts;
  const marker = b.segments.find((segment) => isPrunedMarker(segment) && changes.standing(segment) === 'added');
  const cut = between.pruned > 0 && (historyShift(facts).dropped > 0 || parting?.ownerA?.kind === 'tool-result');
  // Where the cut was the earlier request's, its end moves the history just the same.
  const ended = a.segments.some((segment) => isPrunedMarker(segment) && changes.standing(segment) === 'removed');
  if (!marker && !cut && !ended) return null;
  const { dropped } = historyShift(facts);
  return {
    evidence: [
      ...whereItParts(facts),
      ...(between.pruned > 0 ? [say('evidence.pruned', { count: between.pruned })] : []),
      ...(marker ? [say('evidence.pruned-marker', {})] : []),
      ...(ended ? [say('evidence.pruned-ended', { turn: a.turnIndex })] : []),
      ...(dropped > 0 ? [say('evidence.messages-replaced', { count: dropped, turn: a.turnIndex })] : []),
    ],
    advice: say('advice.pruned', {}),
  };
};

export const windowSlid: CauseTest = (facts) => {
  const { dropped, now } = historyShift(facts);
  const first = now[0];
  if (dropped === 0 || !first) return null;
  return {
    evidence: [
      ...whereItParts(facts),
      say('evidence.window', { count: dropped, turn: facts.a.turnIndex }),
      say('evidence.window-first', { label: first.origin.label }),
    ],
    advice: say('advice.window-slid', {}),
  };
};

/** Lore and segments at a depth are counted from the end, so they move; or they came and went like other lore. */
export const depthMoved: CauseTest = (facts) => {
  const found = culpritIn(facts, (segment) => segment.kind === 'depth');
  if (!found) return null;
  const moved = ['equal', 'moved'].includes(facts.changes.standing(found));
  return {
    evidence: [
      ...whereItParts(facts),
      moved ? say('evidence.depth-moved', { label: found.origin.label }) : standingOf(facts, found),
    ],
    advice: say(moved ? 'advice.lore-depth' : 'advice.lore-activation', {}),
  };
};

/** The difference begins where the earlier request had its own turn's data; what stood before it is shared. */
export const turnContext: CauseTest = (facts) => {
  const { a, b, parting, changes } = facts;
  if (!parting) return null;
  const { ownerA, ownerB } = parting;
  const atTurnDataOfA = ownerA !== null && regionOf(ownerA) === 'current';
  const startsTurnDataOfB = regionOf(ownerB) === 'current' && (ownerA === null || ownerA.kind === 'tool-call');
  if (!atTurnDataOfA && !startsTurnDataOfB) return null;
  // The player's words as they were sent, and as they stand in the history now: a message that was changed.
  if (
    ownerA?.kind === 'player' &&
    regionOf(ownerB) === 'history' &&
    !textOf(ownerB as Segment).startsWith(textOf(ownerA))
  )
    return null;
  const was = historyOf(a);
  const grown = historyOf(b).length - was.length;
  const changed = b.segments.filter(
    (segment) => ['turn-context', 'pictures'].includes(segment.kind) && changes.standing(segment) !== 'equal',
  );
  return {
    evidence: [
      ...whereItParts(facts),
      was.length === 0
        ? say('evidence.no-history', { turn: a.turnIndex })
        : say('evidence.history-shared', { turn: a.turnIndex, count: was.length }),
      ...(grown > 0 ? [say('evidence.history-grew', { count: grown })] : []),
      ...(changed.length > 0
        ? [
            say('evidence.blocks-changed', {
              labels: listOf([...new Set(changed.map((segment) => segment.origin.label))]),
            }),
          ]
        : []),
    ],
    advice: null,
  };
};

/** The history was taken back: what is left of it is shared, and this turn's data follows earlier than before. */
export const historyShorter: CauseTest = (facts) => {
  const { parting } = facts;
  if (regionOf(parting?.ownerA ?? null) !== 'history' || regionOf(parting?.ownerB ?? null) !== 'current') return null;
  const { was, now, kept, dropped } = historyShift(facts);
  if (dropped > 0 || kept !== now.length) return null;
  const count = was.length - kept;
  return {
    evidence: [...whereItParts(facts), say('evidence.history-shorter', { count, turn: facts.a.turnIndex })],
    advice: null,
  };
};

/** Kinds that stand among messages which were already sent. */
const isSent = (segment: Segment | null): segment is Segment =>
  segment !== null &&
  (regionOf(segment) === 'history' || ['player', 'tool-call', 'tool-result', 'retry-hint'].includes(segment.kind));

export const messageEdited: CauseTest = (facts) => {
  const { parting, a, b } = facts;
  if (!parting) return null;
  const { ownerA, ownerB } = parting;
  if (!isSent(ownerA) || !isSent(ownerB)) return null;
  const advice = say('advice.message-edited', {});
  const where = whereItParts(facts);
  const rowsA = sentOf(a.segments);
  const rowsB = sentOf(b.segments);
  const first = rowsA.findIndex((row, i) => !isSameRow(row, rowsB[i]));
  const [was, now] = [rowsA[first] ?? ownerA, rowsB[first] ?? ownerB];
  if (!goesOn(rowsA, first + 1, rowsB, first + 1)) {
    const gone = shiftOf(rowsA, rowsB, first);
    if (gone > 0) return { evidence: [...where, ...each('removed', rowsA.slice(first, first + gone))], advice };
    const fresh = shiftOf(rowsB, rowsA, first);
    if (fresh > 0) return { evidence: [...where, ...each('inserted', rowsB.slice(first, first + fresh))], advice };
  }
  const islands = islandsBetween(textOf(was), textOf(now));
  if (!islands) return null;
  const edited = say('evidence.message-edited', {
    ...named(now),
    offset: islands.offset,
    before: quote(islands.was),
    after: quote(islands.now),
  });
  return { evidence: [...where, edited], advice };
};

const isSameRow = (a: Segment | undefined, b: Segment | undefined): boolean =>
  a !== undefined && b !== undefined && textOf(a) === textOf(b);

/** Players repeat their words, so one equal row proves nothing: as many as there are must follow, up to three. */
function goesOn(a: readonly Segment[], i: number, b: readonly Segment[], j: number): boolean {
  const count = Math.min(3, a.length - i, b.length - j);
  if (count <= 0) return false;
  for (let n = 0; n < count; n++) if (!isSameRow(a[i + n], b[j + n])) return false;
  return true;
}

/** How many rows of `long` from `at` on `short` does not have, where it goes on behind them; 0: it does not. */
function shiftOf(long: readonly Segment[], short: readonly Segment[], at: number): number {
  for (let shift = 1; at >= 0 && at + shift < long.length; shift++) {
    if (goesOn(long, at + shift, short, at)) return shift;
  }
  return 0;
}

const MAX_NAMED = 3;

/** A sentence for each row, those of the same name once. */
function each(what: 'removed' | 'inserted', rows: readonly Segment[]): readonly Sentence[] {
  const names = new Map(rows.map((row) => [`${row.kind} ${row.origin.label}`, row]));
  return [...names.values()].slice(0, MAX_NAMED).map((row) => say(`evidence.message-${what}`, named(row)));
}

const sentOf = (segments: readonly Segment[]): readonly Segment[] => segments.filter(isSent);
