/** Headers of a request, in lower case; the key's header is listed with `…` for its value (slots page, section 4.1). */
import type { Protocol } from '../../../shared/model/index.ts';

/** Stands in the place of every secret. */
export const SECRET = '…';

const KEY_HEADERS: Readonly<Record<Protocol, Readonly<Record<string, string>>>> = {
  'anthropic-messages-v1': { 'x-api-key': SECRET, 'anthropic-version': '2023-06-01' },
  'openai-chat-v1': { authorization: SECRET },
  'openai-responses-v1': { authorization: SECRET },
  'google-generative-ai-v1': { 'x-goog-api-key': SECRET },
};

export const requestHeaders = (protocol: Protocol): Readonly<Record<string, string>> => ({
  'content-type': 'application/json',
  ...KEY_HEADERS[protocol],
});
