import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { en, zh } from '../testing/texts.ts';
import type { LlmMessage } from '../types.ts';
import { CHARS4, COVEL_ESTIMATOR, messagesTokens } from './estimator.ts';
import { anyMessages, bulky, group, limitShare, say, text } from './testing/messages.ts';
import { toolGroups } from './tool-groups.ts';
import { EMPTY_LEDGER, type ToolLedger } from './tool-ledger.ts';
import { shrinkToolGroups, type ShrinkInput } from './tool-shrink.ts';

/** Player's words and so many steps of about 110 tokens each. */
const steps = (count: number, result = bulky(360, { summary: 'seen' })): LlmMessage[] => [
  say('user', 40),
  ...Array.from({ length: count }, (_, n) => group([{ id: `c${n}`, result }])).flat(),
];
const run = (messages: readonly LlmMessage[], capTokens: number, more: Partial<ShrinkInput> = {}) =>
  shrinkToolGroups({
    messages,
    ledger: EMPTY_LEDGER,
    fixedTokens: 0,
    capTokens,
    mode: 'usual',
    estimate: CHARS4,
    texts: en,
    ...more,
  });
const kinds = (ledger: ToolLedger) =>
  ledger.entries.map((entry) => `${entry.kind} ${entry.group.map((call) => call.id).join('+')}`);
const total = (messages: readonly LlmMessage[]): number => messagesTokens(messages, CHARS4);

describe('when', () => {
  const messages = steps(5);
  test('exactly the limit fits, and nothing is touched', () => {
    const result = run(messages, total(messages));
    expect(result.messages.map((one) => one.message)).toEqual(messages);
    expect(result.ledger).toBe(EMPTY_LEDGER);
  });
  test('one token more starts it', () => expect(run(messages, total(messages) - 1).omittedGroups).toBeGreaterThan(0));
  test('tokens outside the messages count', () => {
    expect(run(messages, total(messages) + 9, { fixedTokens: 10 }).omittedGroups).toBeGreaterThan(0);
  });
  test('a request that fits replays the ledger only', () => {
    const { ledger, totalTokens } = run(messages, total(messages) - 1);
    const again = run(messages, totalTokens, { ledger });
    expect(again.ledger).toBe(ledger);
    expect(again).toMatchObject({ totalTokens, omittedGroups: 0, foldedGroups: 0, savedTokens: 0 });
  });
});

describe('what', () => {
  test('oldest first, and no further than 70 % of the limit', () => {
    const messages = steps(8);
    const cap = total(messages) - 1;
    const result = run(messages, cap);
    expect(kinds(result.ledger)).toEqual(['omitted c0', 'omitted c1', 'omitted c2', 'omitted c3']);
    expect(result.totalTokens).toBeLessThanOrEqual(Math.floor((cap * 7) / 10));
    const oneFewer = run(messages, total(messages), { ledger: { entries: result.ledger.entries.slice(0, 3) } });
    expect(oneFewer.totalTokens).toBeGreaterThan(Math.floor((cap * 7) / 10));
  });
  test('the newest two keep their results, the newest one is never folded', () => {
    const result = run(steps(4), 100);
    expect(kinds(result.ledger)).toEqual(['omitted c0', 'omitted c1', 'folded c0', 'folded c1', 'folded c2']);
    expect(result).toMatchObject({ omittedGroups: 2, foldedGroups: 3 });
    expect(result.messages.slice(-2).map((one) => one.message)).toEqual(steps(4).slice(-2));
  });
  test('the newest group keeps thinking and continuation, in its place', () => {
    const newest = group([{ id: 'z', result: bulky(400) }], {
      reasoningContent: 'First look.',
      providerContinuation: { blocks: [{ signature: 's' }] },
    });
    const { messages } = run([...steps(3), ...newest], 50);
    expect(messages.slice(-2).map((one) => one.message)).toEqual(newest);
  });
  test('a folded group goes with its thinking and continuation', () => {
    const old = group([{ id: 'z', result: bulky(400) }], {
      reasoningContent: 'secret',
      providerContinuation: 'secret',
    });
    const { messages } = run([...old, ...steps(2)], 50);
    expect(messages[0]?.message).toEqual({
      role: 'system',
      content: `${en.text('tools.folded-title')}\n- look | {} | ok`,
    });
    expect(JSON.stringify(messages)).not.toContain('secret');
  });
  test('emergency takes the newest groups too, and stops at 70 % as well', () => {
    expect(kinds(run(steps(2), 20, { mode: 'emergency' }).ledger)).toEqual([
      'omitted c0',
      'omitted c1',
      'folded c0',
      'folded c1',
    ]);
    const messages = [...group([{ id: 'a', result: bulky(2000) }]), ...steps(1)];
    expect(kinds(run(messages, total(messages) - 1, { mode: 'emergency' }).ledger)).toEqual(['omitted a']);
    expect(run(messages, total(messages), { mode: 'emergency' }).ledger).toBe(EMPTY_LEDGER);
  });
  test('in the usual mode two groups can only be folded', () => {
    expect(kinds(run(steps(2), 20).ledger)).toEqual(['folded c0']);
    expect(kinds(run(steps(1), 20).ledger)).toEqual([]);
  });
  test('placeholder and title in the language of the session', () => {
    const prose = [...group([{ id: 'p', result: 'prose '.repeat(400) }]), ...steps(2)];
    const { messages } = run(prose, total(prose) - 1, { texts: zh });
    expect(messages[1]?.message).toEqual({ ...prose[1], content: zh.text('tools.omitted') });
    const folds = run(steps(3), 20, { texts: zh }).messages[1]?.message.content;
    expect(folds).toBe(`${zh.text('tools.folded-title')}\n- look | {} | ok: seen`);
  });
  test('an omission that saves nothing is not made', () => {
    const small = steps(4, '{"success":true,"staged":true}');
    expect(kinds(run(small, 60).ledger).filter((kind) => kind.startsWith('omitted'))).toEqual([]);
    const tiny = run(steps(4, bulky(1)), 60);
    expect(tiny.totalTokens).toBeLessThanOrEqual(total(steps(4, bulky(1))));
  });
  test('nor a fold: its quoted arguments may be longer than the group', () => {
    const signs = group([{ id: 'a', args: JSON.stringify(text(100, '<')), result: 'x' }]);
    const { ledger, messages } = run([...signs, ...steps(2)], 100);
    expect(kinds(ledger)).toEqual(['folded c0']);
    expect(messages.slice(0, 2).map((one) => one.message)).toEqual(signs);
  });
  test('results in parts and results shorter than the placeholder stay, the others of their group go', () => {
    const mixed = group([
      { id: 'a', result: '' },
      { id: 'b', result: 'Done.' },
      { id: 'c', result: bulky(400) },
    ]).map((message): LlmMessage =>
      message.toolCallId === 'a' ? { ...message, content: [{ type: 'text', text: 'kept' }] } : message,
    );
    const { ledger } = run([...mixed, ...steps(2)], 250);
    expect(ledger.entries[0]).toMatchObject({
      kind: 'omitted',
      results: [null, null, JSON.stringify({ success: true, data: en.text('tools.omitted') })],
    });
  });
  test('incomplete, disordered and doubled groups are left alone', () => {
    const [head, result] = group([{ id: 'a', result: bulky(400) }]) as [LlmMessage, LlmMessage];
    for (const odd of [[head], [result, head], [head, result, say('user', 4), head, result]]) {
      const messages = [...odd, ...steps(2)];
      const kept = run(messages, 30).messages.slice(0, odd.length);
      expect(kept.map((one) => one.message)).toEqual(odd);
    }
  });
});

describe('over a whole run', () => {
  test('the ledger only grows, and the prefix moves only when it does', () => {
    let ledger = EMPTY_LEDGER;
    let sent: readonly unknown[] = [];
    let moves = 0;
    for (let count = 1; count <= 30; count++) {
      const result = run(steps(count), 900, { ledger });
      expect(result.ledger.entries.slice(0, ledger.entries.length)).toEqual(ledger.entries);
      const messages = result.messages.map((one) => one.message);
      const kept = JSON.stringify(messages.slice(0, sent.length)) === JSON.stringify(sent);
      expect(kept || result.ledger !== ledger).toBe(true);
      if (!kept) moves++;
      expect(result.totalTokens).toBeLessThanOrEqual(900);
      sent = messages;
      ledger = result.ledger;
    }
    expect(moves).toBeGreaterThan(2);
    expect(moves).toBeLessThan(20);
  });
});

describe('any messages, any limits', () => {
  test('never grows, keeps its sums, keeps the newest, leaves everything but groups alone', () => {
    const seen = { omitted: 0, folded: 0, newestAtRisk: 0 };
    fc.assert(
      fc.property(
        anyMessages,
        limitShare,
        fc.constantFrom('usual' as const, 'emergency' as const),
        fc.boolean(),
        (messages, share, mode, covel) => {
          const estimate = covel ? COVEL_ESTIMATOR : CHARS4;
          const capTokens = Math.max(1, Math.floor(((3 + messagesTokens(messages, estimate)) * share) / 100));
          const frozen = JSON.stringify(messages);
          const given = { mode, estimate, texts: covel ? zh : en, fixedTokens: 3 };
          const result = run(messages, capTokens, given);
          const sent = result.messages.map((one) => one.message);
          expect(JSON.stringify(messages)).toBe(frozen);
          expect(result.totalTokens).toBe(3 + messagesTokens(sent, estimate));
          expect(result.totalTokens).toBeLessThanOrEqual(3 + messagesTokens(messages, estimate));

          const groups = toolGroups(messages);
          const inGroup = new Set(groups.flatMap(({ start, end }) => messages.map((_, i) => i).slice(start, end)));
          const outside = messages.filter((_, i) => !inGroup.has(i));
          expect(
            result.messages.flatMap(({ message, origin }) =>
              origin.kind === 'sent' && !inGroup.has(origin.index) ? [message] : [],
            ),
          ).toEqual(outside);
          const newest = groups.at(-1);
          const untouched = new Set(
            result.messages.flatMap(({ origin }) => (origin.kind === 'sent' ? [origin.index] : [])),
          );
          seen.omitted += Number(result.omittedGroups > 0);
          seen.folded += Number(result.foldedGroups > 0);
          seen.newestAtRisk += Number(mode === 'usual' && newest !== undefined && result.totalTokens > capTokens);
          const newestParts = newest ? messages.map((_, i) => i).slice(newest.start, newest.end) : [];
          expect(mode === 'emergency' || newestParts.every((i) => untouched.has(i))).toBe(true);
          const again = run(messages, capTokens, { ...given, ledger: result.ledger });
          expect(again.ledger).toEqual(result.ledger);
          expect(again.messages).toEqual(result.messages);
        },
      ),
      { numRuns: 300 },
    );
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(20);
  });
});
