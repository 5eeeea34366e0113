/** Messages of every kind that a budget meets, by hand and at random. */
import fc from 'fast-check';
import type { LlmMessage } from '../../types.ts';
import type { GroupCall, ToolGroup } from '../tool-groups.ts';

/** Text of so many units. */
export const text = (length: number, unit = 'x'): string => unit.repeat(length);
export const say = (role: LlmMessage['role'], content: number | string): LlmMessage => ({
  role,
  content: typeof content === 'number' ? text(content, role[0]) : content,
});
export const envelope = (body = 'The bell was stolen.'): LlmMessage =>
  say('user', `<compacted_history>\n# sections: events\n${body}\n</compacted_history>\nRecord of the story.`);

export type CallSpec = { readonly id: string; readonly name?: string; readonly args?: string; readonly result: string };

/** An assistant message with its calls, and their results. */
export function group(calls: readonly CallSpec[], head: Partial<LlmMessage> = {}): LlmMessage[] {
  const toolCalls = calls.map(({ id, name = 'look', args = '{}' }) => ({ id, name, arguments: args }));
  return [
    { role: 'assistant', content: '', toolCalls, ...head },
    ...calls.map(({ id, name = 'look', result }): LlmMessage => ({
      role: 'tool',
      content: result,
      toolCallId: id,
      name,
    })),
  ];
}

/** A result envelope whose data has so many units. */
export const bulky = (length: number, more: object = {}): string =>
  JSON.stringify({ success: true, data: text(length, 'd'), ...more });

/** Everything of a group that must never be found apart. */
export const partsOf = (messages: readonly LlmMessage[], { start, end }: ToolGroup): readonly LlmMessage[] =>
  messages.slice(start, end);

export const groupCall = (id: string, result: string): GroupCall => ({ id, name: 'look', arguments: '{}', result });

const unit = fc.constantFrom('a', 'b', ' ', '灯', '潮', '<', '"', '\n', '😀', '\ud83d', '\ue000');
export const anyText = fc.array(unit, { maxLength: 60 }).map((units) => units.join(''));
const longText = fc.tuple(anyText, fc.integer({ min: 1, max: 30 })).map(([piece, times]) => piece.repeat(times));
const result = fc.oneof(
  longText,
  fc
    .record({ success: fc.boolean(), data: longText, summary: anyText, code: anyText }, { requiredKeys: ['success'] })
    .map((value) => JSON.stringify(value)),
);

/** Few ids, so that some are used again, with the same and with other results. */
const anyGroup = fc
  .array(fc.record({ id: fc.constantFrom('1', '2', '3', '4', '5', '6', '7', '8'), args: anyText, result }), {
    minLength: 1,
    maxLength: 3,
  })
  .chain((calls) => fc.constant(group(calls)));
const broken = anyGroup.chain((messages) =>
  fc.integer({ min: 0, max: messages.length - 1 }).map((gone) => messages.filter((_, i) => i !== gone)),
);
const plain = fc
  .tuple(fc.constantFrom<LlmMessage['role']>('user', 'assistant', 'system'), longText)
  .map(([role, content]) => [say(role, content)]);
const picture: fc.Arbitrary<LlmMessage[]> = fc.constant([
  { role: 'user', content: [{ type: 'media', ref: { id: 'p', mime: 'image/png', size: 10 } }] },
]);

/** A request's messages: history, summaries, steps of a tool loop, broken steps, pictures, in any order. */
export const anyMessages: fc.Arbitrary<readonly LlmMessage[]> = fc
  .array(
    fc.oneof(
      { weight: 5, arbitrary: plain },
      { weight: 4, arbitrary: anyGroup },
      { weight: 1, arbitrary: broken },
      { weight: 1, arbitrary: picture },
      { weight: 2, arbitrary: longText.map((body) => [envelope(body)]) },
    ),
    { maxLength: 14 },
  )
  .map((runs) => runs.flat());

/** Per cent of what a request needs that its limit allows; most often a limit that a few messages less would keep. */
export const limitShare: fc.Arbitrary<number> = fc.oneof(
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 110 }) },
  { weight: 3, arbitrary: fc.integer({ min: 60, max: 99 }) },
);
