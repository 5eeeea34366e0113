import { describe, expect, test } from 'vitest';
import type { Json } from '../../../shared/model/index.ts';
import { localisedText, localisedValue } from './localised.ts';

const map = { 'zh-CN': '盐牙会', 'zh-TW': '鹽牙會', 'en-US': 'Salt-Fangs', fr: 'Crocs' };
describe('a translation', () => {
  const cases: readonly (readonly [string, Json | undefined, string | undefined, string | null])[] = [
    ['exact', map, 'zh-TW', '鹽牙會'],
    ['same language and script', map, 'zh-SG', '盐牙会'],
    ['same language, other script', map, 'zh-Hant-HK', '鹽牙會'],
    ['language alone', map, 'fr-CA', 'Crocs'],
    ['underscore', map, 'zh_CN', '盐牙会'],
    ['English for any other', map, 'ja-JP', 'Salt-Fangs'],
    ['English without a locale', map, undefined, 'Salt-Fangs'],
    ['an invalid locale', map, '../../etc', 'Salt-Fangs'],
    ['the first where there is no English', { de: 'Salz', fr: 'Sel' }, 'ja', 'Salz'],
    ['a plain text', 'Salt', 'zh-CN', 'Salt'],
    ['no text', { a: 1 }, 'en', null],
    ['nothing', undefined, 'en', null],
  ];
  test.each(cases)('%s', (_name, value, locale, expected) => expect(localisedText(value, locale)).toBe(expected));
});

describe('a value', () => {
  const text = { type: 'string', 'x-i18n': true };
  const cases: readonly (readonly [string, Json, Json, Json])[] = [
    ['marked', map, text, '盐牙会'],
    ['not marked: plain data with locale-like keys', map, { type: 'object' }, map],
    ['items of a list', [map, 'x'], { items: text }, ['盐牙会', 'x']],
    ['properties', { name: map, code: map }, { properties: { name: text } }, { name: '盐牙会', code: map }],
    ['additional properties', { a: map }, { additionalProperties: text }, { a: '盐牙会' }],
    ['additionalProperties as a switch', { a: map }, { additionalProperties: true }, { a: map }],
    ['an inherited name is no property', { toString: map }, { properties: { a: text } }, { toString: map }],
    ['marked, but no text', 7, text, 7],
    ['no schema', map, null, map],
  ];
  test.each(cases)('%s', (_name, value, schema, expected) =>
    expect(localisedValue(value, schema, 'zh-CN')).toEqual(expected),
  );
});
