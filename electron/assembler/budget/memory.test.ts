import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { en } from '../testing/texts.ts';
import type { LlmMessage } from '../types.ts';
import { COVEL_ESTIMATOR } from './estimator.ts';
import { resolveBudgetOptions } from './options.ts';
import { requestBudget } from './request-budget.ts';
import { bulky, envelope, group, say } from './testing/messages.ts';
import { EMPTY_LEDGER } from './tool-ledger.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const heap = (): number => {
  collect();
  return process.memoryUsage().heapUsed;
};

/** A request that takes every step; each time with other texts, so that anything kept by content would show. */
const messagesOf = (n: number): readonly LlmMessage[] => [
  envelope(`${n} ${'The bell rings. '.repeat(20)}`),
  ...Array.from({ length: 6 }, (_, i) => say(i % 2 === 0 ? 'user' : 'assistant', `${n}-${i} `.repeat(30))),
  say('user', `${n} Look around.`),
  ...['a', 'b', 'c', 'd'].flatMap((id) => group([{ id: `${id}${n}`, result: bulky(800, { summary: `${n}` }) }])),
];

test('10,000 budget passes leave nothing behind', { timeout: 60_000 }, () => {
  const budget = resolveBudgetOptions({ maxInputTokens: 300, reservedForResponse: 0 });
  const pass = (n: number): void => {
    const input = {
      systemText: 'Body.',
      tools: [],
      budget,
      mode: 'usual' as const,
      estimate: COVEL_ESTIMATOR,
      texts: en,
    };
    const { counters } = requestBudget({ ...input, messages: messagesOf(n), ledger: EMPTY_LEDGER });
    if (counters.prunedMessages === 0 || counters.foldedToolGroups === 0) throw new Error('the pass had nothing to do');
  };
  for (let n = 0; n < 1000; n++) pass(n);
  const before = heap();
  for (let n = 1000; n < 11_000; n++) pass(n);
  expect(heap() - before).toBeLessThan(1_000_000); // 100 bytes a pass
});
