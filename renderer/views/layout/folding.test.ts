import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { segmentRow } from './segment-row.fixture.ts';
import { lineOfSegment, linesOf, runsOf, stepSegment } from './folding.ts';
import type { SegmentKind } from '../../../shared/model/index.ts';

const prompt = (...kinds: SegmentKind[]) => kinds.map((kind, i) => segmentRow({ id: `s${i}`, kind }));
const drawn = prompt('tool', 'tool', 'runtime-body', 'history', 'picture-note', 'history', 'player');
const runs = runsOf(drawn);

describe('runs', () => {
  test('neighbours of one sort fold', () =>
    expect(runs).toEqual([
      { fold: 'tools', from: 0, to: 2 },
      { fold: null, from: 2, to: 3 },
      { fold: 'history', from: 3, to: 6 },
      { fold: null, from: 6, to: 7 },
    ]));
  test('one tool does not fold', () =>
    expect(runsOf(prompt('tool', 'player'))[0]).toEqual({ fold: null, from: 0, to: 1 }));
  test('a summary between histories keeps them apart', () =>
    expect(runsOf(prompt('history', 'history', 'summary', 'history', 'history')).map((run) => run.fold)).toEqual([
      'history',
      null,
      'history',
    ]));
  test('a tool loop folds', () => expect(runsOf(prompt('tool-call', 'tool-result'))[0]!.fold).toBe('loop'));
  test('a few lore entries stay apart', () => expect(runsOf(prompt('lore', 'lore', 'lore'))).toHaveLength(3));
  test('many of one kind fold', () =>
    expect(runsOf(prompt(...Array<SegmentKind>(6).fill('unknown'), ...Array<SegmentKind>(7).fill('lore')))).toEqual([
      { fold: 'alike', from: 0, to: 6 },
      { fold: 'alike', from: 6, to: 13 },
    ]));
  test('nothing', () => expect(runsOf([])).toEqual([]));
});

test('runs cover every segment once, in order', () => {
  const kinds = fc.array(fc.constantFrom<SegmentKind>('tool', 'history', 'lore', 'unknown', 'player', 'tool-call'));
  fc.assert(
    fc.property(kinds, (list) => {
      const covered = runsOf(prompt(...list)).flatMap(({ from, to }) =>
        Array.from({ length: to - from }, (_, i) => from + i),
      );
      expect(covered).toEqual([...list.keys()]);
    }),
  );
});

describe('lines', () => {
  test('closed runs are one line', () => expect(linesOf(runs, new Set())).toHaveLength(4));
  test('an open run lists its members under its head', () =>
    expect(linesOf(runs, new Set([2])).slice(2, 6)).toEqual([
      { kind: 'fold', run: 2, isOpen: true },
      { kind: 'segment', segment: 3, run: 2, inFold: true },
      { kind: 'segment', segment: 4, run: 2, inFold: true },
      { kind: 'segment', segment: 5, run: 2, inFold: true },
    ]));
  test('a closed head stands for its members', () => expect(lineOfSegment(linesOf(runs, new Set()), runs, 4)).toBe(2));
  test('an open head does not', () => expect(lineOfSegment(linesOf(runs, new Set([2])), runs, 4)).toBe(4));
});

describe('steps', () => {
  const closed = linesOf(runs, new Set());
  const open = linesOf(runs, new Set([2]));
  test.each([
    ['first of all', closed, null, 1, 0],
    ['over a closed run', closed, 1, 1, 2],
    ['into a closed run', closed, 2, 1, 3],
    ['out of a closed run', closed, 4, 1, 6],
    ['into an open run', open, 2, 1, 3],
    ['inside an open run', open, 3, 1, 4],
    ['back', open, 3, -1, 2],
    ['stops at the end', closed, 6, 1, 6],
    ['stops at the beginning', closed, 0, -1, 0],
  ] as const)('%s', (_name, lines, from, by, to) => expect(stepSegment(lines, runs, from, by)).toBe(to));
  test('nothing to step over', () => expect(stepSegment([], [], null, 1)).toBeNull());
});
