import { describe, expect, test } from 'vitest';
import type { Breakpoint } from '../../../shared/model/index.ts';
import { estimated } from '../../../shared/units.ts';
import { marksOf } from './marks.ts';
import { scaleOf } from './scale.ts';
import { segmentRow } from './segment-row.fixture.ts';

const segments = ['a', 'b', 'c', 'd'].map((id) => segmentRow({ id }));
const scale = scaleOf(
  segments.map((segment) => segment.tokens.value),
  400,
);
const point = (afterSegment: string | null, prefix = 0): Breakpoint => ({
  kind: 'explicit',
  path: '/system/0',
  ttl: '5m',
  afterSegment,
  prefixTokens: estimated(prefix),
  belowMinimum: null,
  minimum: null,
});
const drawn = (points: readonly Breakpoint[], words = '5m') =>
  marksOf(points, segments, scale, () => words).map(({ x, labelX }) => [x, labelX]);

describe('breakpoints', () => {
  test('stand behind their segment', () => expect(drawn([point('b')])).toEqual([[200, 200]]));
  test('without a segment they stand at their tokens', () => expect(drawn([point(null, 30)])).toEqual([[300, 300]]));
  test('words at the end stay inside', () => {
    const [[x, labelX]] = drawn([point('d')], 'end of history') as [[number, number]];
    expect(x).toBe(400);
    expect(labelX).toBeLessThan(365);
  });
  test('where two collide the last keeps its words', () =>
    expect(drawn([point('a'), point('b', 0), point('b', 0)]).map(([, label]) => label !== null)).toEqual([
      true,
      false,
      true,
    ]));
  test('none', () => expect(drawn([])).toEqual([]));
});
