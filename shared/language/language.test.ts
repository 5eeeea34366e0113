import { IntlMessageFormat } from 'intl-messageformat';
import { describe, expect, test } from 'vitest';
import { ERROR_CODES } from '../error.ts';
import { CAUSE_KINDS, SEGMENT_KINDS } from '../model/index.ts';
import { EN } from './en.ts';
import { errorText, isMessageKey, sentence, word, type MessageKey } from './index.ts';
import { ZH } from './zh.ts';

const KEYS = Object.keys(EN) as MessageKey[];

type Element = ReturnType<IntlMessageFormat['getAst']>[number];
/** Element types of an ICU message that name no value: plain text, and `#`. */
const NAMELESS: readonly number[] = [0, 7];

const placeholders = (elements: readonly Element[]): readonly string[] =>
  elements.flatMap((element) => {
    if (NAMELESS.includes(element.type) || !('value' in element)) return [];
    if (!('options' in element)) return [element.value];
    return [element.value, ...Object.values(element.options).flatMap((option) => placeholders(option.value))];
  });

const names = (message: string): readonly string[] => {
  const ast = new IntlMessageFormat(message, 'en', undefined, { ignoreTag: true }).getAst();
  return [...new Set(placeholders(ast))].sort();
};

describe('both languages', () => {
  test('have the same keys', () => expect(Object.keys(ZH).sort()).toEqual([...KEYS].sort()));
  test('have the same placeholders', () => {
    for (const key of KEYS) expect([key, names(ZH[key])]).toEqual([key, names(EN[key])]);
  });
  test('make a sentence of each key and its values', () => {
    for (const key of KEYS) {
      const values = Object.fromEntries(names(EN[key]).map((name) => [name, 3]));
      for (const language of ['en', 'zh'] as const)
        expect(sentence(language, { key, values })).not.toMatch(/[{}…]|NaN/);
    }
  });
  test('name everything that the model can name', () => {
    const needed = [
      ...CAUSE_KINDS.flatMap((kind) => [`cause.${kind}`, `cause.${kind}.meaning`]),
      ...SEGMENT_KINDS.map((kind) => `kind.${kind}`),
      ...ERROR_CODES.flatMap((code) => [`error.${code}`, `error.${code}.hint`]),
      ...['structure', 'sentinel', 'tag', 'row', 'position', 'marker', 'none'].map((proof) => `proof.${proof}`),
      ...['committed', 'failed', 'interrupted', 'running', 'unknown'].map((status) => `status.${status}`),
    ];
    expect(needed.filter((key) => !isMessageKey(key))).toEqual([]);
  });
});

describe('sentences', () => {
  const where = {
    key: 'evidence.where',
    values: { part: 'message 7 (user)', offset: 1234, kind: 'history', label: 'turn 7' },
  };
  test('fill their values and name kinds in the language', () => {
    expect(sentence('en', where)).toBe('The requests part in message 7 (user), character 1,234: History “turn 7”.');
    expect(sentence('zh', where)).toBe('从 message 7 (user) 的第 1,234 个字符起不同：历史“turn 7”。');
  });
  test('count', () => {
    const said = (count: number): string => sentence('en', { key: 'evidence.history-grew', values: { count } });
    expect([said(1), said(2)]).toEqual(['1 message joined the history.', '2 messages joined the history.']);
  });
  test('show values as they are: tags, braces, quotes', () => {
    const hostile = "<b>{x}</b> '{' it's";
    expect(sentence('en', { key: 'evidence.tools-added', values: { names: hostile } })).toBe(`New: ${hostile}.`);
  });
  test('survive a missing value and an unknown key', () => {
    expect(sentence('en', { key: 'evidence.tools-added', values: {} })).toBe('New: ….');
    expect(sentence('zh', { key: 'no.such.key', values: {} })).toBe('no.such.key');
    expect(sentence('en', { key: 'toString', values: {} })).toBe('toString');
  });
  test('words', () => expect([word('en', 'kind.player'), word('zh', 'kind.player')]).toEqual(['Player', '玩家输入']));
});

describe('errors', () => {
  test('say what and what to do', () => {
    const error = { code: 'not-found', message: 'm', hint: 'h', values: { path: '/a/covel.db' } } as const;
    expect(errorText('en', error).message).toBe('There is no file at /a/covel.db.');
    expect(errorText('zh', error)).toEqual({
      message: '找不到 /a/covel.db。',
      hint: expect.stringContaining('covel.db'),
    });
  });
  test('fall back to their own words', () => {
    const error = { code: 'of-another-version' as 'not-found', message: 'What.', hint: 'Do.', values: {} };
    expect(errorText('zh', error)).toEqual({ message: 'What.', hint: 'Do.' });
  });
});
