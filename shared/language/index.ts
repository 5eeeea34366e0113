/**
 * What the engine has to say to people, in two languages. Sentences travel as a key with values and become words
 * only where somebody reads them. ICU messages are interpreted, never compiled to code, so a strict CSP holds.
 */
import { IntlMessageFormat } from 'intl-messageformat';
import type { ErrorCode, LensError } from '../error.ts';
import type { Sentence } from '../model/index.ts';
import { EN } from './en.ts';
import { labelText, partText } from './labels.ts';
import type { MessageKey } from './types.ts';
import { ZH } from './zh.ts';

export { joinSentences, labelText, partText } from './labels.ts';
export { say, type MessageKey, type MessageValues } from './types.ts';

export type Language = 'en' | 'zh';

const FILES: Readonly<Record<Language, Readonly<Record<MessageKey, string>>>> = { en: EN, zh: ZH };
const LOCALES: Readonly<Record<Language, string>> = { en: 'en', zh: 'zh-CN' };

/** Values that are themselves words of a language file: `{kind: 'history'}` becomes `History`. */
const NAMED_VALUES: Readonly<Record<string, string>> = {
  kind: 'kind',
  volatility: 'volatility',
  looksLike: 'file',
  detail: 'unreadable',
};

/** Kind of the segments whose `{label}` or `{labels}` stand in a sentence that has no `{kind}`. */
const LABEL_KINDS: Readonly<Record<string, string>> = {
  'evidence.window-first': 'history',
  'evidence.summary-added': 'summary',
  'evidence.summary-changed': 'summary',
  'evidence.summary-removed': 'summary',
  'evidence.blocks-changed': 'turn-context',
  'evidence.depth-moved': 'depth',
  'advice.extension-segment': 'extension',
  'advice.turn-in-pre-history': 'extension',
};

/** Values that may be several names, one a line; texts that are quoted have no line break. */
const LISTS: readonly string[] = ['names', 'labels', 'field', 'was', 'now'];
/** Values that are texts of a request. */
const QUOTED: readonly string[] = ['before', 'after'];
/** Sentences in which a dash stands for a setting that the request does not have. */
const CAN_BE_UNSET: readonly string[] = ['evidence.option', 'evidence.cache-key'];
const COMMAS: Readonly<Record<Language, string>> = { en: ', ', zh: '、' };

const formats: Readonly<Record<Language, Map<string, IntlMessageFormat>>> = { en: new Map(), zh: new Map() };

export const isMessageKey = (key: string): key is MessageKey => Object.hasOwn(EN, key);

/** A sentence in words. A key that no file has is given back as it is; a value that is missing shows as `…`. */
export function sentence(language: Language, { key, values }: Sentence): string {
  if (!isMessageKey(key)) return key;
  const filled = new Proxy<Record<string, string | number>>(
    {},
    {
      has: () => true,
      get: (_, name) => wordOf(language, String(name), key, values),
      getOwnPropertyDescriptor: () => ({ configurable: true, enumerable: true, value: '' }),
    },
  );
  return String(formatOf(language, key).format(filled));
}

/** A message without placeholders: the name of a cause, of a kind of segment, of a status. */
export const word = (language: Language, key: MessageKey): string => sentence(language, { key, values: {} });

/** What happened and what to do. Falls back to the words that the error carries. */
export function errorText(language: Language, error: LensError): { readonly message: string; readonly hint: string } {
  const of = (key: string, fallback: string): string =>
    isMessageKey(key) ? sentence(language, { key, values: error.values }) : fallback;
  return { message: of(`error.${error.code}`, error.message), hint: of(`error.${error.code}.hint`, error.hint) };
}

/** An error with its English words; other languages find theirs by its code. */
export function lensError(code: ErrorCode, values: LensError['values'] = {}): LensError {
  return { code, values, ...errorText('en', { code, message: code, hint: '', values }) };
}

function formatOf(language: Language, key: MessageKey): IntlMessageFormat {
  const there = formats[language].get(key);
  if (there) return there;
  const format = new IntlMessageFormat(FILES[language][key], LOCALES[language], undefined, { ignoreTag: true });
  formats[language].set(key, format);
  return format;
}

/** Details come in English; a code beside them says in the language what they are about. */
function explained(language: Language, detail: string, reason: string | number | undefined): string {
  const refused = `refused.${reason}`;
  return isMessageKey(refused) ? `${word(language, refused)}（${detail}）` : detail;
}

/** A value as it is shown: words of ours in the language, names of others as they are. */
function wordOf(language: Language, name: string, key: MessageKey, values: Sentence['values']): string | number {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (value === undefined) return '…';
  if (typeof value === 'number') return value;
  const family = NAMED_VALUES[name];
  const named = `${family}.${value}`;
  if (family && isMessageKey(named)) return word(language, named);
  if (name === 'detail' && language !== 'en') return explained(language, value, values['reason']);
  if (QUOTED.includes(name)) return value === '' ? word(language, 'quote.nothing') : `“${value}”`;
  if (value === '–' && CAN_BE_UNSET.includes(key)) return word(language, 'quote.not-set');
  if (name === 'part') return partText(language, value);
  const kind = values['kind'] ?? LABEL_KINDS[key];
  const each =
    name === 'label' || name === 'labels' ? (one: string) => labelText(language, one, kind?.toString()) : null;
  const names = LISTS.includes(name) ? value.split('\n') : [value];
  return names.map((one) => each?.(one) ?? one).join(COMMAS[language]);
}
