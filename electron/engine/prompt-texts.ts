/**
 * Sentences for models stand in `resources/prompts`; they are read once and given to the pure rooms as values.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { localeCandidates } from '../assembler/locale.ts';
import { frameworkTexts } from '../assembler/texts.ts';
import type { FrameworkTexts, InstructionLanguage } from '../assembler/types.ts';

export type PromptTexts = {
  /** The assembler's own sentences in one instruction language. */
  framework(language: InstructionLanguage): FrameworkTexts;
  /** The summary model's system prompt for a session; placeholders `{focus}` and `{language}`. */
  summaryTemplate(locale: string | null): SummaryTemplate | null;
};

/** `language` is the one that the template is written in. */
export type SummaryTemplate = { readonly language: InstructionLanguage; readonly text: string };

/** `resources` is the package's folder of that name. A file that is missing or broken throws when it is first asked for. */
export function createPromptTexts(resources: string): PromptTexts {
  const folder = join(resources, 'prompts');
  const files = new Map<string, string>();
  const read = (name: string): string => {
    const kept = files.get(name);
    if (kept !== undefined) return kept;
    const text = readFileSync(join(folder, name), 'utf8');
    files.set(name, text);
    return text;
  };
  const languages = new Map<InstructionLanguage, FrameworkTexts>();
  return {
    framework(language) {
      const kept = languages.get(language);
      if (kept) return kept;
      const parsed: unknown = JSON.parse(read(`${language}.json`));
      const texts = frameworkTexts({ en: parsed, zh: parsed }, language);
      languages.set(language, texts);
      return texts;
    },
    summaryTemplate(locale) {
      const found = localeCandidates(locale).find((suffix) => existsSync(join(folder, summaryFile(suffix))));
      if (found === undefined) return null;
      return { language: /^zh(?![a-z])/.test(found) ? 'zh' : 'en', text: read(summaryFile(found)) };
    },
  };
}

const summaryFile = (suffix: string): string => (suffix === '' ? 'summary.md' : `summary.${suffix}.md`);
