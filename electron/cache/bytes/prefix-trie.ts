/**
 * Numbers for sequences: two sequences have the same number exactly when they are the same. Nearly every prefix is
 * continued in one way only, so the first continuation needs no map.
 */
export type PrefixTrie = {
  /** Number of the sequence `prefix` with `item` behind it. 0 is the empty sequence. */
  step(prefix: number, item: number): number;
};

export function createPrefixTrie(): PrefixTrie {
  /** First continuation of each sequence, and what it leads to; -1: none yet. */
  const items: number[] = [-1];
  const targets: number[] = [-1];
  const others = new Map<number, Map<number, number>>();

  function add(): number {
    targets.push(-1);
    return items.push(-1) - 1;
  }

  return {
    step(prefix, item) {
      if (items[prefix] === item) return targets[prefix] as number;
      if (items[prefix] === -1) {
        items[prefix] = item;
        return (targets[prefix] = add());
      }
      let more = others.get(prefix);
      if (!more) others.set(prefix, (more = new Map()));
      const there = more.get(item);
      if (there !== undefined) return there;
      const target = add();
      more.set(item, target);
      return target;
    },
  };
}
