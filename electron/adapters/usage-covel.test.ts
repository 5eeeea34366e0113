/** The tables of the assembler page, 8.8 and 12.5 (row "Usage"). */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PROTOCOLS, type Json, type Protocol } from '../../shared/model/index.ts';
import { covelUsage } from './usage-covel.ts';

const CHAT = 'openai-chat-v1';
const chat = (input: Json, cached?: Json, write?: Json): Json => ({
  prompt_tokens: input,
  completion_tokens: 3,
  ...(cached === undefined && write === undefined
    ? {}
    : {
        prompt_tokens_details: {
          ...(cached === undefined ? {} : { cached_tokens: cached }),
          ...(write === undefined ? {} : { cache_write_tokens: write }),
        },
      }),
});

describe("Covel's own form", () => {
  test.each<readonly [string, Protocol, Json, object | null]>([
    [
      '10 in, 8 cached, 8 write',
      CHAT,
      chat(10, 8, 8),
      { inputTokens: 10, cachedInputTokens: 8, cacheWriteInputTokens: 2 },
    ],
    ['more cached than in', CHAT, chat(10, 12), { inputTokens: 10, cachedInputTokens: 10 }],
    ['negative', CHAT, chat(-10, -1, -2), { inputTokens: 0, cachedInputTokens: 0, cacheWriteInputTokens: 0 }],
    ['fractional', CHAT, chat(1.5, 0.5), { inputTokens: 0, cachedInputTokens: 0 }],
    ['text', CHAT, chat('many', 'some'), { inputTokens: 0, cachedInputTokens: 0 }],
    ['numeric text', CHAT, chat('10', '4'), { inputTokens: 10, cachedInputTokens: 4 }],
    ['absent stays absent', CHAT, chat(10), { inputTokens: 10 }],
    ['null is absent', CHAT, chat(10, null, 4), { inputTokens: 10, cacheWriteInputTokens: 4 }],
    [
      'Anthropic 40 + 32 + 8',
      'anthropic-messages-v1',
      { input_tokens: 40, cache_read_input_tokens: 32, cache_creation_input_tokens: 8, output_tokens: 3 },
      { inputTokens: 80, cachedInputTokens: 32, cacheWriteInputTokens: 8 },
    ],
    ['Anthropic without cache', 'anthropic-messages-v1', { input_tokens: 40, output_tokens: 3 }, { inputTokens: 40 }],
    [
      'Responses',
      'openai-responses-v1',
      { input_tokens: 10, input_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 }, output_tokens: 3 },
      { inputTokens: 10, cachedInputTokens: 4, cacheWriteInputTokens: 2 },
    ],
    [
      'Gemini: candidates and thoughts',
      'google-generative-ai-v1',
      { promptTokenCount: 10, cachedContentTokenCount: 4, candidatesTokenCount: 1, thoughtsTokenCount: 2 },
      { inputTokens: 10, cachedInputTokens: 4 },
    ],
  ])('%s', (_, protocol, raw, expected) => {
    expect(covelUsage(protocol, raw)).toEqual({ outputTokens: 3, ...expected });
  });

  test.each([undefined, null, 'x', 5, []])('%j is no usage', (raw) => {
    expect(covelUsage(CHAT, raw)).toBeNull();
  });

  test('sums stop at the largest safe integer', () => {
    const most = Number.MAX_SAFE_INTEGER;
    const raw = { input_tokens: most, cache_read_input_tokens: most, cache_creation_input_tokens: most };
    expect(covelUsage('anthropic-messages-v1', raw)).toEqual({
      inputTokens: most,
      outputTokens: 0,
      cachedInputTokens: most,
      cacheWriteInputTokens: 0,
    });
  });

  test('always counts, cached and written inside the input', () => {
    fc.assert(
      fc.property(fc.constantFrom(...PROTOCOLS), fc.object({ maxDepth: 2 }), (protocol, raw) => {
        const usage = covelUsage(protocol, JSON.parse(JSON.stringify(raw)) as Json);
        const { inputTokens = -1, cachedInputTokens = 0, cacheWriteInputTokens = 0 } = usage ?? {};
        expect(cachedInputTokens + cacheWriteInputTokens).toBeLessThanOrEqual(inputTokens);
        for (const count of Object.values(usage ?? {})) expect(Number.isSafeInteger(count) && count >= 0).toBe(true);
      }),
    );
  });
});
