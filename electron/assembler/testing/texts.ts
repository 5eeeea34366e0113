/** The real sentences, for tests. */
import { readFileSync } from 'node:fs';
import { frameworkTexts, type TextFiles } from '../texts.ts';

const read = (name: string): string =>
  readFileSync(new URL(`../../../resources/prompts/${name}`, import.meta.url), 'utf8');

export const textFiles: TextFiles = { en: JSON.parse(read('en.json')), zh: JSON.parse(read('zh.json')) };
export const en = frameworkTexts(textFiles, 'en');
export const zh = frameworkTexts(textFiles, 'zh');
/** Template of the summary model's system prompt; placeholders `{focus}` (a bullet list) and `{language}`. */
export const summaryTemplates = { en: read('summary.en.md'), zh: read('summary.zh.md') } as const;
