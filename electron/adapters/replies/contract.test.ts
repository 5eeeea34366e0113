/**
 * The official clients read the same bytes that we read and must come to the same reply. They are loaded here alone;
 * `fetch` is a stand-in, nothing leaves the process.
 */
import { createRequire } from 'node:module';
import type * as AnthropicSdk from '@anthropic-ai/sdk';
import type Anthropic from '@anthropic-ai/sdk';
import type * as GoogleSdk from '@google/genai';
import type { GenerateContentResponse } from '@google/genai';
import type * as OpenAiSdk from 'openai';
import type OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import type { Json, Protocol } from '../../../shared/model/index.ts';
import { isFault, parseReplyOf, streamOf, type Reply, type ReplyFault } from './index.ts';
import { bodyOf, cutEvery, eventsOf, optionsFor, SAMPLE, sseOf, type Answer } from './testing/answers.ts';
import { feedBytes } from './testing/collect.ts';

const load = createRequire(import.meta.url);

const answers: readonly (readonly [string, Answer])[] = [
  ['text, reasoning and two calls', SAMPLE],
  ['text alone', { ...SAMPLE, reasoning: '', calls: [] }],
  ['a cut text', { ...SAMPLE, calls: [], end: 'length' }],
  ['calls alone', { ...SAMPLE, text: '', reasoning: '' }],
  ['a call without arguments', { ...SAMPLE, calls: [{ id: 'call_c', name: 'look', args: {} }] }],
];

/** A `fetch` that answers every request with these bytes, a few at a time. */
function fetchOf(text: string, type: string, status = 200): typeof fetch {
  const bytes = new TextEncoder().encode(text);
  return () => {
    let at = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (at >= bytes.length) controller.close();
        else controller.enqueue(bytes.slice(at, (at += 11)));
      },
    });
    return Promise.resolve(new Response(body, { status, headers: { 'content-type': type } }));
  };
}

const sse = (protocol: Protocol, answer: Answer, newline = '\r\n'): string =>
  sseOf(protocol, eventsOf(protocol, answer, cutEvery(5)), newline);

const ours = (protocol: Protocol, text: string): Reply | ReplyFault | null =>
  feedBytes(streamOf(protocol)(optionsFor(protocol)), [new TextEncoder().encode(text)]).last;

/** What both sides must agree on. */
type Facts = {
  readonly text: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly args: unknown }[];
  readonly finish: string | null;
  readonly input: number;
  readonly read: number;
  readonly write: number | null;
  readonly output: number;
};

function factsOf(reply: Reply | ReplyFault | null): Facts {
  if (reply === null || isFault(reply)) throw new Error(reply?.message ?? 'no reply');
  const { usage } = reply;
  return {
    text: reply.text,
    calls: reply.toolCalls.map(({ id, name, arguments: text }) => ({ id, name, args: JSON.parse(text) as unknown })),
    finish: reply.finish.raw,
    input: usage?.input ?? -1,
    read: usage?.usage.read ?? -1,
    write: usage?.usage.write ?? null,
    output: usage?.usage.output ?? -1,
  };
}

const json = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;

describe('@anthropic-ai/sdk', () => {
  const protocol = 'anthropic-messages-v1';
  const request = { model: 'claude-opus-4-8', max_tokens: 100, messages: [{ role: 'user' as const, content: 'x' }] };
  const client = (fetch: typeof globalThis.fetch): Anthropic => {
    const sdk = load('@anthropic-ai/sdk') as typeof AnthropicSdk;
    return new sdk.Anthropic({ apiKey: 'x', fetch, maxRetries: 0 });
  };
  const facts = (message: Anthropic.Message): Facts => ({
    text: message.content.flatMap((block) => (block.type === 'text' ? block.text : [])).join(''),
    calls: message.content.flatMap((block) =>
      block.type === 'tool_use' ? [{ id: block.id, name: block.name, args: block.input }] : [],
    ),
    finish: message.stop_reason,
    input:
      message.usage.input_tokens +
      (message.usage.cache_read_input_tokens ?? 0) +
      (message.usage.cache_creation_input_tokens ?? 0),
    read: message.usage.cache_read_input_tokens ?? -1,
    write: message.usage.cache_creation_input_tokens,
    output: message.usage.output_tokens,
  });

  test.each(answers)('%s', async (_, answer) => {
    const text = sse(protocol, answer);
    const anthropic = client(fetchOf(text, 'text/event-stream'));
    const message = await anthropic.messages.stream(request).finalMessage();
    const reply = ours(protocol, text);
    expect(factsOf(reply)).toEqual(facts(message));
    // The message that the client put together, read by us, is the reply that we put together.
    expect(parseReplyOf(protocol)(json(message), optionsFor(protocol))).toEqual({
      ...reply,
      diagnostics: { ...(reply as Reply).diagnostics, rawUsage: json(message.usage) },
    });
    const whole = client(fetchOf(JSON.stringify(bodyOf(protocol, answer)), 'application/json'));
    expect(facts(await whole.messages.create(request))).toEqual(factsOf(reply));
  });

  test('a cut stream and an error in it fail on both sides', async () => {
    for (const [text, says] of [
      [sse(protocol, SAMPLE).slice(0, 2000), /stream ended/],
      [
        `event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n`,
        /Overloaded/,
      ],
    ] as const) {
      const anthropic = client(fetchOf(text, 'text/event-stream'));
      await expect(anthropic.messages.stream(request).finalMessage()).rejects.toThrow(says);
      expect(ours(protocol, text)).toHaveProperty('code');
    }
  });
});

describe('openai, chat', () => {
  const protocol = 'openai-chat-v1';
  const request = { model: 'gpt-5.4-mini', messages: [{ role: 'user' as const, content: 'x' }] };
  const client = (fetch: typeof globalThis.fetch): OpenAI => {
    const sdk = load('openai') as typeof OpenAiSdk;
    return new sdk.OpenAI({ apiKey: 'x', fetch, maxRetries: 0 });
  };
  const facts = (reply: OpenAI.ChatCompletion): Facts => {
    const [choice] = reply.choices;
    const details = reply.usage?.prompt_tokens_details;
    return {
      text: choice?.message.content ?? '',
      calls: (choice?.message.tool_calls ?? []).flatMap((call) =>
        call.type === 'function'
          ? [{ id: call.id, name: call.function.name, args: JSON.parse(call.function.arguments) as unknown }]
          : [],
      ),
      finish: choice?.finish_reason ?? null,
      input: reply.usage?.prompt_tokens ?? -1,
      read: details?.cached_tokens ?? -1,
      write: details?.cache_write_tokens ?? -1,
      output: reply.usage?.completion_tokens ?? -1,
    };
  };

  test.each(answers)('%s', async (_, answer) => {
    const text = sse(protocol, answer);
    const reply = ours(protocol, text);
    const stream = await client(fetchOf(text, 'text/event-stream')).chat.completions.create({
      ...request,
      stream: true,
    });
    let said = '';
    const args = new Map<number, string>();
    for await (const chunk of stream) {
      const delta = chunk.choices[0]?.delta;
      said += delta?.content ?? '';
      for (const call of delta?.tool_calls ?? []) {
        args.set(call.index, (args.get(call.index) ?? '') + (call.function?.arguments ?? ''));
      }
    }
    expect(said).toBe(factsOf(reply).text);
    expect([...args.values()]).toEqual((reply as Reply).toolCalls.map((call) => call.arguments));

    const whole = client(fetchOf(JSON.stringify(bodyOf(protocol, answer)), 'application/json'));
    expect(facts(await whole.chat.completions.create(request))).toEqual(factsOf(reply));
  });

  // The client's own helper refuses a reply that was cut at its limit.
  test.each(answers.filter(([, { end }]) => end === 'stop'))('%s, put together by the client', async (_, answer) => {
    const text = sse(protocol, answer);
    const helper = client(fetchOf(text, 'text/event-stream'));
    const completion = await helper.chat.completions.stream(request).finalChatCompletion();
    expect(factsOf(ours(protocol, text))).toEqual(facts(completion));
  });

  test('an error in the stream fails on both sides', async () => {
    const error = { error: { message: 'boom', type: 'server_error' } };
    const text = sseOf(protocol, [...eventsOf(protocol, SAMPLE).slice(0, 3), error]);
    const openai = client(fetchOf(text, 'text/event-stream'));
    await expect(openai.chat.completions.stream(request).finalChatCompletion()).rejects.toThrow(/boom/);
    expect(ours(protocol, text)).toHaveProperty('code');
  });
});

describe('openai, responses', () => {
  const protocol = 'openai-responses-v1';
  const request = { model: 'gpt-5.4-mini', input: 'x' };
  const client = (fetch: typeof globalThis.fetch): OpenAI => {
    const sdk = load('openai') as typeof OpenAiSdk;
    return new sdk.OpenAI({ apiKey: 'x', fetch, maxRetries: 0 });
  };
  const facts = (response: OpenAI.Responses.Response): Facts => ({
    text: response.output_text,
    calls: response.output.flatMap((item) =>
      item.type === 'function_call'
        ? [{ id: item.call_id, name: item.name, args: JSON.parse(item.arguments) as unknown }]
        : [],
    ),
    finish: response.incomplete_details?.reason ?? response.status ?? null,
    input: response.usage?.input_tokens ?? -1,
    read: response.usage?.input_tokens_details.cached_tokens ?? -1,
    write: response.usage?.input_tokens_details.cache_write_tokens ?? -1,
    output: response.usage?.output_tokens ?? -1,
  });

  test.each(answers)('%s', async (_, answer) => {
    const text = sse(protocol, answer);
    const reply = ours(protocol, text);
    const stream = await client(fetchOf(text, 'text/event-stream')).responses.create({ ...request, stream: true });
    let said = '';
    for await (const event of stream) if (event.type === 'response.output_text.delta') said += event.delta;
    expect(said).toBe(factsOf(reply).text);
    const helper = client(fetchOf(text, 'text/event-stream'));
    const final = await helper.responses.stream(request).finalResponse();
    expect(factsOf(reply)).toEqual(facts(final));
    expect(parseReplyOf(protocol)(json(final), optionsFor(protocol))).toMatchObject({
      text: (reply as Reply).text,
      reasoning: (reply as Reply).reasoning,
      toolCalls: (reply as Reply).toolCalls,
      finish: (reply as Reply).finish,
      usage: (reply as Reply).usage,
    });
    const whole = client(fetchOf(JSON.stringify(bodyOf(protocol, answer)), 'application/json'));
    expect(facts(await whole.responses.create(request))).toEqual(factsOf(reply));
  });
});

describe('@google/genai', () => {
  const protocol = 'google-generative-ai-v1';
  const request = { model: 'gemini-2.5-flash', contents: 'x' };
  const client = (fetch: typeof globalThis.fetch) => {
    const sdk = load('@google/genai') as typeof GoogleSdk;
    return new sdk.GoogleGenAI({ apiKey: 'x', httpOptions: { fetch } });
  };
  const factsOfChunks = (chunks: readonly GenerateContentResponse[]): Facts => {
    const parts = chunks.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? []);
    const usage = chunks.at(-1)?.usageMetadata;
    return {
      text: parts.flatMap((part) => (part.thought === true ? [] : (part.text ?? []))).join(''),
      calls: parts.flatMap(({ functionCall: call }) =>
        call ? [{ id: call.id ?? '', name: call.name ?? '', args: call.args }] : [],
      ),
      finish: chunks.at(-1)?.candidates?.[0]?.finishReason ?? null,
      input: usage?.promptTokenCount ?? -1,
      read: usage?.cachedContentTokenCount ?? -1,
      write: null,
      output: (usage?.candidatesTokenCount ?? 0) + (usage?.thoughtsTokenCount ?? 0),
    };
  };

  test.each(answers)('%s', async (_, answer) => {
    const text = sse(protocol, answer);
    const reply = ours(protocol, text);
    const google = client(fetchOf(text, 'text/event-stream'));
    const chunks: GenerateContentResponse[] = [];
    for await (const chunk of await google.models.generateContentStream(request)) chunks.push(chunk);
    expect(factsOf(reply)).toEqual(factsOfChunks(chunks));
    const whole = client(fetchOf(JSON.stringify(bodyOf(protocol, answer)), 'application/json'));
    expect(factsOfChunks([await whole.models.generateContent(request)])).toEqual(factsOf(reply));
  });
});
