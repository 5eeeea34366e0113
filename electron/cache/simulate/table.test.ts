import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTable } from './table.ts';

/** Close together and far apart, so that searches run into one another and around the end. */
const anyPrefix = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 0xffffffff }));

test('a table is a map of prefixes', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(anyPrefix, fc.integer({ min: 0, max: 3 })), { maxLength: 900 }), (puts) => {
      const table = createTable<number>();
      const map = new Map<number, number>();
      for (const [prefix, value] of puts) {
        expect(table.get(prefix)).toBe(map.get(prefix));
        table.set(prefix, value);
        map.set(prefix, value);
      }
      for (let prefix = 1; prefix <= 41; prefix++) expect(table.get(prefix)).toBe(map.get(prefix));
      for (const [prefix, value] of map) expect(table.get(prefix)).toBe(value);
    }),
    { numRuns: 60 },
  );
});

test('it grows, and keeps what it had', () => {
  const table = createTable<string>();
  const count = 20_000;
  for (let prefix = 1; prefix <= count; prefix++) table.set(prefix, `p${prefix}`);
  for (let prefix = 1; prefix <= count; prefix++) expect(table.get(prefix)).toBe(`p${prefix}`);
  expect(table.get(count + 1)).toBeUndefined();
});
