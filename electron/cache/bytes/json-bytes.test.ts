import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeNumber, decodeString, entryOf, valueEnd, walkEntries, walkItems } from './json-bytes.ts';
import { anyJson } from './testing/json-texts.ts';

const isWhole = (text: string): boolean => {
  const bytes = Buffer.from(text);
  return valueEnd(bytes, 0, bytes.length) === bytes.length;
};
const parses = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('valueEnd', () => {
  test.each([
    ['""'],
    ['"\\""'],
    ['"\\\\"'],
    [`"${'x'.repeat(200)}\\\\\\"${'y'.repeat(200)}"`],
    [`"${'\\\\'.repeat(100)}"`],
    ['{}'],
    ['[]'],
    ['[ ]'],
    ['{ "a" : [ 1 , { } ] , "b":null }'],
    ['-0.5e+7'],
    ['true'],
    ['"雾😀"'],
    [`${'1'.repeat(5000)}`],
  ])('finds the end of %s', (text) => {
    expect(isWhole(text)).toBe(true);
  });

  test.each([
    ['"'],
    ['"\\"'],
    [`"${'x'.repeat(200)}`],
    [`"${'x'.repeat(200)}\\"`],
    ['{'],
    ['{"a"}'],
    ['{"a":}'],
    ['{"a":1,}'],
    ['{a:1}'],
    ['{,}'],
    ['[1,]'],
    ['[,1]'],
    ['[1 2]'],
    ['[1}'],
    ['{"a":1]'],
    ['tru'],
    ['01'],
    ['1.'],
    ['-'],
    ['.5'],
    ['1e'],
    ['NaN'],
    [''],
    [']'],
  ])('is -1 or short of the end for %s', (text) => {
    expect(parses(text)).toBe(false);
    expect(isWhole(text)).toBe(false);
  });

  test('never reads beyond its end', () => {
    const bytes = Buffer.from(`["${'x'.repeat(100)}"]`);
    for (let end = 0; end < bytes.length; end++) expect(valueEnd(bytes, 0, end)).toBe(-1);
  });

  test('accepts what JSON.parse accepts', () => {
    fc.assert(
      fc.property(anyJson(true), ({ json }) => {
        expect(isWhole(json)).toBe(true);
      }),
    );
  });

  test('accepts a text with a changed character only where JSON.parse does', () => {
    const characters = Array.from('{}[],:" 1t');
    fc.assert(
      fc.property(anyJson(false), fc.nat(), fc.constantFrom(...characters), ({ json }, at, character) => {
        const place = at % json.length;
        const text = (json.slice(0, place) + character + json.slice(place + 1)).trim();
        // Escapes are left to those who decode the string.
        expect(text.includes('\\') ? parses(text) && !isWhole(text) : parses(text) !== isWhole(text)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  test('a million levels deep', () => {
    expect(isWhole('['.repeat(1_000_000) + ']'.repeat(1_000_000))).toBe(true);
    expect(isWhole('{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000))).toBe(true);
    expect(isWhole('['.repeat(1_000_000))).toBe(false);
  });
});

describe('walking', () => {
  const bytes = Buffer.from('{ "a" : 1, "\\u0062" : [true, "x"], "a": {} }');

  test('entries with keys unescaped, in order', () => {
    const seen: string[] = [];
    const end = walkEntries(bytes, 0, bytes.length, (key, at) => {
      seen.push(key);
      return valueEnd(bytes, at, bytes.length);
    });
    expect([end, ...seen]).toEqual([bytes.length, 'a', 'b', 'a']);
  });

  test('of an entry that stands twice the last one counts', () => {
    const range = entryOf(bytes, { start: 0, end: bytes.length }, 'a');
    expect(range && bytes.toString('utf8', range.start, range.end)).toBe('{}');
  });

  test('items', () => {
    const list = Buffer.from('[1, "x" ,[]]');
    const seen: string[] = [];
    const end = walkItems(list, 0, list.length, (at) => {
      const to = valueEnd(list, at, list.length);
      seen.push(list.toString('utf8', at, to));
      return to;
    });
    expect([end, ...seen]).toEqual([list.length, '1', '"x"', '[]']);
  });

  test.each([['{'], ['[]'], ['{"a":1'], ['{"a" 1}'], ['{"\\x":1}']])('answers -1 for %s', (text) => {
    const broken = Buffer.from(text);
    expect(walkEntries(broken, 0, broken.length, (_, at) => valueEnd(broken, at, broken.length))).toBe(-1);
  });
});

describe('decoding', () => {
  const string = (text: string) => decodeString(Buffer.from(text), { start: 0, end: Buffer.byteLength(text) });
  const number = (text: string) => decodeNumber(Buffer.from(text), { start: 0, end: Buffer.byteLength(text) });

  test.each([
    ['"abc"', 'abc'],
    ['"a\\nb"', 'a\nb'],
    ['"\\u0000雾"', '\u0000雾'],
    ['"\\ud83d"', '\ud83d'],
    ['"\\x"', null],
    ['12', null],
    ['"', null],
    ['"a\nb"', null],
  ])('string %s', (text, value) => {
    expect(string(text)).toBe(value);
  });

  test.each([
    ['12', 12],
    ['-1.5e3', -1500],
    ['1e999', null],
    ['"12"', null],
    ['null', null],
    ['true', null],
  ])('number %s', (text, value) => {
    expect(number(text)).toBe(value);
  });
});
