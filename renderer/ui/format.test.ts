import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  columnDecimals,
  formatBytes,
  formatDuration,
  formatInt,
  formatKey,
  formatLifetime,
  formatPercent,
  formatUsd,
  THIN,
} from './format.ts';

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
    [0.99995, 1, '99.9 %'],
    [0.999999, 1, '99.9 %'],
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
  [3_600_000, '1 h 00 min'],
  [7_530_000, '2 h 06 min'],
  [273_600_000, '3 d 04 h'],
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

test.each([
  [300, '5 min'],
  [3600, '1 h'],
  [86_400, '24 h'],
  [90, '90 s'],
  [0, '0 s'],
])('formatLifetime(%d)', (seconds, expected) => expect(plain(formatLifetime(seconds))).toBe(expected));

describe('money', () => {
  test.each([
    [0, '$0.00'],
    [1_120_000, '$1.12'],
    [1_234_500_000, '$1,234.50'],
    [190_000, '$0.19'],
    [12_345, '$0.0123'],
    [3240, '$0.0032'],
    [340, '$0.00034'],
    [12, '$0.000012'],
    [1, '$0.000001'],
    [0.2, '< $0.000001'],
  ])('%d millionths', (micros, expected) => expect(plain(formatUsd(micros))).toBe(expected));

  test('at least two significant digits, down to the millionth', () =>
    fc.assert(
      fc.property(fc.integer({ min: 10, max: 1_000_000_000 }), (micros) => {
        const shown = Number(formatUsd(micros).replaceAll(/[$,]/g, ''));
        expect(Math.abs(shown - micros / 1e6) / (micros / 1e6)).toBeLessThanOrEqual(0.05);
      }),
    ));

  test('the points of a column stand in one line', () => {
    const column = [190_000, 12_345, null, 0];
    expect(columnDecimals(column)).toBe(4);
    expect(column.map((micros) => (micros === null ? '–' : formatUsd(micros, columnDecimals(column))))).toEqual([
      '$0.1900',
      '$0.0123',
      '–',
      '$0',
    ]);
  });
  test('an empty column has two', () => expect(columnDecimals([null])).toBe(2));
  test('what is less than a column can show is not shown as nothing', () =>
    expect(plain(formatUsd(400, 2))).toBe('< $0.01'));
});
