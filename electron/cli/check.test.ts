import { expect, test } from 'vitest';
import { readShare } from './check.ts';

test.each([
  ['80%', 0.8],
  ['80 %', 0.8],
  ['99.5%', 0.995],
  ['0.8', 0.8],
  ['1', 1],
  ['0', 0],
  ['100%', 1],
  ['80', null],
  ['1.01', null],
  ['101%', null],
  ['-1%', null],
  ['80%%', null],
  ['', null],
  ['a lot', null],
])('%j is %j', (text, share) => {
  expect(readShare(text)).toBe(share);
});
