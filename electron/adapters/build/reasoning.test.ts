/** Assembler page, section 8.5: which family says on and off how, and who is asked first. */
import { describe, expect, test } from 'vitest';
import type { JsonObject, Protocol } from '../../../shared/model/index.ts';
import { requestOf, type Given } from '../fixtures/build-request.ts';
import { modelName, traitsOf } from './families.ts';
import { readSettings } from './metadata.ts';
import { collectWarnings } from './warn.ts';

const CHAT = 'openai-chat-v1';
const RESPONSES = 'openai-responses-v1';
const ANTHROPIC = 'anthropic-messages-v1';
const GEMINI = 'google-generative-ai-v1';

const read = (protocol: Protocol, model: string, given: Given) => {
  const { warn, warnings } = collectWarnings();
  const { fields } = readSettings(protocol, requestOf({ model, ...given }), warn);
  return { fields, codes: warnings.map(({ code }) => code) };
};
const level = (protocol: Protocol, model: string, reasoningEffort: string, metadata: JsonObject = {}) =>
  read(protocol, model, { parameterOverrides: { reasoningEffort }, metadata });
const off = (protocol: Protocol, model: string, given: Given = {}) =>
  read(protocol, model, { reasoning: false, ...given });
const config = (thinkingConfig: JsonObject) => ({ generationConfig: { thinkingConfig } });
const thinking = (type: string) => ({ thinking: { type } });

describe('the runtime turns reasoning off', () => {
  test.each<[Protocol, string, JsonObject]>([
    [CHAT, 'gpt-5.1', { reasoning_effort: 'none' }],
    [CHAT, 'openai/gpt-5.4-mini', { reasoning_effort: 'none' }],
    [CHAT, 'gpt-6', { reasoning_effort: 'none' }],
    [RESPONSES, 'gpt-5.4', { reasoning: { effort: 'none' } }],
    [CHAT, 'deepseek-v4-flash', thinking('disabled')],
    [CHAT, 'deepseek-chat', thinking('disabled')],
    [CHAT, 'qwen3.8-max', { enable_thinking: false, reasoning_effort: 'none' }],
    [CHAT, 'qwen3.6-plus', { enable_thinking: false }],
    [CHAT, 'qwen/qwen3-32b', { enable_thinking: false }],
    [ANTHROPIC, 'claude-sonnet-4-6', thinking('disabled')],
    [ANTHROPIC, 'claude-haiku-4-5-20251001', thinking('disabled')],
    [ANTHROPIC, 'claude-opus-5-20261001', thinking('disabled')],
    [GEMINI, 'gemini-2.5-flash', config({ thinkingBudget: 0 })],
    [GEMINI, 'models/gemini-2.5-flash-lite', config({ thinkingBudget: 0 })],
  ])('%s %s', (protocol, model, fields) => expect(off(protocol, model)).toEqual({ fields, codes: [] }));

  test.each<[Protocol, string, JsonObject]>([
    [CHAT, 'gpt-5', { reasoning_effort: 'minimal' }],
    [CHAT, 'o4-mini', { reasoning_effort: 'low' }],
    [CHAT, 'qwen3-235b-a22b-thinking-2507', { enable_thinking: true }],
    [
      ANTHROPIC,
      'claude-opus-5.5',
      { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'low' } },
    ],
    [
      ANTHROPIC,
      'claude-fable-5',
      { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'low' } },
    ],
    [GEMINI, 'gemini-2.5-pro', config({ thinkingBudget: 1024 })],
    [GEMINI, 'gemini-3-pro-preview', config({ thinkingLevel: 'low' })],
    [GEMINI, 'gemini-3.1-flash', config({ thinkingLevel: 'minimal' })],
  ])('%s %s cannot: its lowest level, and it is said', (protocol, model, fields) =>
    expect(off(protocol, model)).toEqual({ fields, codes: ['reasoning-off'] }),
  );

  test.each<[Protocol, string]>([
    [CHAT, 'mistral-large'],
    [CHAT, 'gpt-4.1'],
    [RESPONSES, 'kimi-k3'],
    [GEMINI, 'gemini-2.0-flash'],
    [ANTHROPIC, 'saga-prose'],
  ])('%s %s is not known to: nothing, and it is said', (protocol, model) =>
    expect(off(protocol, model, { options: { baseUrl: 'https://relay.example/v1' } })).toEqual({
      fields: {},
      codes: ['reasoning-off'],
    }),
  );

  test.each([
    ['https://api.deepseek.com', thinking('disabled')],
    ['https://dashscope.aliyuncs.com/compatible-mode/v1', { enable_thinking: false }],
  ])('a name that says nothing is known by its provider, %s', (baseUrl, fields) =>
    expect(off(CHAT, 'house-model', { options: { baseUrl } }).fields).toEqual(fields),
  );

  test.each<[Protocol, string, JsonObject]>([
    [CHAT, 'gpt-5.1', { parameterOverrides: { reasoningEffort: 'high' } }],
    [CHAT, 'gpt-5.1', { reasoningEffort: 'high' }],
    [CHAT, 'gpt-5.1', { reasoning_effort: 'high' }],
    [CHAT, 'gpt-5.1', { reasoning: { effort: 'high' } }],
    [CHAT, 'qwen3.6-plus', { enable_thinking: true }],
    [CHAT, 'qwen3.6-plus', { thinking_budget: 100 }],
    [CHAT, 'deepseek-v4', { thinking: { type: 'enabled' } }],
    [GEMINI, 'gemini-2.5-flash', { thinkingConfig: { thinkingBudget: 5 } }],
    [GEMINI, 'gemini-2.5-flash', { generationConfig: { thinkingConfig: { thinkingBudget: 5 } } }],
    [ANTHROPIC, 'claude-sonnet-4-6', { output_config: { effort: 'low' } }],
    [CHAT, 'gpt-5.1', { extraBody: { reasoning_effort: 'high' } }],
    [CHAT, 'gpt-5.1', { providerOptions: { [CHAT]: { reasoningEffort: 'high' } } }],
    [CHAT, 'gpt-5.1', { providerOptions: { openai: { extraBody: { reasoning: { effort: 'high' } } } } }],
  ])('%s %s: not where %j was set', (protocol, model, metadata) => {
    const { fields } = off(protocol, model, { metadata });
    expect(fields).toEqual(read(protocol, model, { metadata }).fields);
    expect(JSON.stringify(fields)).not.toMatch(/none|disabled|false|:0/);
  });
  test('null and empty settings are none', () =>
    expect(off(CHAT, 'gpt-5.1', { metadata: { reasoning_effort: null, reasoningEffort: '' } }).fields).toMatchObject({
      reasoning_effort: 'none',
    }));
});

describe('a level that somebody set', () => {
  test.each<[Protocol, string, string, JsonObject]>([
    [CHAT, 'gpt-5', 'minimal', { reasoning_effort: 'minimal' }],
    [CHAT, 'gpt-5.2', 'xhigh', { reasoning_effort: 'xhigh' }],
    [CHAT, 'gpt-5.2', 'disabled', { reasoning_effort: 'none' }],
    [RESPONSES, 'gpt-5.2', 'high', { reasoning: { effort: 'high', summary: 'auto' } }],
    [RESPONSES, 'gpt-5.2', 'none', { reasoning: { effort: 'none' } }],
    [RESPONSES, 'o3', 'low', { reasoning: { effort: 'low', summary: 'auto' } }],
    [RESPONSES, 'gpt-6', 'low', { reasoning: { effort: 'low' } }],
    [CHAT, 'deepseek-v4', 'high', { thinking: { type: 'enabled' }, reasoning_effort: 'high' }],
    [CHAT, 'deepseek-v4', 'max', { thinking: { type: 'enabled' }, reasoning_effort: 'max' }],
    [CHAT, 'deepseek-v4', 'low', { thinking: { type: 'enabled' } }],
    [CHAT, 'qwen3.8-plus', 'medium', { enable_thinking: true, reasoning_effort: 'medium' }],
    [CHAT, 'qwen3.8-plus', 'automatic', { enable_thinking: true }],
    [CHAT, 'qwen3.5-flash', 'low', { enable_thinking: true, thinking_budget: 2048 }],
    [CHAT, 'qwen3.6-plus', 'medium', { enable_thinking: true, thinking_budget: 8192 }],
    [CHAT, 'qwen3.7-max', 'high', { enable_thinking: true, thinking_budget: 16384 }],
    [CHAT, 'qwen3.7-max', 'automatic', { enable_thinking: true }],
    [CHAT, 'qwen-turbo', 'high', { enable_thinking: true }],
    [
      ANTHROPIC,
      'claude-opus-4.8',
      'xhigh',
      { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'xhigh' } },
    ],
    [GEMINI, 'gemini-2.5-pro', 'high', config({ thinkingBudget: 24576 })],
    [GEMINI, 'gemini-3-flash', 'minimal', config({ thinkingLevel: 'minimal' })],
  ])('%s %s %s', (protocol, model, effort, fields) =>
    expect(level(protocol, model, effort)).toEqual({ fields, codes: [] }),
  );

  test.each<[Protocol, string, string]>([
    [CHAT, 'gpt-5', 'none'],
    [CHAT, 'o3', 'minimal'],
    [CHAT, 'mistral-large', 'high'],
    [CHAT, 'qwen3.8-plus', 'max'],
    [CHAT, 'deepseek-v4', 'minimal'],
    [ANTHROPIC, 'claude-haiku-4-5', 'high'],
    [ANTHROPIC, 'claude-sonnet-5.5', 'disabled'],
    [GEMINI, 'gemini-2.5-pro', 'disabled'],
    [GEMINI, 'gemini-3-pro', 'minimal'],
  ])('%s %s does not offer %s: nothing, and it is said', (protocol, model, effort) =>
    expect(level(protocol, model, effort)).toEqual({ fields: {}, codes: ['reasoning-level'] }),
  );
  test.each(['disabled', 'high', 'automatic', 'max'])('a Qwen that always thinks is told to, %s', (effort) =>
    expect(level(CHAT, 'qwq-32b', effort).fields).toEqual({ enable_thinking: true }),
  );
  test('a level that is not offered keeps the runtime’s own wish away', () =>
    expect(read(CHAT, 'gpt-5.1', { reasoning: false, parameterOverrides: { reasoningEffort: 'max' } }).fields).toEqual(
      {},
    ));
  test('any level takes an inherited budget away', () => {
    expect(level(CHAT, 'qwen3.8-max', 'low', { thinking_budget: 7 }).fields).toEqual({
      enable_thinking: true,
      reasoning_effort: 'low',
    });
    expect(level(CHAT, 'mistral-large', 'low', { thinking_budget: 7, top_k: 3 }).fields).toEqual({ top_k: 3 });
  });
  test('turned off, Claude keeps no effort but the rest of its output settings', () =>
    expect(
      level(ANTHROPIC, 'claude-sonnet-4-6', 'disabled', { output_config: { effort: 'high', format: 1 } }).fields,
    ).toEqual({
      output_config: { format: 1 },
      thinking: { type: 'disabled' },
    }));
  test('a level takes the place of an inherited budget; thoughts are still asked for', () =>
    expect(
      level(GEMINI, 'gemini-3-flash', 'low', { thinkingConfig: { thinkingBudget: 9, includeThoughts: true } }).fields,
    ).toEqual(config({ thinkingLevel: 'low', includeThoughts: true })));
  test('other members of a native object stay', () =>
    expect(level(RESPONSES, 'gpt-5.2', 'high', { reasoning: { effort: 'low', summary: 'detailed' } }).fields).toEqual({
      reasoning: { effort: 'high', summary: 'detailed' },
    }));
  test('the request’s own level wins over the preset’s, and that over the free metadata', () => {
    const metadata = { reasoningEffort: 'low', parameterOverrides: { reasoningEffort: 'medium' } };
    expect(read(CHAT, 'gpt-5.1', { metadata }).fields).toEqual({ reasoning_effort: 'medium' });
    expect(level(CHAT, 'gpt-5.1', 'high', metadata).fields).toEqual({ reasoning_effort: 'high' });
    expect(level(CHAT, 'gpt-5.1', '', metadata).fields).toEqual({ reasoning_effort: 'medium' });
  });
});

describe('native settings go out as written', () => {
  test.each<[Protocol, string, JsonObject]>([
    [CHAT, 'mistral-large', { reasoning_effort: 'odd' }],
    [CHAT, 'mistral-large', { enable_thinking: true, thinking_budget: 5 }],
    [CHAT, 'deepseek-v4', { thinking: { type: 'enabled', odd: 1 } }],
    [RESPONSES, 'mistral-large', { reasoning: { effort: 'odd' } }],
    [ANTHROPIC, 'claude-3-5-haiku', { thinking: { type: 'enabled', budget_tokens: 10 } }],
    [GEMINI, 'gemini-3-pro', { generationConfig: { thinkingConfig: { thinkingBudget: 5 }, seed: 3 } }],
  ])('%s %s %j', (protocol, model, metadata) =>
    expect(read(protocol, model, { metadata })).toEqual({ fields: metadata, codes: [] }),
  );
  test('a budget in our spelling is written in the wire’s', () =>
    expect(
      read(ANTHROPIC, 'claude-3-7-sonnet', { metadata: { thinking: { type: 'enabled', budgetTokens: 2048 } } }).fields,
    ).toEqual({
      thinking: { type: 'enabled', budget_tokens: 2048 },
    }));
  test('a summary is asked of models that are known to reason', () => {
    expect(read(RESPONSES, 'gpt-5.4', {}).fields).toEqual({ reasoning: { summary: 'auto' } });
    expect(read(RESPONSES, 'gpt-4.1', {}).fields).toEqual({});
    expect(read(RESPONSES, 'gpt-5-chat-latest', {}).fields).toEqual({});
    expect(read(CHAT, 'gpt-5.4', {}).fields).toEqual({});
  });
});

describe('provider-default', () => {
  test.each<[Protocol, JsonObject, JsonObject]>([
    [CHAT, { enable_thinking: true, thinking: { type: 'enabled' }, reasoning_effort: 'low', thinking_budget: 1 }, {}],
    [RESPONSES, { reasoning: { effort: 'low', summary: 'detailed' } }, { reasoning: { summary: 'detailed' } }],
    [
      ANTHROPIC,
      { thinking: { type: 'enabled' }, output_config: { effort: 'low', format: 1 } },
      { output_config: { format: 1 } },
    ],
    [ANTHROPIC, { output_config: { effort: 'low' } }, {}],
    [
      GEMINI,
      { generationConfig: { thinkingConfig: { thinkingBudget: 1 }, seed: 1 } },
      { generationConfig: { seed: 1 } },
    ],
  ])('%s takes %j away', (protocol, metadata, fields) =>
    expect(level(protocol, 'house-model', 'provider-default', metadata).fields).toEqual(fields),
  );
  test('drops the runtime’s wishes', () => {
    const { warn } = collectWarnings();
    const tool = { name: 'roll', segment: 's1' };
    const request = requestOf({
      model: 'gpt-5.1',
      reasoning: false,
      tools: [tool],
      toolChoice: 'required',
      parameterOverrides: { reasoningEffort: 'provider-default' },
    });
    const settings = readSettings(CHAT, request, warn);
    expect([settings.fields, settings.toolChoice]).toEqual([{}, 'auto']);
  });
});

describe('names of models', () => {
  test.each([
    ['openai/GPT-5.1', 'gpt-5.1'],
    ['a/b/c:free', 'c'],
    ['', ''],
  ])('%s', (model, name) => expect(modelName(model)).toBe(name));
  test.each([
    ['claude-opus-5.5', true],
    ['claude-opus-5-5', true],
    ['claude-sonnet-5-5-20261101', true],
    ['anthropic/claude-fable-5.1', true],
    ['claude-mythos-5-1', true],
    ['claude-opus-5', false],
    ['claude-opus-5-20261001', false],
    ['claude-fable-5', false],
    ['claude-opus-5-55', false],
    ['claude-sonnet-4-6', false],
    ['saga-fable-55', false],
  ])('%s refuses to be forced: %s', (model, refuses) =>
    expect(traitsOf(model, 'https://relay.example').refusesForcedTool).toBe(refuses),
  );
  test.each([
    ['gpt-4o', 'max_tokens'],
    ['gpt-5', 'max_completion_tokens'],
    ['gpt-5-chat-latest', 'max_completion_tokens'],
    ['gpt-9.1', 'max_completion_tokens'],
    ['gpt-10', 'max_tokens'],
    ['gpt-5.10', 'max_completion_tokens'],
    ['o1', 'max_completion_tokens'],
    ['o3-mini', 'max_completion_tokens'],
    ['o4-mini', 'max_completion_tokens'],
    ['o2', 'max_tokens'],
    ['openai/gpt-5.4', 'max_completion_tokens'],
    ['deepseek-v4', 'max_tokens'],
  ])('Chat: the limit of %s is %s', (model, name) => {
    const { warn } = collectWarnings();
    expect(readSettings(CHAT, requestOf({ model }), warn).limitField).toBe(name);
  });
});
