import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scaleOf, ticksOf } from './scale.ts';

const widths = (sizes: readonly number[], width: number, least: number): readonly number[] =>
  scaleOf(sizes, width, least).boxes.map((box) => box.width);

describe('widths', () => {
  test('in proportion', () => expect(widths([100, 300], 400, 2)).toEqual([100, 300]));
  test('a small run is held at the least width', () => expect(widths([1, 999], 100, 2)).toEqual([2, 98]));
  test('a run without tokens is still there', () => expect(widths([0, 50, 50], 102, 2)).toEqual([2, 50, 50]));
  test('too many runs share the width evenly', () => expect(widths([1, 1, 1, 1], 4, 3)).toEqual([1, 1, 1, 1]));
  test('nothing', () => expect(widths([], 100, 2)).toEqual([]));
});

describe('places', () => {
  const scale = scaleOf([1, 999], 100, 2);
  test.each([
    [0, 0],
    [1, 2],
    [1000, 100],
    [500.5, 51],
  ])('%d tokens stand at %d pixels', (tokens, x) => expect(scale.at(tokens)).toBeCloseTo(x));
  test('beyond the end is the end', () => expect(scale.at(5000)).toBe(100));
});

test('widths fill the strip, keep the order and read back', () => {
  const sizes = fc.array(fc.integer({ min: 0, max: 5000 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(sizes, fc.integer({ min: 200, max: 2000 }), (list, width) => {
      const scale = scaleOf(list, width, 3);
      const last = scale.boxes.at(-1)!;
      expect(last.x + last.width).toBeCloseTo(width);
      for (const box of scale.boxes) expect(box.width).toBeGreaterThanOrEqual(3 - 1e-6);
      const middles = scale.boxes.flatMap((box) => (box.size > 0 ? [box.start + box.size / 2] : []));
      for (const middle of middles) expect(scale.tokensAt(scale.at(middle))).toBeCloseTo(middle);
    }),
  );
});

describe('ruler', () => {
  const at = (total: number, width: number): readonly number[] =>
    ticksOf(scaleOf([total], width)).map((tick) => tick.tokens);
  test('as drawn', () => expect(at(8120, 776)).toEqual([2000, 4000, 6000]));
  test('narrow', () => expect(at(8120, 360)).toEqual([5000]));
  test('small prompt', () => expect(at(95, 776)).toEqual([20, 40, 60, 80]));
  test('nothing to measure', () => expect(at(0, 776)).toEqual([]));
});
