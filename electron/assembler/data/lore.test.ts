import { describe, expect, test } from 'vitest';
import { en, zh } from '../testing/texts.ts';
import type { LoreContribution } from '../types.ts';
import { compileLorebook, systemLoreEntries, worldLoreBlock, type LorebookEntry, type LoreScan } from './lore.ts';
import { SENTINEL } from './testing/params.ts';

const entry = (over: Partial<LorebookEntry> = {}): LorebookEntry => ({
  id: 'quay',
  keys: ['Low Quay'],
  content: 'Salt.',
  strategy: 'selective',
  position: 'after_plugin',
  insertionOrder: 100,
  ...over,
});
const scan = (over: Partial<LoreScan> = {}): LoreScan => ({ playerMessage: '', tail: [], texts: en, ...over });
const ids = (entries: readonly LorebookEntry[], over: Partial<LoreScan> = {}): string =>
  compileLorebook(entries, scan(over))
    .map(({ sourceId }) => sourceId)
    .join(' ');

describe('what is active', () => {
  const tail = ['the low quay at dawn', 'gulls', 'a bell'];
  const cases: readonly (readonly [string, Partial<LorebookEntry>, Partial<LoreScan>, boolean])[] = [
    ['constant, without keys', { strategy: 'constant', keys: [] }, {}, true],
    ['key in the player message, any case', {}, { playerMessage: 'To the LOW QUAY!' }, true],
    ['no key', {}, { playerMessage: 'To the quay.' }, false],
    ['one of several keys', { keys: ['x', 'quay'] }, { playerMessage: 'quay' }, true],
    ['a blank key wakes nothing', { keys: ['', ' '] }, { playerMessage: 'a b' }, false],
    ['without scanDepth the tail is not read', {}, { tail }, false],
    ['a depth that does not reach', { extra: { scanDepth: 2 } }, { tail }, false],
    ['a depth that reaches', { extra: { scanDepth: 3 } }, { tail }, true],
    ['the player message is always read', { extra: { scanDepth: 1 } }, { tail, playerMessage: 'low quay' }, true],
    [
      'a depth above 20 is 20',
      { extra: { scanDepth: 99 } },
      { tail: [...tail, ...Array.from({ length: 18 }, () => '.')] },
      false,
    ],
    ['a negative depth is 0', { extra: { scanDepth: -5 } }, { tail }, false],
    ['disabled', { strategy: 'constant', enabled: false }, {}, false],
    ['blank content', { strategy: 'constant', content: ' \n' }, {}, false],
  ];
  test.each(cases)('%s', (_name, over, with_, active) => expect(ids([entry(over)], with_)).toBe(active ? 'quay' : ''));
});

test('order: insertion order, then id by UTF-16 units', () => {
  const made = ['b', 'Z', 'a', 'c'].map((id) =>
    entry({ id, strategy: 'constant', insertionOrder: id === 'c' ? 1 : 5 }),
  );
  expect(ids(made)).toBe('c Z a b');
});

describe('heading', () => {
  const textOf = (over: Partial<LorebookEntry>, texts = en): string | undefined =>
    compileLorebook([entry({ strategy: 'constant', ...over })], scan({ texts }))[0]?.content;
  const cases: readonly (readonly [string, Partial<LorebookEntry>, string])[] = [
    ['title', { title: 'The Quay' }, '[World rule: The Quay]\nSalt.'],
    ['first key', { title: ' ' }, '[World rule: Low Quay]\nSalt.'],
    ['id', { keys: [''] }, '[World rule: quay]\nSalt.'],
    ['no sentinel', { content: `Sa${SENTINEL}lt.` }, '[World rule: Low Quay]\nSalt.'],
  ];
  test.each(cases)('%s', (_name, over, expected) => expect(textOf(over)).toBe(expected));
  test('localised', () => expect(textOf({}, zh)).toBe('[世界规则：Low Quay]\nSalt.'));
});

describe('position', () => {
  const at = (over: Partial<LorebookEntry>): Partial<LoreContribution> & { warned: number } => {
    const warnings: string[] = [];
    const [made] = compileLorebook([entry({ strategy: 'constant', ...over })], scan({ warn: (w) => warnings.push(w) }));
    const { position, depth, role } = made as LoreContribution;
    return { position, ...(depth === undefined ? {} : { depth }), ...(role ? { role } : {}), warned: warnings.length };
  };
  const cases: readonly (readonly [string, Partial<LorebookEntry>, object])[] = [
    ['as recorded', { position: 'before_plugin' }, { position: 'before_plugin', warned: 0 }],
    ['with a hyphen', { position: 'before-plugin' }, { position: 'before_plugin', warned: 0 }],
    ['none', { position: null }, { position: 'after_plugin', warned: 0 }],
    ['unknown', { position: 'sideways' }, { position: 'after_plugin', warned: 1 }],
    [
      'the coordinate wins',
      { extra: { coordinate: { position: 'at_depth', depth: 2.4 } } },
      { position: 'at_depth', depth: 2, warned: 0 },
    ],
    [
      'depth is floored at 0',
      { extra: { coordinate: { position: 'at_depth', depth: -3 } } },
      { position: 'at_depth', depth: 0, warned: 0 },
    ],
    [
      'depth must be finite',
      { extra: { coordinate: { position: 'at_depth', depth: Infinity } } },
      { position: 'at_depth', warned: 0 },
    ],
    [
      'depth only at a depth',
      { extra: { coordinate: { position: 'before_plugin', depth: 2 } } },
      { position: 'before_plugin', warned: 0 },
    ],
    [
      'role',
      { extra: { coordinate: { position: 'at_depth', role: 'user' } } },
      { position: 'at_depth', role: 'user', warned: 0 },
    ],
  ];
  test.each(cases)('%s', (_name, over, expected) => expect(at(over)).toEqual(expected));
});

describe('world lore block', () => {
  const chars4 = (text: string): number => Math.ceil(text.length / 4);
  const line = 'x'.repeat(3999);
  const cases: readonly (readonly [string, string, string])[] = [
    ['as written', 'A > b & <!-- c -->\n', '<world-lore>\nA > b & <!-- c -->\n\n</world-lore>'],
    ['own closing tag', 'a </world-lore> b', '<world-lore>\na &lt;/world-lore> b\n</world-lore>'],
    ['a sentinel', `a${SENTINEL}b`, '<world-lore>\nab\n</world-lore>'],
    ['fits exactly', 'x'.repeat(32_000), `<world-lore>\n${'x'.repeat(32_000)}\n</world-lore>`],
    [
      'whole lines, then …',
      Array(9).fill(line).join('\n'),
      `<world-lore>\n${Array(8).fill(line).join('\n')}\n…\n</world-lore>`,
    ],
    [
      'trimmed at the cut',
      [...Array(7).fill(line), '', '', line, line].join('\n'),
      `<world-lore>\n${Array(7).fill(line).join('\n')}\n…\n</world-lore>`,
    ],
    ['one line too long', 'x'.repeat(32_001), '<world-lore>\n\n…\n</world-lore>'],
  ];
  test.each(cases)('%s', (_name, lore, expected) => expect(worldLoreBlock(lore, chars4)).toBe(expected));
  test('blank or missing: no block', () => {
    expect(worldLoreBlock(' \n')).toBeNull();
    expect(worldLoreBlock(undefined)).toBeNull();
  });
  test('the usual estimator counts a CJK character as a token', () => {
    const made = worldLoreBlock(`${'雾'.repeat(7999)}\n${'港'.repeat(10)}`) ?? '';
    expect(made).toBe(`<world-lore>\n${'雾'.repeat(7999)}\n…\n</world-lore>`);
  });
});

test('system lore of one place: by order, then as given; trimmed; blank and other kinds left out', () => {
  const lore = (content: string, over: Partial<LoreContribution> = {}): LoreContribution => ({
    kind: 'lore_entry',
    content,
    position: 'before_plugin',
    ...over,
  });
  const given = [
    lore(' late ', { order: 5 }),
    lore('first'),
    lore(`sec${SENTINEL}ond\n`),
    lore('  '),
    lore('other place', { position: 'after_plugin' }),
    lore('other kind', { kind: 'note' }),
  ];
  expect(systemLoreEntries(given, 'before_plugin').map(({ content }) => content)).toEqual(['first', 'second', 'late']);
  expect(systemLoreEntries([], 'after_plugin')).toEqual([]);
});
