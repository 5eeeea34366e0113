/** The four protocols, whole and streamed: an answer comes back as it was given, however it was cut on its way. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PROTOCOLS, type Protocol } from '../../../shared/model/index.ts';
import {
  isFault,
  parseReplyOf,
  readReplyEvents,
  streamOf,
  type Reply,
  type ReplyFault,
  type StreamEvent,
} from './index.ts';
import { bodyOf, cutEvery, eventsOf, optionsFor, SAMPLE, sseOf, type Answer } from './testing/answers.ts';
import { collected, feed, feedBytes } from './testing/collect.ts';

const parse = (protocol: Protocol, answer: Answer): Reply => {
  const reply = parseReplyOf(protocol)(bodyOf(protocol, answer), optionsFor(protocol));
  if (isFault(reply)) throw new Error(reply.message);
  return reply;
};

const writes: Partial<Record<Protocol, number | null>> = { 'google-generative-ai-v1': null };

describe.each(PROTOCOLS)('%s', (protocol) => {
  test('a whole reply', () => {
    const reply = parse(protocol, SAMPLE);
    const write = protocol in writes ? null : 10;
    expect(reply).toMatchObject({
      text: SAMPLE.text,
      reasoning: SAMPLE.reasoning,
      toolCalls: [
        { id: 'call_a', name: 'set-tide', arguments: '{"level":"low","hours":6}' },
        { id: 'call_b', name: 'note', arguments: '{"text":"九点 \\"low\\" tide"}' },
      ],
      finish: { unified: 'tool_calls' },
      usage: {
        usage: { uncached: write === null ? 40 : 30, read: 60, write, output: 20 },
        input: 100,
        problems: [],
      },
      diagnostics: { warnings: [] },
    });
    expect(reply.diagnostics.responseId).toMatch(/_1$/);
    expect(reply.diagnostics.model).toBe(optionsFor(protocol).model);
  });

  test('a natural end and a cut one', () => {
    const short: Answer = { ...SAMPLE, calls: [] };
    expect(parse(protocol, short).finish.unified).toBe('stop');
    expect(parse(protocol, { ...short, end: 'length' }).finish.unified).toBe('length');
  });

  test.each(['\n', '\r\n', '\r'])('streamed byte by byte with line end %j', (newline) => {
    const bytes = new TextEncoder().encode(sseOf(protocol, eventsOf(protocol, SAMPLE, cutEvery(3)), newline));
    const chunks = Array.from(bytes, (byte) => Uint8Array.of(byte));
    const seen = feedBytes(streamOf(protocol)(optionsFor(protocol)), chunks);
    expect(seen.last).toEqual(parse(protocol, SAMPLE));
    expect(seen.text).toBe(SAMPLE.text);
    expect(seen.reasoning).toBe(SAMPLE.reasoning);
  });

  test('calls come whole, once, in order, and only just before the end', () => {
    const { events } = feed(protocol, eventsOf(protocol, SAMPLE, cutEvery(2)));
    expect(events.slice(-3).map((event) => event.type)).toEqual(['tool-call', 'tool-call', 'done']);
    expect(events.filter((event) => event.type === 'tool-call')).toHaveLength(2);
    expect(events.filter((event) => event.type === 'done')).toHaveLength(1);
    const progress = events.flatMap((event) => (event.type === 'tool-argument-delta' ? [event] : []));
    for (const [index, call] of SAMPLE.calls.entries()) {
      const own = progress.filter((event) => event.index === index);
      expect(own.map((event) => event.text).join('')).toBe(JSON.stringify(call.args));
      expect(own.every((event) => event.name === call.name && event.id === call.id)).toBe(true);
    }
  });

  test('a stream that ends before its reply does is a fault and releases no call', () => {
    const events = eventsOf(protocol, SAMPLE);
    // Chat's usage chunk and Gemini's end of connection come behind the terminal.
    const terminal = protocol === 'openai-chat-v1' ? events.length - 2 : events.length - 1;
    for (let n = 0; n <= terminal; n++) {
      for (const tail of [[], ['[DONE]']]) {
        const { last, calls } = feed(protocol, [...events.slice(0, n), ...tail]);
        expect(last).toMatchObject({ code: 'PROVIDER_ERROR', retriable: true });
        expect((last as ReplyFault).message).toContain('the stream ended before the reply did');
        expect(calls).toEqual([]);
      }
    }
    expect(feed(protocol, events.slice(0, terminal + 1)).last).toHaveProperty('finish');
  });

  test.each([
    { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    { type: 'error', code: 'overloaded_error', message: 'Overloaded' },
    { error: { code: 503, message: 'Overloaded' } },
  ])('an error in the middle of a stream ends it, %j', (error) => {
    const events = eventsOf(protocol, SAMPLE);
    const seen = feed(protocol, [...events.slice(0, 4), error, ...events.slice(4)]);
    expect(seen.last).toMatchObject({ code: 'PROVIDER_ERROR', kind: 'overloaded', message: 'Overloaded' });
    expect(seen.events.filter((event) => event.type === 'fault')).toHaveLength(1);
  });

  test.each([['not json'], ['[1]'], ['"text"'], ['null']])('an event that is %s ends it', (data) => {
    const { last } = feed(protocol, [...eventsOf(protocol, SAMPLE).slice(0, 3), data]);
    expect(last).toMatchObject({ code: 'PROVIDER_ERROR' });
  });

  test.each([
    ['no object', [], 'PROVIDER_ERROR', 'unknown'],
    ['an empty object', {}, 'PROVIDER_ERROR', 'unknown'],
    ['an error', { error: { message: 'boom', type: 'server_error' } }, 'PROVIDER_ERROR', 'server'],
    ['a rate limit', { error: { code: 429, message: 'slow down' } }, 'RATE_LIMITED', 'rate_limited'],
    ['an error as text', { error: 'boom' }, 'PROVIDER_ERROR', 'unknown'],
    ['an error beside a reply', { ...bodyOf(protocol, SAMPLE), error: { message: 'x' } }, 'PROVIDER_ERROR', 'unknown'],
    ['type error', { type: 'error', message: 'x' }, 'PROVIDER_ERROR', 'unknown'],
  ])('HTTP 200 with %s is no success', (_, body, code, kind) => {
    expect(parseReplyOf(protocol)(body, optionsFor(protocol))).toMatchObject({ code, kind });
  });

  test('a reply without usage has none', () => {
    const { usage, usageMetadata, ...body } = bodyOf(protocol, SAMPLE);
    expect(usage ?? usageMetadata).toBeDefined();
    const reply = parseReplyOf(protocol)(body, optionsFor(protocol)) as Reply;
    expect(reply.usage).toBeNull();
    expect(reply.diagnostics.rawUsage).toBeNull();
  });

  test('calls without ids get ids from the request, the same whole and streamed', () => {
    const bare = (value: unknown): unknown =>
      JSON.parse(JSON.stringify(value, (key, v: unknown) => (/^(id|call_id|item_id)$/.test(key) ? undefined : v)));
    const options = optionsFor(protocol);
    const reply = parseReplyOf(protocol)(bare(bodyOf(protocol, SAMPLE)) as never, options) as Reply;
    const ids = reply.toolCalls.map((call) => call.id);
    expect(ids).toEqual([0, 1].map((i) => `call_${options.sha256Hex(`{"model":"m"}\n${i}`).slice(0, 24)}`));
    const seen = feed(protocol, bare(eventsOf(protocol, SAMPLE)) as never);
    expect(seen.last).toMatchObject({ toolCalls: reply.toolCalls });
  });

  test('any answer, cut anywhere, comes back whole', () => {
    const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
    const answer = fc.record<Answer>({
      text: fc.string({ unit: 'grapheme', maxLength: 80 }).filter((text) => !/^\s*</.test(text)),
      reasoning: fc.oneof(
        fc.constant(''),
        word.filter((text) => text.trim() !== ''),
      ),
      calls: fc.array(
        fc.record({
          id: fc.uuid(),
          name: fc.stringMatching(/^[a-z-]{1,12}$/),
          args: fc.dictionary(word, fc.jsonValue({ maxDepth: 2 })) as fc.Arbitrary<Answer['calls'][number]['args']>,
        }),
        { maxLength: 3 },
      ),
      end: fc.constant('stop' as const),
      tokens: fc.record({ uncached: fc.nat(9999), read: fc.nat(9999), write: fc.nat(9999), output: fc.nat(9999) }),
    });
    fc.assert(
      fc.property(answer, fc.integer({ min: 1, max: 9 }), fc.integer({ min: 3, max: 60 }), (given, cut, size) => {
        const bytes = new TextEncoder().encode(sseOf(protocol, eventsOf(protocol, given, cutEvery(cut)), '\r\n'));
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
          bytes.subarray(i * size, (i + 1) * size),
        );
        const seen = feedBytes(streamOf(protocol)(optionsFor(protocol)), chunks);
        const reply = parse(protocol, given);
        expect(seen.last).toEqual(reply);
        expect(seen.text).toBe(given.text);
        expect(seen.reasoning).toBe(given.reasoning);
        expect(reply.text).toBe(given.text);
        expect(reply.reasoning).toBe(given.reasoning);
        expect(reply.toolCalls.map((call) => JSON.parse(call.arguments) as unknown)).toEqual(
          given.calls.map((call) => JSON.parse(JSON.stringify(call.args)) as unknown),
        );
      }),
      { numRuns: 60 },
    );
  }, 30_000);
});

describe('reading from bytes', () => {
  async function* body(protocol: Protocol, text: string, log: string[]): AsyncGenerator<Uint8Array> {
    try {
      for (const byte of new TextEncoder().encode(text)) yield Uint8Array.of(byte);
      log.push('drained');
    } finally {
      log.push('closed');
    }
    log.push(protocol);
  }

  test.each(PROTOCOLS)('%s: events come as the bytes do, and the body is closed', async (protocol) => {
    const log: string[] = [];
    const events: StreamEvent[] = [];
    const text =
      sseOf(protocol, eventsOf(protocol, SAMPLE)) + (protocol === 'google-generative-ai-v1' ? '' : 'data: x');
    for await (const event of readReplyEvents(body(protocol, text, log), streamOf(protocol)(optionsFor(protocol)))) {
      events.push(event);
    }
    expect(collected(events).last).toEqual(parse(protocol, SAMPLE));
    // Gemini has no word for the end of a stream; the others cancel the body when they know it.
    expect(log).toEqual(protocol === 'google-generative-ai-v1' ? ['drained', 'closed', protocol] : ['closed']);
  });

  test('stopping early closes the body', async () => {
    const log: string[] = [];
    const text = sseOf('openai-chat-v1', eventsOf('openai-chat-v1', SAMPLE));
    const stream = streamOf('openai-chat-v1')(optionsFor('openai-chat-v1'));
    for await (const event of readReplyEvents(body('openai-chat-v1', text, log), stream)) {
      if (event.type === 'text-delta') break;
    }
    expect(log).toEqual(['closed']);
  });
});
