/**
 * The four boundaries (seed 1, section 5): up to two in the system prompt, one at the end of history, for the next turn
 * to read, and one at the end of the request, for the next step of a tool loop. A mark ends a prefix, so it stands on the
 * last block that may carry one; thinking may not.
 */
import { field, nameOf } from '../json.ts';
import type { Block, CacheControl } from './blocks.ts';

export const MARK: CacheControl = { type: 'ephemeral' };

const CACHEABLE: ReadonlySet<string> = new Set(['text', 'image', 'tool_use', 'tool_result']);

const isOwned = (block: Block): block is Exclude<Block, { readonly type: 'text' }> => 'segment' in block;

/** Whether a block may carry a mark; an empty text of an earlier reply may not. */
function isCacheable(block: Block): boolean {
  if (!isOwned(block)) return true;
  const { value } = block;
  return CACHEABLE.has(nameOf(field(value, 'type')) ?? '') && field(value, 'text') !== '';
}

const marked = (block: Block): Block =>
  isOwned(block)
    ? { ...block, value: { ...(block.value as object), cache_control: MARK } as typeof block.value }
    : { ...block, cache_control: MARK };

export type Place = { readonly message: number; readonly block: number };

/** The last block at or before the end of message `upTo` that may carry a mark. */
function lastCacheable(messages: readonly (readonly Block[])[], upTo: number): Place | null {
  for (let message = upTo; message >= 0; message--) {
    const block = (messages[message] ?? []).findLastIndex(isCacheable);
    if (block >= 0) return { message, block };
  }
  return null;
}

/**
 * Sets the marks of the end of history and of the end of the request. `firstLate`: index of the first late system
 * message; null when there is none, and then history has no end of its own. Blocks are copied, never changed.
 */
export function markMessages(
  messages: readonly (readonly Block[])[],
  firstLate: number | null,
): readonly (readonly Block[])[] {
  const places = [
    firstLate === null ? null : lastCacheable(messages, firstLate - 1),
    lastCacheable(messages, messages.length - 1),
  ];
  return messages.map((blocks, m) => {
    const here = places.filter((place) => place?.message === m).map((place) => place?.block);
    return here.length === 0 ? blocks : blocks.map((block, b) => (here.includes(b) ? marked(block) : block));
  });
}

/** Which of `count` cacheable system blocks carry a mark: the first and the last. */
export const marksOf = (count: number): ReadonlySet<number> => new Set(count === 0 ? [] : [0, count - 1]);
