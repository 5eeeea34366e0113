import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { JsonObject, Protocol } from '../../shared/model/index.ts';
import {
  billsWrites,
  cacheRuleFor,
  granularityOf,
  lifetimeOf,
  minimumOf,
  parseCacheRules,
  readFactorOf,
  renderOrderOf,
  settingsOf,
  settingValues,
  shortestLifetimeOf,
  type CacheRule,
  type CacheTier,
} from './rules.ts';

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../resources/${name}.json`, import.meta.url), 'utf8'));
const FILE = read('cache-rules');
const RULES = parseCacheRules(FILE);
const PRICED = (read('prices') as { models: { id: string }[] }).models;

const rule = (id: string): CacheRule => {
  const found = RULES.rules.find((one) => one.id === id);
  if (!found) throw new Error(`no rule ${id}`);
  return found;
};

type Wire = 'anthropic' | 'chat' | 'responses' | 'google';
const PROTOCOL: Readonly<Record<Wire, Protocol>> = {
  anthropic: 'anthropic-messages-v1',
  chat: 'openai-chat-v1',
  responses: 'openai-responses-v1',
  google: 'google-generative-ai-v1',
};
const NOV_30 = new Date('2026-11-30T12:00:00Z');

describe('the file', () => {
  test('is read whole: no field of it is unknown', () => {
    const written = FILE as { rules: readonly object[] };
    expect(written.rules.length).toBe(RULES.rules.length);
    for (const [i, one] of written.rules.entries()) expect(RULES.rules[i]).toMatchObject(one);
  });
  test('says when and from where', () => {
    expect(RULES.asOf).toBe('2026-11-30');
    expect(RULES.note).toContain('2026-11-30');
    for (const one of RULES.rules) expect(one.source).not.toBe('');
  });
  const withRule = (change: object) => ({
    rules: [{ id: 'x', api: 'chat', match: '^x', mechanism: 'implicit', ...change }],
  });
  test.each([
    ['another schema', 'cache-rules/1', { schema: 'other' }],
    ['an unknown field', 'surprise', withRule({ surprise: 1 })],
    ['an unknown mechanism', 'mechanism', withRule({ mechanism: 'magic' })],
    ['an unknown tier', 'renderOrder', withRule({ renderOrder: ['a'] })],
  ])('%s is refused', (_, why, change) =>
    expect(() => parseCacheRules({ schema: 'cache-rules/1', asOf: '2026-11-30', rules: [], ...change })).toThrow(why),
  );
  test('its patterns can be read', () => {
    for (const one of RULES.rules) {
      for (const entry of [one, ...one.minTokens, ...one.readX]) expect(() => new RegExp(entry.match)).not.toThrow();
    }
  });
});

describe('every model that has a price', () => {
  /** Smallest prefix, step, default lifetime in seconds and its write factor, read factor on 2026-11-30. */
  const MODELS: readonly (readonly [
    model: string,
    wire: Wire,
    rule: string,
    minimum: number | null,
    step: number | null,
    seconds: number | null,
    writeX: number | null,
    readX: number | null,
  ])[] = [
    ['claude-fable-5-1', 'anthropic', 'anthropic', 512, 1, 300, 1.25, 0.025],
    ['claude-mythos-5-1', 'anthropic', 'anthropic', 512, 1, 300, 1.25, 0.025],
    ['claude-fable-5', 'anthropic', 'anthropic', 512, 1, 300, 1.25, 0.1],
    ['claude-opus-5-5', 'anthropic', 'anthropic', null, 1, 300, 1.25, 0.05],
    ['claude-opus-5', 'anthropic', 'anthropic', 512, 1, 300, 1.25, 0.1],
    ['claude-opus-4-8', 'anthropic', 'anthropic', 1024, 1, 300, 1.25, 0.1],
    ['claude-opus-4-7', 'anthropic', 'anthropic', 2048, 1, 300, 1.25, 0.1],
    ['claude-opus-4-6', 'anthropic', 'anthropic', 4096, 1, 300, 1.25, 0.1],
    ['claude-opus-4-5', 'anthropic', 'anthropic', 4096, 1, 300, 1.25, 0.1],
    ['claude-sonnet-5-5', 'anthropic', 'anthropic', null, 1, 300, 1.25, 0.05],
    ['claude-sonnet-5', 'anthropic', 'anthropic', 1024, 1, 300, 1.25, 0.1],
    ['claude-sonnet-4-6', 'anthropic', 'anthropic', 1024, 1, 300, 1.25, 0.1],
    ['claude-haiku-5-5', 'anthropic', 'anthropic', null, 1, 300, 1.25, 0.1],
    ['claude-haiku-4-5', 'anthropic', 'anthropic', 4096, 1, 300, 1.25, 0.1],
    ['claude-fable-5-2', 'anthropic', 'anthropic', null, 1, 300, 1.25, 0.1],
    ['gpt-6.1-sol', 'responses', 'openai-5.6+', 1024, 1, 1800, 1.25, 0.05],
    ['gpt-6-sol', 'chat', 'openai-5.6+', 1024, 1, 1800, 1.25, 0.1],
    ['gpt-6-luna', 'chat', 'openai-5.6+', 1024, 1, 1800, 1.25, 0.1],
    ['gpt-6-astra', 'responses', 'openai-5.6+', 1024, 1, 1800, 1.25, 0.1],
    ['gpt-6.1-terra', 'responses', 'openai-5.6+', 1024, 1, 1800, 1.25, 0.1],
    ['gpt-5.6-sol', 'responses', 'openai-5.6+', 1024, 1, 1800, 1.25, 0.1],
    ['gpt-5.6-terra', 'chat', 'openai-5.6+', 1024, 1, 1800, 1.25, 0.1],
    ['gpt-5.6-luna', 'responses', 'openai-5.6+', 1024, 1, 1800, 1.25, 0.1],
    ['gpt-5.5', 'responses', 'openai-pre-5.6', 1024, 128, null, null, 0.1],
    ['gpt-5.4', 'chat', 'openai-pre-5.6', 1024, 128, null, null, 0.1],
    ['gpt-5.4-mini', 'chat', 'openai-pre-5.6', 1024, 128, null, null, 0.1],
    ['gpt-5', 'responses', 'openai-pre-5.6', 1024, 128, null, null, 0.1],
    ['gpt-4.1', 'chat', 'openai-pre-5.6', 1024, 128, null, null, null],
    ['gpt-4o', 'chat', 'openai-pre-5.6', 1024, 128, null, null, 0.5],
    ['gemini-4-argon', 'google', 'gemini', 4096, null, null, null, 0.05],
    ['gemini-3.8-flash', 'google', 'gemini', 4096, null, null, null, 0.1],
    ['gemini-3.5-flash', 'google', 'gemini', 4096, null, null, null, 0.1],
    ['gemini-3.1-pro-preview', 'google', 'gemini', 4096, null, null, null, 0.1],
    ['gemini-2.5-pro', 'google', 'gemini', 2048, null, null, null, 0.1],
    ['gemini-2.5-flash', 'google', 'gemini', 2048, null, null, null, 0.1],
    ['deepseek-v4-flash', 'chat', 'deepseek', null, null, null, null, null],
    ['deepseek-v4-pro', 'chat', 'deepseek', null, null, null, null, null],
    ['qwen3.7-max', 'chat', 'qwen-implicit', 1024, null, null, null, 0.2],
    ['grok-4.6', 'chat', 'xai', null, 128, null, null, null],
    ['grok-4.5', 'responses', 'xai', null, 128, null, null, null],
    ['grok-4.3', 'chat', 'xai', null, 128, null, null, null],
    ['kimi-k3', 'chat', 'kimi', null, 256, 300, null, 0.1],
    ['kimi-k2.6', 'anthropic', 'kimi', null, 256, 300, null, null],
    ['glm-5.3', 'chat', 'glm', null, null, null, null, null],
  ];
  test.each(MODELS)('%s over %s: %s', (model, wire, id, minimum, step, seconds, writeX, readX) => {
    const protocol = PROTOCOL[wire];
    const found = cacheRuleFor(RULES, { protocol, model, provider: null, hasMarks: false });
    expect(found?.id).toBe(id);
    if (!found) return;
    const lifetime = lifetimeOf(found, null, protocol, model);
    expect([
      minimumOf(found, model),
      granularityOf(found),
      lifetime?.seconds ?? null,
      lifetime?.writeX ?? null,
      readFactorOf(found, model, NOV_30),
    ]).toEqual([minimum, step, seconds, writeX, readX]);
  });
  test('has a line above', () => {
    const ids = PRICED.map(({ id }) => id);
    expect([...new Set(ids)].sort()).toEqual(MODELS.map(([model]) => model).sort());
  });
  test('reads and writes cost what the rule says times the input', () => {
    const file = PRICED as unknown as readonly (Record<string, number | null> & { id: string; from?: string })[];
    const pairs = MODELS.flatMap(([model, , id, , , , writeX]) =>
      file
        .filter((entry) => entry.id === model && entry['in'] !== null)
        .flatMap((entry) => {
          const at = new Date(`${entry.from ?? '2026-11-30'}T12:00:00Z`);
          const times = (price: number | null | undefined): number | null =>
            price == null ? null : Math.round((price / (entry['in'] ?? 0)) * 1e6) / 1e6;
          return [
            [model, 'read', times(entry['read']), readFactorOf(rule(id), model, at)] as const,
            [model, 'write', times(entry['w5'] ?? entry['w30']), writeX] as const,
          ].filter(([, , priced, factor]) => priced !== null && factor !== null);
        }),
    );
    expect(pairs.filter(([, , priced, factor]) => priced !== factor)).toEqual([]);
    expect(pairs.length).toBeGreaterThan(50);
  });
});

describe('the one rule of a call', () => {
  const of = (model: string | null, wire: Wire, hasMarks = false, provider: string | null = null): string | null =>
    cacheRuleFor(RULES, { protocol: PROTOCOL[wire], model, provider, hasMarks })?.id ?? null;
  test.each([
    ['marks of Qwen replace its own cache', 'qwen3-max', 'chat', true, null, 'qwen-explicit'],
    ['without marks its own cache holds', 'qwen3-max', 'chat', false, null, 'qwen-implicit'],
    ['marks of Qwen over the Anthropic protocol', 'qwen3-max', 'anthropic', true, null, 'qwen-explicit'],
    ['nothing is known of Qwen there without marks', 'qwen3-max', 'anthropic', false, null, null],
    ['Anthropic holds with and without marks', 'claude-opus-5', 'anthropic', false, null, 'anthropic'],
    ['OpenAI from 5.6 on has both in one rule', 'gpt-5.6-sol', 'chat', true, null, 'openai-5.6+'],
    ['OpenAI before 5.6', 'gpt-5.1', 'chat', true, null, 'openai-pre-5.6'],
    ['reasoning models', 'o4-mini', 'responses', false, null, 'openai-pre-5.6'],
    ['a resource never holds by itself', 'gemini-3.6-flash', 'google', true, null, 'gemini'],
    ['Claude behind a chat endpoint', 'claude-opus-5', 'chat', false, 'openrouter', null],
    ['a prefix of the provider', 'openai/gpt-5.4-mini', 'chat', false, 'openrouter', 'openai-pre-5.6'],
    ['two prefixes', 'openrouter/google/gemini-2.5-pro', 'google', false, null, 'gemini'],
    ['Google’s own prefix', 'models/gemini-2.5-pro', 'google', false, 'google', 'gemini'],
    ['capitals', 'MiniMax-M3', 'anthropic', false, null, 'minimax'],
    ['open weights at their maker', 'deepseek-chat', 'chat', false, 'deepseek', 'deepseek'],
    ['open weights at a relay that nobody knows', 'deepseek-chat', 'chat', false, 'north-relay', 'deepseek'],
    ['open weights at another host', 'deepseek-ai/deepseek-v4-flash', 'chat', false, 'siliconflow', null],
    ['open weights on the person’s own machine', 'qwen3-8b', 'chat', false, 'ollama', null],
    ['Qwen at its maker', 'qwen3.7-max', 'chat', false, 'dashscope', 'qwen-implicit'],
    ['Kimi at Qwen’s maker', 'kimi-k3', 'chat', false, 'dashscope', null],
    ['a model of nobody', 'a-model-of-nobody', 'chat', true, null, null],
    ['no model', null, 'chat', false, null, null],
    ['an empty name', '', 'chat', false, null, null],
  ] as const)('%s', (_, model, wire, hasMarks, provider, id) => expect(of(model, wire, hasMarks, provider)).toBe(id));
  test('the kernel view has none', () =>
    expect(cacheRuleFor(RULES, { protocol: null, model: 'gpt-5', provider: null, hasMarks: false })).toBeNull());
});

describe('spellings of a model', () => {
  test.each([
    ['claude-sonnet-4-20250514', 1024],
    ['claude-sonnet-4-5-20250929', 1024],
    ['claude-sonnet-4.5', 1024],
    ['anthropic/claude-opus-4.8', 1024],
    ['claude-opus-5-20260818', 512],
    ['claude-opus-5@20260818', 512],
    ['claude-opus-5-5', null],
    ['claude-opus-5.5', null],
    ['claude-opus-6', null],
  ])('%s: %s', (model, minimum) => expect(minimumOf(rule('anthropic'), model)).toBe(minimum));
});

describe('lifetimes', () => {
  const both = { isMinimum: false, isMaximum: false };
  test.each([
    ['anthropic', null, 'anthropic', 'claude-opus-5', { id: '5m', seconds: 300, writeX: 1.25, ...both }],
    ['anthropic', '1h', 'anthropic', 'claude-opus-5', { id: '1h', seconds: 3600, writeX: 2, ...both }],
    ['anthropic', '2h', 'anthropic', 'claude-opus-5', null],
    ['openai-5.6+', null, 'chat', 'gpt-6-sol', { id: '30m', seconds: 1800, writeX: 1.25, ...both, isMinimum: true }],
    [
      'openai-5.6+',
      '12h',
      'responses',
      'gpt-6-sol',
      { id: '12h', seconds: 43_200, writeX: 2.5, ...both, isMinimum: true },
    ],
    ['openai-5.6+', '12h', 'chat', 'gpt-6-sol', null],
    ['openai-pre-5.6', null, 'chat', 'gpt-5.1', null],
    ['openai-pre-5.6', 'in_memory', 'chat', 'gpt-5.1', { id: 'in_memory', seconds: null, writeX: 1, ...both }],
    ['openai-pre-5.6', '24h', 'chat', 'gpt-5.1', { id: '24h', seconds: 86_400, writeX: 1, ...both, isMaximum: true }],
    ['qwen-explicit', '1h', 'chat', 'qwen3-max', null],
    ['qwen-explicit', '1h', 'chat', 'qwen4-max', { id: '1h', seconds: 3600, writeX: null, ...both }],
    ['kimi', null, 'chat', 'kimi-k3', { id: '5m', seconds: 300, writeX: null, ...both }],
    ['gemini', null, 'google', 'gemini-2.5-pro', null],
  ] as const)('%s, %s over %s', (id, ttl, wire, model, expected) =>
    expect(lifetimeOf(rule(id), ttl, PROTOCOL[wire], model)).toEqual(expected),
  );
});

test('the shortest lifetime of any provider', () => {
  expect(shortestLifetimeOf(RULES)).toBe(300);
  expect(shortestLifetimeOf({ ...RULES, rules: [rule('deepseek')] })).toBeNull();
});

describe('factors', () => {
  const on = (day: string): Date => new Date(`${day}T23:59:59Z`);
  test.each([
    ['the last day of a factor', on('2026-10-06'), 0.1],
    ['the first second of the next', new Date('2026-10-07T00:00:00Z'), 0.05],
    ['a later day', on('2027-01-01'), 0.05],
    ['no day at all', null, null],
    ['a day that is none', new Date('no day'), null],
  ])('%s', (_, at, expected) => expect(readFactorOf(rule('anthropic'), 'claude-sonnet-5-5', at)).toBe(expected));
  test('a factor without dates needs no day', () =>
    expect(readFactorOf(rule('anthropic'), 'claude-opus-4-8', null)).toBe(0.1));
  test('only a price is known', () => expect(readFactorOf(rule('openai-pre-5.6'), 'o4-mini', NOV_30)).toBeNull());
  test.each([
    ['anthropic', true],
    ['openai-5.6+', true],
    ['openai-pre-5.6', false],
    ['gemini', false],
    ['deepseek', false],
    ['qwen-implicit', false],
    ['qwen-explicit', true],
    ['kimi', true],
    ['xai', false],
    ['glm', false],
    ['minimax', null],
  ])('%s bills writes: %s', (id, bills) => expect(billsWrites(rule(id))).toBe(bills));
  test('order of the tiers', () => {
    expect(renderOrderOf(rule('minimax'))).toEqual(['system', 'tools', 'messages']);
    expect(renderOrderOf(rule('anthropic'))).toEqual(['tools', 'system', 'messages']);
    expect(renderOrderOf(rule('gemini'))).toBeNull();
  });
});

describe('settings', () => {
  const names = (id: string, tier: CacheTier): readonly string[] =>
    (settingsOf(rule(id))?.[tier] ?? []).map(({ name }) => name);
  test('stand at the first tier that falls with them', () => {
    expect(names('anthropic', 'tools')).toEqual([]);
    expect(names('anthropic', 'system')).toEqual(['speed', 'web_search', 'citations']);
    expect(names('anthropic', 'messages')).toEqual(['tool_choice', 'images', 'thinking', 'effort']);
    expect(names('openai-5.6+', 'tools')).toEqual([
      'parallel_tool_calls',
      'text.format',
      'reasoning.effort',
      'text.verbosity',
      'context_management',
    ]);
    expect([...names('openai-5.6+', 'system'), ...names('openai-5.6+', 'messages')]).toEqual([]);
  });
  test.each(['openai-pre-5.6', 'gemini', 'deepseek', 'minimax'])('of %s nothing is known', (id) =>
    expect(settingsOf(rule(id))).toBeNull(),
  );

  const message = (...content: readonly JsonObject[]): JsonObject => ({ messages: [{ role: 'user', content }] });
  const BASE: JsonObject = { model: 'm', max_tokens: 10, ...message({ type: 'text', text: 'Hello.' }) };
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA' } };
  const CASES: readonly (readonly [what: string, rule: string, tier: CacheTier | null, change: JsonObject])[] = [
    ['tool choice', 'anthropic', 'messages', { tool_choice: { type: 'any' } }],
    ['thinking', 'anthropic', 'messages', { thinking: { type: 'adaptive' } }],
    ['effort', 'anthropic', 'messages', { output_config: { effort: 'low' } }],
    ['speed', 'anthropic', 'system', { speed: 'fast' }],
    ['web search', 'anthropic', 'system', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }],
    ['citations', 'anthropic', 'system', message({ type: 'document', source: {}, citations: { enabled: true } })],
    ['citations off', 'anthropic', null, message({ type: 'document', source: {}, citations: { enabled: false } })],
    ['an image', 'anthropic', 'messages', message({ type: 'text', text: 'Hello.' }, image)],
    [
      'an image in a tool result',
      'anthropic',
      'messages',
      message({ type: 'tool_result', tool_use_id: 't', content: [image] }),
    ],
    [
      'an image that is an argument',
      'anthropic',
      null,
      message({ type: 'tool_use', id: 't', name: 'n', input: image }),
    ],
    ['sampling', 'anthropic', null, { temperature: 1, top_p: 0.5, stream: true }],
    ['another format of output', 'anthropic', null, { output_config: { format: 'json' } }],
    ['parallel calls', 'openai-5.6+', 'tools', { parallel_tool_calls: false }],
    ['format over Responses', 'openai-5.6+', 'tools', { text: { format: { type: 'json_schema' } } }],
    ['format over Chat', 'openai-5.6+', 'tools', { response_format: { type: 'json_object' } }],
    ['effort over Responses', 'openai-5.6+', 'tools', { reasoning: { effort: 'low', summary: 'auto' } }],
    ['effort over Chat', 'openai-5.6+', 'tools', { reasoning_effort: 'low' }],
    ['verbosity', 'openai-5.6+', 'tools', { text: { verbosity: 'low' } }],
    ['compaction', 'openai-5.6+', 'tools', { context_management: [{ type: 'compaction' }] }],
    ['summaries of reasoning', 'openai-5.6+', null, { reasoning: { summary: 'auto' } }],
    ['tool choice of OpenAI', 'openai-5.6+', null, { tool_choice: 'none' }],
  ];
  test.each(CASES)('%s of %s: %s', (_, id, tier, change) => {
    const settings = settingsOf(rule(id));
    if (!settings) throw new Error('no settings');
    const changed = (['tools', 'system', 'messages'] as const).filter(
      (one) => settingValues(settings[one], BASE) !== settingValues(settings[one], { ...BASE, ...change }),
    );
    expect(changed).toEqual(tier === null ? [] : [tier]);
  });
  test('equal settings are equal whatever else changes', () => {
    const settings = settingsOf(rule('anthropic'))?.messages ?? [];
    const body = { ...BASE, tool_choice: { type: 'auto' }, thinking: null };
    expect(settingValues(settings, body)).toBe(settingValues(settings, { tool_choice: { type: 'auto' } }));
  });
});
