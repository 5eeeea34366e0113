import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../shared/model/index.ts';
import { en, zh } from '../testing/texts.ts';
import type { LlmMessage } from '../types.ts';
import { CHARS4, COVEL_ESTIMATOR, messagesTokens } from './estimator.ts';
import { resolveBudgetOptions } from './options.ts';
import { overflowText, requestBudget, type RequestBudgetInput, type RequestBudgetResult } from './request-budget.ts';
import { anyMessages, bulky, envelope, group, limitShare, say, text } from './testing/messages.ts';
import { toolGroups } from './tool-groups.ts';
import { EMPTY_LEDGER } from './tool-ledger.ts';

const run = (messages: readonly LlmMessage[], cap: number, more: Partial<RequestBudgetInput> = {}, protect = 1) =>
  requestBudget({
    systemText: '',
    tools: [],
    messages,
    budget: resolveBudgetOptions({ maxInputTokens: cap, reservedForResponse: 0, protectLastUserTurns: protect }),
    ledger: EMPTY_LEDGER,
    mode: 'usual',
    estimate: CHARS4,
    texts: en,
    ...more,
  });
const sent = (result: RequestBudgetResult): readonly LlmMessage[] => {
  if (result.kind !== 'fits') throw new Error(`did not fit: ${JSON.stringify(result.split)}`);
  return result.messages;
};
const step = (id: string, length: number): LlmMessage[] => group([{ id, result: bulky(length) }]);

describe('what counts', () => {
  const schema: Json = { type: 'object', properties: { verdict: { type: 'string' } } };
  const one = `<response-format>\n${JSON.stringify(schema)}\n</response-format>`;

  test('a response schema counts twice', () => {
    const { split } = run([say('user', 40)], 1000, { responseSchema: schema });
    expect(split).toMatchObject({
      responseFormat: CHARS4(`${one}\n${one}`),
      fixed: CHARS4(`${one}\n${one}`),
      messages: 10,
    });
    expect(split.total).toBe(split.fixed + 10);
  });
  test('system text, tools, schema and the longest retry hint are one text', () => {
    const tools: Json[] = [{ name: 'look', parameters: {} }];
    const toolText = `<tools>\n${JSON.stringify(tools)}\n</tools>`;
    const retryHints = ['[retry 1] short', '[retry 2] the longer one', '[retry 3] mid'];
    const { split } = run([], 1000, { systemText: 'Body.', tools, responseSchema: schema, retryHints });
    expect(split).toMatchObject({
      fixed: CHARS4(['Body.', toolText, one, one, '[retry 2] the longer one'].join('\n')),
      system: 2,
      tools: CHARS4(toolText),
      retryHint: CHARS4('[retry 2] the longer one'),
    });
  });
  test('nothing counts for nothing', () => {
    expect(run([], 1)).toMatchObject({ kind: 'fits', split: { total: 0, fixed: 0, tools: 0, responseFormat: 0 } });
  });
  test('equality fits exactly, one token less does not', () => {
    const messages = [say('user', 400)];
    expect(run(messages, 100).kind).toBe('fits');
    expect(run(messages, 99).kind).toBe('context-overflow');
    const cap = 100 + CHARS4(`${one}\n${one}`);
    expect(run(messages, cap, { responseSchema: schema }).kind).toBe('fits');
    expect(run(messages, cap - 1, { responseSchema: schema }).kind).toBe('context-overflow');
  });
});

describe('the order of the steps', () => {
  const none = {
    omittedToolGroups: 0,
    foldedToolGroups: 0,
    prunedMessages: 0,
    truncatedToolResults: 0,
    truncatedSummaries: 0,
  };
  const history = [say('user', 400), say('assistant', 400), say('user', 400), say('assistant', 400)];

  test('a request that fits is sent as it is', () => {
    const messages = [...history, say('user', 40), ...step('a', 400)];
    const result = run(messages, 2000);
    expect(sent(result)).toEqual(messages);
    expect(result.counters).toEqual(none);
    expect(result).toMatchObject({ origins: messages.map((_, index) => ({ kind: 'sent', index })) });
  });
  test('old tool results go before any history', () => {
    const messages = [...history, say('user', 40), ...step('a', 4000), ...step('b', 40), ...step('c', 40)];
    const result = run(messages, 1000);
    expect(result.counters).toEqual({ ...none, omittedToolGroups: 1 });
    expect(sent(result).slice(0, 4)).toEqual(history);
    expect(result).toMatchObject({ origins: expect.arrayContaining([{ kind: 'omitted', index: 6 }]) });
  });
  test('then old groups are folded', () => {
    const messages = [say('user', 40), ...step('a', 40), ...step('b', 4000), ...step('c', 40)];
    const result = run(messages, 200);
    expect(result.counters).toMatchObject({ foldedToolGroups: 2, prunedMessages: 0, truncatedToolResults: 0 });
  });
  test('then the history is trimmed, with the marker before what stayed', () => {
    const messages = [...history, say('user', 40), ...step('a', 400)];
    const result = run(messages, 400);
    expect(result.counters).toEqual({ ...none, prunedMessages: 3 });
    expect(sent(result)[0]).toEqual({ role: 'system', content: en.text('history.pruned-marker') });
    expect(sent(result).slice(1)).toEqual(messages.slice(3));
    expect(result).toMatchObject({ origins: [{ kind: 'marker' }, { kind: 'sent', index: 3 }, {}, {}, {}] });
  });
  test('then tool results are cut, the oldest first', () => {
    const messages = [say('user', 40), ...step('a', 400), ...step('b', 4000)];
    const result = run(messages, 300);
    expect(result.counters).toEqual({ ...none, foldedToolGroups: 1, truncatedToolResults: 1 });
    expect(sent(result).at(-1)?.content).toContain(`\n${en.text('tools.result-truncated')}\n`);
    expect(result.split.total).toBeLessThanOrEqual(300);
    expect(result.split.total).toBeGreaterThan(290);

    const [head, first, second] = group([
      { id: 'a', result: 'a'.repeat(2000) },
      { id: 'b', result: 'b'.repeat(2000) },
    ]) as [LlmMessage, LlmMessage, LlmMessage];
    const parallel = run([say('user', 40), head, first, second], 700);
    expect(parallel.counters.truncatedToolResults).toBe(1);
    expect(sent(parallel)[3]).toEqual(second);
  });
  test('then summaries of earlier turns', () => {
    const messages = [envelope(text(4000)), say('user', 40), ...step('a', 4000)];
    const result = run(messages, 400, { texts: zh, estimate: COVEL_ESTIMATOR });
    expect(result.counters).toEqual({ ...none, truncatedToolResults: 1, truncatedSummaries: 1 });
    const [summary] = sent(result);
    expect(summary?.content).toMatch(/^<compacted_history>\n/);
    expect(summary?.content).toMatch(/<\/compacted_history>\nRecord of the story\.$/);
    expect(summary?.content).toContain(zh.text('history.truncated'));
    expect(sent(result).at(-1)?.content).toBe(zh.text('tools.result-truncated'));
    expect(result).toMatchObject({
      origins: [{ kind: 'truncated', index: 0 }, {}, {}, { kind: 'truncated', index: 3 }],
    });
  });
  test('and if that is not enough nothing is sent', () => {
    const messages = [...history, envelope(), say('user', 4000), ...step('a', 4000)];
    const result = run(messages, 500, { systemText: text(400) });
    expect(result).toMatchObject({ kind: 'context-overflow', hasToolGroup: true });
    expect(result).not.toHaveProperty('messages');
    const { split } = result;
    expect(split.total).toBe(split.fixed + split.messages);
    expect(
      split.total +
        split.saved.toolGroups +
        split.saved.prunedMessages +
        split.saved.toolResults +
        split.saved.compactedHistory,
    ).toBe(split.fixed + messagesTokens(messages, CHARS4));
    expect(overflowText(split, { slot: 'story', provider: 'p', model: 'm' })).toMatch(
      new RegExp(
        `^context-overflow: .* ${split.total} tokens, the limit is 500 \\(slot story, provider p, model m\\)\\.`,
      ),
    );
  });
  test('without a completed step no finishing request can help', () => {
    expect(run([say('user', 4000)], 100)).toMatchObject({ kind: 'context-overflow', hasToolGroup: false });
  });
});

describe('over a run', () => {
  test('the finishing request in emergency folds what the usual call could not', () => {
    const messages = [say('user', 40), ...group([{ id: 'a', args: `"${text(4000)}"`, result: bulky(4000) }])];
    const usual = run(messages, 300, { tools: [{ name: 'look', parameters: {} }] });
    expect(usual).toMatchObject({ kind: 'context-overflow', hasToolGroup: true });
    const finishing = run(messages, 300, { ledger: usual.ledger, mode: 'emergency' });
    expect(finishing).toMatchObject({ kind: 'fits', counters: { omittedToolGroups: 1, foldedToolGroups: 1 } });
    expect(sent(finishing)).toEqual([say('user', 40), say('system', expect.stringContaining('- look | '))]);
  });
  test('the next call starts with what the call before sent', () => {
    const first = [say('user', 40), ...step('a', 2000), ...step('b', 2000), ...step('c', 2000)];
    const one = run(first, 1500);
    const two = run([...first, ...step('d', 400)], 1500, { ledger: one.ledger });
    expect(one.counters.omittedToolGroups).toBe(1);
    expect(two.ledger).toBe(one.ledger);
    expect(sent(two).slice(0, -2)).toEqual(sent(one));
  });
  test('a resumed run without its ledger comes to the same', () => {
    const messages = [say('user', 40), ...['a', 'b', 'c', 'd'].flatMap((id) => step(id, 2000))];
    const before = run(messages, 1500);
    expect(run(messages, 1500)).toEqual(before);
    expect(run(messages, 1500, { ledger: before.ledger })).toMatchObject({
      messages: sent(before),
      ledger: before.ledger,
    });
  });
});

describe('any request', () => {
  test('fits or overflows; no group is split, what is protected stays, what fits is no larger than it was', () => {
    const seen = { fits: 0, overflow: 0, omitted: 0, folded: 0, pruned: 0, results: 0, summaries: 0 };
    fc.assert(
      fc.property(
        anyMessages,
        limitShare,
        fc.integer({ min: 0, max: 3 }),
        fc.constantFrom('usual' as const, 'emergency' as const),
        (messages, share, protect, mode) => {
          const bytes = JSON.stringify(messages);
          const before = 1 + messagesTokens(messages, COVEL_ESTIMATOR);
          const cap = Math.max(1, Math.floor((before * share) / 100));
          const result = run(messages, cap, { mode, systemText: 'abc', estimate: COVEL_ESTIMATOR, texts: zh }, protect);
          expect(JSON.stringify(messages)).toBe(bytes);
          expect(result.split.total <= cap).toBe(result.kind === 'fits');
          const marker = COVEL_ESTIMATOR(zh.text('history.pruned-marker'));
          expect(result.split.total).toBeLessThanOrEqual(result.kind === 'fits' ? before : before + marker);
          seen.overflow += Number(result.kind !== 'fits');
          if (result.kind !== 'fits') return;
          const { counters } = result;
          seen.fits++;
          seen.omitted += Number(counters.omittedToolGroups > 0);
          seen.folded += Number(counters.foldedToolGroups > 0);
          seen.pruned += Number(counters.prunedMessages > 0);
          seen.results += Number(counters.truncatedToolResults > 0);
          seen.summaries += Number(counters.truncatedSummaries > 0);
          expect(result.split.messages).toBe(messagesTokens(result.messages, COVEL_ESTIMATOR));
          expect(result.origins).toHaveLength(result.messages.length);
          const there = new Set(result.origins.flatMap((origin) => ('index' in origin ? [origin.index] : [])));
          const folds = result.origins.flatMap((origin) => (origin.kind === 'folded' ? [origin.start] : []));
          for (const { start, end } of toolGroups(messages)) {
            const parts = messages.flatMap((_, i) => (i >= start && i < end ? [there.has(i)] : []));
            expect(new Set(parts).size).toBe(1);
            expect(parts[0] === true && folds.includes(start)).toBe(false);
          }
          const current = messages.findLastIndex(
            (message) => message.role === 'user' && !JSON.stringify(message).includes('<compacted_history>'),
          );
          expect(protect === 0 || current < 0 || there.has(current)).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
    // Every step was taken, and not seldom.
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(8);
  });
});
