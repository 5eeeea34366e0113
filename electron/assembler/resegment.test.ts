import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CACHE_SENTINEL as S } from './data/escape.ts';
import { piece } from './piece.ts';
import { resegment } from './resegment.ts';

const known = ['alpha', 'beta', 'gamma'].map((text) => ({
  ...piece('extension', 'system', text, ''),
  text: `${text}${S}\n\n`,
}));
const named = (text: string): readonly (readonly [string, string])[] =>
  resegment(text, known, 'system').segments.map((segment) => [segment.label, segment.text]);

test.each([
  ['', []],
  ['alpha', [['alpha', 'alpha']]],
  [
    `alpha${S}\n\nbeta${S}\n\ngamma`,
    [
      ['alpha', `alpha${S}\n\n`],
      ['beta', `beta${S}\n\n`],
      ['gamma', 'gamma'],
    ],
  ],
  [
    `alpha\n\nnew\n\ngamma`,
    [
      ['alpha', 'alpha\n\n'],
      ['hook', 'new\n\n'],
      ['gamma', 'gamma'],
    ],
  ],
  [
    '\n beta',
    [
      ['hook', '\n '],
      ['beta', 'beta'],
    ],
  ],
  [
    'gamma alpha',
    [
      ['hook', 'gamma '],
      ['alpha', 'alpha'],
    ],
  ],
  [`own${S}`, [['hook', `own${S}`]]],
] as const)('%j', (text, expected) => expect(named(text)).toEqual(expected));

test('covers every text', () =>
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.constantFrom('alpha', 'beta', 'gamma', S, '\n\n'), fc.string())), (bits) => {
      const text = bits.join('');
      expect(
        resegment(text, known, 'system')
          .segments.map((one) => one.text)
          .join(''),
      ).toBe(text);
    }),
  ));
