/** The word that ends a reply, in each protocol's vocabulary, as one of six (assembler page, 8.9). */
import type { Protocol } from '../../../shared/model/index.ts';
import type { Finish, FinishReason } from './types.ts';

const WORDS: Readonly<Record<Protocol, Readonly<Record<string, FinishReason>>>> = {
  'openai-chat-v1': {
    stop: 'stop',
    length: 'length',
    max_tokens: 'length',
    model_context_window_exceeded: 'length',
    tool_calls: 'tool_calls',
    function_call: 'tool_calls',
    content_filter: 'content_filter',
    sensitive: 'content_filter',
    error: 'error',
    network_error: 'error',
    insufficient_system_resource: 'error',
  },
  'openai-responses-v1': {
    completed: 'stop',
    incomplete: 'length',
    max_output_tokens: 'length',
    max_messages: 'length',
    content_filter: 'content_filter',
  },
  'anthropic-messages-v1': {
    end_turn: 'stop',
    stop_sequence: 'stop',
    max_tokens: 'length',
    model_context_window_exceeded: 'length',
    tool_use: 'tool_calls',
    refusal: 'content_filter',
  },
  'google-generative-ai-v1': { STOP: 'stop', MAX_TOKENS: 'length' },
};

/** `stop` with tool calls is `tool_calls`: Responses and Gemini have no word of their own for it. */
export function finishOf(protocol: Protocol, raw: string | null, calls: number): Finish {
  const words = WORDS[protocol];
  const unified = raw !== null && Object.hasOwn(words, raw) ? (words[raw] as FinishReason) : 'other';
  return { unified: unified === 'stop' && calls > 0 ? 'tool_calls' : unified, raw };
}
