/**
 * The compact JSON of a value is a sequence of tokens, and only its strings have an address. Bodies may be nested
 * deeper than the call stack holds, so nothing here recurses.
 */
import type { Json, JsonObject, JsonPointer } from '../../shared/model/index.ts';
import { CACHE_BREAK, CACHE_MARKERS } from './key-order.ts';

export const withoutSentinels = (text: string): string =>
  text.includes(CACHE_BREAK) ? text.replaceAll(CACHE_BREAK, '') : text;

export type JsonToken = {
  /** As it stands in compact JSON. */
  readonly text: string;
  /** The value of a string; null for everything else, keys included. */
  readonly string: string | null;
  /** `end` closes the object or array that `path()` names. */
  readonly kind: 'string' | 'scalar' | 'key' | 'start' | 'end' | 'comma';
  readonly path: () => JsonPointer;
};

export type WalkRule = {
  /** Leave cache marks out, with their keys. */
  readonly marks: 'keep' | 'drop';
  readonly text?: (text: string) => string;
};

type Frame = {
  readonly parent: Frame | null;
  /** Key or index of this container in its parent; of the root, its pointer. */
  readonly name: string;
  readonly keys: readonly string[] | null;
  readonly value: JsonObject | readonly Json[];
  readonly size: number;
  next: number;
  opened: boolean;
};

function pointerOf(frame: Frame | null, name: string | null): JsonPointer {
  const names: string[] = name === null ? [] : [pointerKey(name)];
  let at = frame;
  for (; at?.parent; at = at.parent) names.push(pointerKey(at.name));
  return [at?.name ?? '', ...names.reverse()].join('/');
}

export const pointerKey = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** The value at a pointer (RFC 6901); undefined where there is none. Own properties only. */
export function valueAt(body: Json, pointer: JsonPointer): Json | undefined {
  if (pointer === '') return body;
  let at: Json | undefined = body;
  for (const raw of pointer.slice(1).split('/')) {
    const key = raw.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(at)) at = (at as readonly Json[])[Number(key)];
    else if (isObject(at) && Object.hasOwn(at, key)) at = at[key];
    else return undefined;
  }
  return at;
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isList = (value: unknown): value is readonly Json[] => Array.isArray(value);

/** The tokens of a value in the order of its compact JSON. `at` is the pointer of the value. */
export function* jsonTokens(value: Json, at: JsonPointer, rule: WalkRule): Generator<JsonToken> {
  const stack: Frame[] = [];
  const open = (child: JsonObject | readonly Json[], parent: Frame | null, name: string): void => {
    const keys = isList(child)
      ? null
      : Object.keys(child).filter((key) => rule.marks === 'keep' || !CACHE_MARKERS.includes(key));
    const size = keys ? keys.length : (child as readonly Json[]).length;
    stack.push({ parent, name, keys, value: child, size, next: 0, opened: false });
  };
  if (isList(value) || isObject(value)) open(value, null, at);
  else yield leaf(value, () => at, rule);
  while (stack.length > 0) {
    const frame = stack[stack.length - 1] as Frame;
    const own = (): JsonPointer => pointerOf(frame, null);
    if (!frame.opened) {
      frame.opened = true;
      yield { text: frame.keys ? '{' : '[', string: null, kind: 'start', path: own };
    }
    if (frame.next === frame.size) {
      stack.pop();
      yield { text: frame.keys ? '}' : ']', string: null, kind: 'end', path: own };
      continue;
    }
    const index = frame.next++;
    if (index > 0) yield { text: ',', string: null, kind: 'comma', path: own };
    const name = frame.keys ? (frame.keys[index] as string) : String(index);
    const child = (frame.keys ? (frame.value as JsonObject)[name] : (frame.value as readonly Json[])[index]) as Json;
    const path = (): JsonPointer => pointerOf(frame, name);
    if (frame.keys) yield { text: `${JSON.stringify(name)}:`, string: null, kind: 'key', path };
    if (isList(child) || isObject(child)) open(child, frame, name);
    else yield leaf(child, path, rule);
  }
}

function leaf(value: Json, path: () => JsonPointer, rule: WalkRule): JsonToken {
  const shown = typeof value === 'string' && rule.text ? rule.text(value) : value;
  const string = typeof value === 'string' ? value : null;
  return { text: JSON.stringify(shown), string, kind: string === null ? 'scalar' : 'string', path };
}

const MARKER_KEYS = CACHE_MARKERS.map((key) => JSON.stringify(key));

/** Compact JSON with keys in body order and without cache marks. `text` rewrites every string. */
export function compactJson(value: Json, text?: (text: string) => string): string {
  try {
    const json = JSON.stringify(value);
    if (!text && !MARKER_KEYS.some((key) => json.includes(key))) return json;
    return JSON.stringify(value, (key: string, child: unknown) => {
      if (CACHE_MARKERS.includes(key)) return undefined;
      return text && typeof child === 'string' ? text(child) : child;
    });
  } catch {
    // Nested deeper than the stack.
    let json = '';
    for (const token of jsonTokens(value, '', { marks: 'drop', ...(text && { text }) })) json += token.text;
    return json;
  }
}
