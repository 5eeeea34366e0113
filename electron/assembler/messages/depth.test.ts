import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { insertAtDepth } from './depth.ts';

const at = (...pairs: readonly (readonly [depth: number, item: string])[]) =>
  pairs.map(([depth, item]) => ({ depth, item }));

describe('insertion', () => {
  test.each([
    [[], at([3, 'x']), 'x'],
    [['a', 'b'], at([0, 'x']), 'a b x'],
    [['a', 'b'], at([-2, 'x']), 'a b x'],
    [['a', 'b'], at([1, 'x']), 'a x b'],
    [['a', 'b'], at([2, 'x']), 'x a b'],
    [['a', 'b'], at([9, 'x']), 'x a b'],
    [['a', 'b'], at([1, 'x'], [1, 'y'], [0, 'z']), 'a x y b z'],
    [['a', 'b', 'c'], at([1, 'x'], [2, 'y']), 'a y b x c'],
    [['a', 'b'], at([1.4, 'x']), 'a x b'],
  ])('%j with %j', (base, insertions, expected) => expect(insertAtDepth(base, insertions).join(' ')).toBe(expected));

  test('keeps the base in order and counts depth on the base alone', () =>
    fc.assert(
      fc.property(fc.nat({ max: 8 }), fc.array(fc.integer({ min: -2, max: 12 })), (size, depths) => {
        const base = Array.from({ length: size }, (_, i) => i);
        const result = insertAtDepth<number | string>(
          base,
          depths.map((depth, i) => ({ depth, item: `x${i}` })),
        );
        expect(result.filter((item) => typeof item === 'number')).toEqual(base);
        depths.forEach((depth, i) => {
          const place = result.indexOf(`x${i}`);
          const behind = result.slice(place).filter((item) => typeof item === 'number').length;
          expect(behind).toBe(Math.min(size, Math.max(0, depth)));
        });
      }),
    ));
});
