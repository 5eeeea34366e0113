/** Gemini's rules for replies (assembler page, 9.4, and the cases of 12.6 that are about replies). */
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../shared/model/index.ts';
import { isFault, type Reply } from '../replies/index.ts';
import { optionsFor } from '../replies/testing/answers.ts';
import { feed } from '../replies/testing/collect.ts';
import { parseGeminiReply } from './reply.ts';

const PROTOCOL = 'google-generative-ai-v1';
const body = (parts: Json, finishReason: Json = 'STOP', more: JsonObject = {}): JsonObject => ({
  candidates: [{ content: { role: 'model', parts }, finishReason }],
  ...more,
});
const read = (json: Json) => parseGeminiReply(json, optionsFor(PROTOCOL));
const parse = (parts: Json, finish: Json = 'STOP', more: JsonObject = {}): Reply => {
  const reply = read(body(parts, finish, more));
  if (isFault(reply)) throw new Error(reply.message);
  return reply;
};
const call = (more: JsonObject = {}): JsonObject => ({ functionCall: { name: 'look', args: { a: 1 }, ...more } });

const FAULT = { code: 'PROVIDER_ERROR' };
const REFUSED = { code: 'REFUSAL', retriable: false };

/** Each case is a whole reply; as a stream it comes in one chunk and must end the same way. */
const cases: readonly (readonly [string, Json, object])[] = [
  ['STOP', body([{ text: 'x' }]), { text: 'x', finish: { unified: 'stop', raw: 'STOP' } }],
  ['MAX_TOKENS', body([{ text: 'x' }], 'MAX_TOKENS'), { finish: { unified: 'length', raw: 'MAX_TOKENS' } }],
  ['no content, as after too much thought', { candidates: [{ finishReason: 'MAX_TOKENS' }] }, { text: '' }],
  ['thought parts', body([{ text: 'a', thought: true }, { text: 'b' }]), { text: 'b', reasoning: 'a' }],
  ['a call', body([call({ id: 'n1' })]), { toolCalls: [{ id: 'n1', name: 'look', arguments: '{"a":1}' }] }],
  ['a call without arguments', body([call({ args: null })]), { toolCalls: [{ arguments: '{}' }] }],
  ...[
    'SAFETY',
    'RECITATION',
    'BLOCKLIST',
    'PROHIBITED_CONTENT',
    'SPII',
    'IMAGE_SAFETY',
    'IMAGE_PROHIBITED_CONTENT',
    'IMAGE_RECITATION',
  ].map((reason) => [reason, body([{ text: 'x' }], reason), REFUSED] as const),
  ['a blocked prompt', { promptFeedback: { blockReason: 'OTHER' } }, REFUSED],
  ['an unspecified block', { promptFeedback: { blockReason: 'BLOCKED_REASON_UNSPECIFIED' } }, FAULT],
  ['a refusal beats malformed content', body('junk', 'SAFETY'), REFUSED],
  ['a refusal beats more candidates', { candidates: [{}, { finishReason: 'SAFETY' }] }, REFUSED],
  ['a block beats everything', { promptFeedback: { blockReason: 'SAFETY' }, candidates: 5 }, REFUSED],
  ...['OTHER', 'LANGUAGE', 'MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'CONTINUATION', 'x'].map(
    (reason) => [reason, body([{ text: 'x' }], reason), FAULT] as const,
  ),
  ['no finish reason', body([{ text: 'x' }], null), FAULT],
  ['an unspecified finish reason', body([{ text: 'x' }], 'FINISH_REASON_UNSPECIFIED'), FAULT],
  ['no candidate', {}, FAULT],
  ['two candidates', { candidates: [{ finishReason: 'STOP' }, { finishReason: 'STOP' }] }, FAULT],
  ['a candidate of another index', { candidates: [{ index: 1, finishReason: 'STOP' }] }, FAULT],
  ['parts that are no list', body('x'), FAULT],
  ['a part that is no object', body(['x']), FAULT],
  ['a text that is no text', body([{ text: 5 }]), FAULT],
  ['a call without a name', body([{ functionCall: { args: {} } }]), FAULT],
  ['a call that is no object', body([{ functionCall: 'look' }]), FAULT],
  ['arguments that are no object', body([call({ args: [1] })]), FAULT],
  ['partial arguments', body([call({ partialArgs: [{ jsonPath: '$.a' }] })]), FAULT],
  ['a call that will continue', body([call({ willContinue: true })]), FAULT],
  ['calls without STOP', body([call()], 'MAX_TOKENS'), FAULT],
];

describe.each(cases)('%s', (_, json, expected) => {
  test('whole', () => {
    expect(read(json)).toMatchObject(expected);
  });
  test('streamed', () => {
    expect(feed(PROTOCOL, [json]).last).toMatchObject(expected);
  });
});

describe('continuation', () => {
  const signed = { text: '', thoughtSignature: 's' };

  test('kept when a part has a signature or calls', () => {
    expect(parse([{ text: 'x' }]).continuation).toBeNull();
    expect(parse([{ text: 'x' }, signed]).continuation?.blocks).toEqual([{ text: 'x' }, signed]);
    expect(parse([call()]).continuation).toMatchObject({
      protocol: PROTOCOL,
      model: 'gemini-2.5-flash',
      baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    });
  });

  test('native ids stay as they were, a made id is ours alone', () => {
    const reply = parse([call(), call({ id: 'n2' })]);
    expect(reply.continuation?.blocks).toEqual([call(), call({ id: 'n2' })]);
    expect(reply.toolCalls.map(({ id }) => id)).toEqual([expect.stringMatching(/^call_[0-9a-f]{24}$/), 'n2']);
  });

  test('pieces of one text are joined, signatures stay with their part', () => {
    const chunks = [
      [
        { text: 'a', thought: true },
        { text: 'b', thought: true },
      ],
      [{ text: 'c' }],
      [{ text: 'd' }, { text: 'e', thoughtSignature: 's' }],
      [{ text: 'f' }, call()],
      [{ text: '' }],
    ];
    const events = chunks.map((parts, i) => body(parts, i === chunks.length - 1 ? 'STOP' : null));
    expect(feed(PROTOCOL, events).last).toMatchObject({
      text: 'cdef',
      reasoning: 'ab',
      continuation: {
        blocks: [
          { text: 'ab', thought: true },
          { text: 'cd' },
          { text: 'e', thoughtSignature: 's' },
          { text: 'f' },
          call(),
        ],
      },
    });
  });
});

describe('usage', () => {
  test('output is candidates and thoughts, and the last chunk counts', () => {
    const usage = { promptTokenCount: 10, cachedContentTokenCount: 4, candidatesTokenCount: 3, thoughtsTokenCount: 5 };
    const expected = { usage: { input: 10, usage: { uncached: 6, read: 4, write: null, output: 8 } } };
    expect(parse([{ text: 'x' }], 'STOP', { usageMetadata: usage })).toMatchObject(expected);
    const early = { usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 1 } };
    const events = [{ ...body([{ text: 'x' }], null), ...early }, body([], 'STOP'), { usageMetadata: usage }];
    expect(feed(PROTOCOL, events).last).toMatchObject(expected);
  });

  test('what was refused is billed', () => {
    const usageMetadata = { promptTokenCount: 10 };
    expect(read(body([], 'SAFETY', { usageMetadata }))).toMatchObject({ usage: { input: 10 } });
    expect(feed(PROTOCOL, [{ ...body([], 'SAFETY'), usageMetadata }]).last).toMatchObject({ usage: { input: 10 } });
  });
});

describe('streams', () => {
  test('content after the finish reason is a fault, a chunk of usage alone is not', () => {
    const end = body([{ text: 'x' }], 'STOP');
    expect(feed(PROTOCOL, [end, body([{ text: 'y' }], null)]).last).toMatchObject(FAULT);
    expect(feed(PROTOCOL, [end, body([call()], null)]).last).toMatchObject(FAULT);
    expect(feed(PROTOCOL, [end, { usageMetadata: {} }, body([{ text: '' }], null)]).last).toMatchObject({ text: 'x' });
  });

  test('a refusal in the middle: what was said stays said, no call, no done', () => {
    const seen = feed(PROTOCOL, [body([{ text: 'x' }, call()], null), body([], 'SAFETY')]);
    expect(seen.text).toBe('x');
    expect(seen.calls).toEqual([]);
    expect(seen.last).toMatchObject(REFUSED);
  });
});
