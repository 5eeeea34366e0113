import { IntlMessageFormat } from 'intl-messageformat';
import { describe, expect, test } from 'vitest';
import { ERROR_CODES } from '../error.ts';
import { CAUSE_KINDS, SEGMENT_KINDS } from '../model/index.ts';
import { EN } from './en.ts';
import {
  errorText,
  isMessageKey,
  joinSentences,
  labelText,
  partText,
  sentence,
  word,
  type Language,
  type MessageKey,
} from './index.ts';
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
    expect(sentence('zh', where)).toBe('从第 7 条消息（用户）的第 1,234 个字符起不同：历史“第 7 回合”。');
  });
  test('count', () => {
    const said = (count: number): string => sentence('en', { key: 'evidence.history-grew', values: { count } });
    expect([said(1), said(2)]).toEqual(['1 message joined the history.', '2 messages joined the history.']);
  });
  test('join several names as the language does, each in its words', () => {
    const said = (language: Language): string =>
      sentence(language, {
        key: 'evidence.blocks-changed',
        values: { labels: 'text\nmemory-blocks\nstory\nrecent pictures' },
      });
    expect(said('en')).toBe('This turn’s own blocks that changed: text, memory-blocks, story, recent pictures.');
    expect(said('zh')).toBe('本回合有变化的块：文字、memory-blocks、story、最近的图片。');
  });
  test('quote texts, and say where none stood', () => {
    const said = (language: Language, before: string): string =>
      sentence(language, { key: 'evidence.segment-text', values: { before, after: 'x' } });
    expect([said('en', 'y'), said('en', '')]).toEqual(['Before: “y”; now: “x”.', 'Before: nothing; now: “x”.']);
    expect([said('zh', 'y'), said('zh', '')]).toEqual(['原来：“y”；现在：“x”。', '原来：无；现在：“x”。']);
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

describe('names that the engine gives', () => {
  test.each([
    ['turn 15', '第 15 回合'],
    ['summary 2', '摘要 2'],
    ['no row', '无对应记录'],
    ['pruned marker', '裁剪说明'],
    ['folded steps', '折叠的步骤'],
    ['memory-blocks', 'memory-blocks'],
    ['return 15', 'return 15'],
    ['__proto__', '__proto__'],
    ['constructor', 'constructor'],
  ])('%s', (label, zh) => expect([labelText('en', label), labelText('zh', label)]).toEqual([label, zh]));
  test('a tag with the name of one of them stays as it is', () => {
    expect(labelText('zh', 'story', 'story')).toBe('正文');
    expect(labelText('zh', 'story', 'turn-context')).toBe('story');
    expect(labelText('zh', 'text', 'tool')).toBe('text');
  });
  test.each([
    ['message 7 (user)', '第 7 条消息（用户）'],
    ['message 12 (model)', '第 12 条消息（模型）'],
    ['message 3 (function_call)', '第 3 条消息（工具调用）'],
    ['message 3 (item_reference)', '第 3 条消息（item_reference）'],
    ['message 3 (toString)', '第 3 条消息（toString）'],
    ['system block 2', '第 2 个系统块'],
    ['tool 4 (a (b)\nc)', '第 4 个工具（a (b)\nc）'],
    ['system', '系统提示'],
    ['instructions', '系统提示'],
    ['(identical)', '（完全相同）'],
    ['(request ends earlier)', '（请求提前结束）'],
    ['(other protocol)', '（协议不同）'],
    ['?', '?'],
  ])('%s', (part, zh) => expect([partText('en', part), partText('zh', part)]).toEqual([part, zh]));
});

describe('sentences one after the other', () => {
  test.each([
    ['en', ['One.', 'Two.'], 'One. Two.'],
    ['zh', ['一。', '二。'], '一。二。'],
    ['zh', ['What.', '二。', '', '三。'], 'What. 二。三。'],
    ['en', [], ''],
  ] as const)('%s %j', (language, sentences, joined) => expect(joinSentences(language, sentences)).toBe(joined));
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
  test.each(['null', 'invalid-json', 'not-an-object'])('an unreadable call (%s) is explained in words', (detail) => {
    const error = { code: 'payload-unreadable', message: '', hint: '', values: { id: 'c7', detail } } as const;
    for (const language of ['en', 'zh'] as const) {
      const { message } = errorText(language, error);
      expect(message).not.toContain(detail);
      expect(message).toContain(word(language, `unreadable.${detail}` as MessageKey));
    }
  });
  test('fall back to their own words', () => {
    const error = { code: 'of-another-version' as 'not-found', message: 'What.', hint: 'Do.', values: {} };
    expect(errorText('zh', error)).toEqual({ message: 'What.', hint: 'Do.' });
  });
});

test('a setting that a request does not have is not set', () => {
  const values = { field: 'tool_choice', was: '–', now: '"auto"' };
  expect(sentence('en', { key: 'evidence.option', values })).toBe('tool_choice: not set → "auto".');
  expect(sentence('zh', { key: 'evidence.option', values })).toBe('tool_choice：未设置 → "auto"。');
  // Elsewhere a dash is what was recorded.
  expect(sentence('en', { key: 'evidence.model', values: { was: '–', now: 'x' } })).toBe('Model: – → x.');
});
