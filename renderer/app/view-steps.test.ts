import { expect, test } from 'vitest';
import { hasStep, lendStep, takeStep } from './view-steps.ts';

test('a step belongs to the view on screen', () => {
  const taken: number[] = [];
  const giveBack = lendStep('line', (by) => taken.push(by));
  takeStep('line', 1);
  takeStep('line', -1);
  giveBack();
  takeStep('line', 1);
  expect(taken).toEqual([1, -1]);
  expect(hasStep('line')).toBe(false);
});

test('a view that is drawn before the old one is gone keeps its step', () => {
  const giveBackOld = lendStep('line', () => undefined);
  const giveBackNew = lendStep('line', () => undefined);
  giveBackOld();
  expect(hasStep('line')).toBe(true);
  giveBackNew();
});
