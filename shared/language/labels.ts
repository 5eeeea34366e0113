/**
 * Short names that the engine gives to segments and parts (`turn 15`, `no row`, `message 7 (user)`) are stable English
 * words of the contract. Names of others (tags, tools, headings, runtimes) stand among them and are shown as they are.
 */
import type { SegmentKind } from '../model/index.ts';
import type { Language } from './index.ts';

type Words = Readonly<Record<string, string>>;

/** A name that holds a number or another name, and how a language writes it. */
type Pattern = readonly [pattern: RegExp, write: (found: readonly string[]) => string];

/** Own words that stand for any kind of segment: no tag, tool or runtime can be called so. */
const ZH_PHRASES: Words = {
  'no row': '无对应记录',
  'pruned marker': '裁剪说明',
  'folded steps': '折叠的步骤',
  'recent pictures': '最近的图片',
  'response format': '响应格式',
  'system text': '系统文字',
  'before history': '历史之前',
  'story cue': '正文提示',
};

/** Own words that a tag, a tool or a row's source may also be called, with the kinds for which they are ours. */
const ZH_WORDS: Readonly<Record<string, readonly [word: string, ...kinds: SegmentKind[]]>> = {
  text: ['文字', 'extension', 'lore', 'turn-context', 'tool-call'],
  reasoning: ['思考', 'tool-call'],
  other: ['其他内容', 'tool-call'],
  tool: ['工具', 'tool-call', 'tool-result'],
  runtime: ['运行时', 'runtime-body', 'history'],
  preamble: ['前置段', 'framework-preamble'],
  opener: ['开头占位', 'pre-history'],
  'pre-history': ['历史之前', 'extension'],
  story: ['正文', 'story'],
  player: ['玩家', 'player', 'history'],
  picture: ['图片', 'picture-note', 'history'],
  system: ['系统', 'history', 'picture-note'],
  unknown: ['来源不明', 'unknown'],
};

const ZH_LABELS: readonly Pattern[] = [
  [/^turn (\d+)$/, ([n]) => `第 ${n} 回合`],
  [/^summary (\d+)$/, ([n]) => `摘要 ${n}`],
];

/** Roles and item types of the four protocols. */
const ZH_ROLES: Words = {
  system: '系统',
  developer: '系统',
  user: '用户',
  assistant: '助手',
  model: '模型',
  tool: '工具',
  function: '工具',
  function_call: '工具调用',
  function_call_output: '工具结果',
  reasoning: '思考',
};

const ZH_PARTS: readonly Pattern[] = [
  [/^message (\d+) \((.*)\)$/s, ([n, role = '']) => `第 ${n} 条消息（${wordIn(ZH_ROLES, role)}）`],
  [/^system block (\d+)$/, ([n]) => `第 ${n} 个系统块`],
  [/^tool (\d+) \((.*)\)$/s, ([n, name]) => `第 ${n} 个工具（${name}）`],
  [/^(?:system|instructions)$/, () => '系统提示'],
  [/^\(identical\)$/, () => '（完全相同）'],
  [/^\(request ends earlier\)$/, () => '（请求提前结束）'],
  [/^\(other protocol\)$/, () => '（协议不同）'],
  [/^\(no such part\)$/, () => '（没有这一部分）'],
];

const wordIn = (words: Words, name: string): string => (Object.hasOwn(words, name) ? (words[name] ?? name) : name);

/** The name as the first fitting pattern writes it; null where none fits. */
function written(patterns: readonly Pattern[], name: string): string | null {
  for (const [pattern, write] of patterns) {
    const found = pattern.exec(name);
    if (found) return write(found.slice(1));
  }
  return null;
}

/**
 * `origin.label` of a segment in the language of the reader.
 * @param kind kind of the segment; without it a tag that is called like one of our own words is taken for ours
 */
export function labelText(language: Language, label: string, kind?: string): string {
  if (language === 'en') return label;
  const own = Object.hasOwn(ZH_WORDS, label) ? ZH_WORDS[label] : undefined;
  if (own) {
    const [word, ...kinds] = own;
    return kind === undefined || (kinds as readonly string[]).includes(kind) ? word : label;
  }
  return written(ZH_LABELS, label) ?? wordIn(ZH_PHRASES, label);
}

/** Label of a part of the cache key text (`message 7 (user)`, `(identical)`) in the language of the reader. */
export const partText = (language: Language, part: string): string =>
  language === 'en' ? part : (written(ZH_PARTS, part) ?? part);

/** Marks after which Chinese leaves no blank. */
const CLOSED = /[。！？；：，、」』”）…]$/;

/** Whole sentences, already in words, one after the other as the language writes them: Chinese needs no blank. */
export const joinSentences = (language: Language, sentences: readonly string[]): string =>
  sentences
    .filter((one) => one !== '')
    .reduce((text, one) => text + (text === '' || (language === 'zh' && CLOSED.test(text)) ? '' : ' ') + one, '');
