/**
 * A message of the Messages API is a list of content blocks. Each block of ours knows its segment; a block of an earlier
 * reply is sent back as it came (assembler page, section 9.1.2).
 */
import type { Json, JsonObject, SegmentId } from '../../../shared/model/index.ts';
import { field, isObject, nameOf } from '../json.ts';
import { isText, ownerOf, partsOf, textOf } from '../build/content.ts';
import { readImage, type ImagePart } from '../build/images.ts';
import { own, plain, type Owned, type Traced } from '../build/traced.ts';
import type { BuildMessage, BuildToolCall } from '../build/types.ts';

export type CacheControl = { readonly type: 'ephemeral' };
type Marked = { readonly cache_control?: CacheControl };
export type TextBlock = Marked & { readonly type: 'text'; readonly text: Traced };
type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
export type ImageBlock = Marked & {
  readonly type: 'image';
  readonly source:
    | { readonly type: 'url'; readonly url: string }
    | { readonly type: 'base64'; readonly media_type: ImageType; readonly data: string };
};
export type ToolUseBlock = Marked & {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
};
export type ToolResultBlock = Marked & {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content: Traced;
};
/** `Native`: a block of an earlier reply, in the provider's own words. */
export type Block<Native = Json> = TextBlock | Owned<ImageBlock | ToolUseBlock | ToolResultBlock | Native>;

/** The arguments of a call as the object that the API asks for; what is no object is kept as the text it is. */
function inputOf(text: string): JsonObject {
  if (text.trim() === '') return {};
  try {
    const value = JSON.parse(text) as Json;
    if (isObject(value)) return value;
  } catch {
    // Kept as text below.
  }
  return { raw: text };
}

export const textBlock = (text: Traced): TextBlock => ({ type: 'text', text });

function imageBlock(part: ImagePart): Block {
  const read = readImage(part);
  const source: ImageBlock['source'] =
    read.kind === 'url'
      ? { type: 'url', url: read.url }
      : { type: 'base64', media_type: read.mediaType as ImageType, data: read.data };
  return own<ImageBlock>({ type: 'image', source }, part.segment);
}

/** Texts and pictures; an empty text is no block. */
export const contentBlocks = (content: BuildMessage['content']): readonly Block[] =>
  partsOf(content).flatMap((part): readonly Block[] => {
    if (part.type === 'image') return [imageBlock(part)];
    return part.text.length === 0 ? [] : [textBlock(part.text)];
  });

export const toolUse = ({ id, name, arguments: text, segment }: BuildToolCall): Block =>
  own<ToolUseBlock>({ type: 'tool_use', id, name, input: inputOf(text) }, segment);

/** `called`: the segment of the call, for the ids of a result without text. */
export const toolResult = (message: BuildMessage, called: SegmentId | null): Block =>
  own<ToolResultBlock>(
    { type: 'tool_result', tool_use_id: message.toolCallId ?? '', content: textOf(message.content) },
    ownerOf(message) ?? called,
  );

const unmarked = (block: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(block).filter(([key]) => key !== 'cache_control'));

/**
 * The blocks of an earlier reply, in order and as they came; only marks are taken off, since this request sets its own.
 * A text block that is the message's text keeps the segments of that text.
 */
export function replay(blocks: readonly Json[], message: BuildMessage): readonly Block[] {
  const owner = ownerOf(message);
  const spoken = isText(message.content) ? message.content : null;
  return blocks.map((native) => {
    if (!isObject(native)) return own(native, owner);
    const block = unmarked(native);
    if (block['type'] === 'text' && spoken !== null && block['text'] === plain(spoken)) {
      return own({ ...block, text: spoken } as unknown as TextBlock, owner);
    }
    const call = message.toolCalls?.find(({ id }) => id === nameOf(field(block, 'id')));
    return own(block, call?.segment ?? owner);
  });
}
