import { describe, expect, test } from 'vitest';
import type { CallDetail, Comparison } from '../../../shared/api.ts';
import type { CallRow, SegmentRow } from '../../../shared/model/index.ts';
import { chars, estimated, turnIndex } from '../../../shared/units.ts';
import { modelOf, remember, segmentAt, shownSegment } from './view-model.ts';
import { segmentRow } from './segment-row.fixture.ts';

const detailOf = (segments: readonly SegmentRow[], owner: string | null): CallDetail => ({
  row: {} as CallRow,
  sessionId: 's',
  view: 'wire',
  complete: true,
  omittedFields: 0,
  segments,
  breakpoints: [],
  marks: [],
  turnContext: [],
  usage: null,
  usageProblems: [],
  predictionState: 'done',
  prediction: null,
  predictedEnds: [],
  segmentStates: {},
  chars: chars(0),
  tokens: estimated(0),
  unknownShare: 0,
  comparison: owner === null ? null : comparison(owner),
});
const comparison = (segment: string): Comparison => ({
  a: '1',
  aTurn: turnIndex(1),
  b: '2',
  bTurn: turnIndex(2),
  size: { chars: chars(160), tokens: estimated(40) },
  shared: { chars: chars(80), tokens: estimated(20), share: 0.5 },
  divergence: { part: 'p', path: '/nowhere', offset: chars(0), segment, was: null, now: null },
  cause: { kind: 'unknown', evidence: [], advice: null },
  changed: [],
});

const segments = ['a', 'b', 'c'].map((id) =>
  segmentRow({ id, kind: 'extension', origin: { plugin: null, runtime: null, label: id, turnId: null } }),
);
const model = modelOf(detailOf(segments, 'b'));

describe('places', () => {
  test('tokens before each segment', () => expect(model.starts).toEqual([0, 10, 20, 30]));
  test.each([
    [0, 0],
    [9.9, 0],
    [10, 1],
    [29, 2],
    [99, 2],
  ])('%d tokens are in segment %d', (tokens, index) => expect(segmentAt(model, tokens)).toBe(index));
  test('nothing to find', () => expect(segmentAt(modelOf(detailOf([], null)), 3)).toBe(-1));
});

describe('the segment shown', () => {
  const before = remember(segments[2]!);
  test('the chosen one', () => expect(shownSegment(model, 'a', before)).toBe(0));
  test('the one looked at before', () => expect(shownSegment(model, null, before)).toBe(2));
  test('the owner of the first difference', () => expect(shownSegment(model, null, null)).toBe(1));
  test('one that is not in this call is no choice', () =>
    expect(shownSegment(model, 'gone', { kind: 'lore', label: 'x', plugin: null })).toBe(1));
  test('the first when nothing differs', () =>
    expect(shownSegment(modelOf(detailOf(segments, null)), null, null)).toBe(0));
  test('none', () => expect(shownSegment(modelOf(detailOf([], null)), null, null)).toBe(-1));
});
