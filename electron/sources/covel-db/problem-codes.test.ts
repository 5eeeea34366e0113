/** Every problem that a file can have is said in words: the codes are read from the source that makes them. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isMessageKey, sentence } from '../../../shared/language/index.ts';

const FOLDER = new URL('.', import.meta.url);
/** `code: 'x'` of an object that is a problem, and not an error: errors are made by their own functions. */
const CODE = /\bcode: '([a-z-]+)'/g;

const codes = new Set(
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && name !== 'errors.ts')
    .flatMap((name) => [...readFileSync(new URL(name, FOLDER), 'utf8').matchAll(CODE)].map((match) => match[1] ?? '')),
);

test('the codes are found', () => {
  expect([...codes].sort()).toEqual([
    'damaged',
    'deep-json',
    'invalid-json',
    'payload-null',
    'session-missing',
    'truncated',
    'unknown-event-type',
    'wal-mismatch',
    'wrong-type',
  ]);
});

test.each([...codes])('%s has a sentence in both languages', (code) => {
  const key = `problem.${code}`;
  expect(isMessageKey(key)).toBe(true);
  const said = (['en', 'zh'] as const).map((language) => sentence(language, { key, values: {} }));
  expect(said.filter((words) => words === key || /[{}]/.test(words))).toEqual([]);
});
