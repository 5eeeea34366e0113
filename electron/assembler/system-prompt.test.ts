import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CACHE_SENTINEL as S, stripSentinels } from './data/escape.ts';
import { piece } from './piece.ts';
import { frameworkHead, serializeSystemPrompt, splitAtSentinels, type SystemParts } from './system-prompt.ts';

const NAMES = ['preamble', 'body', 'lasting', 'loreBefore', 'session', 'loreAfter', 'tail'] as const;
const parts = (texts: Partial<Record<keyof SystemParts, readonly string[]>>): SystemParts => {
  const of = (name: keyof SystemParts) => (texts[name] ?? []).map((text) => piece('extension', 'system', name, text));
  return {
    preamble: of('preamble'),
    body: of('body'),
    lasting: of('lasting'),
    loreBefore: of('loreBefore'),
    session: of('session'),
    loreAfter: of('loreAfter'),
    tail: of('tail'),
  };
};

describe('parts and sentinels', () => {
  test.each([
    [{}, ''],
    [{ body: ['b'] }, `b${S}`],
    [{ preamble: ['p'], body: ['b'] }, `p${S}\n\nb${S}`],
    [{ preamble: ['p'], tail: ['t'] }, `p${S}\n\nt`],
    [{ body: [' \n'], lasting: ['x', '', 'y'] }, `x\n\ny${S}`],
    [{ loreBefore: ['1', '2'], session: ['e', 'a'] }, '1\n\n2\n\ne\na'],
    [{ session: ['e'], loreAfter: ['z'] }, `e\n\nz${S}`],
    [
      {
        preamble: ['p'],
        body: ['b'],
        lasting: ['x'],
        loreBefore: ['1'],
        session: ['e'],
        loreAfter: ['2'],
        tail: ['t'],
      },
      `p${S}\n\nb${S}\n\nx${S}\n\n1\n\ne\n\n2${S}\n\nt`,
    ],
  ])('%j', (texts, expected) => expect(serializeSystemPrompt(parts(texts), true).text).toBe(expected));

  test('the segments cover the text; sentinels are as many as filled parts of the four', () =>
    fc.assert(
      fc.property(
        fc.record(Object.fromEntries(NAMES.map((name) => [name, fc.array(fc.string(), { maxLength: 3 })]))),
        fc.boolean(),
        (texts, inject) => {
          const given = parts(texts);
          const { text, segments } = serializeSystemPrompt(given, inject);
          expect(segments.map((one) => one.text).join('')).toBe(text);
          const filled = (['preamble', 'body', 'lasting', 'loreAfter'] as const).filter((name) =>
            given[name].some((one) => one.text.trim() !== ''),
          );
          expect(text.split(S).length - 1).toBe(inject ? filled.length : 0);
          expect(stripSentinels(text)).toBe(serializeSystemPrompt(given, false).text);
        },
      ),
    ));

  test('text made of sentinels and halves of them never makes a boundary', () =>
    fc.assert(
      fc.property(fc.array(fc.constantFrom('\ue000', 'COVEL_CACHE_BREAK', S, 'a', '\n')), (bits) => {
        const { text } = serializeSystemPrompt(parts({ body: [bits.join('')], tail: ['t'] }), true);
        expect(text.split(S).length).toBeLessThanOrEqual(2);
        expect(text.endsWith('t')).toBe(true);
      }),
    ));
});

test('the head is the preamble and its sentinel', () => {
  expect(frameworkHead('p', true)).toBe(`p${S}`);
  expect(frameworkHead('p', false)).toBe('p');
  expect(frameworkHead('', true)).toBe('');
});

test.each([
  ['', []],
  ['a', ['a']],
  [`a \n${S}\n\nb${S}`, ['a', '\n\nb']],
  [`${S}${S} x`, [' x']],
])('pieces of %j', (text, expected) => expect(splitAtSentinels(text)).toEqual(expected));
