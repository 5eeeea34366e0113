import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { en, zh } from '../testing/texts.ts';
import type { LlmMessage } from '../types.ts';
import { applyBudget, isCompactedHistory, type BudgetedMessages } from './apply-budget.ts';
import { CHARS4, COVEL_ESTIMATOR, messagesTokens } from './estimator.ts';
import { resolveBudgetOptions } from './options.ts';
import { anyMessages, envelope, group, say, text } from './testing/messages.ts';
import { toolGroups } from './tool-groups.ts';

const MARKER = text(60, 'm'); // 15 tokens
const isMarker = (message: LlmMessage | undefined): boolean => message?.role === 'system' && message.content === MARKER;

/** `max/reserve/protect` as in the table; a protect of −1 leaves the default. */
function run(
  system: number,
  messages: readonly LlmMessage[],
  max: number,
  reserve: number,
  protect = -1,
): BudgetedMessages {
  const budget = resolveBudgetOptions({
    maxInputTokens: max,
    reservedForResponse: reserve,
    ...(protect < 0 ? {} : { protectLastUserTurns: protect }),
  });
  return applyBudget({ system: text(system, 's'), messages, budget, estimate: CHARS4, marker: MARKER });
}
const alternating = (count: number, length: number): LlmMessage[] =>
  Array.from({ length: count }, (_, i) => say(i % 2 === 0 ? 'user' : 'assistant', length));
const [U, A, T] = ['user', 'assistant', 'tool'] as const;

describe('the table of section 12.2', () => {
  const unchanged = (result: BudgetedMessages, messages: readonly LlmMessage[], totalTokens: number, over: boolean) => {
    expect(result).toMatchObject({ totalTokens, prunedMessageCount: 0, overBudget: over });
    expect(result.messages).toEqual(messages);
    expect(result.kept).toEqual(messages.map((_, i) => i));
  };
  const cut = (result: BudgetedMessages, messages: readonly LlmMessage[], kept: readonly number[]) => {
    expect(result.kept).toEqual(kept);
    expect(result.messages).toEqual([{ role: 'system', content: MARKER }, ...kept.map((i) => messages[i])]);
    expect(result.prunedMessageCount).toBe(messages.length - kept.length);
  };

  test('B1: six of ten go, the cut takes whole steps', () => {
    const messages = alternating(10, 40);
    const result = run(40, messages, 100, 30, 2);
    cut(result, messages, [6, 7, 8, 9]);
    expect(result).toMatchObject({ prunedMessageCount: 6, totalTokens: 65, overBudget: false });
  });
  test('B2: the default protects one turn', () => {
    const messages = alternating(8, 400);
    const result = run(0, messages, 250, 0);
    cut(result, messages, [6, 7]);
    expect(result).toMatchObject({ prunedMessageCount: 6, totalTokens: 215, overBudget: false });
  });
  test('B3: one message larger than the window', () => {
    const messages = [say(U, 10_000)];
    unchanged(run(0, messages, 500, 0, 1), messages, 2500, true);
  });
  test('B4: fewer user messages than are protected', () => {
    const messages = [say(U, 4000), say(A, 4000)];
    unchanged(run(0, messages, 500, 0, 2), messages, 2000, true);
  });
  test('B5: all that may go is gone and it is still too much', () => {
    const messages = alternating(10, 4000);
    const result = run(0, messages, 10_000, 6000, 2);
    cut(result, messages, [6, 7, 8, 9]);
    expect(result).toMatchObject({ prunedMessageCount: 6, totalTokens: 4015, overBudget: true });
  });
  test('B6: exactly the limit fits', () => {
    const messages = alternating(4, 40);
    unchanged(run(40, messages, 100, 50), messages, 50, false);
  });
  test('B7: two go, the marker included it is over', () => {
    const messages = alternating(6, 40);
    const result = run(40, messages, 100, 80, 2);
    cut(result, messages, [2, 3, 4, 5]);
    expect(result).toMatchObject({ prunedMessageCount: 2, totalTokens: 65, overBudget: true });
  });
  test('B8: a summary stays', () => {
    const messages = [envelope(), say(U, 400), say(A, 400), say(U, 40), say(A, 40)];
    const result = run(0, messages, 140, 40, 1);
    cut(result, messages, [0, 3, 4]);
    expect(result.prunedMessageCount).toBe(2);
    expect(result.totalTokens).toBeLessThanOrEqual(100);
  });
  test('B9: results orphaned by the cut go with it', () => {
    const messages = [say(U, 400), say(A, 400), say(T, 40), say(T, 40), say(U, 40), say(A, 40)];
    const result = run(40, messages, 100, 40, 1);
    cut(result, messages, [4, 5]);
    expect(result.prunedMessageCount).toBe(4);
  });
  test('B10: results of the protected turn stay', () => {
    const messages = [say(U, 400), say(U, 40), say(A, 40), say(T, 40)];
    const result = run(40, messages, 120, 40, 1);
    cut(result, messages, [1, 2, 3]);
  });
  test.each([
    [6, 0],
    [8, 0],
    [10, 3],
    [12, 3],
    [14, 6],
    [16, 9],
    [18, 9],
    [20, 12],
    [22, 15],
    [24, 15],
  ])('B11: %i messages of history, first kept %i', (count, first) => {
    const messages = [...alternating(count, 400), say(U, 40)];
    const result = run(40, messages, 2000, 1000, 1);
    expect(result.kept[0]).toBe(first);
    expect(result.prunedMessageCount).toBe(first);
    expect(result.overBudget).toBe(false);
  });
  test('B12: a reserve of the whole window is a configuration error', () => {
    const error = expect.objectContaining({ code: 'configuration', field: 'contextBudget.reservedForResponse' });
    expect(() => run(0, [], 100, 100)).toThrow(error);
    expect(() => run(0, [], 100, 120)).toThrow(error);
  });
  test('B13: no messages', () => {
    unchanged(run(40, [], 100, 0), [], 10, false);
    unchanged(run(800, [], 100, 0), [], 200, true);
  });
  test('B14: the turn context directly before the protected user message', () => {
    const messages = [say(U, 400), say('system', 40), say(A, 400), say('system', 44), say('system', 48), say(U, 40)];
    const result = run(0, messages, 120, 0, 1);
    cut(result, messages, [3, 4, 5]);
  });
  test('B15: the same marker for any number of dropped messages, in the language of the session', () => {
    const markers = [en, zh].flatMap((texts) => {
      const marker = texts.text('history.pruned-marker');
      return [10, 30].map((count) => {
        const budget = resolveBudgetOptions({ maxInputTokens: 900, reservedForResponse: 0 });
        const { messages } = applyBudget({
          system: '',
          messages: alternating(count, 400),
          budget,
          estimate: CHARS4,
          marker,
        });
        return messages[0]?.content;
      });
    });
    expect(markers).toEqual([
      ...Array(2).fill(en.text('history.pruned-marker')),
      ...Array(2).fill(zh.text('history.pruned-marker')),
    ]);
    expect(en.text('history.pruned-marker')).not.toMatch(/\p{Script=Han}|\d/u);
    expect(zh.text('history.pruned-marker')).toMatch(/\p{Script=Han}/u);
    expect(CHARS4(en.text('history.pruned-marker'))).toBe(15);
  });
});

describe('beyond the table', () => {
  test('protection 0 protects nothing', () => {
    const result = run(0, [say(U, 400), say(A, 400), say(U, 400)], 100, 0, 0);
    expect(result).toMatchObject({ kept: [], prunedMessageCount: 3, totalTokens: 15, overBudget: false });
  });
  test('a cut that saves no more than the marker costs is not made', () => {
    const messages = [say(U, 60), say(U, 400)]; // 15 tokens could go
    expect(run(0, messages, 100, 0, 1)).toMatchObject({ messages, prunedMessageCount: 0, overBudget: true });
    const larger = [say(U, 64), say(U, 400)];
    expect(run(0, larger, 100, 0, 1)).toMatchObject({ prunedMessageCount: 1, totalTokens: 115, overBudget: true });
  });
  test('a summary is not a turn', () => {
    const messages = [say(A, 400), envelope(), say(U, 40)];
    expect(run(0, messages, 100, 0, 2)).toMatchObject({ messages, overBudget: true });
  });
  test('the marker of an earlier cut is replaced, not counted', () => {
    const messages = [say('system', MARKER), say(U, 400), say(A, 400), say(U, 400)];
    const result = run(0, messages, 250, 0, 1);
    expect(result).toMatchObject({ kept: [3], prunedMessageCount: 2 });
    expect(result.messages.filter(isMarker)).toHaveLength(1);
  });
  test('a call stays when one of its results is protected', () => {
    const [call, result] = group([{ id: 'a', result: text(40) }]) as [LlmMessage, LlmMessage];
    const messages = [say(U, 4000), call, say('system', 4), say(U, 40), result];
    expect(run(0, messages, 100, 0, 1).kept).toEqual([1, 2, 3, 4]);
  });
  test('a result goes with its call, whatever stands between', () => {
    const [call, result] = group([{ id: 'a', result: text(40) }]) as [LlmMessage, LlmMessage];
    const messages = [say(U, 400), call, say(A, 400), result, say(A, 400), say(U, 40)];
    const { kept } = run(0, messages, 231, 0, 1); // 317 tokens: two steps of 69
    expect(kept).toEqual([4, 5]);
  });
  test('a cut within a group takes the rest of it', () => {
    const calls = ['a', 'b', 'c'].map((id) => ({ id, result: text(400) }));
    const messages = [say(U, 40), ...group(calls), say(A, 400), say(U, 40)];
    const { kept } = run(0, messages, 500, 0, 1);
    expect(kept).toEqual([5, 6]);
  });
});

describe('any messages, any limits', () => {
  const input = fc.record({
    messages: anyMessages,
    cap: fc.integer({ min: 1, max: 400 }),
    protect: fc.integer({ min: 0, max: 4 }),
    covel: fc.boolean(),
  });
  const budgeted = (messages: readonly LlmMessage[], cap: number, protect: number, covel: boolean) => {
    const estimate = covel ? COVEL_ESTIMATOR : CHARS4;
    const budget = resolveBudgetOptions({ maxInputTokens: cap, reservedForResponse: 0, protectLastUserTurns: protect });
    return { estimate, result: applyBudget({ system: 'abcd', messages, budget, estimate, marker: MARKER }) };
  };

  test('never splits a group, never drops what is protected, never grows, is idempotent', () => {
    let cuts = 0;
    fc.assert(
      fc.property(input, ({ messages, cap, protect, covel }) => {
        const { estimate, result } = budgeted(messages, cap, protect, covel);
        const kept = new Set(result.kept);
        const total = estimate('abcd') + messagesTokens(messages, estimate);
        if (kept.size < messages.length) cuts++;

        expect(result.totalTokens).toBe(estimate('abcd') + messagesTokens(result.messages, estimate));
        expect(result.totalTokens).toBeLessThanOrEqual(total);
        expect(result.overBudget).toBe(result.totalTokens > cap);
        expect(kept.size === messages.length || total > cap).toBe(true);
        expect(result.messages.filter((message) => !isMarker(message))).toEqual(messages.filter((_, i) => kept.has(i)));

        for (const { start, end } of toolGroups(messages)) {
          const parts = messages.flatMap((_, i) => (i >= start && i < end ? [kept.has(i)] : []));
          expect(new Set(parts).size).toBe(1);
        }
        messages.forEach((message, i) => {
          if (isCompactedHistory(message)) expect(kept.has(i)).toBe(true);
        });
        const users = messages.flatMap((message, i) =>
          message.role === 'user' && !isCompactedHistory(message) ? [i] : [],
        );
        let first = protect === 0 ? messages.length : users.length < protect ? 0 : (users.at(-protect) ?? 0);
        while (first > 0 && first < messages.length && messages[first - 1]?.role === 'system') first--;
        for (let i = first; i < messages.length; i++) expect(kept.has(i)).toBe(true);

        const again = budgeted(result.messages, cap, protect, covel).result;
        expect(again.messages).toEqual(result.messages);
        expect(again.totalTokens).toBe(result.totalTokens);
      }),
      { numRuns: 400 },
    );
    expect(cuts).toBeGreaterThan(50);
  });

  test('a limit of exactly the total changes nothing', () => {
    fc.assert(
      fc.property(input, ({ messages, protect, covel }) => {
        const total = budgeted(messages, 1_000_000, protect, covel).result.totalTokens;
        const { result } = budgeted(messages, total, protect, covel);
        expect(result).toMatchObject({ messages, overBudget: false, prunedMessageCount: 0 });
      }),
    );
  });
});
