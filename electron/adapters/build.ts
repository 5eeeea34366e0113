/**
 * The way out: an assembled prompt as the request that its protocol sends. The body keeps the address of every
 * segment, so that what is sent can be read like what was recorded.
 */
import type { Protocol } from '../../shared/model/index.ts';
import { buildAnthropic } from './anthropic-messages-v1/build.ts';
import type { BuildRequest, BuiltRequest } from './build/types.ts';
import { buildGemini } from './google-generative-ai-v1/build.ts';
import { buildChat } from './openai-chat-v1/build.ts';
import { buildResponses } from './openai-responses-v1/build.ts';

const BUILDERS: Readonly<Record<Protocol, (request: BuildRequest) => BuiltRequest>> = {
  'anthropic-messages-v1': buildAnthropic,
  'openai-chat-v1': buildChat,
  'openai-responses-v1': buildResponses,
  'google-generative-ai-v1': buildGemini,
};

/**
 * Address, headers (without secrets), body, source map and warnings of one request. The same request gives the same
 * bytes; the request is not changed. Throws BuildError, which names the field, for a fault of the configuration.
 * Source: assembler page, sections 8 and 9; slots page, sections 2 to 4.
 */
export const buildRequest = (protocol: Protocol, request: BuildRequest): BuiltRequest => BUILDERS[protocol](request);
