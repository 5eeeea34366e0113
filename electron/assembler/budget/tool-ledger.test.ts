import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../shared/model/index.ts';
import { en } from '../testing/texts.ts';
import { AssemblyError, type LlmMessage } from '../types.ts';
import { CHARS4 } from './estimator.ts';
import { anyMessages, bulky, group, groupCall, say } from './testing/messages.ts';
import { toolGroups } from './tool-groups.ts';
import { EMPTY_LEDGER, parseLedger, replayLedger, type ToolLedger } from './tool-ledger.ts';
import { shrinkToolGroups } from './tool-shrink.ts';

const messagesOf = (messages: readonly LlmMessage[], ledger: ToolLedger) =>
  replayLedger(messages, ledger).map((one) => one.message);

const old = group([{ id: 'a', result: 'long result' }]);
const newer = group([{ id: 'b', result: 'another' }]);
const omitted: ToolLedger = {
  entries: [{ kind: 'omitted', group: [groupCall('a', 'long result')], results: ['short'] }],
};
const folded: ToolLedger = {
  entries: [{ kind: 'folded', group: [groupCall('a', 'long result')], summary: 'In short.' }],
};

describe('replay', () => {
  test('an empty ledger changes nothing', () => {
    expect(messagesOf([say('user', 4), ...old], EMPTY_LEDGER)).toEqual([say('user', 4), ...old]);
  });
  test('an omitted result stays a result of its call', () => {
    expect(replayLedger([say('user', 4), ...old, ...newer], omitted).slice(1, 3)).toEqual([
      { message: old[0], origin: { kind: 'sent', index: 1 } },
      { message: { ...old[1], content: 'short' }, origin: { kind: 'omitted', index: 2 } },
    ]);
  });
  test('a folded group is one system message in its place', () => {
    expect(replayLedger([say('user', 4), ...old, ...newer], folded)).toEqual([
      { message: say('user', 4), origin: { kind: 'sent', index: 0 } },
      { message: { role: 'system', content: 'In short.' }, origin: { kind: 'folded', start: 1, end: 3 } },
      { message: newer[0], origin: { kind: 'sent', index: 3 } },
      { message: newer[1], origin: { kind: 'sent', index: 4 } },
    ]);
  });
  test('folding wins over omission, in either order', () => {
    for (const entries of [
      [...omitted.entries, ...folded.entries],
      [...folded.entries, ...omitted.entries],
    ]) {
      expect(messagesOf(old, { entries })).toEqual([say('system', 'In short.')]);
    }
  });
  test('the place of the group does not matter', () => {
    const moved = [say('user', 4), ...newer, say('assistant', 8), ...old];
    expect(messagesOf(moved, folded)).toEqual([...moved.slice(0, 4), say('system', 'In short.')]);
  });

  const changed: readonly (readonly [string, readonly LlmMessage[]])[] = [
    ['gone', newer],
    ['another result', group([{ id: 'a', result: 'long result!' }])],
    ['another tool under the same id', group([{ id: 'a', name: 'take', result: 'long result' }])],
    ['other arguments', group([{ id: 'a', args: '{"n":1}', result: 'long result' }])],
    ['another call id', group([{ id: 'c', result: 'long result' }])],
    [
      'one call more',
      group([
        { id: 'a', result: 'long result' },
        { id: 'b', result: 'x' },
      ]),
    ],
    ['result taken out', old.slice(0, 1)],
    [
      'result in parts',
      [...old.slice(0, 1), { ...old[1], role: 'tool', content: [{ type: 'text', text: 'long result' }] }],
    ],
    ['there twice', [...old, say('user', 4), ...old]],
  ];
  test.each(changed)('passed over: %s', (_, messages) => {
    for (const ledger of [omitted, folded]) expect(messagesOf(messages, ledger)).toEqual(messages);
  });
  test('an id that is used again: only the call that was meant', () => {
    const again = group([{ id: 'a', result: 'new result' }]);
    expect(messagesOf([...old, ...again], folded)).toEqual([say('system', 'In short.'), ...again]);
  });
});

describe('as JSON', () => {
  test('there and back', () => {
    const parts = { ...groupCall('a', ''), result: [{ type: 'text' as const, text: 'x' }] };
    const ledger: ToolLedger = {
      entries: [
        ...omitted.entries,
        ...folded.entries,
        { kind: 'omitted', group: [parts, groupCall('b', 'x')], results: [null, 'short'] },
      ],
    };
    expect(parseLedger(JSON.parse(JSON.stringify(ledger)))).toEqual(ledger);
  });
  test.each<[string, Json, string]>([
    ['null', null, 'ledger.entries'],
    ['a list', [], 'ledger.entries'],
    ['no entries', {}, 'ledger.entries'],
    ['an entry that is none', { entries: [null] }, 'ledger.entries[0]'],
    ['an unknown kind', { entries: [{ kind: 'lost', group: [groupCall('a', 'x')] }] }, 'ledger.entries[0]'],
    ['no calls', { entries: [{ kind: 'folded', group: [], summary: 's' }] }, 'ledger.entries[0]'],
    [
      'a call without arguments',
      { entries: [{ kind: 'folded', group: [{ id: 'a', name: 'b', result: '' }], summary: 's' }] },
      'ledger.entries[0]',
    ],
    [
      'too few results',
      { entries: [{ kind: 'omitted', group: [groupCall('a', 'x')], results: [] }] },
      'ledger.entries[0]',
    ],
    [
      'a result of the wrong type',
      { entries: [{ kind: 'omitted', group: [groupCall('a', 'x')], results: [1] }] },
      'ledger.entries[0]',
    ],
  ])('refused: %s', (_, value, field) => {
    expect(() => parseLedger(value)).toThrow(AssemblyError);
    expect(() => parseLedger(value)).toThrow(expect.objectContaining({ code: 'configuration', field }));
  });
});

describe('any messages', () => {
  const shrink = (messages: readonly LlmMessage[], ledger: ToolLedger, capTokens: number) =>
    shrinkToolGroups({ messages, ledger, fixedTokens: 0, capTokens, mode: 'usual', estimate: CHARS4, texts: en });

  test('replay gives the same bytes, also after a way through JSON', () => {
    let entries = 0;
    fc.assert(
      fc.property(anyMessages, fc.integer({ min: 1, max: 300 }), (messages, cap) => {
        const { messages: sent, ledger } = shrink(messages, EMPTY_LEDGER, cap);
        entries += ledger.entries.length;
        const bytes = JSON.stringify(sent);
        const resumed = parseLedger(JSON.parse(JSON.stringify(ledger)));
        expect(JSON.stringify(replayLedger(messages, ledger))).toBe(bytes);
        expect(JSON.stringify(replayLedger(messages, resumed))).toBe(bytes);
        expect(JSON.stringify(replayLedger(messages, ledger))).toBe(bytes);
      }),
    );
    expect(entries).toBeGreaterThan(20);
  });

  test('more messages at the end leave what was sent before as it was', () => {
    const more = group([{ id: 'new', result: bulky(10) }]);
    fc.assert(
      fc.property(anyMessages, fc.integer({ min: 1, max: 300 }), (messages, cap) => {
        const { messages: sent, ledger } = shrink([...messages, say('user', 4)], EMPTY_LEDGER, cap);
        const next = replayLedger([...messages, say('user', 4), ...more], ledger);
        expect(next.slice(0, sent.length)).toEqual(sent);
      }),
    );
  });

  test('an entry never applies to a group that was changed', () => {
    let applied = 0;
    fc.assert(
      fc.property(anyMessages, fc.integer({ min: 1, max: 300 }), fc.nat(), (messages, cap, pick) => {
        const { ledger } = shrink(messages, EMPTY_LEDGER, cap);
        const groups = toolGroups(messages);
        const chosen = groups[pick % Math.max(1, groups.length)];
        if (!chosen) return;
        const last = chosen.end - 1;
        const edited = messages.map((message, i) =>
          i === last && typeof message.content === 'string' ? { ...message, content: `${message.content}#` } : message,
        );
        const before = replayLedger(messages, ledger).some(
          ({ origin }) => origin.kind === 'folded' && origin.start === chosen.start,
        );
        if (before) applied++;
        const after = replayLedger(edited, ledger);
        const whole = after.filter(
          ({ origin }) => origin.kind === 'sent' && origin.index >= chosen.start && origin.index < chosen.end,
        );
        // an equal group may have been recorded in its own right
        const known = ledger.entries.some((entry) => entry.group.at(-1)?.result === edited[last]?.content);
        expect(known || whole.length === chosen.end - chosen.start).toBe(true);
      }),
      { numRuns: 300 },
    );
    expect(applied).toBeGreaterThan(5);
  });
});
