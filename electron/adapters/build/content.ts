/** What a message holds: a text, or parts of which some are pictures. Texts keep their origin on every way. */
import type { SegmentId } from '../../../shared/model/index.ts';
import { join, NO_TEXT, trace, type Traced } from './traced.ts';
import type { BuildMessage, BuildPart, BuildRequest } from './types.ts';

export const partsOf = (content: BuildMessage['content']): readonly BuildPart[] => {
  if (content === null) return [];
  return 'runs' in content ? [{ type: 'text', text: content }] : content;
};

/** A content that is a text and no list of parts. */
export const isText = (content: BuildMessage['content']): content is Traced => content !== null && 'runs' in content;

/** The texts alone; a picture becomes its placeholder, because only text fits here. */
export function textOf(content: BuildMessage['content'], separator = '\n'): Traced {
  if (content === null) return NO_TEXT;
  return isText(content) ? content : join(content.map(partText), separator);
}

/** Stands for a picture where only text fits (assembler page, section 8.7). */
export const IMAGE_PLACEHOLDER = '[image]';
export const partText = (part: BuildPart): Traced =>
  part.type === 'text' ? part.text : trace(IMAGE_PLACEHOLDER, part.segment);

/** Whose a message is, for what is no text of it: its name, the id of its result, its native blocks. */
export function ownerOf(message: BuildMessage): SegmentId | null {
  if (message.segment !== undefined) return message.segment;
  for (const part of partsOf(message.content)) {
    const segment = part.type === 'image' ? part.segment : part.text.runs[0]?.segment;
    if (segment != null) return segment;
  }
  return message.toolCalls?.[0]?.segment ?? message.reasoningContent?.runs[0]?.segment ?? null;
}

/** The system prompt as the first message, then the messages; an empty system prompt is left out. */
export const allMessages = (request: BuildRequest): readonly BuildMessage[] =>
  request.system.length === 0 ? request.messages : [{ role: 'system', content: request.system }, ...request.messages];

export const isSystem = ({ role }: BuildMessage): boolean => role === 'system' || role === 'developer';
