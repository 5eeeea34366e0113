import { describe, expect, test } from 'vitest';
import { estimated } from '../../../shared/units.ts';
import { formatPercent, THIN } from '../../ui/format.ts';
import { shareOf, tokenShare } from './share.ts';

describe('share of tokens', () => {
  test.each([
    [1145, 2902, 0.3946],
    [0, 10, 0],
    [10, 10, 1],
    [11, 10, 1],
    [0, 0, 1],
  ])('%d of %d', (part, whole, share) => {
    expect(tokenShare(estimated(part), estimated(whole))).toBeCloseTo(share, 4);
  });
  test('as it is printed beside both figures', () => {
    expect(formatPercent(tokenShare(estimated(1145), estimated(2902)))).toBe(`39.5${THIN}%`);
  });
});

describe('share of a call', () => {
  const prefix = { baselineId: 'a', shared: estimated(30), sharedChars: 90 as never, firstDifference: '' };
  test('is the ratio of its two estimates', () => {
    expect(shareOf({ prefix, estimate: estimated(40) })).toBe(0.75);
  });
  test('is unknown without either', () => {
    expect(shareOf({ prefix: null, estimate: estimated(40) })).toBeNull();
    expect(shareOf({ prefix, estimate: null })).toBeNull();
  });
});
