import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseLanguage, jsonText, printable, type Paint } from './io.ts';
import { cells, cut, dollars, layOut, lines, number, percent, seconds } from './table.ts';

const plain: Paint = (_style, text) => text;

describe('cells', () => {
  test.each([
    ['', 0],
    ['abc', 3],
    ['é', 1],
    ['e\u0301', 1],
    ['你好', 4],
    ['，', 2],
    ['ｶﾅ', 2],
    ['한국', 4],
    ['👩‍👩‍👧', 2],
    ['🇨🇳', 2],
    ['❤️', 2],
    ['…–·', 3],
    ['\u200b', 0],
    ['𠀀', 2],
  ])('%j takes %i', (text, width) => expect(cells(text)).toBe(width));
});

describe('cut', () => {
  test.each([
    ['abc', 3, 'abc'],
    ['abcd', 3, 'ab…'],
    ['你好吗', 5, '你好…'],
    ['你好吗', 4, '你…'],
    ['👩‍👩‍👧x', 2, '…'],
  ])('%j to %i', (text, width, expected) => expect(cut(text, width)).toBe(expected));

  test('never exceeds its width', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 20 }), (text, width) => {
        expect(cells(cut(text, width))).toBeLessThanOrEqual(width);
      }),
    );
  });
});

test('columns line up in cells, numbers to the right', () => {
  const table = layOut(
    [{ head: 'name', max: 8 }, { head: 'tok', align: 'right' }, { head: 'end' }],
    [
      ['narrator', '1,234', 'stop'],
      ['世界', '5', 'length'],
      ['a very long name', '67', ''],
    ],
    plain,
  );
  expect(lines(table)).toBe(
    ['name        tok  end', 'narrator  1,234  stop', '世界          5  length', 'a very …     67'].join('\n'),
  );
});

test('figures', () => {
  expect([number(1234567.6), number(0), number(null)]).toEqual(['1,234,568', '0', '–']);
  expect([seconds(9120), seconds(null), percent(0.8766)]).toEqual(['9.1', '–', '87.7']);
});

test.each([
  [0.99995, '99.9'],
  [1, '100.0'],
  [0, '0.0'],
])('a share of %d is %s per cent', (share, text) => expect(percent(share)).toBe(text));

test.each([
  [null, '–'],
  [0, '$0.00'],
  [1234.5, '$1,234.50'],
  [0.41, '$0.41'],
  [0.0123, '$0.0123'],
  [0.000034, '$0.000034'],
  [0.0000001, '<$0.000001'],
])('%d dollars are %s', (usd, text) => expect(dollars(usd)).toBe(text));

describe('recorded text', () => {
  test('cannot steer a terminal, break a line or turn the direction of writing', () => {
    expect(printable('a\u001b[31mb\r\nc\u009b1md\u202ee\u2028f\u0000')).toBe('a [31mb c 1md e f ');
    expect(printable('\ud800x')).toBe('\ufffdx');
  });

  test('is the same text when the JSON is read back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const written = jsonText({ text });
        expect(JSON.parse(written)).toEqual({ text });
        expect(written).not.toMatch(/(?!\n)\p{Cc}|[\u202e\u2028]/u);
      }),
    );
  });
});

test.each([
  ['zh', { LANG: 'en_US.UTF-8' }, 'zh'],
  [null, { LANG: 'zh_CN.UTF-8' }, 'zh'],
  [null, { LC_ALL: 'C', LANG: 'zh_CN.UTF-8' }, 'en'],
  [null, { LC_ALL: '', LC_MESSAGES: 'zh_TW', LANG: 'en' }, 'zh'],
  [null, {}, 'en'],
] as const)('language of %j and %j is %s', (asked, env, expected) => expect(chooseLanguage(asked, env)).toBe(expected));
