/**
 * Input items of OpenAI Responses: a message is an item with a role, a call and its result are items of their own.
 * A reply of the same endpoint and model goes back as the items that it came in (assembler page, section 9.3).
 */
import type { Json, SegmentId } from '../../../shared/model/index.ts';
import { field, isObject, nameOf } from '../json.ts';
import { isText, ownerOf, textOf } from '../build/content.ts';
import { nativeBlocks } from '../build/continuation.ts';
import { imageUrl } from '../build/images.ts';
import { isEmpty, NO_TEXT, own, trace, type Owned, type Traced } from '../build/traced.ts';
import type { BuildMessage, BuildRequest, BuildToolCall } from '../build/types.ts';

type TextPart = { readonly type: 'input_text'; readonly text: Traced };
export type ImagePart = Owned<{ readonly type: 'input_image'; readonly image_url: string }>;

type Message<Picture = ImagePart> = {
  readonly role: 'system' | 'developer' | 'user' | 'assistant';
  readonly content: Traced | readonly (TextPart | Picture)[];
};
type Call = Owned<{
  readonly type: 'function_call';
  readonly call_id: string;
  readonly name: string;
  readonly arguments: string;
}>;
type CallOutput = { readonly type: 'function_call_output'; readonly call_id: Traced; readonly output: Traced };

/** Items that this adapter writes itself. */
export type OwnItem<Picture = ImagePart> = Message<Picture> | Call | CallOutput;
/** An item of an earlier reply, as it came. */
export type NativeItem = Owned<Json>;

/** A reply's text has no pictures; of what is asked, parts are kept. */
function contentOf({ role, content }: BuildMessage): Message['content'] {
  if (content === null || isText(content)) return content ?? NO_TEXT;
  if (role === 'assistant') return textOf(content);
  return content.map((part): TextPart | ImagePart =>
    part.type === 'text'
      ? { type: 'input_text', text: part.text }
      : own({ type: 'input_image', image_url: imageUrl(part) }, part.segment),
  );
}

const callOf = ({ id, name, arguments: text, segment }: BuildToolCall): Call =>
  own({ type: 'function_call', call_id: id, name, arguments: text }, segment);

const isBareReasoning = (item: Json): boolean =>
  field(item, 'type') === 'reasoning' && nameOf(field(item, 'encrypted_content')) === null;

/**
 * Items of an earlier reply for an endpoint that stores nothing: reasoning that came without its encrypted content
 * cannot be read again, and once it is left out, the ids of the other items point at nothing.
 */
function stateless(items: readonly Json[]): readonly Json[] {
  const kept = items.filter((item) => !isBareReasoning(item));
  if (kept.length === items.length) return items;
  return kept.map((item) => {
    if (!isObject(item)) return item;
    const { id: _, ...rest } = item;
    return rest;
  });
}

function itemsOf(message: BuildMessage, request: BuildRequest, stored: boolean): readonly (OwnItem | NativeItem)[] {
  const { role, content, toolCalls = [], toolCallId } = message;
  if (role === 'tool') {
    const owner = ownerOf(message);
    return [{ type: 'function_call_output', call_id: trace(toolCallId ?? '', owner), output: textOf(content) }];
  }
  if (role !== 'assistant') return [{ role, content: contentOf(message) }];
  const native = nativeBlocks('openai-responses-v1', message, request);
  if (native !== null) {
    const owner = ownerOf(message);
    const callOwner = (item: Json): SegmentId | undefined =>
      toolCalls.find((call) => call.id === field(item, 'call_id'))?.segment;
    return (stored ? native : stateless(native)).map((item) => own(item, callOwner(item) ?? owner));
  }
  if (toolCalls.length === 0) return [{ role, content: contentOf(message) }];
  const text = textOf(content);
  return [...(isEmpty(text) ? [] : [{ role, content: text }]), ...toolCalls.map(callOf)];
}

/** Input items as they are sent; `stored`: the provider keeps its replies. */
export const responseItems = (
  messages: readonly BuildMessage[],
  request: BuildRequest,
  stored: boolean,
): readonly (OwnItem | NativeItem)[] => messages.flatMap((message) => itemsOf(message, request, stored));
