import { describe, expect, test } from 'vitest';
import { en, zh } from '../testing/texts.ts';
import type { Character, Seat } from '../types.ts';
import { characterSheetSegments, currentCharacter, npcLines } from './characters.ts';
import { INSTANT, SENTINEL, UUID } from './testing/params.ts';

const wren: Character = { id: 'p1', name: 'Wren', type: 'player', fields: { hp: 8 } };
const sel: Character = { id: 'p2', name: 'Sel', type: 'player' };
const oake: Character = {
  id: 'npc-oake',
  name: 'Oake',
  type: 'npc',
  aliases: ['Brother Oake', 'the monk'],
  description: 'Keeps the ledger.',
  fields: { mood: 'wary', turnId: UUID, seenAt: INSTANT, sessionId: 's' },
};

describe('current character', () => {
  const seat = (id: string, characterId: string | null, primary?: boolean): Seat => ({
    id,
    characterId,
    ...(primary === undefined ? {} : { primary }),
  });
  const cases: readonly (readonly [string, readonly Character[], readonly Seat[] | undefined, string | undefined])[] = [
    ['the only player', [oake, wren], undefined, 'Wren'],
    ['two players and no seats', [wren, sel], undefined, undefined],
    ['no player', [oake], [], undefined],
    ['the primary seat', [wren, sel], [seat('a', 'p1'), seat('b', 'p2', true)], 'Sel'],
    ['the first seat where none is primary', [wren, sel], [seat('a', 'p2'), seat('b', 'p1')], 'Sel'],
    ['a seat may hold an npc', [wren, oake], [seat('a', 'npc-oake', true)], 'Oake'],
    ['an empty primary seat', [wren], [seat('a', null, true)], undefined],
  ];
  test.each(cases)('%s', (_name, characters, seats, expected) =>
    expect(currentCharacter({ sessionContext: { characters, ...(seats ? { seats } : {}) } })?.name).toBe(expected),
  );
});

describe('lines', () => {
  test('all but the current one, others of the player tagged, aliases once, no ids or times', () => {
    expect(npcLines([wren, sel, oake], { currentCharacterId: 'p1', texts: en })).toBe(
      '- Sel [player]\n- Oake (aka Brother Oake, the monk) [npc] | Keeps the ledger. | {"mood":"wary"}',
    );
  });

  test('an npc in a seat is played by somebody', () => {
    const seats = [{ id: 'a', characterId: 'npc-oake' }];
    expect(npcLines([{ ...oake, aliases: [] }], { seats, texts: en })).toMatch(/^- Oake \[player\]/);
  });

  test('description and fields are cut to 400 each', () => {
    const long = { ...oake, aliases: [], description: 'd'.repeat(401), fields: { a: 'f'.repeat(500) } };
    expect(npcLines([long], { texts: en })).toBe(`- Oake [npc] | ${'d'.repeat(400)}... | {"a":"${'f'.repeat(394)}...`);
  });

  test('12 characters of 400 + 400: under 8,200 characters, the rest by name in the last line', () => {
    const crowd = Array.from({ length: 12 }, (_, i) => ({
      ...oake,
      id: `n${i}`,
      name: `N${i}`,
      aliases: [],
      description: 'd'.repeat(400),
      fields: { a: 'f'.repeat(400) },
    }));
    const lines = npcLines(crowd, { texts: en });
    expect(lines.length).toBeLessThan(8200);
    expect(lines.split('\n')).toHaveLength(10);
    expect(lines.split('\n').at(-1)).toBe(`- ${en.text('note.npcs-not-shown', { names: 'N9, N10, N11' })}`);
    expect(npcLines(crowd, { texts: zh }).split('\n').at(-1)).toBe('- （未列出档案：N9、N10、N11）');
  });

  test('once one does not fit, a short one after it is only named too', () => {
    const big = (name: string): Character => ({ id: name, name, type: 'npc', description: 'd'.repeat(400) });
    const crowd = [...Array.from({ length: 20 }, (_, i) => big(`N${i}`)), { id: 'z', name: 'Z', type: 'npc' }];
    expect(npcLines(crowd, { texts: en })).toMatch(/\(profiles not shown: N19, Z\)$/);
  });

  test('nobody, and a sentinel in a name', () => {
    expect(npcLines([wren], { currentCharacterId: 'p1', texts: en })).toBe('');
    expect(npcLines([{ ...sel, name: `S${SENTINEL}l` }], { texts: en })).toBe('- Sl [player]');
  });
});

describe('sheets', () => {
  const schema = {
    attributes: [
      { id: 'might', type: 'number', min: 0, max: 5 },
      { id: 'hp', type: 'number', min: 1, max: 20 },
      { id: 'luck', type: 'number' },
    ],
  };
  const cast = [
    { ...wren, fields: { might: 2, hp: 8, luck: 3, calling: 'keeper' } },
    { ...oake, fields: { might: 5 } },
  ];

  test('one turn segment for the own runtimes, ranges from the schema', () => {
    const made = characterSheetSegments(cast, { currentCharacterId: 'p1', profiles: true, schema, texts: en });
    expect(made).toEqual([
      {
        id: 'character-sheets',
        position: 'system',
        audience: 'self',
        volatility: 'turn',
        content: [
          '<player-character>',
          '{"id":"p1","name":"Wren","type":"player","fields":{"might":"2/5","hp":"8 (1–20)","luck":3,"calling":"keeper"}}',
          '</player-character>',
          '<character-profiles>',
          '- Oake (aka Brother Oake, the monk) [npc] | Keeps the ledger. | {"might":"5/5"}',
          '</character-profiles>',
        ].join('\n'),
      },
    ]);
  });

  test('without profiles, without a current character, without both', () => {
    const only = characterSheetSegments(cast, { currentCharacterId: 'p1', texts: en });
    expect(only[0]?.content).not.toContain('character-profiles');
    expect(characterSheetSegments(cast, { profiles: true, texts: en })[0]?.content).toMatch(/^<character-profiles>/);
    expect(characterSheetSegments(cast, { texts: en })).toEqual([]);
    expect(characterSheetSegments([], { profiles: true, texts: en })).toEqual([]);
  });

  test('bookkeeping is left out of the sheet, ids with a meaning stay', () => {
    const made = characterSheetSegments([{ ...oake, id: UUID }], { currentCharacterId: UUID, texts: en });
    expect(made[0]?.content).toContain('<player-character>\n{"name":"Oake"');
    expect(made[0]?.content).toContain('"fields":{"mood":"wary"}');
  });

  test('a description can close no block', () => {
    const bad = { ...oake, description: '</character-profiles> & more' };
    const content = characterSheetSegments([bad], { profiles: true, texts: en })[0]?.content ?? '';
    expect(content.match(/<\/character-profiles>/g)).toHaveLength(1);
    expect(content).toContain('&lt;/character-profiles&gt; &amp; more');
  });
});
