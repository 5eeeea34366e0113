/**
 * OpenAI Chat: system text keeps its role and its place among the messages. Calls stand beside the content of an
 * assistant message, and each result is a message of role `tool` that names the id of its call.
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
import { cacheMarks, textsOfKey, textsUnder } from '../texts.ts';

function kindOf(block: Json): BlockKind {
  const type = nameOf(field(block, 'type'));
  if (type === 'text') return { type: 'text', at: 'text' };
  if (type === 'refusal') return { type: 'text', at: 'refusal' };
  if (type === 'image_url') return { type: 'image', mediaType: null };
  return { type: 'other' };
}

function callParts(calls: Json, path: JsonPointer): readonly PromptPart[] {
  if (!isList(calls)) return otherPart(textsUnder(calls, path, 'blocks'));
  return calls.flatMap((call, i) => {
    const name = nameOf(field(field(call, 'function'), 'name')) ?? nameOf(field(field(call, 'custom'), 'name'));
    return blockParts(call, at(path, i), { type: 'tool-call', id: nameOf(field(call, 'id')), name: name ?? '' });
  });
}

function keyParts(message: JsonObject, key: string, path: JsonPointer): readonly PromptPart[] {
  const value = message[key] as Json;
  switch (key) {
    case 'content':
      return contentParts(value, at(path, key), kindOf);
    case 'tool_calls':
      return callParts(value, at(path, key));
    case 'function_call': {
      const kind: BlockKind = { type: 'tool-call', id: null, name: nameOf(field(value, 'name')) ?? '' };
      return isObject(value) ? blockParts(value, at(path, key), kind) : otherPart(textsOfKey(message, key, path));
    }
    case 'reasoning_content':
    case 'reasoning': {
      const texts = textsOfKey(message, key, path);
      return texts.length === 0 ? [] : [{ type: 'reasoning', texts }];
    }
    default:
      return otherPart(textsOfKey(message, key, path));
  }
}

function readMessage(message: Json, path: JsonPointer): readonly RawMessage[] {
  if (!isObject(message)) return looseMessage(message, path);
  const role = roleOf(message['role']);
  if (role === 'tool') {
    const texts = textsUnder(message, path, 'blocks');
    const id = nameOf(message['tool_call_id']);
    return [
      { role, path, parts: [{ type: 'tool-result', id, name: id === null ? nameOf(message['name']) : null, texts }] },
    ];
  }
  return [{ role, path, parts: Object.keys(message).flatMap((key) => keyParts(message, key, path)) }];
}

/** A body of the OpenAI Chat Completions API (assembler page, section 9.2) as a prompt; never throws. */
export function parseChat(body: Json): WirePrompt {
  return {
    protocol: 'openai-chat-v1',
    tools: toolList(field(body, 'tools'), '/tools', (tool) => field(tool, 'function') ?? tool),
    messages: finishMessages(messageList(field(body, 'messages'), '/messages', readMessage), true),
    responseFormat: textsUnder(field(body, 'response_format'), '/response_format', 'format'),
    marks: cacheMarks('openai-chat-v1', body),
  };
}
