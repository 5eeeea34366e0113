import { expect, test } from 'vitest';
import { hasStep, lendStep, takeStep } from './view-steps.ts';

test('a step belongs to the view on screen', () => {
  const taken: number[] = [];
  const giveBack = lendStep('segment', (by) => taken.push(by));
  takeStep('segment', 1);
  takeStep('segment', -1);
  giveBack();
  takeStep('segment', 1);
  expect(taken).toEqual([1, -1]);
  expect(hasStep('segment')).toBe(false);
});

test('a view that is drawn before the old one is gone keeps its step', () => {
  const giveBackOld = lendStep('segment', () => undefined);
  const giveBackNew = lendStep('segment', () => undefined);
  giveBackOld();
  expect(hasStep('segment')).toBe(true);
  giveBackNew();
});
