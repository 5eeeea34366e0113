import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { en, zh } from '../testing/texts.ts';
import type { Estimator, LlmMessage } from '../types.ts';
import { applyBudget, isCompactedHistory, type BudgetedMessages } from './apply-budget.ts';
import { CHARS4, COVEL_ESTIMATOR, messagesTokens } from './estimator.ts';
import { resolveBudgetOptions } from './options.ts';
import { anyMessages, envelope, group, limitShare, say, text } from './testing/messages.ts';
import { toolGroups } from './tool-groups.ts';

const MARKER = text(60, 'm'); // 15 tokens
const isMarker = (message: LlmMessage | undefined): boolean => message?.role === 'system' && message.content === MARKER;

/** `max/reserve/protect` as in the table. */
function run(
  system: number,
  messages: readonly LlmMessage[],
  max: number,
  reserve: number,
  protect?: number,
): BudgetedMessages {
  const budget = resolveBudgetOptions({
    maxInputTokens: max,
    reservedForResponse: reserve,
    ...(protect === undefined ? {} : { protectLastUserTurns: protect }),
  });
  return applyBudget({ system: text(system, 's'), messages, budget, estimate: CHARS4, marker: MARKER });
}
const alternating = (count: number, length: number): LlmMessage[] =>
  Array.from({ length: count }, (_, i) => say(i % 2 === 0 ? 'user' : 'assistant', length));
const [U, A, T] = ['user', 'assistant', 'tool'] as const;

describe('the table of section 12.2', () => {
  type Case = {
    readonly system: number;
    readonly messages: readonly LlmMessage[];
    /** max, reserve, protect */
    readonly limits: readonly [number, number, number?];
    /** Indices that stay; absent: all of them, without a marker. */
    readonly kept?: readonly number[];
    readonly total: number;
    readonly over: boolean;
  };
  const context = [say(U, 400), say('system', 40), say(A, 400), say('system', 44), say('system', 48), say(U, 40)];
  const summary = envelope();
  const summaryTokens = messagesTokens([summary], CHARS4);
  test.each<[string, Case]>([
    [
      'B1: six of ten go, the cut takes whole steps',
      { system: 40, messages: alternating(10, 40), limits: [100, 30, 2], kept: [6, 7, 8, 9], total: 65, over: false },
    ],
    [
      'B2: one turn is protected by default',
      { system: 0, messages: alternating(8, 400), limits: [250, 0], kept: [6, 7], total: 215, over: false },
    ],
    [
      'B3: one message larger than the window',
      { system: 0, messages: [say(U, 10_000)], limits: [500, 0, 1], total: 2500, over: true },
    ],
    [
      'B4: fewer user messages than are protected',
      { system: 0, messages: alternating(2, 4000), limits: [500, 0, 2], total: 2000, over: true },
    ],
    [
      'B5: all that may go is gone and it is still too much',
      {
        system: 0,
        messages: alternating(10, 4000),
        limits: [10_000, 6000, 2],
        kept: [6, 7, 8, 9],
        total: 4015,
        over: true,
      },
    ],
    [
      'B6: exactly the limit fits',
      { system: 40, messages: alternating(4, 40), limits: [100, 50], total: 50, over: false },
    ],
    [
      'B7: two go, with the marker it is over',
      { system: 40, messages: alternating(6, 40), limits: [100, 80, 2], kept: [2, 3, 4, 5], total: 65, over: true },
    ],
    [
      'B8: a summary stays',
      {
        system: 0,
        messages: [summary, say(U, 400), say(A, 400), say(U, 40), say(A, 40)],
        limits: [140, 40, 1],
        kept: [0, 3, 4],
        total: 15 + summaryTokens + 20,
        over: false,
      },
    ],
    [
      'B9: results orphaned by the cut go with it',
      {
        system: 40,
        messages: [say(U, 400), say(A, 400), say(T, 40), say(T, 40), say(U, 40), say(A, 40)],
        limits: [100, 40, 1],
        kept: [4, 5],
        total: 45,
        over: false,
      },
    ],
    [
      'B10: results of the protected turn stay',
      {
        system: 40,
        messages: [say(U, 400), say(U, 40), say(A, 40), say(T, 40)],
        limits: [120, 40, 1],
        kept: [1, 2, 3],
        total: 55,
        over: false,
      },
    ],
    ['B13: no messages', { system: 40, messages: [], limits: [100, 0], total: 10, over: false }],
    [
      'B13: no messages, a system text that is too long',
      { system: 800, messages: [], limits: [100, 0], total: 200, over: true },
    ],
    [
      'B14: system messages directly before the protected user message stay',
      { system: 0, messages: context, limits: [120, 0, 1], kept: [3, 4, 5], total: 48, over: false },
    ],
  ])('%s', (_, { system, messages, limits, kept, total, over }) => {
    const result = run(system, messages, ...limits);
    const marker = kept ? [{ role: 'system', content: MARKER }] : [];
    const stays = kept ?? messages.map((_, i) => i);
    expect(result).toEqual({
      messages: [...marker, ...stays.map((i) => messages[i])],
      totalTokens: total,
      prunedMessageCount: messages.length - stays.length,
      overBudget: over,
      kept: stays,
    });
  });
  test.each([
    [0, 0],
    [2, 0],
    [4, 0],
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
  test('what may go goes, also where that is less than the marker costs', () => {
    const messages = [say(U, 20), say(U, 400)]; // 5 tokens may go, the marker costs 15
    expect(run(0, messages, 100, 0, 1)).toMatchObject({
      kept: [1],
      prunedMessageCount: 1,
      totalTokens: 115,
      overBudget: true,
    });
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
    const messages = [call, say(U, 4000), say('system', 4), say(U, 40), result];
    expect(run(0, messages, 100, 0, 1).kept).toEqual([0, 2, 3, 4]);
  });
  test('a result goes with its call, whatever stands between', () => {
    const [call, result] = group([{ id: 'a', result: text(40) }]) as [LlmMessage, LlmMessage];
    const messages = [say(U, 400), call, say(A, 400), say(A, 40), result, say(U, 40)];
    // 252 tokens, 135 must go: the player's 100, the call with its result 32, and then the reply too
    expect(run(0, messages, 150, 0, 1).kept).toEqual([3, 5]);
  });
  test('results that name no call go when the cut is directly before them', () => {
    const messages = [say(A, 400), say(T, 40), say(T, 40), say(A, 400), say(U, 40)]; // 230 tokens, 60 must go
    expect(run(0, messages, 200, 0, 1).kept).toEqual([3, 4]);
  });
  test('a cut within a group takes the rest of it', () => {
    const calls = ['a', 'b', 'c'].map((id) => ({ id, result: text(400) }));
    const messages = [say(U, 40), ...group(calls), say(A, 400), say(U, 40)];
    const { kept } = run(0, messages, 450, 0, 1);
    expect(kept).toEqual([5, 6]);
  });
});

describe('any messages, any limits', () => {
  const SYSTEM = 'abcd';
  const input = fc.record({
    messages: anyMessages,
    share: limitShare,
    protect: fc.oneof(fc.constantFrom(0, 1), fc.integer({ min: 0, max: 4 })),
    estimate: fc.constantFrom(COVEL_ESTIMATOR, CHARS4),
  });
  const totalOf = (messages: readonly LlmMessage[], estimate: Estimator): number =>
    estimate(SYSTEM) + messagesTokens(messages, estimate);
  const budgeted = (messages: readonly LlmMessage[], cap: number, protect: number, estimate: Estimator) => {
    const budget = resolveBudgetOptions({ maxInputTokens: cap, reservedForResponse: 0, protectLastUserTurns: protect });
    return applyBudget({ system: SYSTEM, messages, budget, estimate, marker: MARKER });
  };
  const isTurn = (message: LlmMessage): boolean => message.role === 'user' && !isCompactedHistory(message);
  /** By the page's words: the n-th turn from the end, and the system messages directly before it. */
  function protectedFrom(messages: readonly LlmMessage[], turns: number): number {
    if (turns === 0) return messages.length;
    let first = messages.length;
    for (let left = turns; left > 0 && first >= 0; left--) first = messages.slice(0, first).findLastIndex(isTurn);
    if (first < 0) return 0;
    while (messages[first - 1]?.role === 'system') first--;
    return first;
  }

  test('never splits a group, never drops what is protected, grows by the marker at most, is idempotent', () => {
    const seen = { cuts: 0, fits: 0, partial: 0, atGroup: 0, aroundSummary: 0 };
    fc.assert(
      fc.property(input, ({ messages, share, protect, estimate }) => {
        const total = totalOf(messages, estimate);
        const cap = Math.max(1, Math.floor((total * share) / 100));
        const result = budgeted(messages, cap, protect, estimate);
        const kept = new Set(result.kept);
        const gone = messages.flatMap((_, i) => (kept.has(i) ? [] : [i]));
        const window = protectedFrom(messages, protect);

        expect(result.totalTokens).toBe(totalOf(result.messages, estimate));
        expect(result.overBudget).toBe(result.totalTokens > cap);
        expect(result.totalTokens).toBeLessThanOrEqual(result.overBudget ? total + estimate(MARKER) : cap);
        expect(gone.length === 0 || total > cap).toBe(true);
        expect(result.messages.filter((message) => !isMarker(message))).toEqual(messages.filter((_, i) => kept.has(i)));

        const groups = toolGroups(messages);
        for (const { start, end } of groups) {
          const parts = messages.flatMap((_, i) => (i >= start && i < end ? [kept.has(i)] : []));
          expect(new Set(parts).size).toBe(1);
        }
        for (const i of gone) {
          expect(i).toBeLessThan(window);
          expect(messages[i] && isCompactedHistory(messages[i])).toBe(false);
        }
        const again = budgeted(result.messages, cap, protect, estimate);
        expect(again.messages).toEqual(result.messages);
        expect(again.totalTokens).toBe(result.totalTokens);

        if (gone.length === 0) return;
        const last = gone.at(-1) ?? 0;
        seen.cuts++;
        seen.fits += Number(!result.overBudget);
        seen.partial += Number(result.kept.some((i) => i > last && i < window));
        seen.atGroup += Number(groups.some(({ end }) => end === last + 1));
        seen.aroundSummary += Number(result.kept.some((i) => i < last));
      }),
      { numRuns: 400 },
    );
    // What can go wrong was met often enough.
    expect(seen.cuts).toBeGreaterThan(150);
    expect(seen.fits).toBeGreaterThan(100);
    expect(seen.partial).toBeGreaterThan(60);
    expect(seen.atGroup).toBeGreaterThan(25);
    expect(seen.aroundSummary).toBeGreaterThan(12);
  });

  test('a limit of exactly the total changes nothing', () => {
    fc.assert(
      fc.property(input, ({ messages, protect, estimate }) => {
        const result = budgeted(messages, totalOf(messages, estimate), protect, estimate);
        expect(result).toMatchObject({ messages, overBudget: false, prunedMessageCount: 0 });
      }),
    );
  });
});
