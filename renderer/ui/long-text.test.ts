import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { beginningOf, blocksOf, piecesOf, type Range } from './long-text.ts';

const cut = (text: string): string[] => blocksOf(text).map((block) => text.slice(block.start, block.end));

describe('blocks', () => {
  test('a short text is one', () => expect(blocksOf('a\nb')).toEqual([{ start: 0, end: 3 }]));
  test('an empty text has none', () => expect(blocksOf('')).toEqual([]));
  test('they end behind a line break', () =>
    expect(cut(`${'a'.repeat(9000)}\n${'b'.repeat(9000)}`).map((part) => part.length)).toEqual([9001, 9000]));
  test('a line without an end is cut anywhere', () =>
    expect(cut('a'.repeat(40_000)).map((p) => p.length)).toEqual([16_000, 16_000, 8000]));
  test('but not inside a surrogate pair', () => expect(cut(`a${'😀'.repeat(10_000)}`)[0]!.length % 2).toBe(1));
});

test('joined blocks are the text', () => {
  const text = fc
    .array(fc.constantFrom('a', '\n', '😀', '白'.repeat(7000), 'b'.repeat(9000)), { maxLength: 30 })
    .map((s) => s.join(''));
  fc.assert(
    fc.property(text, (given) => {
      expect(cut(given).join('')).toBe(given);
    }),
    { numRuns: 60 },
  );
});

describe('the beginning', () => {
  test('all of a short text', () => expect(beginningOf('abc', 3)).toBe('abc'));
  test('no half character', () => expect(beginningOf('a😀b', 2)).toBe('a'));
});

describe('marks', () => {
  const pieces = (block: Range, ...marks: Range[]): string =>
    piecesOf('0123456789', block, marks)
      .map((piece) => (piece.isMarked ? `[${piece.text}]` : piece.text))
      .join('');
  test.each([
    [{ start: 0, end: 10 }, [], '0123456789'],
    [{ start: 0, end: 10 }, [{ start: 2, end: 4 }], '01[23]456789'],
    [{ start: 0, end: 5 }, [{ start: 2, end: 8 }], '01[234]'],
    [{ start: 5, end: 10 }, [{ start: 2, end: 8 }], '[567]89'],
    [{ start: 5, end: 10 }, [{ start: 0, end: 5 }], '56789'],
    [
      { start: 0, end: 10 },
      [
        { start: 0, end: 1 },
        { start: 9, end: 10 },
      ],
      '[0]12345678[9]',
    ],
    [{ start: 0, end: 10 }, [{ start: 3, end: 3 }], '0123456789'],
  ] as const)('%j with %j', (block, marks, drawn) => expect(pieces(block, ...marks)).toBe(drawn));
});
