/**
 * Depth counts conversation messages from the end: a message of depth n stands before the n-th last one. Turn context,
 * pictures and post-history segments take no place in the count (seed 1, section 2; assembler page, 2.5).
 */
export type DepthInsertion<T> = { readonly depth: number; readonly item: T };

/**
 * `base` with the insertions. Depth 0 or less, or an empty base: at the end; a depth of the base's length or more: at
 * the front. Places are counted on the base as given, so insertions never move one another; those of one place keep
 * their order.
 */
export function insertAtDepth<T>(base: readonly T[], insertions: readonly DepthInsertion<T>[]): readonly T[] {
  const at = new Map<number, T[]>();
  for (const { depth, item } of insertions) {
    const place = Math.max(0, base.length - Math.max(0, Math.round(depth)));
    const there = at.get(place);
    if (there) there.push(item);
    else at.set(place, [item]);
  }
  return [...base, null].flatMap((item, i) => [...(at.get(i) ?? []), ...(i < base.length ? [item as T] : [])]);
}
