/** OpenAI Chat and the many endpoints that speak it almost alike (assembler page, 9.2 and the rows of 12.5). */
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../shared/model/index.ts';
import { isFault, type Reply } from '../replies/index.ts';
import { optionsFor } from '../replies/testing/answers.ts';
import { feed } from '../replies/testing/collect.ts';
import { parseChatReply } from './reply.ts';

const PROTOCOL = 'openai-chat-v1';
const body = (message: Json, more: JsonObject = {}): JsonObject => ({
  choices: [{ index: 0, message, finish_reason: 'stop', ...more }],
});
const parse = (message: Json, more: JsonObject = {}): Reply => {
  const reply = parseChatReply(body(message, more), optionsFor(PROTOCOL));
  if (isFault(reply)) throw new Error(reply.message);
  return reply;
};

describe('whole replies', () => {
  test.each([
    ['a text', 'x', 'x'],
    ['no text', null, ''],
    [
      'parts',
      [{ type: 'text', text: 'a' }, { type: 'thinking', thinking: 'no' }, { type: 'text', text: 'b' }, 5],
      'ab',
    ],
    ['another shape', { text: 'x' }, ''],
  ])('content: %s', (_, content, text) => {
    expect(parse({ content }).text).toBe(text);
  });

  test.each([
    ['reasoning_content', { content: 'x', reasoning_content: 'r' }, 'r', 'reasoning_content', null],
    ['reasoning', { content: 'x', reasoning: 'r' }, 'r', 'reasoning', [{ reasoning: 'r' }]],
    ['both', { content: 'x', reasoning: 'b', reasoning_content: 'a' }, 'a', 'reasoning_content', null],
    ['think tags', { content: '<think>r</think>x' }, 'r', 'inline', null],
    ['a field and think tags', { content: '<think>s</think>x', reasoning_content: 'r' }, 'r\n\ns', 'inline', null],
    ['none', { content: 'x' }, '', null, null],
  ])('reasoning in %s', (_, message, reasoning, from, blocks) => {
    const reply = parse(message);
    expect(reply).toMatchObject({ text: 'x', reasoning, reasoningFrom: from });
    expect(reply.continuation?.blocks ?? null).toEqual(blocks);
  });

  test('calls: ids and arguments as they came, none without a name', () => {
    const calls = [
      { id: 'a', type: 'function', function: { name: 'one', arguments: '{"x": 1}' } },
      { id: '', type: 'function', function: { name: 'two', arguments: '' } },
      { id: 'c', type: 'function', function: { arguments: '{}' } },
      'junk',
    ];
    const reply = parse({ content: null, tool_calls: calls }, { finish_reason: 'tool_calls' });
    const { sha256Hex } = optionsFor(PROTOCOL);
    expect(reply.toolCalls).toEqual([
      { id: 'a', name: 'one', arguments: '{"x": 1}' },
      { id: `call_${sha256Hex('{"model":"m"}\n1').slice(0, 24)}`, name: 'two', arguments: '{}' },
    ]);
    expect(reply.diagnostics.warnings).toEqual(['call-without-name']);
  });

  test('a call that was cut off or filtered is not released', () => {
    const call = (text: string): JsonObject => ({
      tool_calls: [{ id: 'a', function: { name: 'n', arguments: text } }],
    });
    expect(parse(call('{"a":'), { finish_reason: 'length' })).toMatchObject({
      toolCalls: [],
      diagnostics: { warnings: ['call-dropped'] },
    });
    expect(parse(call('{"a":1}'), { finish_reason: 'length' }).toolCalls).toHaveLength(1);
    expect(parse(call('{"a":1}'), { finish_reason: 'content_filter' }).toolCalls).toEqual([]);
    expect(parse(call('{"a":'), { finish_reason: 'tool_calls' }).toolCalls).toHaveLength(1);
  });

  test.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['tool_calls', 'tool_calls'],
    ['function_call', 'tool_calls'],
    ['content_filter', 'content_filter'],
    ['sensitive', 'content_filter'],
    ['eos', 'other'],
    [null, 'other'],
  ])('finish %s is %s', (raw, unified) => {
    expect(parse({ content: 'x' }, { finish_reason: raw }).finish).toEqual({ unified, raw });
  });

  test('stop with calls is tool_calls: a named tool choice ends so', () => {
    const tool_calls = [{ id: 'a', function: { name: 'n', arguments: '{}' } }];
    expect(parse({ tool_calls }).finish).toEqual({ unified: 'tool_calls', raw: 'stop' });
  });

  test.each([
    ['error', 'unknown'],
    ['network_error', 'server'],
    ['insufficient_system_resource', 'overloaded'],
  ])('finish %s is a fault', (raw, kind) => {
    const fault = parseChatReply(body({ content: 'x' }, { finish_reason: raw }), optionsFor(PROTOCOL));
    expect(fault).toMatchObject({ code: 'PROVIDER_ERROR', kind });
  });

  test('a refusal is no reply, and is billed', () => {
    const json = { ...body({ content: null, refusal: 'No.' }), usage: { prompt_tokens: 5, completion_tokens: 1 } };
    expect(parseChatReply(json, optionsFor(PROTOCOL))).toMatchObject({
      code: 'REFUSAL',
      message: 'No.',
      usage: { input: 5 },
    });
  });

  test('of several answers the first is read', () => {
    const choice = (index: number, content: string): JsonObject => ({
      index,
      message: { content },
      finish_reason: 'stop',
    });
    const reply = parseChatReply({ choices: [choice(1, 'b'), choice(0, 'a')] }, optionsFor(PROTOCOL));
    expect(reply).toMatchObject({ text: 'a', diagnostics: { warnings: ['more-choices'] } });
  });

  test.each([
    ['no choices', {}],
    ['empty choices', { choices: [] }],
    ['a choice without a message', { choices: [{ finish_reason: 'stop' }] }],
    ['a message that is text', { choices: [{ message: 'x' }] }],
  ])('%s is a fault', (_, json) => {
    expect(parseChatReply(json, optionsFor(PROTOCOL))).toMatchObject({ code: 'PROVIDER_ERROR' });
  });
});

describe('streams', () => {
  const chunk = (delta: JsonObject, finish: string | null = null, more: JsonObject = {}): JsonObject => ({
    choices: [{ index: 0, delta, finish_reason: finish, ...more }],
  });
  const call = (fragment: JsonObject): JsonObject => chunk({ tool_calls: [fragment] });
  const part = (index: number | undefined, id: string | null, name: string | null, text: string): JsonObject =>
    call({
      ...(index === undefined ? {} : { index }),
      ...(id === null ? {} : { id }),
      function: { ...(name === null ? {} : { name }), arguments: text },
    });
  const end = chunk({}, 'tool_calls');
  const callsOf = (events: readonly JsonObject[]) => (feed(PROTOCOL, [...events, end]).last as Reply).toolCalls;

  test('a terminal without [DONE] is enough; [DONE] without a terminal is not; an empty reason is none', () => {
    expect(feed(PROTOCOL, [chunk({ content: 'x' }), chunk({}, 'stop')]).last).toMatchObject({ text: 'x' });
    expect(feed(PROTOCOL, [chunk({ content: 'x' }), '[DONE]']).last).toMatchObject({ code: 'PROVIDER_ERROR' });
    expect(feed(PROTOCOL, [chunk({ content: 'x' }, ''), '[DONE]']).last).toMatchObject({ code: 'PROVIDER_ERROR' });
    expect(feed(PROTOCOL, []).last).toMatchObject({ code: 'PROVIDER_ERROR' });
  });

  test('usage is the last that came, also behind the terminal and inside a choice', () => {
    const usage = (n: number): JsonObject => ({ prompt_tokens: n, completion_tokens: 1 });
    const events = [
      { ...chunk({ content: 'x' }), usage: usage(1) },
      chunk({}, 'stop', { usage: usage(2) }),
      { choices: [], usage: null },
    ];
    expect(feed(PROTOCOL, events).last).toMatchObject({ usage: { input: 2 } });
    expect(feed(PROTOCOL, [...events, { choices: [], usage: usage(3) }]).last).toMatchObject({ usage: { input: 3 } });
  });

  test('parallel calls by index, emitted in index order', () => {
    const events = [
      part(1, 'b', 'two', '{"b"'),
      part(0, 'a', 'one', '{"a"'),
      part(1, null, null, ':2}'),
      part(0, null, null, ':1}'),
    ];
    expect(callsOf(events)).toEqual([
      { id: 'a', name: 'one', arguments: '{"a":1}' },
      { id: 'b', name: 'two', arguments: '{"b":2}' },
    ]);
  });

  test.each([
    [
      'no index at all',
      [part(undefined, 'a', 'one', '{}'), part(undefined, 'b', 'two', '{"x"'), part(undefined, null, null, ':1}')],
    ],
    ['every index 0', [part(0, 'a', 'one', '{}'), part(0, 'b', 'two', '{"x"'), part(undefined, null, null, ':1}')]],
    [
      'id and name again in every piece',
      [part(0, 'a', 'one', '{}'), part(1, 'b', 'two', '{"x"'), part(1, 'b', 'two', ':1}')],
    ],
  ])('calls with %s', (_, events) => {
    expect(callsOf(events)).toEqual([
      { id: 'a', name: 'one', arguments: '{}' },
      { id: 'b', name: 'two', arguments: '{"x":1}' },
    ]);
  });

  test('a truncated stream of a call emits none', () => {
    const seen = feed(PROTOCOL, [part(0, 'a', 'one', '{"x":'), '[DONE]']);
    expect(seen.calls).toEqual([]);
    expect(seen.events.map((event) => event.type)).toEqual(['tool-argument-delta', 'fault']);
  });

  test('think tags are split while they come', () => {
    const events = ['<th', 'ink>', 'pl', 'an', '</thi', 'nk>', '\n\n', 'sto', 'ry'].map((content) =>
      chunk({ content }),
    );
    const seen = feed(PROTOCOL, [...events, chunk({}, 'stop')]);
    expect(seen.events.map((event) => (event.type === 'done' ? 'done' : 'text' in event ? event.text : ''))).toEqual([
      'pl',
      'an',
      'sto',
      'ry',
      'done',
    ]);
    expect(seen.last).toMatchObject({ text: 'story', reasoning: 'plan', reasoningFrom: 'inline', continuation: null });
  });

  test('a text that only begins like a tag comes out whole', () => {
    const seen = feed(PROTOCOL, [chunk({ content: ' <th' }), chunk({}, 'stop')]);
    expect([seen.text, (seen.last as Reply).text]).toEqual([' <th', ' <th']);
  });

  test('reasoning in the field `reasoning` goes back under that name', () => {
    const seen = feed(PROTOCOL, [
      chunk({ reasoning: 'a' }),
      chunk({ reasoning: 'b' }),
      chunk({ content: 'x' }, 'stop'),
    ]);
    expect(seen.last).toMatchObject({ reasoningFrom: 'reasoning', continuation: { blocks: [{ reasoning: 'ab' }] } });
  });

  test('a streamed refusal: no call, no done', () => {
    const seen = feed(PROTOCOL, [part(0, 'a', 'one', '{}'), chunk({ refusal: 'N' }), chunk({ refusal: 'o.' }, 'stop')]);
    expect(seen.last).toMatchObject({ code: 'REFUSAL', message: 'No.' });
    expect(seen.calls).toEqual([]);
  });

  test('other answers are not mixed in', () => {
    const other = { choices: [{ index: 1, delta: { content: 'no' }, finish_reason: 'stop' }] };
    const seen = feed(PROTOCOL, [chunk({ content: 'x' }), other, chunk({}, 'stop')]);
    expect(seen.last).toMatchObject({ text: 'x', diagnostics: { warnings: ['more-choices'] } });
    expect(feed(PROTOCOL, [other]).last).toMatchObject({ code: 'PROVIDER_ERROR' });
  });
});
