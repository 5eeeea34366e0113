import { describe, expect, test } from 'vitest';
import { en, summaryTemplates, textFiles, zh } from './testing/texts.ts';
import { fill, frameworkTexts } from './texts.ts';
import { AssemblyError, FRAMEWORK_TEXT_IDS } from './types.ts';

const HAN = /\p{Script=Han}/u;
const placeholders = (text: string): readonly string[] =>
  [...text.matchAll(/\{\w+\}/g)].map(([whole]) => whole).toSorted();

describe('the sentences', () => {
  test.each(FRAMEWORK_TEXT_IDS)('%s: Chinese in every line of zh, none in en, the same placeholders', (id) => {
    for (const line of zh.text(id).split('\n')) expect(line).toMatch(HAN);
    expect(en.text(id)).not.toMatch(HAN);
    expect(placeholders(zh.text(id))).toEqual(placeholders(en.text(id)));
  });

  test('the files hold these sentences and no others', () => {
    for (const file of [textFiles.en, textFiles.zh]) {
      expect(Object.keys(file as object).toSorted()).toEqual([...FRAMEWORK_TEXT_IDS].toSorted());
    }
  });

  test('the pruned marker is 15 tokens by the rule of four, which table 12.2 counts with', () =>
    expect(Math.ceil(en.text('history.pruned-marker').length / 4)).toBe(15));

  test('the summary template has its two placeholders, once each', () => {
    for (const template of Object.values(summaryTemplates)) {
      expect(placeholders(template)).toEqual(['{focus}', '{language}']);
    }
  });
});

describe('filling', () => {
  test('is one pass: a value that looks like a placeholder stays', () =>
    expect(fill('{a} and {b}', { a: '{b}', b: 2 })).toBe('{b} and 2'));
  test('leaves an unknown placeholder and inherited names', () =>
    expect(fill('{x} {constructor}', {})).toBe('{x} {constructor}'));
  test('a missing sentence is a configuration error that names it', () =>
    expect(() => frameworkTexts({ en: {}, zh: {} }, 'en')).toThrowError(
      expect.objectContaining({ code: 'configuration', field: 'prompts/en.json#preamble.runtime' }),
    ));
  test('so is a file that is no object', () =>
    expect(() => frameworkTexts({ en: null, zh: null }, 'zh')).toThrowError(AssemblyError));
});
