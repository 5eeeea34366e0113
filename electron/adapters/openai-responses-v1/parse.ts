/**
 * OpenAI Responses: `input` is a flat list of items. A message is an item with a role; calls, results and native
 * reasoning are items of their own. System text keeps its role and its place; `instructions` comes before all.
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
import { cacheMarks, textsOfKey, textsUnder } from '../texts.ts';

const TEXT_TYPES: ReadonlySet<string> = new Set(['input_text', 'output_text', 'text', 'summary_text']);

function kindOf(block: Json): BlockKind {
  const type = nameOf(field(block, 'type')) ?? '';
  if (TEXT_TYPES.has(type)) return { type: 'text', at: 'text' };
  if (type === 'refusal') return { type: 'text', at: 'refusal' };
  if (type === 'input_image') return { type: 'image', mediaType: null };
  return { type: 'other' };
}

/** An item that is no message; null for a message. */
function itemKind(item: Json): BlockKind | null {
  const type = nameOf(field(item, 'type')) ?? '';
  const id = nameOf(field(item, 'call_id')) ?? nameOf(field(item, 'id'));
  if (type.endsWith('_output')) return { type: 'tool-result', id, name: null };
  if (type.endsWith('_call')) return { type: 'tool-call', id, name: nameOf(field(item, 'name')) ?? type };
  if (type === 'reasoning') return { type: 'reasoning' };
  const message = type === 'message' || (type === '' && typeof field(item, 'role') === 'string');
  return message ? null : { type: 'other' };
}

function readItem(item: Json, path: JsonPointer): readonly RawMessage[] {
  if (!isObject(item)) return looseMessage(item, path);
  const kind = itemKind(item);
  if (kind !== null) {
    return [{ role: kind.type === 'tool-result' ? 'tool' : 'assistant', path, parts: blockParts(item, path, kind) }];
  }
  const parts = Object.keys(item).flatMap((key) =>
    key === 'content'
      ? contentParts(item['content'], at(path, 'content'), kindOf)
      : otherPart(textsOfKey(item, key, path)),
  );
  return [{ role: roleOf(item['role']), path, parts }];
}

function readInstruction(block: Json, path: JsonPointer): readonly RawMessage[] {
  const parts = typeof block === 'string' ? textPart(path, block) : blockParts(block, path, kindOf(block));
  return parts.length === 0 ? [] : [{ role: 'system', path, parts }];
}

/** A body of the OpenAI Responses API (assembler page, section 9.3) as a prompt; never throws. */
export function parseResponses(body: Json): WirePrompt {
  return {
    protocol: 'openai-responses-v1',
    tools: toolList(field(body, 'tools'), '/tools'),
    messages: finishMessages(
      [
        ...messageList(field(body, 'instructions'), '/instructions', readInstruction),
        ...messageList(field(body, 'input'), '/input', readItem),
      ],
      true,
    ),
    responseFormat: textsUnder(field(field(body, 'text'), 'format'), '/text/format', 'format'),
    marks: cacheMarks('openai-responses-v1', body),
  };
}
