/** OpenAI Responses: assembler page, section 9.3, and its rows of table 12.5; the body's type against the official SDK's. */
import type { ResponseCreateParams } from 'openai/resources/responses/responses';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../shared/model/index.ts';
import {
  A,
  C,
  call,
  image,
  PIXEL,
  reply,
  requestOf,
  S,
  T,
  text,
  tool,
  U,
  type Given,
} from '../fixtures/build-request.ts';
import type { NATIVE_TOOL_CHOICE } from '../build/tool-choice.ts';
import type { Sent } from '../fixtures/sdk.ts';
import { SENTINEL } from '../kernel/parse.ts';
import { buildResponses, type ResponsesBody } from './build.ts';
import type { OwnItem } from './items.ts';

/** The SDK asks for the `detail` of a picture, where the API has a default of its own. */
type Detailed = { readonly type: 'input_image'; readonly image_url: string; readonly detail: 'auto' };
/** Fails to compile when a field of ours is none of the SDK's, or of another type. */
export const asSdkBody = (body: Sent<ResponsesBody<OwnItem<Detailed>>>): ResponseCreateParams => body;
type Choice = ReturnType<(typeof NATIVE_TOOL_CHOICE)['openai-responses-v1']>;
export const asSdkChoice = (choice: Choice): ResponseCreateParams['tool_choice'] => choice;

const build = (given: Given) => buildResponses(requestOf({ model: 'house', ...given }));
const body = (given: Given): JsonObject => build(given).body;
const input = (given: Given) => body(given)['input'];

describe('input', () => {
  test('messages are items; sentinels are gone', () =>
    expect(input({ system: `a${SENTINEL}b`, messages: [U('one'), A('two'), S('three'), U('four')] })).toEqual([
      { role: 'system', content: 'ab' },
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'two' },
      { role: 'system', content: 'three' },
      { role: 'user', content: 'four' },
    ]));
  test('later system text as the user’s, where the slot says so', () =>
    expect(input({ messages: [U('a'), S('b')], metadata: { lateSystemAsUser: true } })).toEqual([
      { role: 'user', content: 'a' },
      { role: 'user', content: '<system-instruction>\nb\n</system-instruction>' },
    ]));
  test('calls and results are items of their own; text beside them only where there is any', () =>
    expect(
      input({ messages: [C(null, call('1')), T('1', '6'), C('Look:', call('2', 'look', '')), T('2', 'x')] }),
    ).toEqual([
      { type: 'function_call', call_id: '1', name: 'roll', arguments: '{"sides":6}' },
      { type: 'function_call_output', call_id: '1', output: '6' },
      { role: 'assistant', content: 'Look:' },
      { type: 'function_call', call_id: '2', name: 'look', arguments: '' },
      { type: 'function_call_output', call_id: '2', output: 'x' },
    ]));
  test('parts', () =>
    expect(
      input({
        messages: [
          U([text('see'), image(), image('https://a.example/p')]),
          A([text('a'), image()]),
          { ...T('1', ''), content: [text('b'), image()] },
        ],
      }),
    ).toEqual([
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'see' },
          { type: 'input_image', image_url: `data:image/png;base64,${PIXEL}` },
          { type: 'input_image', image_url: 'https://a.example/p' },
        ],
      },
      { role: 'assistant', content: 'a\n[image]' },
      { type: 'function_call_output', call_id: '1', output: 'b\n[image]' },
    ]));
});

describe('a reply that goes back as it came', () => {
  const thought = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' };
  const bare = { type: 'reasoning', id: 'rs_2', summary: [] };
  const words = {
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    content: [{ type: 'output_text', text: 'Rolling.' }],
  };
  const native = { type: 'function_call', id: 'fc_1', call_id: '1', name: 'roll', arguments: '{"sides":6}' };
  const where = { model: 'house', baseUrl: 'https://api.openai.com/v1' };
  const said = (blocks: readonly Json[], more: object = {}) => ({
    ...C('Rolling.', call('1')),
    ...reply('openai-responses-v1', blocks, { ...where, ...more }),
  });
  test('with its encrypted reasoning', () => {
    const { body: sent, map } = build({ messages: [U('go'), said([thought, words, native]), T('1', '6')] });
    expect(sent['input']).toEqual([
      { role: 'user', content: 'go' },
      thought,
      words,
      native,
      { type: 'function_call_output', call_id: '1', output: '6' },
    ]);
    expect(map.filter(({ path }) => path.startsWith('/input/3/')).every(({ segment }) => segment === 'call 1')).toBe(
      true,
    );
    expect(map.find(({ path }) => path === '/input/1/encrypted_content')?.segment).toBe('of Rolling.');
  });
  test.each([
    ['another base URL', { baseUrl: 'https://relay.example/v1' }],
    ['another model', { model: 'other' }],
    ['another protocol', { protocol: 'openai-chat-v1' }],
  ])('not to %s', (_, more) =>
    expect(input({ messages: [said([thought, native], more)] })).toEqual([
      { role: 'assistant', content: 'Rolling.' },
      { type: 'function_call', call_id: '1', name: 'roll', arguments: '{"sides":6}' },
    ]),
  );
  test('reasoning without its encrypted content goes, and with it the ids', () => {
    const { id: _, ...call1 } = native;
    expect(input({ messages: [said([bare, native])] })).toEqual([call1]);
  });
  test('but stays where the provider stores its replies', () =>
    expect(input({ messages: [said([bare, native])], metadata: { store: true } })).toEqual([bare, native]));
  test('the caller’s blocks stay as they are', () => {
    const blocks = [bare, native];
    input({ messages: [said(blocks)] });
    expect(blocks).toEqual([{ ...bare }, { ...native }]);
  });
});

describe('the rest of the body', () => {
  test('in the order of the page', () => {
    const sent = body({
      model: 'gpt-5.4',
      messages: [U('go')],
      tools: [tool('roll', { type: 'object' }), { name: 'look', segment: 's' }],
      toolChoice: 'required',
      reasoning: false,
      responseFormat: { schema: { title: 'A b', type: 'object' }, segment: 'format' },
      parameterOverrides: { topP: 0.5 },
      maxOutputTokens: 8192,
      metadata: { service_tier: 'flex', include: ['x'] },
      options: { stream: true, sessionId: 's', runtimeId: 'r' },
    });
    expect(Object.keys(sent)).toEqual([
      'model',
      'store',
      'prompt_cache_key',
      'service_tier',
      'reasoning',
      'top_p',
      'max_output_tokens',
      'include',
      'input',
      'text',
      'tools',
      'tool_choice',
      'stream',
    ]);
    expect(sent).toMatchObject({
      store: false,
      reasoning: { effort: 'none' },
      max_output_tokens: 8192,
      include: ['x'],
      text: { format: { type: 'json_schema', name: 'A_b', schema: { title: 'A b', type: 'object' } } },
      tools: [
        { type: 'function', name: 'roll', description: 'Does roll.', parameters: { type: 'object' }, strict: false },
        { type: 'function', name: 'look', parameters: { type: 'object', properties: {} }, strict: false },
      ],
      tool_choice: 'required',
      stream: true,
    });
  });
  test('gpt-5.4, a named tool and no reasoning', () =>
    expect(
      body({
        model: 'gpt-5.4',
        messages: [U('go')],
        tools: [tool('roll')],
        toolChoice: { name: 'roll' },
        reasoning: false,
      }),
    ).toMatchObject({
      reasoning: { effort: 'none' },
      tool_choice: { type: 'function', name: 'roll' },
    }));
  test.each<[string, JsonObject, Json | undefined]>([
    ['nothing said', {}, ['reasoning.encrypted_content']],
    ['merged, once', { include: ['a', 'reasoning.encrypted_content', 'a'] }, ['a', 'reasoning.encrypted_content']],
    ['stored', { store: true, include: ['a'] }, ['a']],
    ['stored, nothing else', { store: true }, undefined],
    ['no effort', { reasoning: { effort: 'none' } }, undefined],
  ])('what the reply includes: %s', (_, metadata, include) => expect(body({ metadata })['include']).toEqual(include));
  test('what is not asked for is not there', () =>
    expect(body({ messages: [U('go')] })).toEqual({
      model: 'house',
      store: false,
      include: ['reasoning.encrypted_content'],
      input: [{ role: 'user', content: 'go' }],
    }));
  test('the schema is not told in words', () =>
    expect(JSON.stringify(body({ responseFormat: { schema: { type: 'object' }, segment: 'f' } }))).not.toContain(
      '<response-format>',
    ));
  test('address and headers', () =>
    expect(build({})).toMatchObject({
      protocol: 'openai-responses-v1',
      url: 'https://api.openai.com/v1/responses',
      headers: { 'content-type': 'application/json', authorization: '…' },
    }));
});
