/** Assembler page, section 8.3; slots page, section 3.1; the row "Cache key" of table 12.5. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Protocol } from '../../../shared/model/index.ts';
import { requestOf } from '../fixtures/build-request.ts';
import { cacheKey, requestCacheKey } from './cache-key.ts';
import { collectWarnings } from './warn.ts';

const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex');
// printf 'session-1\nnarrator' | sha256sum
const KEY = 'covel-46c30a9239fcb98439a484b1f79e353d';
const given = (
  protocol: Protocol,
  baseUrl: string | null,
  wish: boolean | null,
  sessionId: string | null = 'session-1',
) => {
  const { warn, warnings } = collectWarnings();
  const request = requestOf({ options: { baseUrl, sessionId, runtimeId: 'narrator', sha256Hex } });
  return { key: requestCacheKey(protocol, request, wish, warn), codes: warnings.map(({ code }) => code) };
};

describe('prompt_cache_key', () => {
  test('38 characters of the hash over session, newline and runtime', () => {
    expect(cacheKey('session-1', 'narrator', sha256Hex)).toHaveLength(38);
    expect(cacheKey('session-1', 'narrator', sha256Hex)).toBe(KEY);
    expect(cacheKey('session-1', 'guide', sha256Hex)).not.toBe(cacheKey('session-1', 'narrator', sha256Hex));
  });
  test.each<[Protocol, string | null, boolean | null, boolean]>([
    ['openai-chat-v1', null, null, true],
    ['openai-responses-v1', 'https://api.openai.com/v1', null, true],
    ['openai-chat-v1', 'https://API.OpenAI.com/v1', null, true],
    ['openai-chat-v1', 'https://api.openai.com:8443/v1', null, true],
    ['openai-chat-v1', 'https://eu.api.openai.com/v1', null, false],
    ['openai-chat-v1', 'https://api.openai.com.evil.example/v1', null, false],
    ['openai-responses-v1', 'https://relay.example/v1', null, false],
    ['openai-chat-v1', 'https://relay.example/v1', true, true],
    ['openai-chat-v1', null, false, false],
    ['anthropic-messages-v1', null, null, false],
    ['google-generative-ai-v1', null, null, false],
  ])('%s at %s, option %s: %s', (protocol, baseUrl, wish, isSent) => {
    const { key, codes } = given(protocol, baseUrl, wish);
    expect(key !== null).toBe(isSent);
    expect(codes).toEqual([]);
  });
  test.each<[Protocol, boolean]>([
    ['anthropic-messages-v1', true],
    ['google-generative-ai-v1', false],
  ])('on %s the option %s has no effect, and that is said', (protocol, wish) =>
    expect(given(protocol, null, wish)).toEqual({ key: null, codes: ['cache-key'] }),
  );
  test('without a session there is none', () => {
    expect(given('openai-chat-v1', null, null, null)).toEqual({ key: null, codes: [] });
    expect(given('openai-chat-v1', null, true, null)).toEqual({ key: null, codes: ['cache-key'] });
  });
});
