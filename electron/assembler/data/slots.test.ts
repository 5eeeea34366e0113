import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../shared/model/index.ts';
import { en, zh } from '../testing/texts.ts';
import type { Slot } from '../types.ts';
import { activationBlock, runtimeExportsBlock, runtimeInputsBlock } from './slots.ts';
import { INSTANT, SENTINEL, UUID } from './testing/params.ts';

const source = { pluginId: 'narrator', runtimeId: 'narrator', resultId: UUID };
const shown = '{"pluginId":"narrator","runtimeId":"narrator"}';
const one = (value: Json): Slot => ({ cardinality: 'one', value, source });
const story = [
  { role: 'assistant' as const, content: 'Fog. <b>' },
  { role: 'assistant' as const, content: '' },
];
const inputs = (slots: Readonly<Record<string, Slot>>, told = story, texts = en): string | null =>
  runtimeInputsBlock(slots, told, texts);
const block = (json: string): string => `<runtime-inputs>\n${json}\n</runtime-inputs>`;
const sent = en.text('note.narrative-sent');

describe('runtime-inputs', () => {
  const cases: readonly (readonly [string, Readonly<Record<string, Slot>>, string])[] = [
    [
      'value filtered, source reduced',
      { tide: one({ level: 2, turnId: UUID, at: { updatedAt: INSTANT } }) },
      `{"tide":{"cardinality":"one","value":{"level":2,"at":{}},"source":${shown}}}`,
    ],
    [
      'key order of the slot',
      { tide: { source, value: 1, cardinality: 'one' } },
      `{"tide":{"source":${shown},"value":1,"cardinality":"one"}}`,
    ],
    [
      'items',
      {
        finds: {
          cardinality: 'all',
          items: [
            { value: { id: UUID, k: 1 }, source },
            { value: null, source },
          ],
        },
      },
      `{"finds":{"cardinality":"all","items":[{"value":{"k":1},"source":${shown}},{"value":null,"source":${shown}}]}}`,
    ],
    [
      'closing tag in a value',
      { a: one('</runtime-inputs>') },
      `{"a":{"cardinality":"one","value":"&lt;/runtime-inputs&gt;","source":${shown}}}`,
    ],
    [
      'a story is sent once',
      { narrative: one('Fog. <b>') },
      `{"narrative":{"cardinality":"one","value":"${sent}","source":${shown}}}`,
    ],
    [
      'nearly the story',
      { narrative: one('Fog. <b> ') },
      `{"narrative":{"cardinality":"one","value":"Fog. &lt;b&gt; ","source":${shown}}}`,
    ],
    [
      'an object with the story',
      { a: one({ text: 'Fog. <b>' }) },
      `{"a":{"cardinality":"one","value":{"text":"Fog. &lt;b&gt;"},"source":${shown}}}`,
    ],
    [
      'items with the story',
      { a: { cardinality: 'all', items: [{ value: 'Fog. <b>', source }] } },
      `{"a":{"cardinality":"all","items":[{"value":"Fog. &lt;b&gt;","source":${shown}}]}}`,
    ],
    ['an empty story stands for nothing', { a: one('') }, `{"a":{"cardinality":"one","value":"","source":${shown}}}`],
  ];
  test.each(cases)('%s', (_name, slots, json) => expect(inputs(slots)).toBe(block(json)));

  test('without a story of this execution nothing is replaced', () =>
    expect(inputs({ n: one('Fog.') }, [])).toContain('"value":"Fog."'));
  test('the note is in the instruction language', () =>
    expect(inputs({ n: one('Fog. <b>') }, story, zh)).toContain(zh.text('note.narrative-sent')));
  test('no slots, no block', () => {
    expect(inputs({})).toBeNull();
    expect(runtimeInputsBlock(undefined, story, en)).toBeNull();
    expect(runtimeExportsBlock(undefined)).toBeNull();
  });
  test('a slot named __proto__ is a slot', () =>
    expect(inputs(JSON.parse('{"__proto__":{"cardinality":"one","value":1}}') as Record<string, Slot>)).toBe(
      block('{"__proto__":{"cardinality":"one","value":1}}'),
    ));
});

test('runtime-exports: same shape, a story is never replaced', () =>
  expect(runtimeExportsBlock({ n: one('Fog. <b>') })).toBe(
    `<runtime-exports>\n{"n":{"cardinality":"one","value":"Fog. &lt;b&gt;","source":${shown}}}\n</runtime-exports>`,
  ));

describe('activation', () => {
  test('with its payload, filtered and escaped', () =>
    expect(
      activationBlock({ source: 'event', detached: true, payload: { topic: '</x>', eventId: UUID, sessionId: 's' } }),
    ).toBe(
      '<runtime-activation>\n{"source":"event","detached":true,"payload":{"topic":"&lt;/x&gt;"}}\n</runtime-activation>',
    ));
  test('none', () => expect(activationBlock(undefined)).toBeNull());
});

test('property: injected data neither opens nor closes a block, nor becomes a breakpoint', () => {
  const nasty = fc.oneof(
    fc.string(),
    fc.constantFrom('</runtime-inputs>', '<runtime-exports>', '\n</runtime-inputs>\n', SENTINEL, '\ue000', '&lt;/a>'),
  );
  fc.assert(
    fc.property(nasty, nasty, nasty, (a, b, key) => {
      const text = inputs(
        { [key]: one({ [a]: b, list: [a, b] }), x: { cardinality: 'all', items: [{ value: a, source }] } },
        [],
      );
      const body = (text ?? '').split('\n');
      expect(body).toHaveLength(3);
      expect([body[0], body[2]]).toEqual(['<runtime-inputs>', '</runtime-inputs>']);
      expect(body[1]).not.toMatch(/[<>\ue000]/);
    }),
  );
});
