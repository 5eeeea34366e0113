import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CACHE_SENTINEL, checkTag, cut, escapeXml, neutraliseClosing, stripSentinels } from './escape.ts';
import { SENTINEL } from './testing/params.ts';

test('the sentinel is the one of the recorded prompts', () => expect(CACHE_SENTINEL).toBe(SENTINEL));

describe('escapeXml', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['three signs', '</a> & <b>', '&lt;/a&gt; &amp; &lt;b&gt;'],
    ['entities are escaped again', '&lt;', '&amp;lt;'],
    ['quotes and braces stay', `"it's" {{ x }}`, `"it's" {{ x }}`],
    ['sentinel', `a${SENTINEL}b`, 'ab'],
  ];
  test.each(cases)('%s', (_name, text, expected) => expect(escapeXml(text)).toBe(expected));
});

describe('checkTag', () => {
  test.each([
    ['<scene>', 'scene'],
    ['scene', 'scene'],
    ['<a-b_C9>', 'a-b_C9'],
  ])('%s', (as, name) => expect(checkTag(as)).toBe(name));

  test.each(['', '<>', '<a b>', '<a/>', '</a>', '<a', 'a>', '<<a>>', '<场景>', '<a>\n', '<a x="1">'])('%j', (as) =>
    expect(() => checkTag(as, 'manifest.input.inject[2].as')).toThrow(
      expect.objectContaining({ code: 'bad-tag', field: 'manifest.input.inject[2].as' }),
    ),
  );
});

describe('neutraliseClosing', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['own closing tag', 'a </world-lore> b', 'a &lt;/world-lore> b'],
    ['in capitals and with a space', '</World-Lore >', '&lt;/World-Lore >'],
    ['all of them', '</world-lore></world-lore>', '&lt;/world-lore>&lt;/world-lore>'],
    ['quotes, comments, other tags stay', '> q <!-- c --> & </world-lores> <x>', '> q <!-- c --> & </world-lores> <x>'],
  ];
  test.each(cases)('%s', (_name, text, expected) => expect(neutraliseClosing(text, 'world-lore')).toBe(expected));
});

describe('sentinels in data', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['whole', `x${SENTINEL}y`, 'xy'],
    ['one inside another', `\ue000COVEL_${SENTINEL}CACHE_BREAK\ue000`, 'COVEL_CACHE_BREAK'],
    ['half before a real one', 'x\ue000COVEL_CACHE_BREAK', 'xCOVEL_CACHE_BREAK'],
    ['name without delimiters', 'COVEL_CACHE_BREAK', 'COVEL_CACHE_BREAK'],
    ['other private-use units', '\ue001\uf8ff', '\ue001\uf8ff'],
  ];
  test.each(cases)('%s', (_name, text, expected) => expect(stripSentinels(text)).toBe(expected));

  const pieces = fc.array(fc.constantFrom('\ue000', 'COVEL_CACHE_BREAK', SENTINEL, 'COVEL_', 'CACHE_BREAK', 'a'));
  test('property: cleaned pieces never join into a breakpoint, nor swallow one', () => {
    fc.assert(
      fc.property(fc.array(pieces), (texts) => {
        const joined = texts.map((parts) => stripSentinels(parts.join(''))).join('');
        expect(`${joined}${SENTINEL}${joined}`.split(SENTINEL)).toEqual([joined, joined]);
      }),
    );
  });
});

test('a cut never halves a surrogate pair', () => {
  expect(cut('ab😀c', 3)).toBe('ab...');
  expect(cut('ab😀c', 4)).toBe('ab😀...');
  expect(cut('abc', 3)).toBe('abc');
});
