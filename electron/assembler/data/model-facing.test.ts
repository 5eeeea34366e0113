import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../shared/model/index.ts';
import { compactJson, modelFacingJson } from './model-facing.ts';
import { INSTANT, UUID } from './testing/params.ts';

describe('what is dropped and what stays', () => {
  const cases: readonly (readonly [string, Json, Json])[] = [
    ['sessionId, whatever it is', { sessionId: 'lamp', a: 1 }, { a: 1 }],
    ['id that is a UUID', { id: UUID, a: 1 }, { a: 1 }],
    ['id with a meaning', { id: 'npc-lin' }, { id: 'npc-lin' }],
    ['name in Id with a UUID, upper case too', { turnId: UUID.toUpperCase() }, {}],
    ['name in Ids with UUIDs only', { turnIds: [UUID, UUID] }, {}],
    ['mixed list of ids', { turnIds: [UUID, 'npc'] }, { turnIds: [UUID, 'npc'] }],
    ['empty list of ids', { turnIds: [] }, { turnIds: [] }],
    ['UUID under another name', { token: UUID }, { token: UUID }],
    ['name that only contains Id', { idea: UUID, width: UUID }, { idea: UUID, width: UUID }],
    ['timestamp and At with an instant', { timestamp: INSTANT, updatedAt: '2026-10-06T16:51:22+08:00' }, {}],
    ['instant without seconds', { updatedAt: '2026-10-06T16:51Z' }, { updatedAt: '2026-10-06T16:51Z' }],
    ['instant without zone', { updatedAt: '2026-10-06T16:51:22' }, { updatedAt: '2026-10-06T16:51:22' }],
    ['date of the story', { date: '1943-06-01T08:00:00Z' }, { date: '1943-06-01T08:00:00Z' }],
    ['At with words or a number', { lookedAt: 'the door', validAt: 2 }, { lookedAt: 'the door', validAt: 2 }],
    ['at every depth, inside arrays', { a: [{ id: UUID, b: { sessionId: 1, c: null } }] }, { a: [{ b: { c: null } }] }],
    ['array of UUIDs without a name', [UUID], [UUID]],
    ['plain values', INSTANT, INSTANT],
    ['null', null, null],
  ];
  test.each(cases)('%s', (_name, value, expected) => expect(modelFacingJson(value)).toEqual(expected));

  test('the record itself is not changed', () => {
    const record = { id: UUID, inner: { sessionId: 's', list: [1] } };
    const before = JSON.stringify(record);
    modelFacingJson(record);
    expect(JSON.stringify(record)).toBe(before);
  });

  test('a key __proto__ stays an own key and changes no prototype', () => {
    const copy = modelFacingJson(JSON.parse('{"__proto__":{"x":1},"constructor":2}') as Json) as object;
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"x":1},"constructor":2}');
  });
});

test('10,000 levels deep do not overflow', () => {
  let deep: Json = { id: UUID, leaf: 'salt "and" tide' };
  for (let i = 0; i < 10_000; i++) deep = i % 2 ? [deep, i] : { in: deep };
  const text = compactJson(modelFacingJson(deep));
  expect(text).toContain('{"leaf":"salt \\"and\\" tide"}');
  expect(text).not.toContain(UUID);
  expect(text.match(/\{"in":/g)).toHaveLength(5000);
});

test('a value that contains itself is refused by the name of its field', () => {
  const loop: Record<string, Json> = { a: 1 };
  loop['self'] = [loop];
  expect(() => modelFacingJson(loop, 'runtime-inputs.tide')).toThrow(
    expect.objectContaining({ code: 'configuration', field: 'runtime-inputs.tide' }),
  );
  const shared = { a: 1 };
  expect(modelFacingJson([shared, shared])).toEqual([shared, shared]);
});

const keys = fc.constantFrom('id', 'turnId', 'turnIds', 'updatedAt', 'timestamp', 'sessionId', '__proto__', 'name');
const leaves = fc.oneof(fc.constantFrom(UUID, INSTANT, 'npc-lin', null, true, 3.5), fc.string());
const values = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    leaves,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(keys, tie('value'), { maxKeys: 5 }),
  ),
})).value;

test('property: idempotent', () => {
  fc.assert(
    fc.property(values, (value) => {
      const once = modelFacingJson(value);
      expect(compactJson(modelFacingJson(once))).toBe(compactJson(once));
    }),
  );
});

test('property: the text of deep values is that of JSON.stringify', () => {
  fc.assert(
    fc.property(values, (value) => {
      let deep = value;
      for (let i = 0; i < 10_000; i++) deep = [deep];
      expect(compactJson(deep)).toBe('['.repeat(10_000) + JSON.stringify(value) + ']'.repeat(10_000));
    }),
    { numRuns: 20 },
  );
});
