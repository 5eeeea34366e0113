/**
 * What a provider hashes is the request in cache key order, without the marks that only steer the cache. The order
 * is data (key-order.ts); the same definition is measured on bytes in bytes/.
 */
import type { Json, JsonObject, JsonPointer, KeyPart, KeyText, Protocol } from '../../shared/model/index.ts';
import { compactJson, isObject, pointerKey, withoutSentinels } from './json-walk.ts';
import { KERNEL_ORDER, KEY_ORDER, type KeyKind } from './key-order.ts';
import type { CallSide } from './types.ts';

type Piece = { readonly path: JsonPointer; readonly value: Json; readonly as: Zone };

/**
 * The parts of a body in cache key order: tools, system texts (unescaped), messages (compact JSON).
 * @param protocol null for the kernel view `{tools, messages}`, whose sentinels are left out
 */
export function keyText(protocol: Protocol | null, body: JsonObject): KeyText {
  const parts: KeyPart[] = [];
  const text = protocol === null ? withoutSentinels : undefined;
  const counts: Record<Zone, number> = { tool: 0, system: 0, message: 0 };
  for (const { field, kind } of protocol === null ? KERNEL_ORDER : KEY_ORDER[protocol]) {
    const value = Object.hasOwn(body, field) ? body[field] : undefined;
    if (value === undefined || value === null) continue;
    for (const [index, piece] of CUTS[kind](value, `/${pointerKey(field)}`).entries()) {
      // Messages are numbered by their place in the list, the others are counted.
      if (piece.as === 'message') counts.message = Math.max(counts.message, index);
      parts.push({
        label: labelOf(piece, ++counts[piece.as]),
        path: piece.path,
        text: piece.as === 'system' ? systemText(piece.value, text) : compactJson(piece.value, text),
      });
    }
  }
  return { parts };
}

/**
 * The key text of a request, made once: every screen of a call asks for it. It is kept in the side and goes away with it;
 * a WeakMap would keep it until the next full collection of garbage, for ten thousand calls.
 */
export function keyOf(side: CallSide): KeyText {
  const { protocol, body, key } = side;
  if (key?.protocol === protocol && key.body === body) return key.text;
  const text = keyText(protocol, body);
  side.key = { protocol, body, text };
  return text;
}

export type Zone = 'tool' | 'system' | 'message';

/** The part of a request that a key part belongs to, by its label. */
export const zoneOf = (part: KeyPart): Zone =>
  part.label.startsWith('tool ') ? 'tool' : part.label.startsWith('system ') ? 'system' : 'message';

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

const each = (value: Json, path: JsonPointer, as: Zone): readonly Piece[] =>
  isList(value) ? value.map((item, i) => ({ path: `${path}/${i}`, value: item, as })) : [{ path, value, as }];

/** How a field is cut into parts (see key-order.ts). */
const CUTS: Readonly<Record<KeyKind, (value: Json, path: JsonPointer) => readonly Piece[]>> = {
  tools: (value, path) => each(value, path, 'tool'),
  declarations: (value, path) =>
    each(value, path, 'tool').flatMap((piece) => {
      const list =
        isObject(piece.value) && Object.keys(piece.value).length === 1 && piece.value['functionDeclarations'];
      return list && isList(list) ? each(list, `${piece.path}/functionDeclarations`, 'tool') : [piece];
    }),
  system: (value, path) => each(value, path, 'system'),
  'system-parts': (value, path) => {
    const parts = isObject(value) ? value['parts'] : undefined;
    return parts !== undefined && isList(parts) ? each(parts, `${path}/parts`, 'system') : each(value, path, 'system');
  },
  messages: (value, path) => each(value, path, 'message'),
  'kernel-messages': (value, path) => {
    const pieces = each(value, path, 'message');
    const first = pieces.findIndex(
      ({ value: item }) => !isObject(item) || item['role'] !== 'system' || typeof item['content'] !== 'string',
    );
    const leading = first === -1 ? pieces.length : first;
    return pieces.map((piece, i) => (i < leading ? { ...piece, as: 'system' } : piece));
  },
};

/** The text of a system block; of the kernel view's system messages their content, without sentinels. */
function systemText(value: Json, kernel: ((text: string) => string) | undefined): string {
  const own = isObject(value) ? textField(value, kernel ? 'content' : 'text') : value;
  if (typeof own !== 'string') return compactJson(value, kernel);
  return kernel ? kernel(own) : own;
}

const textField = (value: JsonObject, key: string): string | undefined => {
  const field = Object.hasOwn(value, key) ? value[key] : undefined;
  return typeof field === 'string' ? field : undefined;
};

function labelOf(piece: Piece, n: number): string {
  if (piece.as === 'system') return `system block ${n}`;
  const value = isObject(piece.value) ? piece.value : {};
  if (piece.as === 'message') return `message ${n} (${textField(value, 'role') ?? textField(value, 'type') ?? '?'})`;
  const inner = value['function'];
  const name = textField(value, 'name') ?? (isObject(inner) ? textField(inner, 'name') : undefined);
  return `tool ${n} (${name ?? '?'})`;
}
