/**
 * Messages of OpenAI Chat: roles stay as they are, calls stand beside the content, each result is a message of its
 * own. Reasoning goes back under the name that its endpoint used (assembler page, section 9.2).
 */
import { field, nameOf } from '../json.ts';
import { isText, ownerOf, partsOf, partText, textOf } from '../build/content.ts';
import { nativeBlocks } from '../build/continuation.ts';
import { imageUrl } from '../build/images.ts';
import { isEmpty, NO_TEXT, own, trace, type Owned, type Traced } from '../build/traced.ts';
import type { BuildMessage, BuildRequest, BuildToolCall } from '../build/types.ts';

type TextPart = { readonly type: 'text'; readonly text: Traced };
type ImagePart = { readonly type: 'image_url'; readonly image_url: Owned<{ readonly url: string }> };
type Call = {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
};

export type ChatMessage =
  | { readonly role: 'system' | 'developer'; readonly content: Traced | readonly TextPart[] }
  | { readonly role: 'user'; readonly content: Traced | readonly (TextPart | ImagePart)[] }
  | {
      readonly role: 'assistant';
      readonly content: Traced | readonly TextPart[];
      readonly reasoning_content?: Traced;
      readonly reasoning?: Traced;
      readonly tool_calls?: readonly Owned<Call>[];
    }
  | { readonly role: 'tool'; readonly content: Traced | readonly TextPart[]; readonly tool_call_id: Traced };

/** Only the user's messages take pictures; elsewhere a placeholder stands for them. */
const textContent = (content: BuildMessage['content']): Traced | readonly TextPart[] => {
  if (content === null) return NO_TEXT;
  return isText(content) ? content : content.map((part) => ({ type: 'text', text: partText(part) }));
};

const userContent = (content: BuildMessage['content']): Traced | readonly (TextPart | ImagePart)[] => {
  if (content === null || isText(content)) return content ?? NO_TEXT;
  return partsOf(content).map((part) =>
    part.type === 'text'
      ? { type: 'text', text: part.text }
      : { type: 'image_url', image_url: own({ url: imageUrl(part) }, part.segment) },
  );
};

const callOf = ({ id, name, arguments: text, segment }: BuildToolCall): Owned<Call> =>
  own({ id, type: 'function', function: { name, arguments: text } }, segment);

/** Reasoning under its own field: `reasoning` where the continuation shows that this endpoint spells it so. */
function reasoningOf(message: BuildMessage, request: BuildRequest): { reasoning?: Traced; reasoning_content?: Traced } {
  const block = nativeBlocks('openai-chat-v1', message, request)?.find((one) => field(one, 'reasoning') !== undefined);
  const native = nameOf(field(block, 'reasoning'));
  const text = message.reasoningContent ?? (native === null ? NO_TEXT : trace(native, ownerOf(message)));
  if (isEmpty(text)) return {};
  return block === undefined ? { reasoning_content: text } : { reasoning: text };
}

function chatMessage(message: BuildMessage, request: BuildRequest): ChatMessage {
  const { role, content, toolCalls = [], toolCallId } = message;
  switch (role) {
    case 'system':
    case 'developer':
      return { role, content: textContent(content) };
    case 'user':
      return { role, content: userContent(content) };
    case 'tool':
      return { role, content: textOf(content), tool_call_id: trace(toolCallId ?? '', ownerOf(message)) };
    case 'assistant':
      return {
        role,
        content: textContent(content),
        ...reasoningOf(message, request),
        ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls.map(callOf) }),
      };
  }
}

/** Messages as they are sent; `messages` are already placed and in their final roles. */
export const chatMessages = (messages: readonly BuildMessage[], request: BuildRequest): readonly ChatMessage[] =>
  messages.map((message) => chatMessage(message, request));
