/**
 * What the four protocols have in common: a request is a list of messages made of blocks, and all text of a block
 * belongs to one part. A block of an unknown kind becomes an `other` part, so that no text is ever lost.
 */
import type { Json, JsonPointer, PromptMessage, PromptPart, Role, Text, ToolDef } from '../../shared/model/index.ts';
import { at, field, isList, isObject, nameOf, wholeText } from './json.ts';
import { textsUnder } from './texts.ts';

export type RawMessage = { readonly role: Role; readonly path: JsonPointer; readonly parts: readonly PromptPart[] };

/** What a block is, told by its protocol. `at` is the key of the text of a text block. */
export type BlockKind =
  | { readonly type: 'text'; readonly at: string }
  | { readonly type: 'reasoning' }
  | { readonly type: 'tool-call'; readonly id: string | null; readonly name: string }
  | { readonly type: 'tool-result'; readonly id: string | null; readonly name: string | null }
  | { readonly type: 'image'; readonly mediaType: string | null }
  | { readonly type: 'other' };

const ROLES: Readonly<Record<string, Role>> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  model: 'assistant',
  tool: 'tool',
  function: 'tool',
};

/** An unknown role counts as the user's: it is no instruction and no reply. */
export const roleOf = (value: Json | undefined): Role =>
  typeof value === 'string' && Object.hasOwn(ROLES, value) ? (ROLES[value] as Role) : 'user';

export function otherPart(texts: readonly Text[]): readonly PromptPart[] {
  return texts.length === 0 ? [] : [{ type: 'other', texts }];
}

export function textPart(path: JsonPointer, text: string): readonly PromptPart[] {
  return text === '' ? [] : [{ type: 'text', texts: [wholeText(path, text)] }];
}

/** One block as parts: its own part, and what else stands in a text block as an `other` part behind it. */
export function blockParts(block: Json, path: JsonPointer, kind: BlockKind): readonly PromptPart[] {
  const texts = textsUnder(block, path, 'blocks');
  if (kind.type === 'text') {
    const main = at(path, kind.at);
    const own = texts.filter((text) => text.path === main);
    const rest = otherPart(texts.filter((text) => text.path !== main));
    return own.length === 0 ? rest : [{ type: 'text', texts: own }, ...rest];
  }
  return texts.length === 0 && kind.type === 'other' ? [] : [{ ...kind, texts }];
}

/** Content of a message: a string, or a list of blocks; anything else is kept as an `other` part. */
export function contentParts(
  content: Json | undefined,
  path: JsonPointer,
  kindOf: (block: Json) => BlockKind,
): readonly PromptPart[] {
  if (typeof content === 'string') return textPart(path, content);
  if (!isList(content)) return otherPart(textsUnder(content, path, isObject(content) ? 'data' : 'blocks'));
  return content.flatMap((block, i) =>
    typeof block === 'string' ? textPart(at(path, i), block) : blockParts(block, at(path, i), kindOf(block)),
  );
}

/** A list of messages or items. A lone string is what the user says; a lone object is one message. */
export function messageList(
  value: Json | undefined,
  path: JsonPointer,
  read: (message: Json, path: JsonPointer) => readonly RawMessage[],
): readonly RawMessage[] {
  if (value === undefined || value === null) return [];
  return isList(value) ? value.flatMap((message, i) => read(message, at(path, i))) : read(value, path);
}

/** What stands in a list of messages without being an object. */
export function looseMessage(message: Json, path: JsonPointer): readonly RawMessage[] {
  const parts = typeof message === 'string' ? textPart(path, message) : otherPart(textsUnder(message, path, 'blocks'));
  return parts.length === 0 ? [] : [{ role: 'user', path, parts }];
}

export function toolDef(value: Json, path: JsonPointer, definition: Json): ToolDef {
  const fallback = isObject(value) ? (Object.keys(value)[0] ?? '') : '';
  return {
    name: nameOf(field(definition, 'name')) ?? nameOf(field(definition, 'type')) ?? fallback,
    description: nameOf(field(definition, 'description')),
    path,
    value,
    texts: textsUnder(value, path, 'tool'),
  };
}

/** Tool definitions; `inner` gives the object that holds name and description. */
export function toolList(
  value: Json | undefined,
  path: JsonPointer,
  inner: (tool: Json) => Json = (tool) => tool,
): readonly ToolDef[] {
  if (value === undefined || value === null) return [];
  return isList(value)
    ? value.map((tool, i) => toolDef(tool, at(path, i), inner(tool)))
    : [toolDef(value, path, inner(value))];
}

export const WRAPPER_OPEN = '<system-instruction>\n';
export const WRAPPER_CLOSE = '\n</system-instruction>';

/** Late system text that was sent as user text: the wrapper opens its first text and closes its last. */
function isWrapped(parts: readonly PromptPart[]): boolean {
  const first = parts[0];
  const last = parts.at(-1);
  if (first?.type !== 'text' || last?.type !== 'text') return false;
  const head = first.texts[0]?.text ?? '';
  const tail = last.texts.at(-1)?.text ?? '';
  return head.startsWith(WRAPPER_OPEN) && tail.endsWith(WRAPPER_CLOSE);
}

/**
 * Marks late and wrapped system messages and names tool results by the id of their call.
 * `wraps`: whether this form may carry system text as user text (seed 1, section 2; the kernel view does not).
 */
export function finishMessages(raw: readonly RawMessage[], wraps: boolean): readonly PromptMessage[] {
  const called = new Map<string, string>();
  let talking = false;
  return raw.map((message): PromptMessage => {
    const wrapped = wraps && talking && message.role === 'user' && isWrapped(message.parts);
    const role = wrapped ? 'system' : message.role;
    const late = role === 'system' && talking;
    if (role !== 'system') talking = true;
    const parts = message.parts.map((part): PromptPart => {
      if (part.type === 'tool-call' && part.id !== null) called.set(part.id, part.name);
      if (part.type !== 'tool-result' || part.name !== null || part.id === null) return part;
      return { ...part, name: called.get(part.id) ?? null };
    });
    return { role, late, wrapped, path: message.path, parts };
  });
}
