/**
 * A session has two languages: the one it is written in (any locale), and the one the framework gives instructions
 * in (English or Simplified Chinese). A prompt file is looked for under the exact locale, its language if that is
 * written in the same script, English, and no suffix (seed 1, section 6). An invalid locale never becomes a path.
 */
import type { InstructionLanguage } from './types.ts';

/** A valid locale with the script that its language is written in. */
export type KnownLocale = { readonly tag: string; readonly language: string; readonly script: string | undefined };

/** null for what is no locale. Case and underscores do not matter. */
export function parseLocale(locale: string | null | undefined): KnownLocale | null {
  if (!locale) return null;
  try {
    const exact = new Intl.Locale(locale.trim().replaceAll('_', '-'));
    const { language, script } = exact.maximize();
    return { tag: exact.toString(), language, script };
  } catch {
    return null;
  }
}

/** Suffixes to look for, best first, without duplicates; the last is the empty one. */
export function localeCandidates(locale: string | null | undefined): readonly string[] {
  const known = parseLocale(locale);
  const candidates: string[] = [];
  if (known) {
    candidates.push(known.tag);
    if (parseLocale(known.language)?.script === known.script) candidates.push(known.language);
  }
  return [...new Set([...candidates, 'en', ''])];
}

/** `zh` for Simplified Chinese in any spelling (`zh`, `zh_CN`, `ZH-hans`); `forced` wins over the locale. */
export function instructionLanguage(
  locale: string | null | undefined,
  forced?: InstructionLanguage | null,
): InstructionLanguage {
  if (forced) return forced;
  const known = parseLocale(locale);
  return known?.language === 'zh' && known.script === 'Hans' ? 'zh' : 'en';
}

/**
 * The name of the session's language, said in the instruction language: `Traditional Chinese`, `俄语（俄罗斯）`.
 * Chinese is named by its script, every other language with the region as given. An invalid locale stays as it is.
 */
export function languageName(locale: string, language: InstructionLanguage): string {
  const known = parseLocale(locale);
  if (!known) return locale;
  const isChinese = known.language === 'zh';
  const tag = isChinese && known.script ? `zh-${known.script}` : known.tag;
  const names = new Intl.DisplayNames([language], {
    type: 'language',
    languageDisplay: isChinese ? 'dialect' : 'standard',
  });
  return names.of(tag) ?? known.tag;
}
