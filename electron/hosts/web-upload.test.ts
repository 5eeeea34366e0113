import fc from 'fast-check';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { safeName } from './web-upload.ts';

test.each([
  ['covel.db', 'covel.db'],
  ['C:\\games\\covel.db', 'covel.db'],
  ['../../etc/passwd', 'passwd'],
  ['..', 'dropped.db'],
  ['', 'dropped.db'],
  ['a/', 'dropped.db'],
  ['.hidden', 'hidden'],
  ['故事 one.db', '故事 one.db'],
  ['a\u0000b\nc<d>.db', 'a_b_c_d_.db'],
  [`${'x'.repeat(300)}.db`, `${'x'.repeat(77)}.db`],
])('%j becomes %j', (name, expected) => expect(safeName(name)).toBe(expected));

test('any name stays one plain name that a file system takes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (name) => {
      const safe = safeName(name);
      expect(basename(safe)).toBe(safe);
      expect(safe).not.toMatch(/^\.|\p{Cc}|[\\/:]/u);
      expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(255);
      expect(safe.isWellFormed()).toBe(true);
    }),
  );
});
