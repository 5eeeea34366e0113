/** OpenAI Responses: how a response may end, and what of it is the reply (assembler page, 8.9 and 9.3). */
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../shared/model/index.ts';
import { isFault, type Reply } from '../replies/index.ts';
import { optionsFor } from '../replies/testing/answers.ts';
import { feed } from '../replies/testing/collect.ts';
import { parseResponsesReply } from './reply.ts';

const PROTOCOL = 'openai-responses-v1';
const read = (json: Json) => parseResponsesReply(json, optionsFor(PROTOCOL));
const parse = (output: Json, more: JsonObject = {}): Reply => {
  const reply = read({ id: 'r', status: 'completed', output, ...more });
  if (isFault(reply)) throw new Error(reply.message);
  return reply;
};

const message = (...texts: readonly string[]): JsonObject => ({
  type: 'message',
  role: 'assistant',
  content: texts.map((text) => ({ type: 'output_text', text })),
});
const call = (more: JsonObject = {}): JsonObject => ({
  type: 'function_call',
  id: 'fc',
  call_id: 'c1',
  name: 'look',
  arguments: '{"a":1}',
  ...more,
});
const reasoning = (...texts: readonly string[]): JsonObject => ({
  type: 'reasoning',
  id: 'rs',
  summary: texts.map((text) => ({ type: 'summary_text', text })),
  encrypted_content: 'e',
});

describe('whole replies', () => {
  test.each([
    ['completed', {}, 'stop', 'completed'],
    ['incomplete', {}, 'length', 'incomplete'],
    ['incomplete', { incomplete_details: { reason: 'max_output_tokens' } }, 'length', 'max_output_tokens'],
    ['incomplete', { incomplete_details: { reason: 'content_filter' } }, 'content_filter', 'content_filter'],
    ['incomplete', { incomplete_details: { reason: 'steered' } }, 'length', 'steered'],
  ])('status %s %j is %s', (status, more, unified, raw) => {
    expect(parse([message('x')], { status, ...more }).finish).toEqual({ unified, raw });
  });

  test.each(['failed', 'cancelled', 'in_progress', 'queued', '', null, 5])('status %j is a fault', (status) => {
    expect(read({ status, output: [message('x')] })).toMatchObject({ code: 'PROVIDER_ERROR' });
  });

  test('a failed response says why, and is billed', () => {
    const error = { code: 'rate_limit_exceeded', message: 'slow' };
    const usage = { input_tokens: 5, output_tokens: 0 };
    expect(read({ status: 'failed', error, output: [], usage })).toMatchObject({
      code: 'RATE_LIMITED',
      message: 'slow',
      usage: { input: 5 },
    });
  });

  test('text of all messages, reasoning of all summaries that are not blank', () => {
    const reply = parse([reasoning('a', ' ', 'b'), message('x', 'y'), reasoning('c'), message('z')]);
    expect([reply.text, reply.reasoning]).toEqual(['xyz', 'a\n\nb\n\nc']);
  });

  test('without a summary the thought itself is the reasoning; tags in the text are too', () => {
    const thought = { type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 't' }] };
    expect(parse([thought, message('x')]).reasoning).toBe('t');
    expect(parse([message('<think>t</think>x')])).toMatchObject({ text: 'x', reasoning: 't', reasoningFrom: 'inline' });
  });

  test('ids: call_id, else the item id, else made from the request', () => {
    const ids = parse([call(), call({ call_id: '' }), call({ call_id: null, id: null })]).toolCalls.map(({ id }) => id);
    const made = `call_${optionsFor(PROTOCOL).sha256Hex('{"model":"m"}\n2').slice(0, 24)}`;
    expect(ids).toEqual(['c1', 'fc', made]);
  });

  test('completed with calls is tool_calls; cut calls are not released', () => {
    expect(parse([call()]).finish.unified).toBe('tool_calls');
    const cut = parse([call({ arguments: '{"a"' }), call()], { status: 'incomplete' });
    expect(cut.toolCalls).toHaveLength(1);
    expect(cut.diagnostics.warnings).toEqual(['call-dropped']);
    expect(cut.continuation?.blocks).toEqual([call()]);
  });

  test('native items are kept for the way back, a message alone is not', () => {
    const output = [reasoning('a'), message('x'), call()];
    expect(parse(output).continuation).toMatchObject({ protocol: PROTOCOL, blocks: output });
    expect(parse([message('x')]).continuation).toBeNull();
    expect(parse([call({ call_id: null })]).continuation?.blocks).toEqual([call({ call_id: 'fc' })]);
  });

  test('a refusal is no reply', () => {
    const refused = { type: 'message', content: [{ type: 'refusal', refusal: 'No.' }] };
    expect(read({ status: 'completed', output: [refused, call()] })).toMatchObject({ code: 'REFUSAL', message: 'No.' });
  });

  test.each([
    [
      { type: 'cache_miss', reason: 'tools_changed', cache_missed_tokens: 9 },
      { reason: 'tools_changed', missedTokens: 9 },
    ],
    [{ type: 'cache_hit' }, { reason: 'cache_hit', missedTokens: null }],
    [{ type: 'unavailable' }, { reason: 'unavailable', missedTokens: null }],
    [null, null],
    ['x', null],
  ])('cache diagnostics %j', (prompt_cache_diagnostics, expected) => {
    expect(parse([], { prompt_cache_diagnostics }).diagnostics.cache).toEqual(expected);
  });

  test('no output is a fault, odd items are not', () => {
    expect(read({ status: 'completed' })).toMatchObject({ code: 'PROVIDER_ERROR' });
    expect(parse([null, 'x', {}, { type: 'message', content: 'x' }, { type: 'web_search_call' }]).text).toBe('');
  });
});

describe('streams', () => {
  const text = (delta: string): JsonObject => ({ type: 'response.output_text.delta', output_index: 0, delta });
  const done = (output_index: number, item: JsonObject): JsonObject => ({
    type: 'response.output_item.done',
    output_index,
    item,
  });
  const completed = (output: Json, more: JsonObject = {}): JsonObject => ({
    type: 'response.completed',
    response: { id: 'r', status: 'completed', output, ...more },
  });

  test('the terminal event carries the reply', () => {
    const seen = feed(PROTOCOL, [text('x'), completed([message('x'), call()], { usage: { input_tokens: 3 } })]);
    expect(seen.last).toMatchObject({ text: 'x', toolCalls: [{ id: 'c1' }], usage: { input: 3 } });
    expect(seen.text).toBe('x');
  });

  test('an empty output is made of the items that were finished, by index', () => {
    const events = [text('x'), done(2, call()), done(0, reasoning('a')), done(1, message('x'))];
    const last = feed(PROTOCOL, [...events, completed([])]).last as Reply;
    expect(last).toMatchObject({ text: 'x', reasoning: 'a', toolCalls: [{ id: 'c1' }] });
    expect(last.continuation?.blocks).toEqual([reasoning('a'), message('x'), call()]);
  });

  test('without finished items: text from its deltas, arguments from their done event', () => {
    const seen = feed(PROTOCOL, [
      text('x'),
      text('y'),
      { type: 'response.output_item.added', output_index: 1, item: call({ arguments: '' }) },
      { type: 'response.function_call_arguments.delta', output_index: 1, delta: '{"a' },
      { type: 'response.function_call_arguments.done', output_index: 1, arguments: '{"a":2}' },
      { type: 'response.output_item.added', output_index: 2, item: call({ call_id: 'c2', arguments: '' }) },
      { type: 'response.function_call_arguments.delta', output_index: 2, delta: '{"b' },
      completed([]),
    ]);
    expect(seen.last).toMatchObject({ text: 'xy', toolCalls: [{ id: 'c1', arguments: '{"a":2}' }] });
    expect(seen.calls).toEqual(['look']);
  });

  test('text and reasoning that only the end brings are said before it', () => {
    const seen = feed(PROTOCOL, [text('x'), completed([reasoning('a', 'b'), message('xyz')])]);
    expect([seen.text, seen.reasoning]).toEqual(['xyz', 'a\n\nb']);
    expect(seen.last).toMatchObject({ text: 'xyz', reasoning: 'a\n\nb', diagnostics: { warnings: [] } });
  });

  test('where the end says another text it counts, with a warning', () => {
    expect(feed(PROTOCOL, [text('abc'), completed([message('xyz')])]).last).toMatchObject({
      text: 'xyz',
      diagnostics: { warnings: ['text-differs'] },
    });
  });

  test('summary and thought of one item are not both said', () => {
    const at = { output_index: 0, summary_index: 0 };
    const seen = feed(PROTOCOL, [
      { type: 'response.reasoning_summary_text.delta', ...at, delta: 'a' },
      { type: 'response.reasoning_text.delta', output_index: 0, content_index: 0, delta: 'thought' },
      { type: 'response.reasoning_summary_text.delta', ...at, summary_index: 1, delta: 'b' },
      completed([reasoning('a', 'b')]),
    ]);
    expect(seen.reasoning).toBe('a\n\nb');
    expect(seen.last).toMatchObject({ reasoning: 'a\n\nb' });
  });

  test.each([
    ['response.failed', { response: { status: 'failed', error: { code: 'server_error', message: 'boom' } } }, 'server'],
    ['response.failed', { response: { status: 'failed', error: null } }, 'unknown'],
    ['response.failed', {}, 'unknown'],
    ['response.cancelled', { response: { status: 'cancelled' } }, 'unknown'],
    ['error', { code: 'rate_limit_exceeded', message: 'slow' }, 'rate_limited'],
    ['response.completed', {}, 'unknown'],
    ['response.completed', { response: { status: 'failed', output: [] } }, 'unknown'],
  ])('%s %j is a fault', (type, more, kind) => {
    const seen = feed(PROTOCOL, [text('x'), { type, ...more }]);
    expect(seen.last).toMatchObject({ kind });
    expect(seen.events.filter((event) => event.type === 'done')).toEqual([]);
  });

  test('response.incomplete ends with length', () => {
    const response = { output: [message('x')], incomplete_details: { reason: 'max_output_tokens' } };
    expect(feed(PROTOCOL, [{ type: 'response.incomplete', response }]).last).toMatchObject({
      finish: { unified: 'length', raw: 'max_output_tokens' },
    });
  });

  test('a streamed refusal: no call, no done', () => {
    const seen = feed(PROTOCOL, [
      { type: 'response.refusal.delta', delta: 'N' },
      { type: 'response.refusal.done', refusal: 'No.' },
      completed([call()]),
    ]);
    expect(seen.last).toMatchObject({ code: 'REFUSAL', message: 'No.' });
    expect(seen.calls).toEqual([]);
  });
});
