/**
 * Random JSON as texts, not as values: what JSON.stringify writes, and the same with everything that the grammar
 * allows besides (spaces, needless escapes, other numbers, keys twice, keys like indices, markers anywhere).
 */
import fc from 'fast-check';
import { CACHE_BREAK, CACHE_MARKERS, type KeyKind, keyOrderOf } from '../../key-order.ts';

const PLAIN_UNITS = ['a', 'b', ' ', '/', '{', '}', '[', ']', ',', ':', '0', '"', '\\'];
const CONTROL_UNITS = ['\n', '\t', '\b', '\u0000', '\u001f', '\u007f'];
const WIDE_UNITS = ['é', 'я', '雾', '灯', '한', '豈', '，', '\u2028', '\ufffd', '\uffff', '\ue000'];
/** Pairs that share their high surrogate, one that does not, and halves alone. */
const ASTRAL_UNITS = ['😀', '😁', '𠀀', '\ud83d', '\ude00'];
const UNITS = [PLAIN_UNITS, CONTROL_UNITS, WIDE_UNITS, ASTRAL_UNITS].flat();

/** Texts of any content; the escapes of a text are chosen by `jsonOf`. */
export const anyText: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...UNITS), { maxLength: 12 })
  .map((units) => units.join(''));

const SPACES = ['', '', '', ' ', '\n', '\t', '\r\n '];
const NUMBERS = [
  '0',
  '-0',
  '7',
  '-12',
  '1.0',
  '1.5',
  '1e5',
  '1E+2',
  '0.1',
  '1e21',
  '1e+21',
  '123456789012345678901',
  '1e999',
  '-1e-7',
];
const KEYS = [
  'a',
  'b',
  'type',
  'text',
  '0',
  '12',
  '01',
  '-1',
  '__proto__',
  'toJSON',
  '雾',
  'a"b',
  'x\ny',
  ...CACHE_MARKERS,
];

/** Wrapped JSON text, so that it is not taken for a string value. */
export type Written = { readonly json: string };

const upper = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`;

/** A string as JSON; `noise` says of each unit whether it is written as JSON.stringify does or escaped needlessly. */
function writeString(text: string, noise: readonly boolean[]): string {
  if (noise.length === 0) return JSON.stringify(text);
  const units = Array.from(text, (unit, n) => {
    if (noise[n % noise.length]) return [...Array(unit.length).keys()].map((k) => upper(unit[k] as string)).join('');
    return unit === '/' ? '\\/' : JSON.stringify(unit).slice(1, -1);
  });
  return `"${units.join('')}"`;
}

const space = (isNoisy: boolean): fc.Arbitrary<string> => (isNoisy ? fc.constantFrom(...SPACES) : fc.constant(''));

export const stringText = (isNoisy: boolean, text: fc.Arbitrary<string> = anyText): fc.Arbitrary<Written> =>
  fc
    .tuple(text, isNoisy ? fc.array(fc.boolean(), { maxLength: 3 }) : fc.constant([]))
    .map(([value, noise]) => ({ json: writeString(value, noise) }));

export const objectText = (
  isNoisy: boolean,
  entries: fc.Arbitrary<readonly (readonly [key: string, value: Written])[]>,
): fc.Arbitrary<Written> =>
  fc.tuple(entries, space(isNoisy), space(isNoisy)).map(([list, before, after]) => ({
    json: `{${before}${list.map(([key, { json }]) => `${JSON.stringify(key)}${after}:${before}${json}`).join(`${after},${before}`)}${after}}`,
  }));

export const arrayText = (isNoisy: boolean, items: fc.Arbitrary<readonly Written[]>): fc.Arbitrary<Written> =>
  fc.tuple(items, space(isNoisy), space(isNoisy)).map(([list, before, after]) => ({
    json: `[${before}${list.map(({ json }) => json).join(`${after},${before}`)}${after}]`,
  }));

export function anyJson(isNoisy: boolean, depth = 3): fc.Arbitrary<Written> {
  const scalar = fc.oneof(
    stringText(isNoisy),
    fc.constantFrom(...(isNoisy ? NUMBERS : ['0', '7', '-12', '1.5'])).map((json) => ({ json })),
    fc.constantFrom('true', 'false', 'null').map((json) => ({ json })),
  );
  if (depth === 0) return scalar;
  const inner = anyJson(isNoisy, depth - 1);
  return fc.oneof(
    { weight: 3, arbitrary: scalar },
    { weight: 1, arbitrary: arrayText(isNoisy, fc.array(inner, { maxLength: 3 })) },
    { weight: 2, arbitrary: objectText(isNoisy, entriesOf(isNoisy, inner)) },
  );
}

const entriesOf = (isNoisy: boolean, value: fc.Arbitrary<Written>) => {
  const entry = fc.tuple(fc.constantFrom(...KEYS), value);
  return isNoisy
    ? fc.array(entry, { maxLength: 5 })
    : fc.uniqueArray(entry, { maxLength: 5, selector: ([key]) => key });
};

/** An object with the given entries and markers before, between or behind them. */
function marked(isNoisy: boolean, entries: Readonly<Record<string, fc.Arbitrary<Written>>>): fc.Arbitrary<Written> {
  const marker = fc.tuple(fc.constantFrom(...CACHE_MARKERS), anyJson(isNoisy, 1));
  const places = fc.array(fc.tuple(fc.nat(Object.keys(entries).length), marker), { maxLength: 2 });
  const list = fc.tuple(fc.record(entries), places).map(([record, at]) => {
    const all: (readonly [string, Written])[] = Object.entries(record);
    for (const [place, entry] of at) if (isNoisy || !all.some(([key]) => key === entry[0])) all.splice(place, 0, entry);
    return all;
  });
  return objectText(isNoisy, list);
}

const plain = (text: string): fc.Arbitrary<Written> => fc.constant({ json: JSON.stringify(text) });
const withBreaks = (isNoisy: boolean): fc.Arbitrary<Written> =>
  stringText(isNoisy, fc.constantFrom('x', `a${CACHE_BREAK}b`, `${CACHE_BREAK}`, `雾\n${CACHE_BREAK}灯${CACHE_BREAK}`));

const role = (roles: readonly string[]): fc.Arbitrary<Written> =>
  fc.constantFrom(...roles).map((r) => ({ json: JSON.stringify(r) }));

function fieldText(kind: KeyKind, isNoisy: boolean): fc.Arbitrary<Written> {
  const odd = anyJson(isNoisy, 2);
  const list = (item: fc.Arbitrary<Written>, maxLength = 5) => arrayText(isNoisy, fc.array(item, { maxLength }));
  const tool = fc.oneof(
    marked(isNoisy, { name: stringText(isNoisy), input_schema: odd }),
    marked(isNoisy, { type: plain('function'), function: marked(isNoisy, { name: plain('roll'), parameters: odd }) }),
  );
  const block = fc.oneof(
    { weight: 4, arbitrary: marked(isNoisy, { type: plain('text'), text: stringText(isNoisy) }) },
    { weight: 1, arbitrary: odd },
  );
  const part = marked(isNoisy, { type: plain('text'), text: stringText(isNoisy), extra: odd });
  const message = fc.oneof(
    {
      weight: 4,
      arbitrary: marked(isNoisy, {
        role: role(['user', 'assistant', 'system']),
        content: fc.oneof(stringText(isNoisy), list(part, 3)),
      }),
    },
    { weight: 1, arbitrary: marked(isNoisy, { type: plain('function_call'), arguments: stringText(isNoisy) }) },
    { weight: 1, arbitrary: odd },
  );
  switch (kind) {
    case 'tools':
      return fc.oneof({ weight: 5, arbitrary: list(tool, 3) }, { weight: 1, arbitrary: odd });
    case 'declarations':
      return list(
        fc.oneof(
          {
            weight: 3,
            arbitrary: objectText(
              isNoisy,
              list(tool, 3).map((value) => [['functionDeclarations', value] as const]),
            ),
          },
          { weight: 1, arbitrary: marked(isNoisy, { functionDeclarations: list(tool, 2) }) },
          { weight: 1, arbitrary: odd },
        ),
        2,
      );
    case 'system':
      return fc.oneof(stringText(isNoisy), list(block, 4), odd);
    case 'system-parts':
      return fc.oneof(marked(isNoisy, { parts: list(block, 3) }), stringText(isNoisy), odd);
    case 'messages':
      return fc.oneof({ weight: 6, arbitrary: list(message) }, { weight: 1, arbitrary: odd });
    case 'kernel-messages': {
      const system = marked(isNoisy, { role: role(['system', 'system', 'user']), content: withBreaks(isNoisy) });
      const late = marked(isNoisy, {
        role: role(['user', 'system']),
        content: fc.oneof(withBreaks(isNoisy), list(part, 2)),
      });
      return fc.tuple(list(system, 2), list(late, 3)).map(([a, b]) => ({ json: joined(a.json, b.json) }));
    }
  }
}

/** Two arrays as one. */
function joined(a: string, b: string): string {
  const [left, right] = [a.slice(1, -1), b.slice(1, -1)];
  return `[${left}${left.trim() && right.trim() ? ',' : ''}${right}]`;
}

/** A body of a protocol, its fields in any order. */
export const bodyText = (protocol: string, isNoisy: boolean): fc.Arbitrary<Written> =>
  fieldsText(keyOrderOf(protocol), isNoisy);

export const fieldsText = (
  order: readonly { readonly field: string; readonly kind: KeyKind }[],
  isNoisy: boolean,
): fc.Arbitrary<Written> => {
  const fields = order.map(({ field, kind }) =>
    fc.option(fieldText(kind, isNoisy), { nil: null, freq: 8 }).map((value) => [field, value] as const),
  );
  const entries = fc
    .tuple(...fields, fc.constant(['model', { json: '"m"' }] as const))
    .map((list) => list.filter((entry): entry is readonly [string, Written] => entry[1] !== null))
    .chain((list) => fc.shuffledSubarray(list, { minLength: list.length }));
  return objectText(isNoisy, entries);
};
