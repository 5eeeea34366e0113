import { describe, expect, test } from 'vitest';
import type { Baseline, Comparison, DiffDetail } from '../../../shared/api.ts';
import { chars, estimated, turnIndex } from '../../../shared/units.ts';
import { segmentRow } from '../layout/segment-row.fixture.ts';
import { changeRuns, ownerOf, shapeOf, sortedBaselines } from './diff-facts.ts';

const comparison: Comparison = {
  a: '1',
  aTurn: turnIndex(1),
  b: '2',
  bTurn: turnIndex(2),
  size: { chars: chars(10), tokens: estimated(3) },
  shared: { chars: chars(5), tokens: estimated(1), share: 0.5 },
  divergence: { part: 'message 3 (user)', path: '/x', offset: chars(2), segment: 's9', was: 'a', now: 'b' },
  cause: { kind: 'unknown', evidence: [], advice: null },
  changed: [{ segment: 's9', kind: 'turn-context', label: 'memory', change: 'modified', tokens: estimated(3) }],
};
const texts = (left: string, right: string): DiffDetail => ({
  comparison,
  left,
  right,
  leftLine: 1,
  rightLine: 1,
  equalParts: 0,
  equalTokens: estimated(0),
});

describe('shape', () => {
  test('different texts', () => expect(shapeOf(texts('a', 'b'))).toBe('editor'));
  test('equal texts', () => expect(shapeOf(texts('a', 'a'))).toBe('identical'));
  test('texts of many megabytes', () => expect(shapeOf(texts('a', 'b'.repeat(6_000_000)))).toBe('too-long'));
});

describe('owner of the difference', () => {
  test('from the changes', () => expect(ownerOf(comparison, [])).toEqual({ kind: 'turn-context', label: 'memory' }));
  test('from the segments', () =>
    expect(ownerOf({ ...comparison, changed: [] }, [segmentRow({ id: 's9', kind: 'player' })])?.kind).toBe('player'));
  test('a removed segment of the earlier request is another one', () =>
    expect(ownerOf({ ...comparison, changed: [{ ...comparison.changed[0]!, change: 'removed' }] }, [])).toBeNull());
  test('a segment that stood there and is gone', () => {
    const gone = { kind: 'lore', label: 'Bell' } as const;
    expect(ownerOf({ ...comparison, divergence: { ...comparison.divergence!, gone } }, [])).toEqual(gone);
  });
  test('nothing parts', () => expect(ownerOf({ ...comparison, divergence: null }, [])).toBeNull());
});

test('the default baseline first, then the newest', () => {
  const one = (callId: string, turn: number, step: number, isDefault = false): Baseline => ({
    callId,
    turnIndex: turnIndex(turn),
    runtimeId: 'narrator',
    step,
    attempt: 0,
    isDefault,
  });
  expect(
    sortedBaselines([one('a', 1, 0), one('b', 3, 0), one('c', 2, 0, true), one('d', 3, 1)]).map((row) => row.callId),
  ).toEqual(['c', 'd', 'b', 'a']);
});

describe('runs of changes', () => {
  const change = (segment: string, label: string, how: 'added' | 'removed', size: number) =>
    ({ segment, kind: 'history', label, change: how, tokens: estimated(size) }) as const;
  test('neighbours of one name and one change are one', () =>
    expect(
      changeRuns(
        [change('1', 'a', 'removed', 5), change('2', 'b', 'removed', 7), change('3', 'c', 'added', 1)],
        () => 'History',
      ).map(({ first, count, tokens }) => [first.segment, count, tokens]),
    ).toEqual([
      ['1', 2, 12],
      ['3', 1, 1],
    ]));
  test('different names stay apart', () =>
    expect(changeRuns([change('1', 'a', 'added', 1), change('2', 'b', 'added', 1)], (one) => one.label)).toHaveLength(
      2,
    ));
});
