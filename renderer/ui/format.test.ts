import { describe, expect, test } from 'vitest';
import { formatBytes, formatDuration, formatInt, formatKey, formatPercent, THIN } from './format.ts';

const plain = (text: string): string => text.replaceAll(THIN, ' ');

test.each([
  [0, '0'],
  [8120, '8,120'],
  [1234567.6, '1,234,568'],
])('formatInt(%d)', (n, expected) => expect(formatInt(n)).toBe(expected));

describe('formatPercent', () => {
  test.each([
    [0, 1, '0.0 %'],
    [0.867, 1, '86.7 %'],
    [1, 1, '100.0 %'],
    [0.9999, 1, '99.9 %'],
    [0.9999, 0, '99 %'],
    [0.0001, 1, '< 0.1 %'],
    [0.87, 0, '87 %'],
    [1, 0, '100 %'],
  ])('%d with %d digits', (share, digits, expected) => expect(plain(formatPercent(share, digits))).toBe(expected));
});

test.each([
  [0.4, '0 ms'],
  [840, '840 ms'],
  [9120, '9.1 s'],
  [125_000, '2 min 05 s'],
])('formatDuration(%d)', (ms, expected) => expect(plain(formatDuration(ms))).toBe(expected));

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [8_400_000, '8.4 MB'],
  [961_000_000, '961 MB'],
  [1_000_000_000, '1.0 GB'],
])('formatBytes(%d)', (n, expected) => expect(plain(formatBytes(n))).toBe(expected));

test.each([
  ['mod+k', false, 'Ctrl K'],
  ['mod+k', true, '⌘ K'],
  ['ArrowLeft', false, '←'],
  [' ', false, 'Space'],
  ['d', false, 'd'],
  ['?', false, '?'],
  ['Home', false, 'Home'],
])('formatKey(%s)', (key, apple, expected) => expect(formatKey(key, apple)).toBe(expected));
