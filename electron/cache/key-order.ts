/**
 * A provider hashes a request in an order of its own: tools, then system text, then messages. What comes first
 * in that order protects what follows; parameters outside it are no part of the key text. The order is data.
 */
import type { Protocol } from '../../shared/model/index.ts';

/**
 * How a field is cut into parts.
 * - `tools`: one part an element, its compact JSON.
 * - `declarations`: Gemini's tool list; an element whose only key is `functionDeclarations` (an array) gives one part
 *   a declaration, any other element is one part itself.
 * - `system`: a string is one text part; an array gives one part a block: the text of a block that is a string or
 *   has a string `text`, else the block's compact JSON; any other value is one part, its compact JSON.
 * - `system-parts`: `{ parts: [...] }`, its `parts` read as `system`; without an array `parts` the value is read as `system`.
 * - `messages`: one part an element, its compact JSON; a value that is no array is one part, its compact JSON.
 * - `kernel-messages`: as `messages`, but leading elements of role `system` whose content is a string are system text.
 *
 * A field that is missing or null gives no part. A tools field that is no array is one part, its compact JSON.
 */
export type KeyKind = 'tools' | 'declarations' | 'system' | 'system-parts' | 'messages' | 'kernel-messages';

export type KeyField = { readonly field: string; readonly kind: KeyKind };

export const KEY_ORDER: Readonly<Record<Protocol, readonly KeyField[]>> = {
  'anthropic-messages-v1': [
    { field: 'tools', kind: 'tools' },
    { field: 'system', kind: 'system' },
    { field: 'messages', kind: 'messages' },
  ],
  'openai-chat-v1': [
    { field: 'tools', kind: 'tools' },
    { field: 'messages', kind: 'messages' },
  ],
  'openai-responses-v1': [
    { field: 'tools', kind: 'tools' },
    { field: 'instructions', kind: 'system' },
    { field: 'input', kind: 'messages' },
  ],
  'google-generative-ai-v1': [
    { field: 'tools', kind: 'declarations' },
    { field: 'systemInstruction', kind: 'system-parts' },
    { field: 'contents', kind: 'messages' },
  ],
};

/** The kernel view: `tools` and `messages` of the payload itself, without CACHE_BREAK in its texts. */
export const KERNEL_ORDER: readonly KeyField[] = [
  { field: 'tools', kind: 'tools' },
  { field: 'messages', kind: 'kernel-messages' },
];

/** A body of a protocol that is not in the table: every field that any protocol keys on, in the common order. */
export const UNKNOWN_ORDER: readonly KeyField[] = [
  { field: 'tools', kind: 'tools' },
  { field: 'system', kind: 'system' },
  { field: 'instructions', kind: 'system' },
  { field: 'systemInstruction', kind: 'system-parts' },
  { field: 'messages', kind: 'messages' },
  { field: 'input', kind: 'messages' },
  { field: 'contents', kind: 'messages' },
];

/** Object keys that tell a provider where to cache. They are no part of the text and are removed at any depth. */
export const CACHE_MARKERS: readonly string[] = ['cache_control', 'prompt_cache_breakpoint'];

/** Covel's own mark of a cache boundary inside kernel texts; adapters take it out or turn it into a marker. */
export const CACHE_BREAK = '\ue000COVEL_CACHE_BREAK\ue000';

/** Fields that betray the protocol of a body that was recorded without its name, the surest first. */
const TELLING_FIELDS: readonly (readonly [field: string, protocol: Protocol])[] = [
  ['contents', 'google-generative-ai-v1'],
  ['systemInstruction', 'google-generative-ai-v1'],
  ['input', 'openai-responses-v1'],
  ['instructions', 'openai-responses-v1'],
  ['system', 'anthropic-messages-v1'],
  ['messages', 'openai-chat-v1'],
];

/** The recorded protocol; when none was recorded, what the fields of the body tell; `unknown` when they tell nothing. */
export function protocolOf(recorded: string | null, hasField: (field: string) => boolean): string {
  return recorded ?? TELLING_FIELDS.find(([field]) => hasField(field))?.[1] ?? 'unknown';
}

export function keyOrderOf(protocol: string): readonly KeyField[] {
  return Object.hasOwn(KEY_ORDER, protocol) ? KEY_ORDER[protocol as Protocol] : UNKNOWN_ORDER;
}
