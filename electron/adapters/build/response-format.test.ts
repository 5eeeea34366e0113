/** Assembler page, section 8.4. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../shared/model/index.ts';
import { A, requestOf, S, text, U } from '../fixtures/build-request.ts';
import { constAsEnum, formatInstruction, formatName, withFormatMessage } from './response-format.ts';
import { plain } from './traced.ts';
import type { BuildMessage } from './types.ts';

test.each<[JsonObject, string]>([
  [{ title: 'Turn result', $id: 'x' }, 'Turn_result'],
  [{ $id: 'https://a.example/s.json' }, 'https___a_example_s_json'],
  [{}, 'response'],
  [{ title: '' }, 'response'],
  [{ title: 7 }, 'response'],
  [{ title: '回合' }, '__'],
  [{ title: 'a'.repeat(80) }, 'a'.repeat(64)],
])('%j is named %s', (schema, name) => expect(formatName(schema)).toBe(name));

describe('the sentence', () => {
  const schema = { type: 'object', properties: { a: { const: 'x' } } };
  const request = requestOf({ responseFormat: { schema, segment: 'format' } });
  const block = `<response-format>${JSON.stringify(schema)}</response-format>`;
  const said = (messages: readonly BuildMessage[]) => formatInstruction(request, messages);
  test('names the rule and the schema', () => {
    expect(plain(said([]) as never)).toBe(`Answer with JSON only.\n${block}`);
    expect(said([])?.runs).toMatchObject([{ segment: 'format' }]);
  });
  test('not without a schema', () => expect(formatInstruction(requestOf({}), [])).toBeNull());
  test('not twice', () => {
    expect(said([S(`before ${block} after`), U('go')])).toBeNull();
    expect(said([S([text('a'), text(block)])])).toBeNull();
    expect(said([S(block.replace('>{', '>\n{').replace('}<', '}\n<'))])).toBeNull();
    expect(said([S(`<response-format>{}</response-format>${block}`)])).toBeNull();
  });
  test.each([
    ['the user says it', [U(block)]],
    ['another schema', [S(block.replace('"x"', '"y"'))]],
    ['without its tag', [S(JSON.stringify(schema))]],
    ['its tag stays open', [S(block.replace('</response-format>', ''))]],
    ['more stands in its tag', [S(block.replace('{', 'as {'))]],
  ])('but where %s', (_, messages) => expect(said(messages)).not.toBeNull());

  const order = (messages: readonly BuildMessage[]) =>
    withFormatMessage(messages, said([]))
      .map(({ content }) => (content !== null && 'runs' in content ? plain(content).slice(0, 6) : ''))
      .join(' ');
  test.each([
    [[S('s1'), U('u1'), S('s2'), U('u2')], 's1 u1 s2 Answer u2'],
    [[S('s1'), S('s2'), A('a1')], 's1 s2 Answer a1'],
    [[U('u1')], 'Answer u1'],
    [[], 'Answer'],
  ])('stands behind the last system message, %#', (messages, expected) => expect(order(messages)).toBe(expected));
});

describe('a constant as a choice of one', () => {
  test.each<[string, JsonObject, JsonObject]>([
    ['at the top', { const: 1 }, { enum: [1] }],
    ['of any value', { const: { const: 2 } }, { enum: [{ const: 2 }] }],
    [
      'in properties, whatever they are named',
      { properties: { const: { const: 'x' }, items: { type: 'a' } } },
      { properties: { const: { enum: ['x'] }, items: { type: 'a' } } },
    ],
    [
      'in lists and nested schemas',
      { anyOf: [{ const: 1 }, { items: { const: 2 } }], not: { const: 3 }, $defs: { a: { const: 4 } } },
      { anyOf: [{ enum: [1] }, { items: { enum: [2] } }], not: { enum: [3] }, $defs: { a: { enum: [4] } } },
    ],
    [
      'not in data',
      { default: { const: 1 }, examples: [{ const: 1 }], enum: [{ const: 1 }] },
      { default: { const: 1 }, examples: [{ const: 1 }], enum: [{ const: 1 }] },
    ],
    [
      'not in odd places',
      { properties: [1], additionalProperties: false, items: [{ const: 1 }] },
      { properties: [1], additionalProperties: false, items: [{ enum: [1] }] },
    ],
  ])('%s', (_, schema, sent) => expect(constAsEnum(schema)).toEqual(sent));
  test('the schema itself stays', () => {
    const schema = { properties: { a: { const: 1 } } };
    constAsEnum(schema);
    expect(schema).toEqual({ properties: { a: { const: 1 } } });
  });
});
