/** A reply goes into the next request as the provider sent it, calls and their results included. */
import { describe, expect, test } from 'vitest';
import { PROTOCOLS, type Json, type JsonObject, type Protocol } from '../../../shared/model/index.ts';
import { buildRequest } from '../build.ts';
import { trace } from '../build/traced.ts';
import type { BuildMessage } from '../build/types.ts';
import { requestOf, T, U } from '../fixtures/build-request.ts';
import { parseReplyOf, type Reply } from './index.ts';
import { bodyOf, eventsOf, MODELS, optionsFor, SAMPLE } from './testing/answers.ts';
import { feed } from './testing/collect.ts';

const messageOf = (reply: Reply): BuildMessage => ({
  role: 'assistant',
  content: trace(reply.text, 'reply'),
  toolCalls: reply.toolCalls.map((call) => ({ ...call, segment: 'calls' })),
  ...(reply.reasoning === '' || reply.reasoningFrom === 'inline'
    ? {}
    : { reasoningContent: trace(reply.reasoning, 'reply') }),
  ...(reply.continuation === null ? {} : { providerContinuation: reply.continuation }),
});

/** The messages, items or contents of the request that answers the reply's calls. */
function next(protocol: Protocol, reply: Reply): readonly JsonObject[] {
  const results = reply.toolCalls.map((call) => T(call.id, `result of ${call.name}`));
  const { body } = buildRequest(
    protocol,
    requestOf({ model: MODELS[protocol], messages: [U('hello'), messageOf(reply), ...results] }),
  );
  return (body['messages'] ?? body['input'] ?? body['contents']) as readonly JsonObject[];
}

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);

describe.each(PROTOCOLS)('%s', (protocol) => {
  const whole = parseReplyOf(protocol)(bodyOf(protocol, SAMPLE), optionsFor(protocol)) as Reply;

  test('native blocks stand in the next request', () => {
    const messages = next(protocol, whole);
    const text = JSON.stringify(messages);
    for (const call of SAMPLE.calls) expect(text).toContain(`result of ${call.name}`);
    const blocks = whole.continuation?.blocks ?? [{ reasoning_content: SAMPLE.reasoning }];
    const sent = messages.flatMap((message) => [message, ...listOf(message['content'] ?? message['parts'])]);
    for (const block of blocks) expect(sent).toContainEqual(expect.objectContaining(block as object));
  });

  test('the same whether it was streamed', () => {
    expect(next(protocol, feed(protocol, eventsOf(protocol, SAMPLE)).last as Reply)).toEqual(next(protocol, whole));
  });

  test('calls without ids are answered by the ids made for them', () => {
    const bare = JSON.parse(
      JSON.stringify(bodyOf(protocol, SAMPLE), (key, value: unknown) =>
        /^(id|call_id)$/.test(key) ? undefined : value,
      ),
    ) as Json;
    const reply = parseReplyOf(protocol)(bare, optionsFor(protocol)) as Reply;
    const text = JSON.stringify(next(protocol, reply));
    for (const call of SAMPLE.calls) expect(text).toContain(`result of ${call.name}`);
    // Gemini pairs results by name and order; the others name the call.
    const named = reply.toolCalls.map((call) => text.split(`"${call.id}"`).length - 1);
    expect(named).toEqual(protocol === 'google-generative-ai-v1' ? [0, 0] : [2, 2]);
  });
});
