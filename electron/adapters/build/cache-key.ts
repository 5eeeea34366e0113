/**
 * OpenAI mixes `prompt_cache_key` into the hash by which it finds a machine, so that the turns of one runtime meet
 * their cache again. Other servers may refuse a field that they do not know (assembler page, 8.3; slots page, 3.1).
 */
import type { Protocol } from '../../../shared/model/index.ts';
import { baseUrlOf } from './url.ts';
import type { BuildRequest } from './types.ts';
import type { Warn } from './warn.ts';

/** 38 characters; equal for all calls of one runtime in one session, without their ids in plain. */
export const cacheKey = (sessionId: string, runtimeId: string, sha256Hex: (text: string) => string): string =>
  `covel-${sha256Hex(`${sessionId}\n${runtimeId}`).slice(0, 32)}`;

/**
 * The key of a request, or null where none is sent: by default only to the host `api.openai.com`; `wish` (from the
 * options or the metadata) decides otherwise. Without session and runtime there is no key.
 */
export function requestCacheKey(
  protocol: Protocol,
  { options }: BuildRequest,
  wish: boolean | null,
  warn: Warn,
): string | null {
  if (protocol !== 'openai-chat-v1' && protocol !== 'openai-responses-v1') {
    if (wish !== null) warn('cache-key', `${protocol} has no prompt cache key; the option has no effect.`);
    return null;
  }
  const { sessionId, runtimeId } = options;
  const host = URL.parse(baseUrlOf(protocol, options.baseUrl))?.hostname;
  if (!(wish ?? host === 'api.openai.com')) return null;
  if (sessionId !== null && runtimeId !== null) return cacheKey(sessionId, runtimeId, options.sha256Hex);
  if (wish === true) warn('cache-key', 'Without a session and a runtime there is no prompt cache key to send.');
  return null;
}
