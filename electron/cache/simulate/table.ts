/**
 * What is known of prefixes by their numbers. A session has a million prefixes, and most of them have what their
 * neighbours have: so a number leads to a place in a list of values, and both stand in one hash table of bare numbers.
 */
export type Table<T> = {
  get(prefix: number): T | undefined;
  set(prefix: number, value: T): void;
};

const FIRST_SLOTS = 256;

/** Prefixes are whole numbers from 1. Equal values that are set one after the other are kept once. */
export function createTable<T>(): Table<T> {
  /** By turns a prefix, 0 where none stands, and its place in `values`. */
  let slots = new Uint32Array(2 * FIRST_SLOTS);
  let count = 0;
  const values: T[] = [];

  /** Where a prefix stands, or would. */
  function slotOf(prefix: number): number {
    const mask = slots.length - 2;
    let at = (Math.imul(prefix, 0x9e3779b1) >>> 7) & mask;
    while (slots[at] !== 0 && slots[at] !== prefix) at = (at + 2) & mask;
    return at;
  }

  function grow(): void {
    const old = slots;
    slots = new Uint32Array(2 * old.length);
    for (let i = 0; i < old.length; i += 2) {
      if (old[i] === 0) continue;
      const at = slotOf(old[i] as number);
      slots[at] = old[i] as number;
      slots[at + 1] = old[i + 1] as number;
    }
  }

  return {
    get(prefix) {
      const at = slotOf(prefix);
      return slots[at] === 0 ? undefined : values[slots[at + 1] as number];
    },
    set(prefix, value) {
      if (values.length === 0 || values.at(-1) !== value) values.push(value);
      const at = slotOf(prefix);
      slots[at + 1] = values.length - 1;
      if (slots[at] === prefix) return;
      slots[at] = prefix;
      // At most three quarters full, so that a search ends soon.
      if (8 * ++count > 3 * slots.length) grow();
    },
  };
}
