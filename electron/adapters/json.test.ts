import { expect, test } from 'vitest';
import { at, valueAt } from './json.ts';

const VALUE = { a: [{ b: 'x' }, 'y'], 'c/d~e': 1, '': { '': null } };

test.each([
  ['', VALUE],
  ['/a/0/b', 'x'],
  ['/a/1', 'y'],
  ['/a/2', undefined],
  ['/a/0/b/0', undefined],
  ['/c~1d~0e', 1],
  ['//', null],
  ['/constructor', undefined],
  ['/a/length', undefined],
])('the value at "%s"', (pointer, value) => expect(valueAt(VALUE, pointer)).toEqual(value));

test('a pointer that was made leads back', () => expect(valueAt(VALUE, at('', 'c/d~e'))).toBe(1));
