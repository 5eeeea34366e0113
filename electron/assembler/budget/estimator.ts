/**
 * What a message costs is what a provider reads of it: its text, its calls, its reasoning, and a flat amount for a
 * picture. A message has no overhead of its own, and a provider continuation is not counted (seed 1, sections 1 and 5).
 */
import { estimateTokens } from '../../../shared/tokens.ts';
import type { Estimator, LlmMessage } from '../types.ts';

/** Covel's estimator: CJK units + ceil(the rest / 4). */
export const COVEL_ESTIMATOR: Estimator = estimateTokens;
/** Four UTF-16 units to a token, rounded up. */
export const CHARS4: Estimator = (text) => Math.ceil(text.length / 4);

/** Tokens of one picture or other part without text, whatever its size. */
const MEDIA_TOKENS = 1500;
const MEDIA_PLACEHOLDER = '[image]';

/**
 * Estimated tokens of one message: text (parts joined by a newline, a part without text as a short placeholder and
 * 1500 more), and the compact JSON of those of `name`, `toolCallId`, `toolCalls`, `reasoningContent` that are there.
 */
export function messageTokens(message: LlmMessage, estimate: Estimator): number {
  const { content, name, toolCallId, toolCalls, reasoningContent } = message;
  const fields = JSON.stringify({ name, toolCallId, toolCalls, reasoningContent });
  const beside = fields === '{}' ? 0 : estimate(fields);
  if (typeof content === 'string') return estimate(content) + beside;
  const text = content.map((part) => (part.type === 'text' ? part.text : MEDIA_PLACEHOLDER)).join('\n');
  const media = content.filter((part) => part.type !== 'text').length;
  return estimate(text) + media * MEDIA_TOKENS + beside;
}

/** Estimated tokens of messages, one after another. */
export const messagesTokens = (messages: readonly LlmMessage[], estimate: Estimator): number =>
  messages.reduce((sum, message) => sum + messageTokens(message, estimate), 0);
