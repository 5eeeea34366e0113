/**
 * Anthropic Messages: leading system text stands in `system` (one string, or blocks that end at the assembler's
 * cache boundaries); later system text is user text in a wrapper. Tool results are user messages of result blocks.
 */
import type { Json, JsonPointer, WirePrompt } from '../../../shared/model/index.ts';
import { at, field, isObject, nameOf } from '../json.ts';
import {
  blockParts,
  contentParts,
  finishMessages,
  looseMessage,
  messageList,
  otherPart,
  roleOf,
  textPart,
  toolList,
  type BlockKind,
  type RawMessage,
} from '../parts.ts';
import { cacheMarks, textsOfKey } from '../texts.ts';

function kindOf(block: Json): BlockKind {
  const type = nameOf(field(block, 'type')) ?? '';
  if (type === 'text') return { type: 'text', at: 'text' };
  if (type === 'thinking' || type === 'redacted_thinking') return { type: 'reasoning' };
  if (type.endsWith('tool_use')) {
    return { type: 'tool-call', id: nameOf(field(block, 'id')), name: nameOf(field(block, 'name')) ?? type };
  }
  if (type.endsWith('tool_result')) {
    return { type: 'tool-result', id: nameOf(field(block, 'tool_use_id')), name: null };
  }
  if (type === 'image') return { type: 'image', mediaType: nameOf(field(field(block, 'source'), 'media_type')) };
  return { type: 'other' };
}

function readSystem(block: Json, path: JsonPointer): readonly RawMessage[] {
  const parts = typeof block === 'string' ? textPart(path, block) : blockParts(block, path, kindOf(block));
  return parts.length === 0 ? [] : [{ role: 'system', path, parts }];
}

function readMessage(message: Json, path: JsonPointer): readonly RawMessage[] {
  if (!isObject(message)) return looseMessage(message, path);
  const parts = Object.keys(message).flatMap((key) =>
    key === 'content'
      ? contentParts(message['content'], at(path, 'content'), kindOf)
      : otherPart(textsOfKey(message, key, path)),
  );
  const results = parts.length > 0 && parts.every((part) => part.type === 'tool-result');
  return [{ role: results ? 'tool' : roleOf(message['role']), path, parts }];
}

/** A body of the Anthropic Messages API (assembler page, section 9.1) as a prompt; never throws. */
export function parseAnthropic(body: Json): WirePrompt {
  return {
    protocol: 'anthropic-messages-v1',
    tools: toolList(field(body, 'tools'), '/tools'),
    messages: finishMessages(
      [
        ...messageList(field(body, 'system'), '/system', readSystem),
        ...messageList(field(body, 'messages'), '/messages', readMessage),
      ],
      true,
    ),
    responseFormat: [],
    marks: cacheMarks('anthropic-messages-v1', body),
  };
}
