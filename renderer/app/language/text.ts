/**
 * A sentence is looked up by key in the dictionary of a language and filled with values. Most sentences have no
 * placeholder and need no formatter; the others are compiled once.
 */
import { IntlMessageFormat } from 'intl-messageformat';
import { en } from './en.ts';
import { zh } from './zh.ts';

export type Language = 'en' | 'zh';
export type TextKey = keyof typeof en;
export type Dictionary = Readonly<Record<TextKey, string>>;
export type TextValues = Readonly<Record<string, string | number>>;
export type Translate = (key: TextKey, values?: TextValues) => string;

export const DICTIONARIES: Readonly<Record<Language, Dictionary>> = { en, zh };
/** Tags for `lang` and for number formats. */
export const LANGUAGE_TAGS: Readonly<Record<Language, string>> = { en: 'en', zh: 'zh-CN' };

const compiled = new Map<string, IntlMessageFormat>();

function formatterOf(language: Language, key: TextKey): IntlMessageFormat {
  const name = `${language} ${key}`;
  let format = compiled.get(name);
  if (!format) {
    format = new IntlMessageFormat(DICTIONARIES[language][key], LANGUAGE_TAGS[language]);
    compiled.set(name, format);
  }
  return format;
}

/** The sentence of a key in a language; `values` fill its placeholders. */
export function text(language: Language, key: TextKey, values?: TextValues): string {
  const message = DICTIONARIES[language][key];
  return message.includes('{') ? String(formatterOf(language, key).format(values ?? {})) : message;
}

const translators: Readonly<Record<Language, Translate>> = {
  en: (key, values) => text('en', key, values),
  zh: (key, values) => text('zh', key, values),
};
export const translator = (language: Language): Translate => translators[language];

/** The language that a setting stands for; `system` follows the languages of the browser or the desktop. */
export function resolveLanguage(setting: Language | 'system', preferred: readonly string[]): Language {
  if (setting !== 'system') return setting;
  const known = preferred.map((tag) => tag.toLowerCase().split('-')[0]).find((tag) => tag === 'zh' || tag === 'en');
  return known === 'zh' ? 'zh' : 'en';
}
