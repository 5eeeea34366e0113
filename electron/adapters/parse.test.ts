/** Reading the four wire forms: roles, late and wrapped system text, calls with their results, merged contents. */
import { describe, expect, test } from 'vitest';
import type { PromptMessage, PromptPart, Protocol } from '../../shared/model/index.ts';
import { json } from './fixtures/scene.ts';
import { parseBody } from './parse.ts';

const partBrief = (part: PromptPart): string => {
  const texts = part.texts.map((text) => text.text).join('|');
  if (part.type === 'tool-call') return `call ${part.id}/${part.name}: ${texts}`;
  if (part.type === 'tool-result') return `result ${part.id}/${part.name}: ${texts}`;
  return `${part.type}: ${texts}`;
};
const brief = (message: PromptMessage): string => {
  const how = message.wrapped ? ' wrapped' : message.late ? ' late' : '';
  return `${message.path} ${message.role}${how} [${message.parts.map(partBrief).join(', ')}]`;
};
const read = (protocol: Protocol, body: unknown): readonly string[] =>
  parseBody(protocol, json(body)).messages.map(brief);

const WRAPPED = '<system-instruction>\nTide: high\n</system-instruction>';

describe('Anthropic Messages', () => {
  test('system blocks are messages of their own; late system text is unwrapped', () => {
    const body = {
      system: [
        { type: 'text', text: 's0' },
        { type: 'text', text: 's1' },
      ],
      messages: [
        { role: 'user', content: '我开门。' },
        { role: 'user', content: [{ type: 'text', text: WRAPPED }] },
        {
          role: 'user',
          content: [
            { type: 'text', text: '<system-instruction>\n' },
            { type: 'text', text: 'x' },
            { type: 'text', text: '\n</system-instruction>' },
          ],
        },
      ],
    };
    expect(read('anthropic-messages-v1', body)).toEqual([
      '/system/0 system [text: s0]',
      '/system/1 system [text: s1]',
      '/messages/0 user [text: 我开门。]',
      `/messages/1 system wrapped [text: ${WRAPPED}]`,
      '/messages/2 system wrapped [text: <system-instruction>\n, text: x, text: \n</system-instruction>]',
    ]);
  });
  test('a first message is never late system text, whatever it says', () => {
    expect(read('anthropic-messages-v1', { system: 's', messages: [{ role: 'user', content: WRAPPED }] })).toEqual([
      '/system system [text: s]',
      `/messages/0 user [text: ${WRAPPED}]`,
    ]);
  });
  test('thoughts, calls, parallel results, images', () => {
    const body = {
      messages: [
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm', signature: 'sig' },
            { type: 'tool_use', id: 'c1', name: 'roll', input: { n: 2, why: 'luck' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'c1', content: '7' },
            { type: 'tool_result', tool_use_id: 'c2', content: [{ type: 'text', text: '8' }] },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'image', source: { type: 'url', url: 'u' } },
            { type: 'new_block', deep: [{ type: 't', x: 'y' }] },
          ],
        },
      ],
    };
    expect(read('anthropic-messages-v1', body)).toEqual([
      '/messages/0 assistant [reasoning: hm|sig, call c1/roll: c1|roll|luck]',
      '/messages/1 tool [result c1/roll: c1|7, result c2/null: c2|8]',
      '/messages/2 user [image: u, other: y]',
    ]);
  });
  test('what else stands in a text block or a message is kept beside it', () => {
    const body = {
      messages: [
        { role: 'user', id: 'm1', content: [{ type: 'text', text: 'a', citations: [{ type: 'c', cited_text: 'q' }] }] },
      ],
    };
    expect(read('anthropic-messages-v1', body)).toEqual(['/messages/0 user [other: m1, text: a, other: q]']);
  });
});

describe('OpenAI Chat', () => {
  test('system text keeps role and place; developer is system', () => {
    const body = {
      messages: [
        { role: 'developer', content: 'a' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'b' },
            { type: 'image_url', image_url: { url: 'u' } },
          ],
        },
        { role: 'system', content: 'c' },
        { role: 'user', content: WRAPPED },
      ],
    };
    expect(read('openai-chat-v1', body)).toEqual([
      '/messages/0 system [text: a]',
      '/messages/1 user [text: b, image: u]',
      '/messages/2 system late [text: c]',
      `/messages/3 system wrapped [text: ${WRAPPED}]`,
    ]);
  });
  test('calls beside empty or null content, results by id, reasoning', () => {
    const call = (id: string, name: string) => ({ id, type: 'function', function: { name, arguments: '{"a":"型"}' } });
    const body = {
      messages: [
        {
          role: 'assistant',
          content: null,
          reasoning_content: 'hm',
          tool_calls: [call('c1', 'roll'), call('c2', 'look')],
        },
        { role: 'tool', content: 'x', tool_call_id: 'c2' },
        { role: 'assistant', content: '', function_call: { name: 'old', arguments: '{}' } },
        { role: 'function', name: 'old', content: 'y' },
      ],
    };
    expect(read('openai-chat-v1', body)).toEqual([
      '/messages/0 assistant [reasoning: hm, call c1/roll: c1|roll|{"a":"型"}, call c2/look: c2|look|{"a":"型"}]',
      '/messages/1 tool [result c2/look: x|c2]',
      '/messages/2 assistant [call null/old: old|{}]',
      '/messages/3 tool [result null/old: old|y]',
    ]);
  });
});

describe('OpenAI Responses', () => {
  test('items, instructions, native reasoning, unknown items', () => {
    const body = {
      instructions: 'i',
      input: [
        { role: 'system', content: 's' },
        {
          type: 'message',
          role: 'user',
          content: [
            { type: 'input_text', text: 'a' },
            { type: 'input_image', image_url: 'u' },
          ],
        },
        { type: 'reasoning', id: 'r1', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 'e' },
        { type: 'function_call', call_id: 'c1', name: 'roll', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c1', output: '7' },
        { type: 'web_search_call', id: 'w', status: 'done' },
        { type: 'later_thing', note: 'n' },
        { role: 'system', content: '回合' },
      ],
    };
    expect(read('openai-responses-v1', body)).toEqual([
      '/instructions system [text: i]',
      '/input/0 system [text: s]',
      '/input/1 user [text: a, image: u]',
      '/input/2 assistant [reasoning: r1|hm|e]',
      '/input/3 assistant [call c1/roll: c1|roll|{}]',
      '/input/4 tool [result c1/roll: c1|7]',
      '/input/5 assistant [call w/web_search_call: w|done]',
      '/input/6 assistant [other: n]',
      '/input/7 system late [text: 回合]',
    ]);
  });
  test('a lone string is what the user says', () => {
    expect(read('openai-responses-v1', { input: 'Hi.' })).toEqual(['/input user [text: Hi.]']);
  });
});

describe('Gemini', () => {
  test('merged contents come apart, contents with other parts do not', () => {
    const body = {
      systemInstruction: { parts: [{ text: 's0' }, { text: 's1' }] },
      contents: [
        { role: 'user', parts: [{ text: '一' }, { text: WRAPPED }, { text: '二' }] },
        {
          role: 'model',
          parts: [{ text: 't', thought: true }, { text: 'ok' }, { functionCall: { name: 'roll', args: { n: 1 } } }],
        },
        { role: 'user', parts: [{ functionResponse: { name: 'roll', response: { result: 'r' } } }] },
        { role: 'user', parts: [{ text: 'p' }, { inlineData: { mimeType: 'image/png', data: 'd' } }] },
      ],
    };
    expect(read('google-generative-ai-v1', body)).toEqual([
      '/systemInstruction/parts/0 system [text: s0]',
      '/systemInstruction/parts/1 system [text: s1]',
      '/contents/0/parts/0 user [text: 一]',
      `/contents/0/parts/1 system wrapped [text: ${WRAPPED}]`,
      '/contents/0/parts/2 user [text: 二]',
      '/contents/1 assistant [reasoning: t, text: ok, call null/roll: roll]',
      '/contents/2 tool [result null/roll: roll|r]',
      '/contents/3 user [text: p, image: image/png|d]',
    ]);
  });
  test('a signature beside a text stays with its message', () => {
    const body = { contents: [{ role: 'model', parts: [{ text: 'a', thoughtSignature: 'z' }, { text: 'b' }] }] };
    expect(read('google-generative-ai-v1', body)).toEqual([
      '/contents/0/parts/0 assistant [text: a, other: z]',
      '/contents/0/parts/1 assistant [text: b]',
    ]);
  });
});

describe('tools', () => {
  const names = (protocol: Protocol, tools: unknown): readonly string[] =>
    parseBody(protocol, json({ tools })).tools.map((tool) => `${tool.path} ${tool.name}: ${tool.description}`);
  test('one definition a tool, by the name its protocol gives', () => {
    expect(names('anthropic-messages-v1', [{ name: 'a', description: 'd' }, { type: 'web_search_1' }])).toEqual([
      '/tools/0 a: d',
      '/tools/1 web_search_1: null',
    ]);
    expect(names('openai-chat-v1', [{ type: 'function', function: { name: 'a', description: '描述' } }])).toEqual([
      '/tools/0 a: 描述',
    ]);
    expect(names('openai-responses-v1', [{ type: 'function', name: 'a' }])).toEqual(['/tools/0 a: null']);
    expect(
      names('google-generative-ai-v1', [{ functionDeclarations: [{ name: 'a' }, { name: 'b' }], googleSearch: {} }]),
    ).toEqual([
      '/tools/0/functionDeclarations/0 a: null',
      '/tools/0/functionDeclarations/1 b: null',
      '/tools/0 googleSearch: null',
    ]);
  });
});
