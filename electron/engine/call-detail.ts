/**
 * What the screens of one call show: its segments, its breakpoints, its turn context, and how it stands to an
 * earlier request. Everything is derived from two call views; nothing here reads a file.
 */
import { segmentRow, turnBlocks } from '../adapters/index.ts';
import { breakpointsOf, compareCalls, readableDiff, segmentRuns, textOf, type CallSide } from '../cache/index.ts';
import type { CallDetail, Comparison, ContextBlock, ContextDetail, DiffDetail, SegmentText } from '../../shared/api.ts';
import type { Segment, TurnBlock } from '../../shared/model/index.ts';
import { prefixTokens } from '../../shared/tokens.ts';
import { chars, estimated } from '../../shared/units.ts';
import { defaultBaseline, previousTurnFirst } from './baseline.ts';
import { segmentStates } from './cache-ends.ts';
import type { CallView } from './call-view.ts';
import { failWith } from './errors.ts';
import type { OpenedSource } from './opened-source.ts';

/** The view of the default baseline; null where there is none or where it recorded nothing to compare with. */
export function baselineView(source: OpenedSource, view: CallView): CallView | null {
  const row = defaultBaseline(source, view.row, view.sessionId);
  return row && !row.empty ? source.view(row.id) : null;
}

function previousTurnView(source: OpenedSource, view: CallView): CallView | null {
  const row = previousTurnFirst(source, view.row, view.sessionId);
  return row && !row.empty ? source.view(row.id) : null;
}

/** Segments, breakpoints, turn context, usage, prediction and the comparison with the default baseline. Never waits. */
export function callDetail(source: OpenedSource, view: CallView): CallDetail {
  const segments = view.side.segments.map(segmentRow);
  const total = segments.reduce((sum, segment) => sum + segment.chars, 0);
  const unknown = segments.reduce((sum, segment) => sum + (segment.kind === 'unknown' ? segment.chars : 0), 0);
  const cache = source.cache(view.sessionId);
  const predictionState = cache.state();
  const { prediction = null, ends = [] } = cache.predicted(view.row.id) ?? {};
  return {
    row: view.row,
    sessionId: view.sessionId,
    view: view.view,
    complete: view.request?.complete ?? null,
    omittedFields: view.request?.omittedFields ?? null,
    segments,
    breakpoints: breakpointsOf(view.side, source.rules),
    marks: view.side.prompt.marks,
    turnContext: contextBlocks(source, view).blocks.map(blockRow),
    usage: view.row.usage,
    usageProblems: view.row.usageProblems ?? [],
    predictionState,
    prediction,
    predictedEnds: ends,
    segmentStates: ends.length === 0 ? {} : segmentStates(segmentRuns(view.side), ends),
    chars: chars(total),
    tokens: estimated(segments.reduce((sum, segment) => sum + segment.tokens.value, 0)),
    unknownShare: total === 0 ? 0 : unknown / total,
    comparison: defaultComparison(source, view),
  };
}

/** Against the default baseline, where the rules of the cache count too; null where there is none. */
export function defaultComparison(source: OpenedSource, view: CallView): Comparison | null {
  const baseline = baselineView(source, view);
  if (!baseline) return null;
  const found = comparison(source, baseline, view);
  return { ...found, cause: source.cache(view.sessionId).causeOf(view, baseline, found.cause) };
}

/** Compares `b` with the baseline `a` in content; what happened to the history between them counts as evidence. */
export function comparison(source: OpenedSource, a: CallView, b: CallView): Comparison {
  const [earlier, later] = onOneView(a, b);
  const found = compareCalls(earlier, later, between(source, a, b));
  const own = sameSegments(later.segments, b.side.segments);
  return {
    a: a.row.id,
    aTurn: a.row.turnIndex,
    b: b.row.id,
    bTurn: b.row.turnIndex,
    size: { chars: found.size.chars, tokens: estimated(prefixTokens(found.size)) },
    shared: { chars: found.shared.chars, tokens: estimated(prefixTokens(found.shared)), share: found.share },
    divergence: found.divergence && { ...found.divergence, segment: own(found.divergence.segment) },
    cause: found.cause,
    changed: found.changed.map((change) =>
      change.change === 'removed' ? change : { ...change, segment: own(change.segment) ?? change.segment },
    ),
  };
}

/** A call without a body can only be compared in the kernel's view; then both are (settled with the contract). */
function onOneView(a: CallView, b: CallView): readonly [CallSide, CallSide] {
  if (a.view === b.view) return [a.side, b.side];
  return [a.kernelSide() ?? a.side, b.kernelSide() ?? b.side];
}

/** Finds, for a segment named in one view of a call, the segment of another view that has the same name and place. */
function sameSegments(from: readonly Segment[], to: readonly Segment[]): (id: string | null) => string | null {
  if (from === to) return (id) => id;
  const nameOf = ({ kind, origin }: Segment): string => `${kind} ${origin.plugin} ${origin.label}`;
  const ids = new Map<string | undefined, readonly string[]>();
  for (const [name, group] of Map.groupBy(to, nameOf))
    ids.set(
      name,
      group.map((segment) => segment.id),
    );
  return (id) => {
    const segment = from.find((candidate) => candidate.id === id);
    if (!segment) return null;
    const nth = from.filter((other) => nameOf(other) === nameOf(segment)).indexOf(segment);
    return ids.get(nameOf(segment))?.[nth] ?? null;
  };
}

/** Compactions that ran after `a` began and before `b` did, and messages that were cut before `b` in its own turn. */
function between(source: OpenedSource, a: CallView, b: CallView): Parameters<typeof compareCalls>[2] {
  if (a.sessionId !== b.sessionId) return { compacted: [], pruned: 0 };
  const from = a.row.startedAt ?? '';
  const to = b.row.startedAt ?? '￿';
  const events = source.ledger(b.sessionId).filter((event) => event.createdAt >= from && event.createdAt <= to);
  const field = (payload: unknown, key: string): unknown =>
    typeof payload === 'object' && payload !== null ? (payload as Record<string, unknown>)[key] : undefined;
  const cut = events.filter(
    (event) =>
      event.type === 'context.pruned' &&
      event.turnId === b.row.turnId &&
      field(event.payload, 'runtimeId') === b.row.runtimeId,
  );
  return {
    compacted: events
      .filter((event) => event.type === 'context.compacted')
      .map((event) => {
        const id = field(event.payload, 'summaryId');
        return { summaryId: typeof id === 'string' ? id : null };
      }),
    pruned: cut.reduce((sum, event) => sum + Number(field(event.payload, 'prunedMessageCount') ?? 0), 0),
  };
}

/** Both requests as text for a diff editor; null for a call without a baseline. */
export function diffDetail(source: OpenedSource, view: CallView, baselineId: string | null): DiffDetail | null {
  const baseline = baselineId === null ? baselineView(source, view) : source.view(baselineId);
  if (!baseline) return null;
  // The default baseline is the same one, whether it was chosen or not.
  const isDefault = baseline.row.id === defaultBaseline(source, view.row, view.sessionId)?.id;
  const found = (isDefault ? defaultComparison(source, view) : null) ?? comparison(source, baseline, view);
  return { comparison: found, ...readableDiff(...onOneView(baseline, view)) };
}

/** The turn context, block by block, beside the previous turn's first call of the runtime. */
export function contextBlocks(source: OpenedSource, view: CallView): ContextDetail {
  const earlier = previousTurnView(source, view);
  const before = earlier ? namedBlocks(earlier) : [];
  const blocks = namedBlocks(view).map(({ block, segment, name }): ContextBlock => {
    const same = before.find((other) => other.name === name);
    const text = textOf(segment);
    const previousText = same ? textOf(same.segment) : null;
    return {
      ...block,
      changedSincePreviousTurn: earlier ? previousText !== text : null,
      label: [segment.origin.plugin, segment.origin.runtime].filter((part) => part !== null).join(' / '),
      text,
      previousText,
    };
  });
  return { blocks, previousTurn: earlier?.row.turnIndex ?? null };
}

/** Blocks with their segments; blocks of one tag are told apart by their order. */
function namedBlocks({ side }: CallView): readonly { block: TurnBlock; segment: Segment; name: string }[] {
  const segments = new Map(side.segments.map((segment) => [segment.id, segment]));
  const seen = new Map<string, number>();
  return turnBlocks(side.segments).flatMap((block) => {
    const segment = segments.get(block.segment);
    const tag = block.tag ?? '';
    const nth = seen.get(tag) ?? 0;
    seen.set(tag, nth + 1);
    return segment ? [{ block, segment, name: `${tag} ${nth}` }] : [];
  });
}

const blockRow = ({ segment, tag, chars: size, tokens, changedSincePreviousTurn }: ContextBlock): TurnBlock => ({
  segment,
  tag,
  chars: size,
  tokens,
  changedSincePreviousTurn,
});

/** Text of one segment, and the range of it that the same segment of the baseline does not have. */
export function segmentDetail(source: OpenedSource, view: CallView, segmentId: string): SegmentText {
  const find = (candidate: Segment): boolean => candidate.id === segmentId;
  const segment = view.side.segments.find(find) ?? failWith('unknown-segment', { id: segmentId });
  const text = view.textOf(segment);
  const baseline = baselineView(source, view);
  const alike = (other: Segment): boolean =>
    other.kind === segment.kind &&
    other.origin.label === segment.origin.label &&
    other.origin.plugin === segment.origin.plugin;
  const nth = view.side.segments.filter(alike).indexOf(segment);
  const earlier = baseline?.side.segments.filter(alike)[nth];
  if (!baseline || !earlier || textOf(earlier) === textOf(segment)) return { text, changed: [] };
  return { text, changed: changedRange(baseline.textOf(earlier), text) };
}

/** The one range of `now` between what it shares with `was` at both ends; none when they are equal. */
export function changedRange(was: string, now: string): SegmentText['changed'] {
  if (was === now) return [];
  const limit = Math.min(was.length, now.length);
  let start = 0;
  while (start < limit && was.charCodeAt(start) === now.charCodeAt(start)) start++;
  let tail = 0;
  while (tail < limit - start && was.charCodeAt(was.length - 1 - tail) === now.charCodeAt(now.length - 1 - tail))
    tail++;
  return [{ start: chars(start), end: chars(Math.max(now.length - tail, Math.min(start + 1, now.length))) }];
}
