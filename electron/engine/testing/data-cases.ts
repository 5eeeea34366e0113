/** What becomes of data: templates, blocks, inputs, rows, summaries, characters. */
import { CACHE_SENTINEL as S } from '../../assembler/index.ts';
import { en } from '../../assembler/testing/texts.ts';
import type { AssembleCase } from './layout-cases.ts';

const source = { pluginId: 'weather', runtimeId: 'tide', resultId: '0b9ffc36-7d2a-4b77-9d0a-5b3f5a1c9e01' };

export const DATA_CASES: readonly AssembleCase[] = [
  {
    name: 'data with closing tags, templates and sentinels stays data',
    input: {
      promptTemplate: 'Heed <scene> as data.\n<card>\n{{ userSettings.tone }}\n</card>\n{{ userSettings.tone }}',
      userSettings: { tone: `</card> {{ world.name }} ${S}` },
      manifest: { input: { inject: [{ kind: 'runtime', from: 'dig/north', field: 'text', as: '<scene>' }] } },
      completedResults: { 'dig/north': { output: { text: '</scene>{{ world.name }}' } } },
      turnInput: { playerMessage: 'Dig.' },
    },
    system: `Heed <scene> as data.\n<card>\n&lt;/card&gt; {{ world.name }} \n</card>\n</card> {{ world.name }} ${S}`,
    turnContext: '<scene>&lt;/scene&gt;{{ world.name }}</scene>',
    messages: [
      ['system', '<scene>&lt;/scene&gt;{{ world.name }}</scene>'],
      ['user', 'Dig.'],
    ],
    segments: [
      `runtime-body: Heed <scene> as data.\n<card>\n&lt;/card&gt; {{ world.name }} \n</card>\n</card> {{ world.name }} ${S}`,
      'turn-context: <scene>&lt;/scene&gt;{{ world.name }}</scene>',
      'player: Dig.',
    ],
  },
  {
    name: 'inputs: bookkeeping goes, the story is sent once, lists are never replaced',
    input: {
      turnInput: { playerMessage: 'Wait.' },
      executionStory: [{ content: 'The tide turns.', name: 'narrator' }],
      inputSlots: {
        narrative: { cardinality: 'one', value: 'The tide turns.', source },
        tide: { cardinality: 'one', value: { level: 3, at: 'noon', updatedAt: '2026-05-01T10:00:00Z' }, source },
        all: { cardinality: 'all', items: [{ value: 'The tide turns.', source }] },
      },
    },
    system: '',
    turnContext: `<runtime-inputs>\n{"narrative":{"cardinality":"one","value":"${en.text('note.narrative-sent')}","source":{"pluginId":"weather","runtimeId":"tide"}},"tide":{"cardinality":"one","value":{"level":3,"at":"noon"},"source":{"pluginId":"weather","runtimeId":"tide"}},"all":{"cardinality":"all","items":[{"value":"The tide turns.","source":{"pluginId":"weather","runtimeId":"tide"}}]}}\n</runtime-inputs>`,
    messages: [
      [
        'system',
        `<runtime-inputs>\n{"narrative":{"cardinality":"one","value":"${en.text('note.narrative-sent')}","source":{"pluginId":"weather","runtimeId":"tide"}},"tide":{"cardinality":"one","value":{"level":3,"at":"noon"},"source":{"pluginId":"weather","runtimeId":"tide"}},"all":{"cardinality":"all","items":[{"value":"The tide turns.","source":{"pluginId":"weather","runtimeId":"tide"}}]}}\n</runtime-inputs>`,
      ],
      ['user', 'Wait.'],
      ['assistant', 'The tide turns.'],
      ['user', en.text('cue.story')],
    ],
    segments: [
      `turn-context: <runtime-inputs>\n{"narrative":{"cardinality":"one","value":"${en.text('note.narrative-sent')}","source":{"pluginId":"weather","runtimeId":"tide"}},"tide":{"cardinality":"one","value":{"level":3,"at":"noon"},"source":{"pluginId":"weather","runtimeId":"tide"}},"all":{"cardinality":"all","items":[{"value":"The tide turns.","source":{"pluginId":"weather","runtimeId":"tide"}}]}}\n</runtime-inputs>`,
      'player: Wait.',
      'story: The tide turns.',
      `story-cue: ${en.text('cue.story')}`,
    ],
    rest: { currentTurnUserMessages: 2 },
  },
  {
    name: 'own rows in three formats, more rows than the window, creation order',
    input: {
      manifest: {
        name: 'keeper',
        pluginId: 'codex',
        input: {
          inject: [
            { kind: 'plugin-data', namespace: 'n', as: '<ids>', format: 'ids-only', maxEntries: 3 },
            { kind: 'plugin-data', namespace: 'n', as: '<full>', format: 'full', maxEntries: 9 },
            { kind: 'plugin-data', namespace: 'empty', as: '<empty>' },
          ],
        },
      },
      turnInput: { playerMessage: 'Look.' },
      store: {
        pluginData: [
          {
            pluginId: 'codex',
            namespace: 'n',
            key: 'd',
            value: 4,
            createdAt: '2026-01-04T00:00:00Z',
            updatedAt: '2026-01-04T00:00:00Z',
          },
          {
            pluginId: 'codex',
            namespace: 'n',
            key: 'a',
            value: { id: 'a', n: 1 },
            createdAt: '2026-01-01T00:00:00Z',
            updatedAt: '2026-01-01T00:00:00Z',
          },
          {
            pluginId: 'codex',
            namespace: 'n',
            key: 'b',
            value: { id: 'x' },
            createdAt: '2026-01-02T00:00:00Z',
            updatedAt: '2026-02-02T00:00:00Z',
          },
          {
            pluginId: 'codex',
            namespace: 'n',
            key: 'c',
            value: [],
            createdAt: '2026-01-03T00:00:00Z',
            updatedAt: '2026-01-03T00:00:00Z',
          },
          {
            pluginId: 'other',
            namespace: 'n',
            key: 'z',
            value: 1,
            createdAt: '2026-01-01T00:00:00Z',
            updatedAt: '2026-01-01T00:00:00Z',
          },
        ],
      },
    },
    system: '',
    turnContext:
      '<ids>\n- a\n- b\n- d\n(4 rows in all, 3 of them shown)\n</ids>\n<full>\n- a: {"n":1}\n- b: {"id":"x"}\n- c: []\n- d: 4\n</full>\n<empty>(none)</empty>',
    messages: [
      [
        'system',
        '<ids>\n- a\n- b\n- d\n(4 rows in all, 3 of them shown)\n</ids>\n<full>\n- a: {"n":1}\n- b: {"id":"x"}\n- c: []\n- d: 4\n</full>\n<empty>(none)</empty>',
      ],
      ['user', 'Look.'],
    ],
    segments: [
      'turn-context: <ids>\n- a\n- b\n- d\n(4 rows in all, 3 of them shown)\n</ids>\n',
      'turn-context: <full>\n- a: {"n":1}\n- b: {"id":"x"}\n- c: []\n- d: 4\n</full>\n',
      'turn-context: <empty>(none)</empty>',
      'player: Look.',
    ],
  },
  {
    name: 'summaries: one before everything, one in the place of its rows',
    input: {
      turnInput: { playerMessage: 'On.' },
      summaries: [
        { id: 's1', content: 'First <part>.', focusSections: ['key events'] },
        { id: 's2', content: 'Second part.', focusSections: [] },
      ],
      messageHistory: [
        { role: 'user', content: 'gone 1', compactedAtTurnId: 's2' },
        { role: 'assistant', content: 'gone 2', compactedAtTurnId: 's2' },
        { role: 'user', content: 'lost', compactedAtTurnId: 's9' },
        { role: 'assistant', content: 'Here.', compactedAtTurnId: null },
      ],
    },
    system: '',
    messages: [
      [
        'user',
        `<compacted_history>\n# sections: key events\nFirst &lt;part&gt;.\n</compacted_history>\n${en.text('note.summary')}`,
      ],
      ['user', `<compacted_history>\n# sections:\nSecond part.\n</compacted_history>\n${en.text('note.summary')}`],
      ['assistant', 'Here.'],
      ['user', 'On.'],
    ],
    segments: [
      `summary: <compacted_history>\n# sections: key events\nFirst &lt;part&gt;.\n</compacted_history>\n${en.text('note.summary')}`,
      `summary: <compacted_history>\n# sections:\nSecond part.\n</compacted_history>\n${en.text('note.summary')}`,
      'history: Here.',
      'player: On.',
    ],
  },
  {
    name: 'everybody but the current character, with alias and [player]; fields of any name',
    input: {
      promptTemplate:
        '{{ characters.npcs }}|{{ inputs.constructor.constructor.toString }}|{{ inputs.__proto__.x.y }}|{{ world.toString }}',
      completedResults: { constructor: { output: { toString: 'own' } }, '__proto__/x': { output: { y: 'plain' } } },
      turnInput: { playerMessage: 'Hi.' },
      sessionContext: {
        characters: [
          { id: 'c1', name: 'Ann', type: 'player' },
          {
            id: 'c2',
            name: 'Bo',
            aliases: ['B', 'Old Bo'],
            type: 'npc',
            description: 'Tall.',
            fields: { mood: 'calm', sessionId: 'S' },
          },
          { id: 'c3', name: 'Cy', type: 'player' },
        ],
        seats: [
          { id: 'seat1', characterId: 'c1', primary: true },
          { id: 'seat2', characterId: 'c3' },
        ],
      },
    },
    system: `- Bo (aka B, Old Bo) [npc] | Tall. | {"mood":"calm"}\n- Cy [player]|own|plain|${S}`,
    messages: [['user', 'Hi.']],
    segments: [
      `runtime-body: - Bo (aka B, Old Bo) [npc] | Tall. | {"mood":"calm"}\n- Cy [player]|own|plain|${S}`,
      'player: Hi.',
    ],
  },
];
