/** The door of the replies: what a provider sent back, whole or as a stream, as one shape for all protocols. */
import type { Json, Protocol } from '../../../shared/model/index.ts';
import { parseAnthropicReply } from '../anthropic-messages-v1/reply.ts';
import { createAnthropicStream } from '../anthropic-messages-v1/stream.ts';
import { parseGeminiReply } from '../google-generative-ai-v1/reply.ts';
import { createGeminiStream } from '../google-generative-ai-v1/stream.ts';
import { parseChatReply } from '../openai-chat-v1/reply.ts';
import { createChatStream } from '../openai-chat-v1/stream.ts';
import { parseResponsesReply } from '../openai-responses-v1/reply.ts';
import { createResponsesStream } from '../openai-responses-v1/stream.ts';
import type { Reply, ReplyFault, ReplyOptions, ReplyStream } from './types.ts';

type Door = {
  readonly parse: (json: Json, options: ReplyOptions) => Reply | ReplyFault;
  readonly stream: (options: ReplyOptions) => ReplyStream;
};

const DOORS: Readonly<Record<Protocol, Door>> = {
  'anthropic-messages-v1': { parse: parseAnthropicReply, stream: createAnthropicStream },
  'openai-chat-v1': { parse: parseChatReply, stream: createChatStream },
  'openai-responses-v1': { parse: parseResponsesReply, stream: createResponsesStream },
  'google-generative-ai-v1': { parse: parseGeminiReply, stream: createGeminiStream },
};

/** Reads the JSON body of a reply with HTTP status 200; for other statuses `errorFault(body, status)`. */
export const parseReplyOf = (protocol: Protocol): Door['parse'] => DOORS[protocol].parse;

/** Makes the reader of one streamed reply; `readReplyEvents` feeds it from bytes. */
export const streamOf = (protocol: Protocol): Door['stream'] => DOORS[protocol].stream;

export { errorFault, faultOf } from './failure.ts';
export { createSse, readReplyEvents } from './sse.ts';
export * from './types.ts';
