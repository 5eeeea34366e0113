import { expect, test } from 'vitest';
import { EN } from '../../shared/language/en.ts';
import { isMessageKey, word, type MessageKey } from '../../shared/language/index.ts';
import { FAILURE_CODES } from './types.ts';

test.each(FAILURE_CODES)('%s has its words in both languages', (code) => {
  const key = `compaction.${code}`;
  expect(isMessageKey(key)).toBe(true);
  expect(word('zh', key as MessageKey)).toMatch(/\p{Script=Han}.*。$/u);
  expect(word('en', key as MessageKey)).toMatch(/^[A-Z].*\.$/);
});

test('no words for what cannot happen', () => {
  const worded = Object.keys(EN).filter((key) => key.startsWith('compaction.'));
  expect(worded.toSorted()).toEqual(FAILURE_CODES.map((code) => `compaction.${code}`).toSorted());
});
