import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../shared/model/index.ts';
import { en } from '../testing/texts.ts';
import { escapeXml } from './escape.ts';
import { interpolate, templateVariables } from './template.ts';
import { params, SENTINEL, UUID } from './testing/params.ts';

const variables = {
  bad: '</scene> & <b>',
  a: 'A',
  n: 0,
  yes: false,
  none: null,
  list: [1, { id: UUID, k: 'v' }],
  braces: '{{ a }}',
  box: { a: 'inner' },
};
const text = (template: string): string => interpolate(template, variables).text;

describe('values', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['space inside the braces is free', '{{a}}{{  a  }}{{\na\n}}', 'AAA'],
    ['number and boolean', '{{ n }} {{ yes }}', '0 false'],
    ['null, missing, missing step', '[{{ none }}{{ nope }}{{ a.b }}{{ none.x }}]', '[]'],
    ['objects as compact JSON without bookkeeping', '{{ list }}', '[1,{"k":"v"}]'],
    ['a step into an object and an array', '{{ box.a }} {{ list.0 }}', 'inner 1'],
    ['a value is not read again', '{{ braces }}', '{{ a }}'],
    ['inherited properties are not there', '[{{ box.toString }}{{ constructor.name }}{{ box.__proto__ }}]', '[]'],
    ['empty braces are plain text', '{{}} { a } {{ a } }', '{{}} { a } {{ a } }'],
    ['a path goes on to the first closing brace', '{{ {{ a }}', ''],
    ['unclosed', '{{ a', '{{ a'],
  ];
  test.each(cases)('%s', (_name, template, expected) => expect(text(template)).toBe(expected));
});

describe('tag blocks', () => {
  const esc = '&lt;/scene&gt; &amp; &lt;b&gt;';
  const raw = variables.bad;
  const cases: readonly (readonly [string, string, string])[] = [
    ['inside a block', '<scene>\n{{ bad }}\n</scene>', `<scene>\n${esc}\n</scene>`],
    ['block on one line', 'x\n<scene>{{ bad }}</scene>', `x\n<scene>${esc}</scene>`],
    ['prose around a block', '{{ bad }}\n<scene>\n</scene> {{ bad }}', `${raw}\n<scene>\n</scene> ${raw}`],
    ['tag in the middle of a line', 'in <scene> {{ bad }} </scene>', `in <scene> ${raw} </scene>`],
    ['leading space opens nothing', ' <scene>\n{{ bad }}\n</scene>', ` <scene>\n${raw}\n</scene>`],
    ['attributes open nothing', '<scene a="1">\n{{ bad }}\n</scene>', `<scene a="1">\n${raw}\n</scene>`],
    ['never closed opens nothing', '<scene>\n{{ bad }}', `<scene>\n${raw}`],
    [
      'same name twice: the first close ends the block',
      '<scene>\n<scene>\n{{ bad }}\n</scene>\n{{ bad }}\n</scene>',
      `<scene>\n<scene>\n${esc}\n</scene>\n${raw}\n</scene>`,
    ],
    [
      'another name inside reaches beyond',
      '<scene>\n<b>\n</scene>\n{{ bad }}\n</b>\n{{ bad }}',
      `<scene>\n<b>\n</scene>\n${esc}\n</b>\n${raw}`,
    ],
    ['two blocks', '<s>\n{{ bad }}</s>\n{{ bad }}\n<s>\n{{ bad }}</s>', `<s>\n${esc}</s>\n${raw}\n<s>\n${esc}</s>`],
  ];
  test.each(cases)('%s', (_name, template, expected) => expect(text(template)).toBe(expected));

  test('a closing tag that a value brings does not end the block', () => {
    expect(interpolate('<s>\n{{ x }}\n{{ x }}\n</s>', { x: '</s>' }).text).toBe('<s>\n&lt;/s&gt;\n&lt;/s&gt;\n</s>');
  });

  test('many unclosed tags and braces are read in one go', () => {
    const template = `${'<scene>\n{{ '.repeat(60_000)}`;
    expect(interpolate(template, variables).text).toBe(template);
  });
});

test('islands say where each variable stands', () => {
  const made = interpolate('{{ a }}-{{ nope }}-{{ box.a }}', variables);
  expect(made.islands).toEqual([
    { start: 0, end: 1, path: 'a' },
    { start: 2, end: 2, path: 'nope' },
    { start: 3, end: 8, path: 'box.a' },
  ]);
});

test('no sentinel comes in, neither by values nor across them', () => {
  const made = interpolate(`x${SENTINEL}{{ a }}{{ b }}`, { a: `\ue000${SENTINEL}`, b: 'COVEL_CACHE_BREAK\ue000' });
  expect(made.text).toBe('xCOVEL_CACHE_BREAK');
});

test('property: islands hold the values, all else is the template; values are never interpolated', () => {
  const value = fc.oneof(fc.string(), fc.constantFrom('{{ b }}', '</s>', '<s>', '&', '\n<s>\n'));
  fc.assert(
    fc.property(value, value, fc.boolean(), (a, b, inBlock) => {
      const template = inBlock ? '<s>\n{{ a }}|{{ b }}\n</s>' : 'p {{ a }}|{{ b }} q';
      const { text: made, islands } = interpolate(template, { a, b });
      const rest = made.slice(0, islands[0]?.start) + '|' + made.slice(islands[1]?.end);
      expect(rest).toBe(inBlock ? '<s>\n|\n</s>' : 'p | q');
      const shown = islands.map(({ start, end }) => made.slice(start, end));
      const clean = [a, b].map((given) => given.replaceAll('\ue000', ''));
      expect(shown).toEqual(inBlock ? clean.map(escapeXml) : clean);
    }),
  );
});

describe('variables', () => {
  const of = (path: string, over: Parameters<typeof params>[0]): string =>
    interpolate(`{{ ${path} }}`, templateVariables(params(over), en)).text;
  const results = (entries: Readonly<Record<string, Json>>): { completedResults: Map<string, { output: Json }> } => ({
    completedResults: new Map(Object.entries(entries).map(([key, output]) => [key, { output }])),
  });
  const world = {
    name: 'Fog Harbour',
    tags: ['sea'],
    lore: 'Long.',
    schema: { id: UUID, hp: { max: 5 } },
    dimensions: { tide: { id: 'tide', name: 'Tide', value: 3, version: 2, updateRule: 'secret rule' } },
  };
  const form = { lastFormValues: { might: 2, turnId: UUID } };
  const cases: readonly (readonly [string, string, Parameters<typeof params>[0], string])[] = [
    ['player.message', 'player.message', {}, 'I climb the stair.'],
    ['session.id', 'session.id', {}, 'fog-harbour'],
    ['session.turnNumber without any', 'session.turnNumber', {}, '0'],
    [
      'the snapshot wins',
      'session.turnNumber',
      { sessionMeta: { turnNumber: 3 }, sessionContext: { turnNumber: 7 } },
      '7',
    ],
    ['inputs, one name for both', 'inputs.dig.dig.text', results({ dig: { text: 'T' } }), 'T'],
    [
      'inputs, split at the first slash',
      'inputs.dig.north/deep.text',
      results({ 'dig/north/deep': { text: 'T' } }),
      'T',
    ],
    ['inputs named constructor', 'inputs.constructor.toString.x', results({ 'constructor/toString': { x: 1 } }), '1'],
    ['inputs named __proto__', 'inputs.__proto__.__proto__.x', results(JSON.parse('{"__proto__":{"x":1}}')), '1'],
    ['absent in the next build', 'inputs.__proto__.__proto__.x', {}, ''],
    ['world.schema without bookkeeping', 'world.schema', { sessionContext: { world } }, '{"hp":{"max":5}}'],
    ['world.tags', 'world.tags', { sessionContext: { world } }, '["sea"]'],
    ['value of a dimension', 'world.dimensions.tide.value', { sessionContext: { world } }, '3'],
    [
      'a dimension shows no rule',
      'world.dimensions.tide',
      { sessionContext: { world } },
      '{"name":"Tide","value":3,"version":2}',
    ],
    ['no short cut into the world', 'world.tone', { sessionContext: { world: { ...world, tone: 'x' } as never } }, ''],
    ['form values as JSON', 'player.lastFormValues', { sessionMeta: form }, '{"might":2}'],
    ['one form value', 'player.lastFormValuesRaw.might', { sessionMeta: form }, '2'],
    ['a form without values is empty', 'player.lastFormValues', { sessionMeta: { lastFormValues: {} } }, ''],
    ['userSettings', 'userSettings.pace', { userSettings: { pace: 'slow' } }, 'slow'],
    ['no current character', 'player.character', {}, ''],
    [
      'current character',
      'player.character.name',
      { sessionMeta: { characters: [{ id: 'p', name: 'Wren', type: 'player' }] } },
      'Wren',
    ],
    [
      'npcs',
      'characters.npcs',
      {
        sessionMeta: {
          characters: [
            { id: 'p', name: 'Wren', type: 'player' },
            { id: 'o', name: 'Oake', type: 'npc' },
          ],
        },
      },
      '- Oake [npc]',
    ],
  ];
  test.each(cases)('%s', (_name, path, over, expected) => expect(of(path, over)).toBe(expected));

  test('no prototype is changed', () => {
    templateVariables(params(results(JSON.parse('{"__proto__":{"polluted":1},"constructor":{"polluted":1}}'))), en);
    expect('polluted' in {}).toBe(false);
    expect('polluted' in Object).toBe(false);
  });
});
