/**
 * A recorded body read back. One parser a protocol, all of them total: what a parser does not know becomes a part of
 * type `other`, so the parts of a prompt hold every text of its body exactly once (see texts.ts).
 */
import type { Json, Protocol, WirePrompt } from '../../shared/model/index.ts';
import { parseAnthropic } from './anthropic-messages-v1/parse.ts';
import { parseGemini } from './google-generative-ai-v1/parse.ts';
import { parseChat } from './openai-chat-v1/parse.ts';
import { parseResponses } from './openai-responses-v1/parse.ts';

const PARSERS: Readonly<Record<Protocol, (body: Json) => WirePrompt>> = {
  'anthropic-messages-v1': parseAnthropic,
  'openai-chat-v1': parseChat,
  'openai-responses-v1': parseResponses,
  'google-generative-ai-v1': parseGemini,
};

/**
 * A wire body as a prompt: tools, messages (leading system texts first), response format, cache marks. Paths point
 * into `body`. Never throws; time is linear in the size of the body. Source: assembler page, section 9.
 */
export const parseBody = (protocol: Protocol, body: Json): WirePrompt => PARSERS[protocol](body);
