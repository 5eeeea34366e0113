/** Assembler page, section 8.6, and the rows "DeepSeek", "Qwen 3.8" and "gpt-5.4 Responses" of table 12.5. */
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject, Protocol } from '../../../shared/model/index.ts';
import { requestOf, tool, type Given } from '../fixtures/build-request.ts';
import { readSettings } from './metadata.ts';
import { collectWarnings } from './warn.ts';

const CHAT = 'openai-chat-v1';
const RESPONSES = 'openai-responses-v1';
const ANTHROPIC = 'anthropic-messages-v1';
const GEMINI = 'google-generative-ai-v1';
const ALL = [CHAT, RESPONSES, ANTHROPIC, GEMINI] as const;

const read = (protocol: Protocol, model: string, given: Given) => {
  const { warn, warnings } = collectWarnings();
  const { toolChoice, fields } = readSettings(protocol, requestOf({ model, tools: [tool('roll')], ...given }), warn);
  return { toolChoice, fields, codes: warnings.map(({ code }) => code) };
};
const choice = (protocol: Protocol, model: string, given: Given): Json | undefined =>
  read(protocol, model, given).toolChoice;
const mode = (word: string, ...names: string[]) => ({
  functionCallingConfig: names.length === 0 ? { mode: word } : { mode: word, allowedFunctionNames: names },
});

describe('the runtime’s preference', () => {
  test.each<[Protocol, Json, Json, Json | undefined]>([
    [CHAT, { type: 'function', function: { name: 'roll' } }, 'required', 'auto'],
    [RESPONSES, { type: 'function', name: 'roll' }, 'required', 'auto'],
    [ANTHROPIC, { type: 'tool', name: 'roll' }, { type: 'any' }, undefined],
    [GEMINI, mode('ANY', 'roll'), mode('ANY'), mode('AUTO')],
  ])('%s', (protocol, named, required, none) => {
    expect(choice(protocol, 'house', { toolChoice: { name: 'roll' } })).toEqual(named);
    expect(choice(protocol, 'house', { toolChoice: 'required' })).toEqual(required);
    expect(choice(protocol, 'house', { toolChoice: null })).toEqual(none);
  });
  test.each(ALL)('%s: without tools nothing is sent', (protocol) => {
    expect(choice(protocol, 'house', { tools: [] })).toBeUndefined();
    expect(read(protocol, 'house', { tools: [], toolChoice: 'required' })).toMatchObject({
      toolChoice: undefined,
      codes: ['no-tools'],
    });
  });
  test('a tool that is not there cannot be named', () => {
    expect(read(CHAT, 'house', { toolChoice: { name: 'gone' } })).toMatchObject({
      toolChoice: 'auto',
      codes: ['tool-choice'],
    });
    expect(choice(ANTHROPIC, 'house', { toolChoice: { name: 'gone' } })).toBeUndefined();
  });
  test('Chat’s tools from the metadata count', () => {
    const metadata = { tools: [{ type: 'function', function: { name: 'look' } }] };
    expect(choice(CHAT, 'house', { tools: [], toolChoice: { name: 'look' }, metadata })).toEqual({
      type: 'function',
      function: { name: 'look' },
    });
  });
});

describe('what somebody set wins, in every protocol', () => {
  test.each<[Protocol, Json, Json]>([
    [CHAT, 'none', 'none'],
    [CHAT, 'auto', 'auto'],
    [CHAT, { type: 'function', function: { name: 'x' } }, { type: 'function', function: { name: 'x' } }],
    [CHAT, { type: 'allowed_tools', allowed_tools: {} }, { type: 'allowed_tools', allowed_tools: {} }],
    [CHAT, { type: 'tool', name: 'x' }, { type: 'function', function: { name: 'x' } }],
    [CHAT, { type: 'function', name: 'x' }, { type: 'function', function: { name: 'x' } }],
    [CHAT, { name: 'x' }, { type: 'function', function: { name: 'x' } }],
    [CHAT, { type: 'any' }, 'required'],
    [RESPONSES, 'none', 'none'],
    [RESPONSES, { type: 'function', name: 'x' }, { type: 'function', name: 'x' }],
    [RESPONSES, { type: 'function', function: { name: 'x' } }, { type: 'function', name: 'x' }],
    [RESPONSES, { type: 'web_search' }, { type: 'web_search' }],
    [ANTHROPIC, 'none', { type: 'none' }],
    [ANTHROPIC, 'required', { type: 'any' }],
    [ANTHROPIC, { type: 'auto', disable_parallel_tool_use: true }, { type: 'auto', disable_parallel_tool_use: true }],
    [ANTHROPIC, { type: 'function', function: { name: 'x' } }, { type: 'tool', name: 'x' }],
    [GEMINI, 'none', mode('NONE')],
    [GEMINI, { type: 'tool', name: 'x' }, mode('ANY', 'x')],
  ])('%s: %j', (protocol, tool_choice, sent) => {
    const given: Given = { toolChoice: 'required', metadata: { tool_choice } };
    expect(choice(protocol, 'house', given)).toEqual(sent);
    expect(choice(protocol, 'house', { ...given, metadata: { parameterOverrides: { tool_choice } } })).toEqual(sent);
    expect(choice(protocol, 'house', { ...given, metadata: { toolChoice: tool_choice } })).toEqual(sent);
  });
  test('it is no field of its own besides', () => {
    for (const protocol of ALL) {
      expect(read(protocol, 'house', { metadata: { tool_choice: 'auto', toolChoice: 'auto' } }).fields).toEqual({});
    }
  });
  test('overrides win over metadata', () =>
    expect(
      choice(CHAT, 'house', { metadata: { tool_choice: 'auto', parameterOverrides: { toolChoice: 'none' } } }),
    ).toBe('none'));
  test('Gemini’s own word wins over all', () => {
    const toolConfig = { functionCallingConfig: { mode: 'VALIDATED' }, retrievalConfig: {} };
    expect(
      choice(GEMINI, 'gemini-3-pro', { toolChoice: 'required', metadata: { toolConfig, tool_choice: 'none' } }),
    ).toEqual(toolConfig);
  });
  test('what no protocol knows is left out where it cannot be sent', () =>
    expect(read(ANTHROPIC, 'house', { metadata: { tool_choice: 'odd' } })).toMatchObject({
      toolChoice: undefined,
      codes: ['tool-choice'],
    }));
  test('thinking does not take it back', () =>
    expect(choice(CHAT, 'qwen3.8-max', { metadata: { tool_choice: 'required', enable_thinking: true } })).toBe(
      'required',
    ));
});

describe('thinking makes a forced call a free one', () => {
  test.each<[Protocol, string, JsonObject, Json]>([
    [CHAT, 'qwen3.8-max', { enable_thinking: true }, 'auto'],
    [RESPONSES, 'qwen3.6-plus', { enable_thinking: true }, 'auto'],
    [CHAT, 'house', { thinking: { type: 'enabled' } }, 'auto'],
    [ANTHROPIC, 'claude-sonnet-4-6', { thinking: { type: 'adaptive' } }, { type: 'auto' }],
    [ANTHROPIC, 'claude-3-7-sonnet', { thinking: { type: 'enabled', budget_tokens: 1024 } }, { type: 'auto' }],
    [CHAT, 'qwen3.8-max', { reasoningEffort: 'high' }, 'auto'],
    [CHAT, 'qwq-32b', { reasoningEffort: 'disabled' }, 'auto'],
  ])('%s %s %j', (protocol, model, metadata, sent) => {
    expect(read(protocol, model, { metadata, toolChoice: { name: 'roll' } })).toMatchObject({ toolChoice: sent });
    expect(choice(protocol, model, { metadata, toolChoice: 'required' })).toEqual(sent);
  });
  test('turned off, the preference holds', () => {
    const named = { type: 'function', function: { name: 'roll' } };
    expect(choice(CHAT, 'qwen3.8-max', { reasoning: false, toolChoice: { name: 'roll' } })).toEqual(named);
    expect(choice(ANTHROPIC, 'claude-sonnet-4-6', { reasoning: false, toolChoice: 'required' })).toEqual({
      type: 'any',
    });
    expect(choice(RESPONSES, 'gpt-5.4', { reasoning: false, toolChoice: { name: 'roll' } })).toEqual({
      type: 'function',
      name: 'roll',
    });
  });
});

describe('DeepSeek', () => {
  test.each([
    ['deepseek-v4', {}],
    ['deepseek-v4-flash', {}],
    ['deepseek-flash', {}],
    ['deepseek/deepseek-v4-pro', {}],
    ['deepseek-v4', { reasoningEffort: 'high' }],
    ['deepseek-v4', { reasoningEffort: 'max' }],
    ['deepseek-chat', { thinking: { type: 'enabled' } }],
  ])('%s %j thinks: no tool choice', (model, metadata) => {
    for (const toolChoice of ['required', { name: 'roll' }, null] as const) {
      expect(choice(CHAT, model, { metadata, toolChoice })).toBeUndefined();
    }
  });
  test.each([
    ['deepseek-v4', { thinking: { type: 'disabled' } }],
    ['deepseek-v4', { reasoningEffort: 'disabled' }],
    ['deepseek-chat', {}],
  ])('%s %j does not: the preference holds', (model, metadata) => {
    expect(choice(CHAT, model, { metadata, toolChoice: 'required' })).toBe('required');
    expect(choice(CHAT, model, { metadata })).toBe('auto');
  });
  test('the runtime’s own wish turns it off', () =>
    expect(choice(CHAT, 'deepseek-v4-flash', { reasoning: false, toolChoice: 'required' })).toBe('required'));
  test('what somebody set is sent, and that it may be refused is said', () =>
    expect(read(CHAT, 'deepseek-v4', { metadata: { tool_choice: 'none' } })).toMatchObject({
      toolChoice: 'none',
      codes: ['tool-choice'],
    }));
});

describe('Claude models that refuse to be forced', () => {
  const model = 'claude-opus-5.5';
  test.each<[Given, Json | undefined]>([
    [{ toolChoice: 'required' }, { type: 'auto' }],
    [{ toolChoice: { name: 'roll' } }, { type: 'auto' }],
    [{ toolChoice: null }, undefined],
    [
      { metadata: { tool_choice: { type: 'any', disable_parallel_tool_use: true } } },
      { type: 'auto', disable_parallel_tool_use: true },
    ],
    [
      { metadata: { tool_choice: { type: 'tool', name: 'roll', disable_parallel_tool_use: true } } },
      { type: 'auto', disable_parallel_tool_use: true },
    ],
    [{ metadata: { tool_choice: { type: 'none' } } }, { type: 'none' }],
    [{ metadata: { tool_choice: 'auto' } }, { type: 'auto' }],
  ])('%j', (given, sent) => expect(choice(ANTHROPIC, model, given)).toEqual(sent));
  test('also over Chat', () => expect(choice(CHAT, `anthropic/${model}`, { toolChoice: 'required' })).toBe('auto'));
});
