import { describe, expect, test } from 'vitest';
import { instructionLanguage, languageName, localeCandidates } from './locale.ts';

describe('where a prompt file is looked for', () => {
  test.each([
    ['zh-CN', ['zh-CN', 'zh', 'en', '']],
    ['zh', ['zh', 'en', '']],
    ['zh_hans', ['zh-Hans', 'zh', 'en', '']],
    ['zh-Hant', ['zh-Hant', 'en', '']],
    ['zh-TW', ['zh-TW', 'en', '']],
    ['zh-Hant-TW', ['zh-Hant-TW', 'en', '']],
    ['sr-Latn', ['sr-Latn', 'en', '']],
    ['pt-br', ['pt-BR', 'pt', 'en', '']],
    ['en-US', ['en-US', 'en', '']],
    ['', ['en', '']],
    [null, ['en', '']],
    ['../../etc/passwd', ['en', '']],
    ['en/../..', ['en', '']],
    ['zh\u0000', ['en', '']],
    ['x', ['en', '']],
  ])('%j', (locale, expected) => expect(localeCandidates(locale)).toEqual(expected));
});

describe('instruction language', () => {
  test.each([
    ['zh', 'zh'],
    ['zh-CN', 'zh'],
    ['ZH_cn', 'zh'],
    ['zh-Hans', 'zh'],
    ['zh-hans-sg', 'zh'],
    ['zh-Hant', 'en'],
    ['zh-Hant-TW', 'en'],
    ['zh-TW', 'en'],
    ['zh-HK', 'en'],
    ['ja-JP', 'en'],
    ['en-US', 'en'],
    ['zhx', 'en'],
    ['not a locale', 'en'],
    [undefined, 'en'],
  ] as const)('%j', (locale, expected) => expect(instructionLanguage(locale)).toBe(expected));

  test('can be forced both ways', () => {
    expect(instructionLanguage('zh-CN', 'en')).toBe('en');
    expect(instructionLanguage('ru-RU', 'zh')).toBe('zh');
  });
});

describe('name of the session’s language', () => {
  test.each([
    ['zh-CN', 'zh', '简体中文'],
    ['zh-CN', 'en', 'Simplified Chinese'],
    ['zh-Hant-TW', 'en', 'Traditional Chinese'],
    ['zh-TW', 'en', 'Traditional Chinese'],
    ['en-US', 'en', 'English (United States)'],
    ['ru-RU', 'zh', '俄语（俄罗斯）'],
    ['de', 'en', 'German'],
    ['not a locale', 'en', 'not a locale'],
  ] as const)('%j in %s', (locale, language, expected) => expect(languageName(locale, language)).toBe(expected));
});
