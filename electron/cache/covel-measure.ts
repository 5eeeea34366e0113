/**
 * Covel's own prefix script measures plainly: the first body of a call, cache markers as they stand, a message whose
 * content is a string by that string alone, Gemini's system instruction not at all (storage page, section 4). Its
 * figures can be compared with Covel's only when they are found in the same way.
 */
import { sizeOf, type TextSize } from '../../shared/tokens.ts';
import { chars } from '../../shared/units.ts';

export type CovelPart = { readonly label: string; readonly text: string };
export type CovelRequest = { readonly runtimeId: string | null; readonly parts: readonly CovelPart[] };

export type CovelDifference = {
  readonly shared: TextSize;
  /** `(identical)`, `(request ends earlier)`, or the label of the later request's first different part. */
  readonly label: string;
  readonly offset: number;
  readonly was: string | null;
  readonly now: string | null;
};

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const fieldOf = (value: unknown, key: string): unknown =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

/** The request of a parsed payload; null when the payload is no object. */
export function covelRequest(parsed: unknown): CovelRequest | null {
  if (!isObject(parsed)) return null;
  const data = fieldOf(parsed, 'data');
  const payload: Json = isObject(data) ? { ...parsed, ...data } : parsed;
  const runtimeId = payload['runtimeId'];
  const sent = listOf(payload['providerRequests']).find((request) => isObject(fieldOf(request, 'body')));
  const body = fieldOf(sent, 'body') ?? payload;
  return {
    runtimeId: typeof runtimeId === 'string' ? runtimeId : null,
    parts: [
      ...listOf(fieldOf(body, 'tools') ?? payload['tools']).map(toolPart),
      ...systemParts(fieldOf(body, 'system')),
      ...textParts('instructions', fieldOf(body, 'instructions')),
      ...listOf(messagesOf(body) ?? payload['messages']).map(messagePart),
    ],
  };
}

const messagesOf = (body: unknown): unknown =>
  fieldOf(body, 'messages') ?? fieldOf(body, 'input') ?? fieldOf(body, 'contents');

const textParts = (label: string, text: unknown): CovelPart[] => (typeof text === 'string' ? [{ label, text }] : []);

function systemParts(system: unknown): CovelPart[] {
  if (!Array.isArray(system)) return textParts('system', system);
  return system.map((block, n) => ({ label: `system block ${n + 1}`, text: JSON.stringify(block) }));
}

function toolPart(tool: unknown, n: number): CovelPart {
  const name = fieldOf(tool, 'name') ?? fieldOf(fieldOf(tool, 'function'), 'name');
  return { label: `tool ${n + 1} (${nameIn(name)})`, text: JSON.stringify(tool) };
}

function messagePart(message: unknown, n: number): CovelPart {
  const content = fieldOf(message, 'content');
  const role = fieldOf(message, 'role') ?? fieldOf(message, 'type');
  return {
    label: `message ${n + 1} (${nameIn(role)})`,
    text: typeof content === 'string' ? content : JSON.stringify(message),
  };
}

const nameIn = (value: unknown): string => (typeof value === 'string' ? value : '?');

export function covelSize(parts: readonly CovelPart[]): TextSize {
  let units = 0;
  let cjk = 0;
  for (const { text } of parts) {
    const size = sizeOf(text);
    units += size.chars;
    cjk += size.cjk;
  }
  return { chars: chars(units), cjk: chars(cjk) };
}

/** What the later request `b` has in common with `a`; texts around the place are 40 units before to 80 after it. */
export function covelDifference(a: readonly CovelPart[], b: readonly CovelPart[]): CovelDifference {
  let equal = 0;
  while (equal < a.length && equal < b.length && a[equal]?.text === b[equal]?.text) equal++;
  const now = b[equal];
  const was = a[equal];
  const before = covelSize(b.slice(0, equal));
  if (!now)
    return { shared: before, label: was ? '(request ends earlier)' : '(identical)', offset: 0, was: null, now: null };
  let offset = 0;
  if (was) while (offset < now.text.length && now.text.charCodeAt(offset) === was.text.charCodeAt(offset)) offset++;
  const partly = sizeOf(now.text.slice(0, offset));
  const around = (text: string): string => text.slice(Math.max(0, offset - 40), offset + 80);
  return {
    shared: { chars: chars(before.chars + partly.chars), cjk: chars(before.cjk + partly.cjk) },
    label: now.label,
    offset,
    was: was ? around(was.text) : NO_SUCH_PART,
    now: around(now.text),
  };
}

/** Stands for the earlier request's text where it had ended already. */
export const NO_SUCH_PART = '(no such part)';
