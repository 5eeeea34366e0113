/** What counts as a text of a body: one line per rule, with the addresses in the order of the cache key. */
import { describe, expect, test } from 'vitest';
import type { Protocol } from '../../shared/model/index.ts';
import { json } from './fixtures/scene.ts';
import { parseBody } from './parse.ts';
import { bodyTexts, cacheMarks, kernelTexts } from './texts.ts';

const texts = (protocol: Protocol, body: unknown): readonly string[] =>
  bodyTexts(protocol, json(body)).map((text) => `${text.path} = ${text.text}`);

describe('texts of a body', () => {
  test('Anthropic: tools, system, messages; no types, roles and marks of blocks', () => {
    const body = {
      model: 'm',
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'a', cache_control: { type: 'ephemeral', ttl: '1h' } }] },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'c', name: 'n', input: { type: 't', role: ['r'], n: 1 } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: [{ type: 'text', text: 'b' }] }] },
        { role: 'user', content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'd' } }] },
        { role: 'user', content: 'e' },
      ],
      system: [{ type: 'text', text: 's', cache_control: { type: 'ephemeral' } }],
      tools: [
        {
          name: 'n',
          input_schema: { type: 'object', properties: { cache_control: { type: 'string' } } },
          cache_control: { type: 'x' },
        },
      ],
      tool_choice: { type: 'auto' },
    };
    expect(texts('anthropic-messages-v1', body)).toEqual([
      '/tools/0/name = n',
      '/tools/0/input_schema/type = object',
      '/tools/0/input_schema/properties/cache_control/type = string',
      '/system/0/text = s',
      '/messages/0/content/0/text = a',
      '/messages/1/content/0/id = c',
      '/messages/1/content/0/name = n',
      '/messages/1/content/0/input/type = t',
      '/messages/1/content/0/input/role/0 = r',
      '/messages/2/content/0/tool_use_id = c',
      '/messages/2/content/0/content/0/text = b',
      '/messages/3/content/0/source/media_type = image/png',
      '/messages/3/content/0/source/data = d',
      '/messages/4/content = e',
    ]);
    expect(
      cacheMarks('anthropic-messages-v1', json({ ...body, cache_control: { type: 'ephemeral', ttl: '5m' } })),
    ).toEqual([
      { path: '/tools/0', ttl: null },
      { path: '/system/0', ttl: null },
      { path: '/messages/0/content/0', ttl: '1h' },
      { path: '', ttl: '5m' },
    ]);
  });

  test('OpenAI Chat: the type of a call is structure, the type of a tool is its definition', () => {
    const body = {
      tools: [{ type: 'function', function: { name: 'n', parameters: { type: 'object' } } }],
      response_format: { type: 'json_schema', json_schema: { name: 'o', schema: { type: 'object' } } },
      messages: [
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'n', arguments: '{}' } }],
        },
        { role: 'tool', content: { type: 't' }, tool_call_id: 'c' },
      ],
    };
    expect(texts('openai-chat-v1', body)).toEqual([
      '/tools/0/type = function',
      '/tools/0/function/name = n',
      '/tools/0/function/parameters/type = object',
      '/messages/0/tool_calls/0/id = c',
      '/messages/0/tool_calls/0/function/name = n',
      '/messages/0/tool_calls/0/function/arguments = {}',
      '/messages/1/content/type = t',
      '/messages/1/tool_call_id = c',
      '/response_format/json_schema/name = o',
      '/response_format/json_schema/schema/type = object',
    ]);
  });

  test('OpenAI Responses: instructions, items, text.format', () => {
    const body = {
      instructions: 'i',
      text: { verbosity: 'low', format: { type: 'json_schema', name: 'f', schema: { type: 'object' } } },
      input: [
        {
          role: 'user',
          content: [{ type: 'input_text', text: 'a', prompt_cache_breakpoint: { mode: 'explicit', ttl: '30m' } }],
        },
        { type: 'function_call', call_id: 'c', name: 'n', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c', output: '17' },
      ],
    };
    expect(texts('openai-responses-v1', body)).toEqual([
      '/instructions = i',
      '/input/0/content/0/text = a',
      '/input/1/call_id = c',
      '/input/1/name = n',
      '/input/1/arguments = {}',
      '/input/2/call_id = c',
      '/input/2/output = 17',
      '/text/format/name = f',
      '/text/format/schema/type = object',
    ]);
    expect(cacheMarks('openai-responses-v1', json(body))).toEqual([{ path: '/input/0/content/0', ttl: '30m' }]);
  });

  test('Gemini: systemInstruction before contents, the response schema last', () => {
    const body = {
      contents: [
        { role: 'model', parts: [{ functionCall: { name: 'n', args: { type: 'a' } } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'n', response: { role: 'r' } } }] },
      ],
      systemInstruction: { role: 'user', parts: [{ text: 's' }] },
      generationConfig: { responseMimeType: 'application/json', responseJsonSchema: { type: 'object' } },
      tools: [{ functionDeclarations: [{ name: 'n', parametersJsonSchema: { type: 'object' } }] }],
    };
    expect(texts('google-generative-ai-v1', body)).toEqual([
      '/tools/0/functionDeclarations/0/name = n',
      '/tools/0/functionDeclarations/0/parametersJsonSchema/type = object',
      '/systemInstruction/parts/0/text = s',
      '/contents/0/parts/0/functionCall/name = n',
      '/contents/0/parts/0/functionCall/args/type = a',
      '/contents/1/parts/0/functionResponse/name = n',
      '/contents/1/parts/0/functionResponse/response/role = r',
      '/generationConfig/responseJsonSchema/type = object',
    ]);
  });

  test('kernel view: pointers relative to messages and tools', () => {
    const kernel = {
      messages: [
        {
          role: 'assistant',
          content: 'a',
          toolCalls: [{ id: 'c', name: 'n', arguments: '{}' }],
          reasoningContent: 'r',
        },
      ],
      tools: [{ name: 'n', jsonSchema: { type: 'object' } }],
    };
    const found = kernelTexts({ messages: json(kernel.messages), tools: json(kernel.tools) });
    expect(found.map((text) => text.path)).toEqual([
      '/tools/0/name',
      '/tools/0/jsonSchema/type',
      '/messages/0/content',
      '/messages/0/toolCalls/0/id',
      '/messages/0/toolCalls/0/name',
      '/messages/0/toolCalls/0/arguments',
      '/messages/0/reasoningContent',
    ]);
  });

  test('keys are escaped as RFC 6901 says; offsets are UTF-16 units', () => {
    const body = { tools: [{ name: 'n', 'a/b~c': '😀' }] };
    expect(bodyTexts('openai-chat-v1', json(body))[1]).toEqual({
      path: '/tools/0/a~1b~0c',
      start: 0,
      end: 2,
      text: '😀',
    });
  });

  test.each([null, 3, 'x', [], ['x'], {}, { messages: null, tools: 7 }])('a body that is %j has no texts', (body) => {
    for (const protocol of ['anthropic-messages-v1', 'google-generative-ai-v1'] as const) {
      expect(bodyTexts(protocol, json(body))).toEqual([]);
      expect(parseBody(protocol, json(body)).messages).toEqual([]);
    }
  });
});
