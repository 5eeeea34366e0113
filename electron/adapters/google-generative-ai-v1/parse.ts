/**
 * Gemini: leading system text is `systemInstruction`, one part a message. Neighbouring pure-text contents of one role
 * were merged before sending (seed 1, section 2), so each part of such a content was a message of its own.
 */
import type { Json, JsonPointer, ToolDef, WirePrompt } from '../../../shared/model/index.ts';
import { at, field, isList, isObject, nameOf } from '../json.ts';
import {
  blockParts,
  contentParts,
  finishMessages,
  looseMessage,
  messageList,
  otherPart,
  roleOf,
  textPart,
  toolDef,
  toolList,
  type BlockKind,
  type RawMessage,
} from '../parts.ts';
import { cacheMarks, textsOfKey, textsUnder } from '../texts.ts';

function kindOf(part: Json): BlockKind {
  if (typeof field(part, 'text') === 'string') {
    return field(part, 'thought') === true ? { type: 'reasoning' } : { type: 'text', at: 'text' };
  }
  const call = field(part, 'functionCall');
  if (isObject(call)) return { type: 'tool-call', id: nameOf(call['id']), name: nameOf(call['name']) ?? '' };
  const result = field(part, 'functionResponse');
  if (isObject(result)) return { type: 'tool-result', id: nameOf(result['id']), name: nameOf(result['name']) };
  const data = field(part, 'inlineData') ?? field(part, 'fileData');
  if (isObject(data)) return { type: 'image', mediaType: nameOf(data['mimeType']) };
  return { type: 'other' };
}

function readContent(content: Json, path: JsonPointer): readonly RawMessage[] {
  if (!isObject(content)) return looseMessage(content, path);
  const role = roleOf(content['role']);
  const list = content['parts'];
  const extra = Object.keys(content).flatMap((key) =>
    key === 'parts' ? [] : otherPart(textsOfKey(content, key, path)),
  );
  const merged = isList(list) && list.length > 1 && list.every((part) => kindOf(part).type === 'text');
  if (merged) {
    const each = list.map((part, i): RawMessage => {
      const own = at(at(path, 'parts'), i);
      return { role, path: own, parts: blockParts(part, own, kindOf(part)) };
    });
    return extra.length === 0 ? each : [...each, { role, path, parts: extra }];
  }
  const own = isObject(list)
    ? blockParts(list, at(path, 'parts'), kindOf(list))
    : contentParts(list, at(path, 'parts'), kindOf);
  const results = own.length > 0 && own.every((part) => part.type === 'tool-result');
  return [{ role: results ? 'tool' : role, path, parts: [...own, ...extra] }];
}

function readSystem(value: Json | undefined, path: JsonPointer): readonly RawMessage[] {
  const system = (part: Json, own: JsonPointer): readonly RawMessage[] => {
    const parts = typeof part === 'string' ? textPart(own, part) : blockParts(part, own, kindOf(part));
    return parts.length === 0 ? [] : [{ role: 'system', path: own, parts }];
  };
  if (!isObject(value)) return messageList(value, path, system);
  return Object.keys(value).flatMap((key): readonly RawMessage[] => {
    if (key === 'parts') return messageList(value['parts'], at(path, 'parts'), system);
    const parts = otherPart(textsOfKey(value, key, path));
    return parts.length === 0 ? [] : [{ role: 'system', path, parts }];
  });
}

/** One definition for each declared function; what else stands in an entry (a built-in tool) is one more. */
function readTools(value: Json | undefined, path: JsonPointer): readonly ToolDef[] {
  if (!isList(value)) return toolList(value, path);
  return value.flatMap((entry, i) => {
    const own = at(path, i);
    const declared = field(entry, 'functionDeclarations');
    if (!isObject(entry) || !isList(declared)) return [toolDef(entry, own, entry)];
    const list = at(own, 'functionDeclarations');
    const functions = declared.map((tool, n) => toolDef(tool, at(list, n), tool));
    const rest = Object.fromEntries(Object.entries(entry).filter(([key]) => key !== 'functionDeclarations'));
    return Object.keys(rest).length === 0 ? functions : [...functions, toolDef(rest, own, rest)];
  });
}

/** A body of the Gemini API (assembler page, section 9.4) as a prompt; never throws. */
export function parseGemini(body: Json): WirePrompt {
  return {
    protocol: 'google-generative-ai-v1',
    tools: readTools(field(body, 'tools'), '/tools'),
    messages: finishMessages(
      [
        ...readSystem(field(body, 'systemInstruction'), '/systemInstruction'),
        ...messageList(field(body, 'contents'), '/contents', readContent),
      ],
      true,
    ),
    responseFormat: textsUnder(
      field(field(body, 'generationConfig'), 'responseJsonSchema'),
      '/generationConfig/responseJsonSchema',
      'data',
    ),
    marks: cacheMarks('google-generative-ai-v1', body),
  };
}
