/**
 * The texts of a body: every string that a model may read. Structural words (`type`, `role`) and cache marks are
 * not texts; inside a tool's definition, a call's arguments, a result object or a schema every string counts.
 * Object keys and empty strings are no texts. This is the definition against which all spans are tested.
 */
import type { CacheMark, Json, JsonObject, JsonPointer, Protocol, Text } from '../../shared/model/index.ts';
import { at, field, isList, isObject, nameOf, wholeText } from './json.ts';

/**
 * How a value is read. `blocks`: messages, items, content blocks. `tool`: a tool list or definition down to where
 * its data begins. `format`: a response format around its schema. `data`: opaque to us, every string counts.
 */
export type Reading = 'blocks' | 'tool' | 'format' | 'data';

const MARK_KEYS: ReadonlySet<string> = new Set(['cache_control', 'prompt_cache_breakpoint']);
const STRUCTURAL_KEYS: ReadonlySet<string> = new Set(['type', 'role']);
/** Arguments of a call and the object of a result, in the spelling of all protocols. */
const DATA_KEYS: ReadonlySet<string> = new Set(['input', 'arguments', 'args', 'response']);
/** Blocks or text as a rule; a plain object here is the object of a tool result. */
const RESULT_KEYS: ReadonlySet<string> = new Set(['content', 'output']);
const TOOL_LISTS: ReadonlySet<string> = new Set(['functionDeclarations', 'function']);

/** How the value of `key` is read; null where it is no text at all. */
function readingOf(parent: Reading, key: string, value: Json): Reading | 'mark' | null {
  switch (parent) {
    case 'data':
      return 'data';
    case 'tool':
      if (MARK_KEYS.has(key)) return 'mark';
      return TOOL_LISTS.has(key) ? 'tool' : 'data';
    case 'format':
      return key === 'type' && typeof value === 'string' ? null : 'data';
    case 'blocks':
      if (MARK_KEYS.has(key)) return 'mark';
      if (STRUCTURAL_KEYS.has(key) && typeof value === 'string') return null;
      if (DATA_KEYS.has(key) || (RESULT_KEYS.has(key) && isObject(value))) return 'data';
      return 'blocks';
  }
}

type Found = { readonly texts: Text[]; readonly marks: CacheMark[] };
type Visit = { readonly value: Json; readonly path: JsonPointer; readonly reading: Reading };

/** Depth first in the order of the body, with a stack of its own: JSON may be deeper than the call stack. */
function walk(value: Json, path: JsonPointer, reading: Reading, found: Found): void {
  const stack: Visit[] = [{ value, path, reading }];
  for (let visit = stack.pop(); visit !== undefined; visit = stack.pop()) {
    const { value: here, path: pointer, reading: how } = visit;
    if (typeof here === 'string') {
      if (here !== '') found.texts.push(wholeText(pointer, here));
    } else if (isList(here)) {
      for (let i = here.length - 1; i >= 0; i--) {
        stack.push({ value: here[i] as Json, path: at(pointer, i), reading: how });
      }
    } else if (isObject(here)) {
      const entries = Object.entries(here);
      for (let i = entries.length - 1; i >= 0; i--) {
        const [key, member] = entries[i] as [string, Json];
        const next = readingOf(how, key, member);
        if (next === 'mark') {
          if (isObject(member)) found.marks.push({ path: pointer, ttl: nameOf(field(member, 'ttl')) });
        } else if (next !== null) {
          stack.push({ value: member, path: at(pointer, key), reading: next });
        }
      }
    }
  }
}

/** Texts under a value, in the order of the body. Offsets are UTF-16 units. */
export function textsUnder(value: Json | undefined, path: JsonPointer, reading: Reading): readonly Text[] {
  const found: Found = { texts: [], marks: [] };
  if (value !== undefined) walk(value, path, reading, found);
  return found.texts;
}

/** Texts of one member of an object that is read as `blocks`; none for structural words and marks. */
export function textsOfKey(parent: JsonObject, key: string, path: JsonPointer): readonly Text[] {
  const value = parent[key];
  if (value === undefined) return [];
  const reading = readingOf('blocks', key, value);
  return reading === null || reading === 'mark' ? [] : textsUnder(value, at(path, key), reading);
}

type Section = { readonly path: readonly string[]; readonly reading: Reading };
const section = (reading: Reading, ...path: string[]): Section => ({ path, reading });

/** The fields of a body that hold texts, in cache key order; `kernel` is the kernel view of the trace. */
const SECTIONS: Readonly<Record<Protocol | 'kernel', readonly Section[]>> = {
  'anthropic-messages-v1': [section('tool', 'tools'), section('blocks', 'system'), section('blocks', 'messages')],
  'openai-chat-v1': [section('tool', 'tools'), section('blocks', 'messages'), section('format', 'response_format')],
  'openai-responses-v1': [
    section('tool', 'tools'),
    section('blocks', 'instructions'),
    section('blocks', 'input'),
    section('format', 'text', 'format'),
  ],
  'google-generative-ai-v1': [
    section('tool', 'tools'),
    section('blocks', 'systemInstruction'),
    section('blocks', 'contents'),
    section('data', 'generationConfig', 'responseJsonSchema'),
  ],
  kernel: [section('tool', 'tools'), section('blocks', 'messages')],
};

function findAll(form: Protocol | 'kernel', body: Json): Found {
  const found: Found = { texts: [], marks: [] };
  for (const { path, reading } of SECTIONS[form]) {
    let value: Json | undefined = body;
    for (const key of path) value = field(value, key);
    if (value !== undefined) walk(value, path.map((key) => `/${key}`).join(''), reading, found);
  }
  return found;
}

/** Every text of a wire body, in cache key order: tools, system, messages, response format. */
export const bodyTexts = (protocol: Protocol, body: Json): readonly Text[] => findAll(protocol, body).texts;

/** Every text of the kernel view `{ messages, tools }`. */
export const kernelTexts = (kernel: { readonly messages: Json; readonly tools: Json }): readonly Text[] =>
  findAll('kernel', { messages: kernel.messages, tools: kernel.tools }).texts;

/** Explicit cache marks by the object that carries them; a mark on the body itself has the pointer ''. */
export function cacheMarks(protocol: Protocol, body: Json): readonly CacheMark[] {
  const { marks } = findAll(protocol, body);
  const own = field(body, 'cache_control');
  return isObject(own) ? [...marks, { path: '', ttl: nameOf(field(own, 'ttl')) }] : marks;
}
