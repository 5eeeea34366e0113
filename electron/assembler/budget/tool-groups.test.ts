import { expect, test } from 'vitest';
import type { LlmMessage } from '../types.ts';
import { group, say } from './testing/messages.ts';
import { callOwners, groupKey, toolGroups } from './tool-groups.ts';

const two = group([
  { id: 'a', result: 'one' },
  { id: 'b', result: 'two' },
]);
const [head, first, second] = two as [LlmMessage, LlmMessage, LlmMessage];
const spans = (messages: readonly LlmMessage[]) => toolGroups(messages).map(({ start, end }) => [start, end]);

test.each<[string, readonly LlmMessage[], number[][]]>([
  ['none', [say('user', 4), say('assistant', 4)], []],
  ['one with two results', [say('user', 4), ...two], [[1, 4]]],
  [
    'two in a row',
    [...two, ...group([{ id: 'c', result: 'x' }])],
    [
      [0, 3],
      [3, 5],
    ],
  ],
  [
    'something between two',
    [...two, say('user', 4), ...two],
    [
      [0, 3],
      [4, 7],
    ],
  ],
  ['a result is missing', [head, first], []],
  ['results in the wrong order', [head, second, first], []],
  ['a surplus result', [...two, second], []],
  ['a message between call and results', [head, say('user', 4), first, second], []],
  ['results without a call', [first, second], []],
  [
    'the same id twice in one message',
    group([
      { id: 'a', result: 'x' },
      { id: 'a', result: 'x' },
    ]),
    [],
  ],
  ['no calls in the list', [{ ...head, toolCalls: [] }, first], []],
])('groups: %s', (_, messages, expected) => expect(spans(messages)).toEqual(expected));

test('a group is known by its calls and results, not by its place or its other text', () => {
  const key = (messages: readonly LlmMessage[]) => toolGroups(messages).map((one) => groupKey(one.calls));
  const [here] = key(two);
  expect(key([say('user', 9), { ...head, content: 'Let me see.', reasoningContent: 'hm' }, first, second])).toEqual([
    here,
  ]);
  expect(key([head, { ...first, content: 'other' }, second])).not.toEqual([here]);
});

test('owners: results belong to the newest call before them with their id', () => {
  const again = group([{ id: 'a', result: 'later' }]);
  const lost: LlmMessage = { role: 'tool', content: 'x', toolCallId: 'nobody' };
  expect(callOwners([...two, say('user', 4), ...again, lost, say('tool', 4)])).toEqual([0, 0, 0, 3, 4, 4, 6, 7]);
});
