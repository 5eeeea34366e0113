import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { wordDiff, wordsOf, type Piece } from './word-diff.ts';

const side = (pieces: readonly Piece[], kind: 'added' | 'removed'): string =>
  pieces
    .filter((piece) => piece.kind === 'same' || piece.kind === kind)
    .map((piece) => piece.text)
    .join('');

describe('words', () => {
  test.each([
    ['might: 4', ['might', ':', ' ', '4']],
    ['白雀 goes', ['白', '雀', ' ', 'goes']],
    ['a\n\n b', ['a', '\n\n ', 'b']],
    ['', []],
  ])('%j', (text, words) => expect(wordsOf(text)).toEqual(words));
});

describe('changes', () => {
  test('one number in a record', () =>
    expect(wordDiff('{"might":4,"mood":"calm"}', '{"might":3,"mood":"calm"}')).toEqual([
      { kind: 'same', text: '{"might":' },
      { kind: 'removed', text: '4' },
      { kind: 'added', text: '3' },
      { kind: 'same', text: ',"mood":"calm"}' },
    ]));
  test('islands in Chinese', () =>
    expect(wordDiff('潮位高，雾浓', '潮位落，雾散')).toEqual([
      { kind: 'same', text: '潮位' },
      { kind: 'removed', text: '高' },
      { kind: 'added', text: '落' },
      { kind: 'same', text: '，雾' },
      { kind: 'removed', text: '浓' },
      { kind: 'added', text: '散' },
    ]));
  test('equal texts are one piece', () => expect(wordDiff('same', 'same')).toEqual([{ kind: 'same', text: 'same' }]));
  test('from nothing', () => expect(wordDiff('', 'new')).toEqual([{ kind: 'added', text: 'new' }]));
  test('to nothing', () => expect(wordDiff('old', '')).toEqual([{ kind: 'removed', text: 'old' }]));
  test('two empty texts have no piece', () => expect(wordDiff('', '')).toEqual([]));
  test('texts that differ too much are replaced whole', () => {
    const words = (letter: string): string => Array.from({ length: 1000 }, (_, i) => `${letter}${i}`).join(' ');
    expect(wordDiff(words('a'), words('b')).map((piece) => piece.kind)).toEqual(['removed', 'added']);
  });
});

test('both texts can be read from the pieces', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', ' ', '白', '雀', '.', '\n'), { maxLength: 40 })
    .map((s) => s.join(''));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const pieces = wordDiff(before, after);
      expect(side(pieces, 'removed')).toBe(before);
      expect(side(pieces, 'added')).toBe(after);
    }),
  );
});

test('the script is the shortest one', () => {
  const text = fc
    .array(fc.constantFrom('x', 'y', '.'), { maxLength: 9 })
    .map((s) => s.join('').replaceAll(/(?=.)/g, '白'));
  const common = (a: readonly string[], b: readonly string[]): number => {
    const table = Array.from({ length: a.length + 1 }, () => Array.from({ length: b.length + 1 }, () => 0));
    for (let i = 1; i <= a.length; i++)
      for (let j = 1; j <= b.length; j++)
        table[i]![j] =
          a[i - 1] === b[j - 1] ? table[i - 1]![j - 1]! + 1 : Math.max(table[i - 1]![j]!, table[i]![j - 1]!);
    return table[a.length]![b.length]!;
  };
  fc.assert(
    fc.property(text, text, (before, after) => {
      const same = wordDiff(before, after).filter((piece) => piece.kind === 'same');
      expect(wordsOf(same.map((piece) => piece.text).join('')).length).toBe(common(wordsOf(before), wordsOf(after)));
    }),
  );
});
