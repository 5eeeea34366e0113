import { describe, expect, test } from 'vitest';
import { built, S, turn } from './testing/built.ts';
import type { Generation } from './types.ts';

const AT = '2026-10-12T08:00:00.000Z';
const LATER = '2026-10-12T09:00:00.000Z';

describe('the world of a session', () => {
  test('record, characters, lorebook and plugin data, each of this session alone', async () => {
    const db = await built((builder) => {
      builder.insertWorld({ id: 'fog', name: 'Fog', lore: 'A harbour.', locale: 'en-US', createdAt: AT });
      builder.insertWorld({ id: 'other', name: 'Other', createdAt: AT });
      const own = { session_id: S, created_at: AT, updated_at: LATER };
      builder.insert('characters', { ...own, id: 'c1', name: 'Mai', type: 'npc', fields: '{"mood":"calm"}' });
      builder.insert('characters', { ...own, id: 'c2', session_id: 'elsewhere', name: 'Nobody', type: 'npc' });
      const entry = { ...own, owner: 'world', strategy: 'selective', position: 'after-plugin' };
      builder.insert('lorebook_entries', { ...entry, id: 'l1', keys: '["tide", 7]', content: 'Rises.', enabled: 0 });
      builder.insert('plugin_data', {
        ...own,
        id: 'p1',
        plugin_id: 'memory',
        namespace: 'blocks',
        key: 'core',
        value: '{"a":1}',
      });
    });
    expect(db.world(S)).toEqual({
      locale: 'zh-CN',
      world: {
        name: 'Fog',
        description: expect.any(String),
        lore: 'A harbour.',
        tags: [],
        changedAt: expect.any(String),
      },
      characters: [{ id: 'c1', name: 'Mai', type: 'npc', description: '', fields: { mood: 'calm' } }],
      lorebook: [
        {
          id: 'l1',
          keys: ['tide'],
          content: 'Rises.',
          strategy: 'selective',
          position: 'after-plugin',
          insertionOrder: 100,
          enabled: false,
          extra: {},
          createdAt: AT,
          updatedAt: LATER,
        },
      ],
      pluginData: [
        { pluginId: 'memory', namespace: 'blocks', key: 'core', value: { a: 1 }, createdAt: AT, updatedAt: LATER },
      ],
    });
  });

  test('what cannot be read is empty, never an error', async () => {
    const db = await built((builder) => {
      const own = { session_id: S, created_at: AT, updated_at: AT };
      builder.insert('characters', { ...own, id: 'c1', name: 'Mai', type: 'npc', fields: '{broken' });
      builder.insert('lorebook_entries', {
        ...own,
        id: 'l1',
        owner: 'world',
        keys: 'tide',
        content: '',
        strategy: '',
        position: '',
      });
      builder.insert('plugin_data', { ...own, id: 'p1', plugin_id: 'm', namespace: 'n', key: 'k', value: null });
    });
    const { world, characters, lorebook, pluginData } = db.world(S);
    expect(world).toBe(null);
    expect(characters[0]?.fields).toEqual({});
    expect(lorebook[0]?.keys).toEqual([]);
    expect(pluginData[0]?.value).toBe(null);
    expect(db.world('nobody')).toEqual({ locale: null, world: null, characters: [], lorebook: [], pluginData: [] });
  });

  test.each(['G1', 'G3', 'G6'] as const satisfies readonly Generation[])(
    '%s: messages in order',
    async (generation) => {
      const db = await built((builder) => void turn(builder, 'one'), { generation });
      expect(db.messages(S)).toMatchObject([{ content: 'one', sourceType: 'player', role: 'user', compactedBy: null }]);
      expect(db.world(S).characters).toEqual([]);
    },
  );

  test('without their tables there is nothing', async () => {
    const without = ['worlds', 'characters', 'lorebook_entries', 'plugin_data', 'turn_messages'];
    const db = await built((builder) => void turn(builder, 'one'), { without });
    expect(db.world(S)).toMatchObject({ world: null, characters: [], lorebook: [], pluginData: [] });
    expect(db.messages(S)).toEqual([]);
  });

  test('a message keeps its blocks, its stage and its summary', async () => {
    const db = await built((builder) => {
      const ui = [{ id: 'u', type: 'asset.generate', data: {} }];
      builder.insertMessage({ sessionId: S, turnId: 't', sourceType: 'runtime', role: 'assistant', content: 'Told.', pluginId: 'narrator', runtimeId: 'narrator', order: 2, compactedBy: 's1', ui }); // prettier-ignore
    });
    expect(db.messages(S)).toMatchObject([
      { runtime: 'narrator', stage: 2, compactedBy: 's1', ui: [{ type: 'asset.generate' }] },
    ]);
  });
});
