/**
 * The assembler marks its cache boundaries with a sentinel in the system prompt (assembler page, section 2.1). Only
 * Anthropic's adapter reads it; no sentinel may leave in any body, wherever it came from.
 */
import type { Json } from '../../../shared/model/index.ts';
import { SENTINEL } from '../kernel/parse.ts';
import { without, type Traced } from './traced.ts';

export { SENTINEL };

/** A text without sentinels, also those that lie across two runs. */
export function withoutSentinels(text: Traced): Traced {
  let rest = text;
  // Taking one out may bring the halves of another together.
  for (let next = without(rest, SENTINEL); next.length < rest.length; next = without(rest, SENTINEL)) rest = next;
  return rest;
}

/** A plain string without sentinels. */
export function stringWithoutSentinels(text: string): string {
  let rest = text;
  while (rest.includes(SENTINEL)) rest = rest.replaceAll(SENTINEL, '');
  return rest;
}

const ESCAPED = JSON.stringify(SENTINEL).slice(1, -1);

/** A JSON value without sentinels in its strings and keys; the value itself where there are none. */
export function jsonWithoutSentinels<T extends Json>(value: T): T {
  const text = JSON.stringify(value);
  if (!text.includes(ESCAPED)) return value;
  return JSON.parse(text, (_key, item: Json): Json => {
    if (typeof item === 'string') return stringWithoutSentinels(item);
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    return Object.fromEntries(Object.entries(item).map(([key, member]) => [stringWithoutSentinels(key), member]));
  }) as T;
}
