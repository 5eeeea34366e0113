import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject, Protocol } from '../../shared/model/index.ts';
import { prefixTokens, sizeOf } from '../../shared/tokens.ts';
import { parseBody } from '../adapters/index.ts';
import { breakpointsOf } from './breakpoints.ts';
import { keyText } from './key-text.ts';
import { minimumOf, parseCacheRules, rulesFor } from './rules.ts';
import { RECIPE, sideOf } from './testing/requests.ts';

const RULES = parseCacheRules(
  JSON.parse(readFileSync(new URL('../../resources/cache-rules.json', import.meta.url), 'utf8')),
);
const WORDS = 'The tide is high tonight. '.repeat(400);

describe('rules of a model', () => {
  const CASES: readonly (readonly [model: string, protocol: Protocol, rule: string | null, minimum: number | null])[] =
    [
      ['claude-opus-5', 'anthropic-messages-v1', 'anthropic', 512],
      ['claude-sonnet-4-5-20250929', 'anthropic-messages-v1', 'anthropic', 1024],
      ['claude-haiku-4-5', 'anthropic-messages-v1', 'anthropic', 4096],
      ['claude-sonnet-5-5', 'anthropic-messages-v1', 'anthropic', null],
      ['claude-something-new', 'anthropic-messages-v1', 'anthropic', null],
      ['gpt-5.6', 'openai-responses-v1', 'openai-5.6+', 1024],
      ['gpt-5.4-mini', 'openai-chat-v1', 'openai-pre-5.6', 1024],
      ['gemini-3.6-flash', 'google-generative-ai-v1', 'gemini', 4096],
      ['gemini-2.5-pro', 'google-generative-ai-v1', 'gemini', 2048],
      ['gemini-3-flash', 'google-generative-ai-v1', 'gemini', null],
      ['deepseek-chat', 'openai-chat-v1', 'deepseek', null],
      ['MiniMax-M3', 'openai-chat-v1', 'minimax', 512],
      ['deepseek-chat', 'anthropic-messages-v1', null, null],
      ['a-model-of-nobody', 'openai-chat-v1', null, null],
    ];
  test.each(CASES)('%s over %s: %s, minimum %s', (model, protocol, rule, minimum) => {
    const [found] = rulesFor(RULES, model, protocol);
    expect(found?.id ?? null).toBe(rule);
    expect(minimumOf(found, model)).toBe(minimum);
  });
  test('the file says when and from where', () => {
    expect(RULES.asOf).toMatch(/^\d{4}-\d\d-\d\d$/);
    for (const rule of RULES.rules) expect(rule.source).not.toBe('');
  });
  test('another file is refused', () =>
    expect(() => parseCacheRules({ schema: 'other', rules: [] })).toThrow('cache-rules/1'));
});

describe('explicit breakpoints', () => {
  const side = sideOf('anthropic-messages-v1', { ...RECIPE, model: 'claude-opus-5' });
  const found = breakpointsOf(side, RULES);
  const kindOf = (id: string | null): string | undefined => side.segments.find((segment) => segment.id === id)?.kind;

  test('stand at the objects that carry the marks, in key order', () => {
    expect(found.map(({ kind, path, ttl }) => [kind, path, ttl])).toEqual([
      ['explicit', '/system/0', '5m'],
      ['explicit', `/messages/${RECIPE.history.length + 1}/content/0`, '5m'],
    ]);
    expect(found.map(({ afterSegment }) => kindOf(afterSegment))).toEqual(['framework-preamble', 'player']);
  });
  test('measure the prefix up to there', () => {
    const { parts } = keyText('anthropic-messages-v1', side.body);
    const before = parts
      .slice(0, 3)
      .map((part) => part.text)
      .join('');
    expect(found[0]?.prefixTokens).toEqual({ value: prefixTokens(sizeOf(before)), tier: 'estimated' });
    const all = prefixTokens(sizeOf(parts.map((part) => part.text).join('')));
    expect(all - (found[1]?.prefixTokens.value ?? 0)).toBeLessThanOrEqual(1);
  });
  test('know whether they are long enough', () => {
    const long = sideOf('anthropic-messages-v1', { ...RECIPE, model: 'claude-opus-5', body: WORDS });
    expect(breakpointsOf(long, RULES).map((at) => at.belowMinimum)).toEqual([true, false]);
    expect(breakpointsOf(long, RULES).map((at) => at.minimum)).toEqual([512, 512]);
    const unknown = sideOf('anthropic-messages-v1', { ...RECIPE, model: 'claude-sonnet-5-5' });
    expect(breakpointsOf(unknown, RULES).map((at) => at.belowMinimum)).toEqual([null, null]);
    expect(breakpointsOf(unknown, RULES).map((at) => at.minimum)).toEqual([null, null]);
  });

  const marked = (at: 'tools' | 'tool-block' | 'body'): JsonObject => {
    const mark = { cache_control: { type: 'ephemeral', ttl: '1h' } };
    return {
      model: 'claude-opus-5',
      ...(at === 'body' ? mark : {}),
      tools: [
        { name: 'roll', description: 'Rolls.', input_schema: { type: 'object' }, ...(at === 'tools' ? mark : {}) },
      ],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'One.' },
            { type: 'text', text: 'Two.', ...(at === 'tool-block' ? mark : {}) },
            { type: 'text', text: 'Three.' },
          ],
        },
      ] as Json,
    };
  };
  const PLACES = [
    ['tools', '/tools/0'],
    ['tool-block', '/messages/0/content/1'],
  ] as const;
  test.each(PLACES)('a mark with a lifetime in %s', (at, path) => {
    const body = marked(at);
    const prompt = parseBody('anthropic-messages-v1', body);
    const [only, ...rest] = breakpointsOf({ ...side, body, prompt, segments: [] }, RULES);
    expect(rest).toEqual([]);
    expect(only).toMatchObject({ kind: 'explicit', path, ttl: '1h', afterSegment: null });
    const json = JSON.stringify(marked('body')['tools']).slice(1, -1);
    const message = '{"role":"user","content":[{"type":"text","text":"One."},{"type":"text","text":"Two."}';
    expect(only?.prefixTokens.value).toBe(prefixTokens(sizeOf(at === 'tools' ? json : json + message)));
  });
});

describe('implicit breakpoints', () => {
  const CASES: readonly (readonly [
    model: string,
    protocol: Protocol,
    minimum: number | null,
    below: boolean | null,
    ttl: string | null,
  ])[] = [
    ['gpt-5.4-mini', 'openai-chat-v1', 1024, true, null],
    ['gpt-5.6', 'openai-responses-v1', 1024, true, '30m'],
    ['gemini-3.6-flash', 'google-generative-ai-v1', 4096, true, null],
    ['deepseek-chat', 'openai-chat-v1', null, null, null],
    ['a-model-of-nobody', 'openai-chat-v1', null, null, null],
  ];
  test.each(CASES)('%s over %s: one at the end', (model, protocol, minimum, belowMinimum, ttl) => {
    const side = sideOf(protocol, { ...RECIPE, model });
    const { parts } = keyText(protocol, side.body);
    expect(breakpointsOf(side, RULES)).toEqual([
      {
        kind: 'implicit',
        path: parts.at(-1)?.path,
        ttl,
        afterSegment: side.segments.at(-1)?.id,
        prefixTokens: { value: prefixTokens(sizeOf(parts.map((part) => part.text).join(''))), tier: 'estimated' },
        belowMinimum,
        minimum,
      },
    ]);
  });
  test('the kernel view is no request and has none', () =>
    expect(breakpointsOf(sideOf(null, RECIPE), RULES)).toEqual([]));
  test('nothing is cached of an Anthropic request without marks', () => {
    const side = sideOf('anthropic-messages-v1', RECIPE);
    expect(breakpointsOf({ ...side, prompt: { ...side.prompt, marks: [] } }, RULES)).toEqual([]);
  });
  test('marks of OpenAI stand beside the managed breakpoint, those of Qwen instead of it', () => {
    const withMark = (model: string) => {
      const side = sideOf('openai-chat-v1', { ...RECIPE, model });
      const marks = [{ path: '/messages/1', ttl: null }];
      return breakpointsOf({ ...side, prompt: { ...side.prompt, marks } }, RULES).map((at) => [at.kind, at.ttl]);
    };
    expect(withMark('gpt-5.6')).toEqual([
      ['explicit', '30m'],
      ['implicit', '30m'],
    ]);
    expect(withMark('qwen3-max')).toEqual([['explicit', '5m']]);
    expect(withMark('a-model-of-nobody')).toEqual([
      ['explicit', null],
      ['implicit', null],
    ]);
  });
});
