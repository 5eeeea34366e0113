import { IntlMessageFormat } from 'intl-messageformat';
import { describe, expect, test } from 'vitest';
import { DICTIONARIES, resolveLanguage, text, type TextKey } from './text.ts';

const keys = Object.keys(DICTIONARIES.en) as TextKey[];

type Messages = ReturnType<IntlMessageFormat['getAst']>;

/** Names of the placeholders of a message, and the cases of its selections. */
function placeholders(message: string): readonly string[] {
  const found = new Set<string>();
  const walk = (nodes: Messages): void => {
    for (const node of nodes) {
      // 0 is plain text; all others but the number sign inside a plural are named by a value.
      if (node.type !== 0 && 'value' in node) found.add(node.value);
      if ('options' in node) for (const option of Object.values(node.options)) walk(option.value);
    }
  };
  walk(new IntlMessageFormat(message, 'en').getAst());
  return [...found].sort();
}

describe('dictionaries', () => {
  test('have the same keys', () => {
    expect(Object.keys(DICTIONARIES.zh).sort()).toEqual([...keys].sort());
  });

  test.each(keys)('%s has the same placeholders in both languages and is not empty', (key) => {
    expect(placeholders(DICTIONARIES.zh[key])).toEqual(placeholders(DICTIONARIES.en[key]));
    expect(DICTIONARIES.en[key].trim()).not.toBe('');
    expect(DICTIONARIES.zh[key].trim()).not.toBe('');
  });
});

/** What a message says of itself, without placeholders and without the syntax of its selections. */
function literals(message: string): readonly string[] {
  const found: string[] = [];
  const walk = (nodes: Messages): void => {
    for (const node of nodes) {
      if (node.type === 0) found.push(node.value);
      if ('options' in node) for (const option of Object.values(node.options)) walk(option.value);
    }
  };
  walk(new IntlMessageFormat(message, 'zh-CN').getAst());
  return found;
}

describe('Chinese', () => {
  test.each(keys)('%s has full-width marks and no blank behind them', (key) => {
    for (const text of literals(DICTIONARIES.zh[key])) {
      expect(text).not.toMatch(/[\u4e00-\u9fff][,;:!?()]|[,;:!?()][\u4e00-\u9fff]|^[,;:!?] ?$/);
      expect(text).not.toMatch(/[，。；：！？、（）“”] | [，。；：！？、（）]/);
    }
  });
});

describe('text', () => {
  test.each([
    ['en', 1, '1 turn · 1 call · 1 summary'],
    ['en', 24, '24 turns · 24 calls · 24 summaries'],
    ['en', 0, '0 turns · 0 calls · no summaries'],
    ['zh', 24, '24 个回合 · 24 次调用 · 24 份摘要'],
  ] as const)('%s counts %d', (language, n, expected) => {
    expect(text(language, 'timeline.counts', { turns: n, calls: n, summaries: n })).toBe(expected);
  });

  test('a value is text, never a message', () => {
    expect(text('en', 'start.opening', { name: '{x}<b>' })).toBe('Opening {x}<b>…');
  });
});

describe('resolveLanguage', () => {
  test.each([
    ['en', ['zh-CN'], 'en'],
    ['system', ['zh-Hans-CN', 'en'], 'zh'],
    ['system', ['fr', 'en-GB', 'zh'], 'en'],
    ['system', ['fr'], 'en'],
    ['system', [], 'en'],
  ] as const)('%s with %j is %s', (setting, preferred, expected) => {
    expect(resolveLanguage(setting, preferred)).toBe(expected);
  });
});
