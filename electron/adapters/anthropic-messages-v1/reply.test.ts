/** Rows of the assembler page, 12.5, that Anthropic replies are about, and the rules of 9.1.4. */
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../shared/model/index.ts';
import { isFault, type Reply } from '../replies/index.ts';
import { optionsFor } from '../replies/testing/answers.ts';
import { feed } from '../replies/testing/collect.ts';
import { parseAnthropicReply } from './reply.ts';

const PROTOCOL = 'anthropic-messages-v1';
const parse = (content: Json, more: JsonObject = {}): Reply => {
  const body = { type: 'message', content, stop_reason: 'end_turn', ...more };
  const reply = parseAnthropicReply(body, optionsFor(PROTOCOL));
  if (isFault(reply)) throw new Error(reply.message);
  return reply;
};
const fault = (body: Json) => parseAnthropicReply(body, optionsFor(PROTOCOL));

const text = (words: string): JsonObject => ({ type: 'text', text: words });
const thinking = (words: string, signature = 's'): JsonObject => ({ type: 'thinking', thinking: words, signature });
const use = (input: Json): JsonObject => ({ type: 'tool_use', id: 'c1', name: 'look', input });

describe('whole replies', () => {
  test('text is all text blocks, reasoning the thinking blocks that are not blank', () => {
    const reply = parse([thinking('a'), text('One.'), thinking(' \n'), thinking('b'), text(' Two.')]);
    expect(reply.text).toBe('One. Two.');
    expect(reply.reasoning).toBe('a\n\nb');
    expect(reply.reasoningFrom).toBe('native');
  });

  test('empty thinking is not shown', () => {
    expect(parse([thinking(''), text('x')])).toMatchObject({ reasoning: '', reasoningFrom: null });
  });

  test('signed blocks are kept in order for the way back', () => {
    const blocks = [thinking('a'), { type: 'redacted_thinking', data: 'd' }, text('x'), use({ at: 1 })];
    expect(parse(blocks, { stop_reason: 'tool_use' }).continuation).toEqual({
      protocol: PROTOCOL,
      model: 'claude-sonnet-4-5',
      baseUrl: 'https://api.anthropic.com',
      blocks,
    });
  });

  test('unsigned thinking and empty texts do not go back', () => {
    expect(parse([thinking('a', ''), text('x')]).continuation).toBeNull();
    expect(parse([thinking('a', ''), thinking('b'), text('')]).continuation?.blocks).toEqual([thinking('b')]);
    expect(parse([text('x'), use({})]).continuation).toBeNull();
  });

  test('calls that are not released do not go back, made ids do', () => {
    const made = `call_${optionsFor(PROTOCOL).sha256Hex('{"model":"m"}\n1').slice(0, 24)}`;
    const bare = { type: 'tool_use', name: 'look', input: { a: 1 } };
    const reply = parse([thinking('a'), use({}), bare], { stop_reason: 'max_tokens' });
    expect(reply.toolCalls.map(({ id }) => id)).toEqual([made]);
    expect(reply.continuation?.blocks).toEqual([thinking('a'), { ...bare, id: made }]);
  });

  test.each([
    ['an object', { a: 1 }, '{"a":1}'],
    ['nothing', {}, '{}'],
    ['no input at all', null, '{}'],
  ])('arguments: %s', (_, input, expected) => {
    expect(parse([use(input)]).toolCalls).toEqual([{ id: 'c1', name: 'look', arguments: expected }]);
  });

  test('a call in a reply that was cut off is released only with whole arguments', () => {
    const cut = { stop_reason: 'max_tokens' };
    expect(parse([use({})], cut)).toMatchObject({ toolCalls: [], diagnostics: { warnings: ['call-dropped'] } });
    expect(parse([use({ a: 1 })], cut).toolCalls).toHaveLength(1);
  });

  test('a call without a name is not released, tools of the server are not ours', () => {
    const reply = parse([
      { type: 'tool_use', id: 'c', input: {} },
      { type: 'server_tool_use', id: 's', name: 'web' },
    ]);
    expect(reply.toolCalls).toEqual([]);
    expect(reply.diagnostics.warnings).toEqual(['call-without-name']);
  });

  test.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['tool_use', 'tool_calls'],
    ['pause_turn', 'other'],
    ['toString', 'other'],
    [null, 'other'],
  ])('finish %s is %s', (raw, unified) => {
    expect(parse([text('x')], { stop_reason: raw }).finish).toEqual({ unified, raw });
  });

  test('a refusal is no reply, and is billed', () => {
    const body = {
      content: [text('I'), use({ a: 1 })],
      stop_reason: 'refusal',
      stop_details: { type: 'refusal', category: 'cyber', explanation: 'No.' },
      usage: { input_tokens: 9, output_tokens: 1 },
    };
    expect(fault(body)).toEqual({
      code: 'REFUSAL',
      kind: 'refused',
      message: 'No.',
      retriable: false,
      usage: expect.objectContaining({ input: 9 }) as unknown,
    });
  });

  test('the provider tells why its cache missed', () => {
    const reason = { type: 'tools_changed', cache_missed_input_tokens: 512 };
    expect(parse([], { diagnostics: { cache_miss_reason: reason } }).diagnostics.cache).toEqual({
      reason: 'tools_changed',
      missedTokens: 512,
    });
    expect(parse([], { diagnostics: { cache_miss_reason: { type: 'unavailable' } } }).diagnostics.cache).toEqual({
      reason: 'unavailable',
      missedTokens: null,
    });
    expect(parse([], { diagnostics: null }).diagnostics.cache).toBeNull();
  });

  test('content that is no list is a fault, blocks of any shape are not', () => {
    expect(fault({ content: 'text', stop_reason: 'end_turn' })).toMatchObject({ code: 'PROVIDER_ERROR' });
    expect(parse([null, 5, 'x', [], {}, { type: 'text', text: 5 }, { type: 'new_block' }]).text).toBe('');
  });

  test('arguments nested deeper than can be written are a fault', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`) as Json;
    expect(fault({ content: [use(deep)], stop_reason: 'tool_use' })).toMatchObject({ code: 'PROVIDER_ERROR' });
  });
});

describe('streams', () => {
  const start = (index: number, content_block: JsonObject): JsonObject => ({
    type: 'content_block_start',
    index,
    content_block,
  });
  const delta = (index: number, value: JsonObject): JsonObject => ({
    type: 'content_block_delta',
    index,
    delta: value,
  });
  const stop = (index: number): JsonObject => ({ type: 'content_block_stop', index });
  const opening = (usage: JsonObject = {}): JsonObject => ({ type: 'message_start', message: { id: 'm', usage } });
  const closing = (reason: string | null, usage: JsonObject = {}): readonly JsonObject[] => [
    { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ];

  test('thinking, its signature, text and fragments of a call become whole blocks', () => {
    const seen = feed(PROTOCOL, [
      opening(),
      start(0, { type: 'thinking', thinking: '', signature: '' }),
      delta(0, { type: 'thinking_delta', thinking: 'pl' }),
      delta(0, { type: 'thinking_delta', thinking: 'an' }),
      delta(0, { type: 'signature_delta', signature: 'sig' }),
      stop(0),
      { type: 'ping' },
      start(1, text('')),
      delta(1, { type: 'text_delta', text: 'Hello' }),
      stop(1),
      start(2, use({})),
      delta(2, { type: 'input_json_delta', partial_json: '' }),
      delta(2, { type: 'input_json_delta', partial_json: '{"a": ' }),
      delta(2, { type: 'input_json_delta', partial_json: '[1]}' }),
      stop(2),
      ...closing('tool_use'),
    ]);
    const blocks = [thinking('plan', 'sig'), text('Hello'), use({ a: [1] })];
    expect(seen.last).toEqual(parse(blocks, { id: 'm', stop_reason: 'tool_use', usage: {} }));
    expect(seen.last).toMatchObject({ continuation: { blocks } });
    expect([seen.text, seen.reasoning]).toEqual(['Hello', 'plan']);
  });

  test('an empty argument stream is an empty object', () => {
    const events = [opening(), start(0, use({})), delta(0, { type: 'input_json_delta', partial_json: '' }), stop(0)];
    expect(feed(PROTOCOL, [...events, ...closing('tool_use')]).last).toMatchObject({
      toolCalls: [{ arguments: '{}' }],
    });
  });

  test('arguments that are no JSON stay as the model wrote them, unless the reply was cut off', () => {
    const events = [
      opening(),
      start(0, use({})),
      delta(0, { type: 'input_json_delta', partial_json: '{"a":' }),
      stop(0),
    ];
    expect(feed(PROTOCOL, [...events, ...closing('tool_use')]).last).toMatchObject({
      toolCalls: [{ arguments: '{"a":' }],
    });
    expect(feed(PROTOCOL, [...events, ...closing('max_tokens')]).last).toMatchObject({ toolCalls: [] });
  });

  test('usage: the input side at the start, the output at the end, corrections win, null changes nothing', () => {
    const first = { input_tokens: 40, cache_read_input_tokens: 32, cache_creation_input_tokens: 8, output_tokens: 1 };
    const last = { output_tokens: 7, input_tokens: null, cache_read_input_tokens: null };
    expect(feed(PROTOCOL, [opening(first), ...closing('end_turn', last)]).last).toMatchObject({
      usage: { usage: { uncached: 40, read: 32, write: 8, output: 7 }, input: 80, problems: [] },
    });
    const relay = { input_tokens: 12, output_tokens: 3 };
    expect(
      feed(PROTOCOL, [opening({ input_tokens: 0, output_tokens: 0 }), ...closing('end_turn', relay)]).last,
    ).toMatchObject({ usage: { input: 12, usage: { output: 3 } } });
  });

  test('blank thinking says nothing, also where it comes in pieces', () => {
    const seen = feed(PROTOCOL, [
      opening(),
      start(0, thinking('a')),
      stop(0),
      start(1, thinking('')),
      delta(1, { type: 'thinking_delta', thinking: ' ' }),
      delta(1, { type: 'thinking_delta', thinking: '\n' }),
      stop(1),
      start(2, thinking('')),
      delta(2, { type: 'thinking_delta', thinking: ' ' }),
      delta(2, { type: 'thinking_delta', thinking: 'b' }),
      stop(2),
      ...closing('end_turn'),
    ]);
    expect(seen.reasoning).toBe('a\n\n b');
    expect(seen.last).toMatchObject({ reasoning: 'a\n\n b' });
  });

  test('a refusal at the end: no call, no done', () => {
    const seen = feed(PROTOCOL, [opening(), start(0, use({ a: 1 })), stop(0), ...closing('refusal')]);
    expect(seen.last).toMatchObject({ code: 'REFUSAL' });
    expect(seen.calls).toEqual([]);
  });

  test('citations are kept in their block', () => {
    const citation = { type: 'char_location', cited_text: 'x' };
    const seen = feed(PROTOCOL, [
      opening(),
      start(0, thinking('a')),
      stop(0),
      start(1, { type: 'text', text: '', citations: [] }),
      delta(1, { type: 'citations_delta', citation }),
      delta(1, { type: 'text_delta', text: 'x' }),
      ...closing('end_turn'),
    ]);
    expect(seen.last).toMatchObject({ continuation: { blocks: [{}, { text: 'x', citations: [citation] }] } });
  });

  test('a text whose block was never opened is read; what belongs to no open block is a fault', () => {
    expect(feed(PROTOCOL, [delta(0, { type: 'text_delta', text: 'x' }), ...closing('end_turn')]).last).toMatchObject({
      text: 'x',
    });
    const events = [start(0, text('a')), stop(0), delta(0, { type: 'text_delta', text: 'late' })];
    expect(feed(PROTOCOL, [...events, ...closing('end_turn')]).last).toMatchObject({ code: 'PROVIDER_ERROR' });
    const args = delta(0, { type: 'input_json_delta', partial_json: '{}' });
    expect(feed(PROTOCOL, [args, ...closing('end_turn')]).last).toMatchObject({ code: 'PROVIDER_ERROR' });
    const wrong = [start(0, use({})), delta(0, { type: 'text_delta', text: 'x' })];
    expect(feed(PROTOCOL, [...wrong, ...closing('end_turn')]).last).toMatchObject({ code: 'PROVIDER_ERROR' });
  });

  test('nothing is said after the end', () => {
    const seen = feed(PROTOCOL, [...closing('end_turn'), start(0, text('late')), { type: 'message_stop' }]);
    expect(seen.events.map((event) => event.type)).toEqual(['done']);
  });
});
