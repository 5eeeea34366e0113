import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commonRun, isSameRun } from './byte-prefix.ts';

const LENGTH = 200_000;

test('the common run ends at the first different byte, wherever it is', () => {
  const a = Buffer.alloc(LENGTH, 'abcdefg');
  fc.assert(
    fc.property(fc.nat(LENGTH - 1), fc.nat(5000), (at, from) => {
      const b = Buffer.concat([Buffer.alloc(from, 'x'), a]);
      b[from + at] = 0;
      expect(commonRun(a, 0, b, from, LENGTH)).toBe(at);
      expect(isSameRun(a, 0, b, from, at)).toBe(true);
      expect(isSameRun(a, 0, b, from, at + 1)).toBe(false);
    }),
  );
});

test.each([0, 1, 31, 32, 33, 4095, 4096, 4097, 12_288, LENGTH])(
  'equal runs of %i bytes are common as a whole',
  (length) => {
    const a = Buffer.alloc(LENGTH, 'abc');
    expect(commonRun(a, 0, Buffer.from(a), 0, length)).toBe(length);
  },
);
