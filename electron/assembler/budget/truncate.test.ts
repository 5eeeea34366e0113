import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CHARS4, COVEL_ESTIMATOR } from './estimator.ts';
import { anyText } from './testing/messages.ts';
import { headTail, oneLine } from './truncate.ts';

const marker = '[cut]';

describe('headTail', () => {
  const cut = (text: string, excess: number) => headTail(text, { marker, excess, estimate: CHARS4 });

  test('keeps as much of both ends as fits, the head one unit longer', () => {
    // 40 units are 10 tokens; 3 too many and one to spare leave 6 tokens = 24 units, 7 of them the marker's line
    expect(cut('0123456789abcdefghijklmnopqrstuvwxyzABCD', 3)).toBe('012345678\n[cut]\nwxyzABCD');
  });
  test('a text no larger than the marker stays', () => {
    expect(cut('12345678', 100)).toBeNull();
    expect(cut('', 1)).toBeNull();
  });
  test('the marker alone, trimmed, where nothing else fits', () => expect(cut('x'.repeat(40), 9)).toBe('[cut]'));
  test('one token too many still saves two', () => {
    expect(CHARS4(cut('x'.repeat(400), 1) ?? '')).toBe(98);
  });
  test('never splits a pair', () => {
    const lamps = '😀'.repeat(30);
    for (let excess = 1; excess < 14; excess++) expect(cut(lamps, excess)?.isWellFormed()).toBe(true);
  });

  test('any text: at most what was asked for, both ends kept, the same every time', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 30 }), fc.boolean(), (text, excess, covel) => {
        const estimate = covel ? COVEL_ESTIMATOR : CHARS4;
        const options = { marker, excess, estimate };
        const short = headTail(text, options);
        if (short === null) return estimate(text) <= estimate(`\n${marker}\n`);
        const target = Math.max(estimate(`\n${marker}\n`), estimate(text) - excess - 1);
        const [head = '', tail = ''] = short === marker ? [] : short.split(`\n${marker}\n`);
        expect(estimate(short)).toBeLessThanOrEqual(target);
        expect(estimate(short)).toBeLessThan(estimate(text));
        expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
        expect(headTail(text, options)).toBe(short);
        return !text.isWellFormed() || short.isWellFormed();
      }),
    );
  });
});

test.each([
  ['short', 10, 'short'],
  ['exactly 10', 10, 'exactly 10'],
  ['one unit more', 12, 'one unit mo…'],
  [' two\n  lines\t', 20, 'two lines'],
  ['abc😀def', 5, 'abc…'],
])('oneLine(%j, %i)', (text, length, line) => expect(oneLine(text, length)).toBe(line));
