/**
 * Numbers for sequences: two sequences have the same number exactly when they are the same. Nearly every prefix is
 * continued in one way only, so the first continuation needs no map.
 */
export type PrefixTrie = {
  /** Number of the sequence `prefix` with `item` behind it. 0 is the empty sequence. */
  step(prefix: number, item: number): number;
};

/** Items are whole numbers from 1. */
export function createPrefixTrie(): PrefixTrie {
  let count = 1;
  /** First continuation of each sequence, and what it leads to; 0: none yet. */
  let firsts = new Uint32Array(2048);
  const others = new Map<number, Map<number, number>>();

  function add(): number {
    if (2 * count === firsts.length) {
      const room = new Uint32Array(2 * Math.ceil(0.75 * firsts.length));
      room.set(firsts);
      firsts = room;
    }
    return count++;
  }

  return {
    step(prefix, item) {
      const first = firsts[2 * prefix];
      if (first === item) return firsts[2 * prefix + 1] as number;
      if (first === 0) {
        const target = add();
        firsts[2 * prefix] = item;
        firsts[2 * prefix + 1] = target;
        return target;
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
