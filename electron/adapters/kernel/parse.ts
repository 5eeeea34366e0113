/**
 * The kernel view is what Covel's assembler handed to an adapter, before any wire form: the system prompt is one
 * message that still holds the cache sentinels, and late system messages keep their role.
 */
import type { Json, JsonObject, JsonPointer, PromptPart, WirePrompt } from '../../../shared/model/index.ts';
import { at, field, isList, isObject, nameOf } from '../json.ts';
import {
  blockParts,
  contentParts,
  finishMessages,
  looseMessage,
  messageList,
  otherPart,
  roleOf,
  toolList,
  type BlockKind,
  type RawMessage,
} from '../parts.ts';
import { textsOfKey, textsUnder } from '../texts.ts';

/** A cache boundary of the system prompt (assembler page, section 2.1). */
export const SENTINEL = '\ue000COVEL_CACHE_BREAK\ue000';

function kindOf(part: Json): BlockKind {
  const type = nameOf(field(part, 'type'));
  if (type === 'text') return { type: 'text', at: 'text' };
  if (type === 'image' || type === 'media') return { type: 'image', mediaType: nameOf(field(part, 'mediaType')) };
  return { type: 'other' };
}

function keyParts(message: JsonObject, key: string, path: JsonPointer): readonly PromptPart[] {
  const value = message[key] as Json;
  if (key === 'content') return contentParts(value, at(path, key), kindOf);
  if (key === 'toolCalls' && isList(value)) {
    return value.flatMap((call, i) => {
      const name = nameOf(field(call, 'name')) ?? '';
      return blockParts(call, at(at(path, key), i), { type: 'tool-call', id: nameOf(field(call, 'id')), name });
    });
  }
  const texts = textsOfKey(message, key, path);
  if (key === 'reasoningContent' && texts.length > 0) return [{ type: 'reasoning', texts }];
  return otherPart(texts);
}

function readMessage(message: Json, path: JsonPointer): readonly RawMessage[] {
  if (!isObject(message)) return looseMessage(message, path);
  const role = roleOf(message['role']);
  if (role === 'tool') {
    const texts = textsUnder(message, path, 'blocks');
    const id = nameOf(message['toolCallId']);
    return [{ role, path, parts: [{ type: 'tool-result', id, name: nameOf(message['name']), texts }] }];
  }
  return [{ role, path, parts: Object.keys(message).flatMap((key) => keyParts(message, key, path)) }];
}

/**
 * `messages` and `tools` of an `llm.calling` payload as a prompt; pointers are relative to `{ messages, tools }`.
 * The sentinels stay in the texts. Never throws.
 */
export function parseKernel(kernel: { readonly messages: Json; readonly tools: Json }): WirePrompt {
  return {
    protocol: null,
    tools: toolList(kernel.tools, '/tools'),
    messages: finishMessages(messageList(kernel.messages, '/messages', readMessage), false),
    responseFormat: [],
    marks: [],
  };
}
