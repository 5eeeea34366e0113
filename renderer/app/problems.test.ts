import { expect, test } from 'vitest';
import { problemText } from './Problems.tsx';

const problem = (code: string) => ({ code, message: 'as the engine says it', row: 'trace_events/1' });

test('a known code is told in the language on screen', () => {
  expect(problemText('en', problem('payload-null'))).not.toBe('as the engine says it');
  expect(problemText('zh', problem('payload-null'))).not.toBe(problemText('en', problem('payload-null')));
});
test('an unknown code is told as the engine says it', () => {
  expect(problemText('zh', problem('of-tomorrow'))).toBe('as the engine says it');
});
