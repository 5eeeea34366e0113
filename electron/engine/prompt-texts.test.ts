import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createPromptTexts } from './prompt-texts.ts';

describe('the package’s own texts', () => {
  const texts = createPromptTexts('resources');
  test('sentences in both languages, read once', () => {
    expect(texts.framework('zh').text('note.none')).toBe('（无）');
    expect(texts.framework('en').text('note.none')).toBe('(none)');
    expect(texts.framework('en')).toBe(texts.framework('en'));
  });
  test.each([
    ['zh-CN', 'zh'],
    ['zh', 'zh'],
    ['zh-Hant', 'en'],
    ['zh-TW', 'en'],
    ['de-AT', 'en'],
    ['../../etc', 'en'],
    [null, 'en'],
  ])('summary template for %j', (locale, language) => expect(texts.summaryTemplate(locale)?.language).toBe(language));
});

test('a folder without English falls back to the file without a language, then to nothing', () => {
  const resources = mkdtempSync(join(tmpdir(), 'lens-prompts-'));
  mkdirSync(join(resources, 'prompts'));
  expect(createPromptTexts(resources).summaryTemplate('de')).toBeNull();
  writeFileSync(join(resources, 'prompts', 'summary.md'), 'default');
  expect(createPromptTexts(resources).summaryTemplate('de')).toEqual({ language: 'en', text: 'default' });
  writeFileSync(join(resources, 'prompts', 'summary.de.md'), 'deutsch');
  expect(createPromptTexts(resources).summaryTemplate('de-AT')?.text).toBe('deutsch');
  expect(createPromptTexts(resources).summaryTemplate('en')?.text).toBe('default');
});

test('a missing folder is an error when a sentence is asked for', () =>
  expect(() => createPromptTexts('/nowhere').framework('en')).toThrow('ENOENT'));
