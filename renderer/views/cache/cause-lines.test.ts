import { describe, expect, test } from 'vitest';
import type { CacheCauseRow } from '../../../shared/model/index.ts';
import { tokens } from '../../../shared/units.ts';
import { cacheCall } from './cache-call.fixture.ts';
import { CALLS_AT_ONCE, causeLines, chosenLine, stepLine, toggled, withMore } from './cause-lines.ts';

const cause = (kind: CacheCauseRow['kind'], size: number, turns: readonly number[]): CacheCauseRow => ({
  kind,
  runtimeId: 'narrator',
  callIds: turns.map((turn) => `c${turn}`),
  tokens: tokens(size),
  cost: null,
  advice: null,
});
const many = Array.from({ length: CALLS_AT_ONCE + 30 }, (_, i) => i + 1);
const calls = new Map(many.map((turn) => [`c${turn}`, cacheCall(turn)]));
const causes = [cause('window-slid', 400, many), cause('model', 100, [1, 2])];
const kinds = (open: Readonly<Record<string, number>>) => causeLines(causes, calls, open).map(({ kind }) => kind);

describe('lines', () => {
  test('closed, one a cause, to scale of the largest', () => {
    const lines = causeLines(causes, calls, {});
    expect(lines.map((line) => (line.kind === 'cause' ? [line.row.kind, line.share, line.isOpen] : null))).toEqual([
      ['window-slid', 1, false],
      ['model', 0.25, false],
    ]);
  });
  test('opened, with what it means and its calls', () =>
    expect(kinds(toggled({}, 'model narrator'))).toEqual(['cause', 'cause', 'note', 'call', 'call']));
  test('many calls come a hundred at a time', () => {
    const open = toggled({}, 'window-slid narrator');
    expect(kinds(open).filter((kind) => kind === 'call')).toHaveLength(CALLS_AT_ONCE);
    expect(causeLines(causes, calls, open).find((line) => line.kind === 'more')).toMatchObject({ rest: 30 });
    const more = kinds(withMore(open, 'window-slid narrator'));
    expect(more.filter((kind) => kind === 'call')).toHaveLength(many.length);
    expect(more).not.toContain('more');
  });
  test('closing forgets how many were listed', () => expect(toggled(withMore(toggled({}, 'a'), 'a'), 'a')).toEqual({}));
  test('no causes, no lines; a waste of nothing has no bar', () => {
    expect(causeLines([], calls, {})).toEqual([]);
    expect(causeLines([cause('model', 0, [1])], calls, {})[0]).toMatchObject({ share: 0 });
  });
  test('a call that is not there is left out', () =>
    expect(causeLines([cause('model', 1, [999])], calls, { 'model narrator': 100 }).map(({ kind }) => kind)).toEqual([
      'cause',
      'note',
    ]));
});

describe('steps', () => {
  const lines = causeLines(causes, calls, { 'model narrator': 100 });
  test.each([
    ['from nothing to the first', null, 1, 'window-slid narrator'],
    ['over the note to the first call', 'model narrator', 1, 'model narrator c1'],
    ['back over it', 'model narrator c1', -1, 'model narrator'],
    ['both ends hold', 'model narrator c2', 1, 'model narrator c2'],
    ['also above', 'window-slid narrator', -1, 'window-slid narrator'],
  ] as const)('%s', (_, from, by, expected) => expect(stepLine(lines, from, by)).toBe(expected));
  test.each([
    ['model narrator', 1],
    ['model narrator note', 0],
    ['gone', 0],
    [null, 0],
  ] as const)('chosen line of %s', (key, expected) => expect(chosenLine(lines, key)).toBe(expected));
  test('nothing to choose', () => {
    expect(chosenLine([], null)).toBe(-1);
    expect(stepLine([], null, 1)).toBeNull();
  });
});
