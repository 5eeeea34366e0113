/** OpenAI Chat: assembler page, section 9.2, and its rows of table 12.5; the body's type against the official SDK's. */
import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../shared/model/index.ts';
import {
  A,
  C,
  call,
  D,
  image,
  PIXEL,
  reply,
  requestOf,
  S,
  T,
  text,
  tool,
  U,
  wrapped,
  type Given,
} from '../fixtures/build-request.ts';
import type { NATIVE_TOOL_CHOICE } from '../build/tool-choice.ts';
import type { Sent } from '../fixtures/sdk.ts';
import { trace } from '../build/traced.ts';
import { SENTINEL } from '../kernel/parse.ts';
import { buildChat, type ChatBody } from './build.ts';

/** Fails to compile when a field of ours is none of the SDK's, or of another type. */
export const asSdkBody = (body: Sent<ChatBody>): ChatCompletionCreateParams => body;
type Choice = ReturnType<(typeof NATIVE_TOOL_CHOICE)['openai-chat-v1']>;
export const asSdkChoice = (choice: Choice): ChatCompletionCreateParams['tool_choice'] => choice;

const build = (given: Given) => buildChat(requestOf({ model: 'house', ...given }));
const body = (given: Given): JsonObject => build(given).body;
const messages = (given: Given) => body(given)['messages'];

describe('messages', () => {
  test('one system message, without sentinels; strings stay strings', () =>
    expect(messages({ system: `a${SENTINEL}\n\nb${SENTINEL}`, messages: [U('one'), A('two')] })).toEqual([
      { role: 'system', content: 'a\n\nb' },
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'two' },
    ]));
  test('an empty system prompt is none', () =>
    expect(messages({ messages: [U('x')] })).toEqual([{ role: 'user', content: 'x' }]));
  const late: Given = { messages: [S('a'), U('b'), S('c'), D('d'), U('e')] };
  const kept = [
    { role: 'system', content: 'a' },
    { role: 'user', content: 'b' },
    { role: 'system', content: 'c' },
    { role: 'developer', content: 'd' },
    { role: 'user', content: 'e' },
  ];
  test.each([
    ['left out', {}],
    ['false', { options: { lateSystemAsUser: false } }],
    ['false in the metadata', { metadata: { lateSystemAsUser: false } }],
  ])('later system messages keep their role, %s', (_, more) => {
    expect(messages({ ...late, ...more })).toEqual(kept);
    expect(body({ ...late, ...more })).not.toHaveProperty('lateSystemAsUser');
  });
  test.each([
    ['by the option', { options: { lateSystemAsUser: true } }],
    ['by the metadata', { metadata: { lateSystemAsUser: true } }],
  ])('or go out as the user’s, %s, and the option itself does not', (_, more) => {
    const sent = body({ ...late, ...more });
    expect(sent['messages']).toEqual([
      kept[0],
      kept[1],
      { role: 'user', content: wrapped('c') },
      { role: 'user', content: wrapped('d') },
      kept[4],
    ]);
    expect(sent).not.toHaveProperty('lateSystemAsUser');
  });
  test('calls and results', () =>
    expect(
      messages({ messages: [U('go'), C(null, call('1'), call('2', 'look', '')), T('1', '6'), T('2', 'a door')] }),
    ).toEqual([
      { role: 'user', content: 'go' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [
          { id: '1', type: 'function', function: { name: 'roll', arguments: '{"sides":6}' } },
          { id: '2', type: 'function', function: { name: 'look', arguments: '' } },
        ],
      },
      { role: 'tool', content: '6', tool_call_id: '1' },
      { role: 'tool', content: 'a door', tool_call_id: '2' },
    ]));
  test('an empty content is an empty text', () => {
    expect(messages({ messages: [U('go'), { role: 'assistant', content: null }] })).toEqual([
      { role: 'user', content: 'go' },
      { role: 'assistant', content: '' },
    ]);
  });
  test('names are not sent', () =>
    expect(messages({ messages: [A('story', { name: 'narrator' })] })).toEqual([
      { role: 'assistant', content: 'story' },
    ]));

  test('parts become text and image_url', () =>
    expect(
      messages({
        messages: [U([text('see'), image(), image('https://a.example/p.png'), image('data:image/gif;base64,R0')])],
      }),
    ).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'see' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
          { type: 'image_url', image_url: { url: 'https://a.example/p.png' } },
          { type: 'image_url', image_url: { url: 'data:image/gif;base64,R0' } },
        ],
      },
    ]));
  test('a model that reads text only gets a placeholder, and so does every place that takes text only', () => {
    expect(messages({ messages: [U([text('see'), image()])], options: { imageInput: false } })).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'see' },
          { type: 'text', text: '[image]' },
        ],
      },
    ]);
    expect(
      messages({
        messages: [S([image()]), C(null, call('1')), T('1', 'x'), { ...T('2', ''), content: [text('a'), image()] }],
      }),
    ).toMatchObject([
      { role: 'system', content: [{ type: 'text', text: '[image]' }] },
      {},
      {},
      { role: 'tool', content: 'a\n[image]' },
    ]);
  });

  const where = { model: 'house', baseUrl: 'https://api.openai.com/v1/' };
  const thought = (more: object = {}) => A('done', { reasoningContent: trace('because', 'thought'), ...more });
  test('reasoning goes back as reasoning_content', () =>
    expect(messages({ messages: [U('go'), thought()] })).toMatchObject([
      {},
      { content: 'done', reasoning_content: 'because' },
    ]));
  test('or as reasoning, where the same endpoint and model spelt it so', () => {
    const same = reply('openai-chat-v1', [{ reasoning: 'because' }], where);
    expect(messages({ messages: [U('go'), thought(same)] })).toEqual([
      { role: 'user', content: 'go' },
      { role: 'assistant', content: 'done', reasoning: 'because' },
    ]);
    expect(messages({ messages: [A('done', same)] })).toMatchObject([{ reasoning: 'because' }]);
    for (const other of [
      { ...where, baseUrl: 'https://relay.example/v1' },
      { ...where, model: 'x' },
    ]) {
      const given = thought(reply('openai-chat-v1', [{ reasoning: 'because' }], other));
      expect(messages({ messages: [given] })).toEqual([
        { role: 'assistant', content: 'done', reasoning_content: 'because' },
      ]);
    }
  });
});

describe('the rest of the body', () => {
  test('in the order base, metadata, parameters, tools', () => {
    const sent = body({
      model: 'gpt-5.4',
      messages: [U('go')],
      tools: [tool('roll', { type: 'object' }), { name: 'look', segment: 's' }],
      toolChoice: { name: 'roll' },
      responseFormat: { schema: { type: 'object' }, segment: 'format' },
      parameterOverrides: { temperature: 0.5, reasoningEffort: 'low', maxOutputTokens: 99 },
      metadata: { top_k: 3, service_tier: 'flex' },
      options: { stream: true, sessionId: 's', runtimeId: 'r' },
    });
    expect(Object.keys(sent)).toEqual([
      'model',
      'messages',
      'stream',
      'stream_options',
      'response_format',
      'prompt_cache_key',
      'top_k',
      'service_tier',
      'reasoning_effort',
      'temperature',
      'max_completion_tokens',
      'tools',
      'tool_choice',
    ]);
    expect(sent).toMatchObject({
      stream: true,
      stream_options: { include_usage: true },
      response_format: { type: 'json_object' },
      max_completion_tokens: 99,
      tools: [
        { type: 'function', function: { name: 'roll', description: 'Does roll.', parameters: { type: 'object' } } },
        { type: 'function', function: { name: 'look' } },
      ],
      tool_choice: { type: 'function', function: { name: 'roll' } },
    });
  });
  test('what is not asked for is not there', () =>
    expect(body({ messages: [U('go')] })).toEqual({ model: 'house', messages: [{ role: 'user', content: 'go' }] }));
  test('an own cache key replaces ours', () =>
    expect(
      body({ metadata: { prompt_cache_key: 'mine' }, options: { sessionId: 's', runtimeId: 'r' } })['prompt_cache_key'],
    ).toBe('mine'));
  test('tools of the metadata are sent where the request has none, and are the metadata’s own', () => {
    const metadata = { tools: [{ type: 'function', function: { name: 'look' } }] };
    const built = build({ metadata });
    expect(built.body).toMatchObject({ ...metadata, tool_choice: 'auto' });
    expect(built.map).toMatchObject([{ segment: 'metadata' }, { segment: 'metadata' }]);
    expect(body({ metadata, tools: [tool('roll')] })['tools']).toHaveLength(1);
  });
  const responseFormat = { schema: { type: 'object' }, segment: 'format' } as const;
  const rule = 'Answer with JSON only.\n<response-format>{"type":"object"}</response-format>';
  test('the schema is told right behind the last system message', () => {
    const given: Given = { responseFormat, messages: [S('a'), U('b'), S('c'), U('d')] };
    expect(messages(given)).toEqual([
      { role: 'system', content: 'a' },
      { role: 'user', content: 'b' },
      { role: 'system', content: 'c' },
      { role: 'system', content: rule },
      { role: 'user', content: 'd' },
    ]);
    expect(messages({ ...given, options: { lateSystemAsUser: true } })).toMatchObject([
      { content: 'a' },
      { role: 'system', content: rule },
      { content: 'b' },
      { content: wrapped('c') },
      { content: 'd' },
    ]);
  });
  test('a schema that is told already is not told again', () =>
    expect(messages({ system: `x\n${rule}`, responseFormat, messages: [U('b')] })).toHaveLength(2));
  test('address and headers', () => {
    const { url, headers, protocol } = build({ options: { baseUrl: 'https://api.deepseek.com' } });
    expect({ url, headers, protocol }).toEqual({
      protocol: 'openai-chat-v1',
      url: 'https://api.deepseek.com/v1/chat/completions',
      headers: { 'content-type': 'application/json', authorization: '…' },
    });
  });
});
