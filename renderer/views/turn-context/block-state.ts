/**
 * The turn context is made anew each turn, block by block. A block is known by its tag and its place among blocks
 * of that tag; against the previous turn it is new, changed or the same, and one that is not there any more is gone.
 */
import type { ContextBlock, ContextDetail } from '../../../shared/api.ts';

export type BlockState = 'same' | 'changed' | 'new' | 'gone' | 'unknown';
export type ShownBlock = { readonly key: string; readonly state: BlockState; readonly block: ContextBlock };

/** Blocks with a key that stays the same from turn to turn. */
function keyed(blocks: readonly ContextBlock[]): readonly (readonly [string, ContextBlock])[] {
  const seen = new Map<string, number>();
  return blocks.map((block) => {
    const tag = block.tag ?? '';
    const nth = seen.get(tag) ?? 0;
    seen.set(tag, nth + 1);
    return [`${tag} ${nth}`, block];
  });
}

function stateOf(block: ContextBlock, hasPrevious: boolean): BlockState {
  if (!hasPrevious) return 'unknown';
  if (block.previousText === null) return 'new';
  return block.previousText === block.text ? 'same' : 'changed';
}

/**
 * The blocks of a call in order, then those of the previous turn's first call that are gone.
 * `previous` is null while it is not known or where there is none.
 */
export function shownBlocks(now: ContextDetail, previous: ContextDetail | null): readonly ShownBlock[] {
  const here = keyed(now.blocks);
  const keys = new Set(here.map(([key]) => key));
  const hasPrevious = now.previousTurn !== null;
  return [
    ...here.map(([key, block]): ShownBlock => ({ key, state: stateOf(block, hasPrevious), block })),
    ...keyed(hasPrevious && previous ? previous.blocks : [])
      .filter(([key]) => !keys.has(key))
      .map(([key, block]): ShownBlock => ({ key, state: 'gone', block })),
  ];
}

/** A text as it is drawn: line breaks at its end would only make an empty line, unless there is nothing else. */
export const drawn = (text: string): string => text.replace(/(?<=[^\r\n])[\r\n]+$/, '');

export type BlockCounts = Readonly<Record<BlockState, number>>;

export function countBlocks(blocks: readonly ShownBlock[]): BlockCounts {
  const counts = { same: 0, changed: 0, new: 0, gone: 0, unknown: 0 };
  for (const { state } of blocks) counts[state]++;
  return counts;
}
