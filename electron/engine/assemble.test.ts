/** Inputs of the command line's `assemble`, with what seed 1 says must come out, written out by hand. */
import { describe, expect, test } from 'vitest';
import { CACHE_SENTINEL as S } from '../assembler/index.ts';
import { en, zh } from '../assembler/testing/texts.ts';
import type { JsonObject } from '../../shared/model/index.ts';
import { assembleJson, type AssembleReport } from './assemble.ts';

async function assembled(input: unknown): Promise<AssembleReport> {
  const result = await assembleJson(JSON.stringify(input), 'resources');
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

const at = (report: AssembleReport, path: string): string => {
  let value: unknown = report;
  for (const step of path.slice(1).split('/')) value = (value as JsonObject)[step];
  return String(value);
};

/** `kind: text` of every segment, read back from its spans. */
const spoken = (report: AssembleReport): readonly string[] =>
  report.segments.map(
    ({ kind, spans }) =>
      `${kind}: ${spans.map(({ path, start, end }) => at(report, path).slice(start, end)).join(' + ')}`,
  );

/** Every character of the system prompt and of the messages' texts belongs to exactly one span. */
function checkSpans(report: AssembleReport): void {
  const ends = new Map<string, number>();
  for (const { spans, chars } of report.segments) {
    expect(spans.reduce((sum, { start, end }) => sum + end - start, 0)).toBe(chars);
    for (const { path, start, end } of spans) {
      expect(start).toBe(ends.get(path) ?? 0);
      expect(end).toBeGreaterThan(start);
      ends.set(path, end);
    }
  }
  const paths = [
    '/systemPrompt',
    ...report.messages.flatMap(({ content }, i) =>
      typeof content === 'string'
        ? [`/messages/${i}/content`]
        : content.flatMap((part, at) => (part.type === 'text' ? [`/messages/${i}/content/${at}/text`] : [])),
    ),
  ];
  for (const path of paths) expect(ends.get(path) ?? 0).toBe(at(report, path).length);
}

const source = { pluginId: 'weather', runtimeId: 'tide', resultId: '0b9ffc36-7d2a-4b77-9d0a-5b3f5a1c9e01' };

/** Each: name, input, expected system prompt, turn context, messages (role and content), and kinds in order. */
const CASES: readonly {
  readonly name: string;
  readonly input: JsonObject;
  readonly system: string;
  readonly turnContext?: string;
  readonly messages: readonly (readonly [role: string, content: unknown])[];
  readonly segments: readonly string[];
  readonly rest?: Partial<AssembleReport>;
}[] = [
  {
    name: 'nothing at all: the turn’s cue alone',
    input: {},
    system: '',
    messages: [['user', en.text('cue.turn')]],
    segments: [`player: ${en.text('cue.turn')}`],
  },
  {
    name: 'a Chinese story: preamble, lore after the body, cue in Chinese',
    input: {
      promptTemplate: '叙述 {{ world.name }}，第 {{ session.turnNumber }} 回合，{{ session.id }}。',
      manifest: { name: 'narrator', pluginId: 'narrator', outputKind: 'story' },
      turnInput: { sessionId: 'S-1', turnId: 't2', playerMessage: '  ', locale: 'zh-CN' },
      sessionContext: { turnNumber: 2, world: { name: '雾港', lore: '雾不会散。' } },
      messageHistory: [{ role: 'assistant', content: '开场。', name: 'narrator', turnId: 't1', sourceType: 'runtime' }],
    },
    system: `${zh.text('preamble.runtime')}\n${zh.text('preamble.language', { language: '简体中文' })}\n${zh.text('preamble.completion.story')}${S}\n\n叙述 雾港，第 2 回合，S-1。${S}\n\n<world-lore>\n雾不会散。\n</world-lore>${S}`,
    messages: [
      ['assistant', '开场。'],
      ['user', zh.text('cue.turn')],
    ],
    segments: [
      `framework-preamble: ${zh.text('preamble.runtime')}\n${zh.text('preamble.language', { language: '简体中文' })}\n${zh.text('preamble.completion.story')}${S}\n\n`,
      `runtime-body: 叙述 雾港，第 2 回合，S-1。${S}\n\n`,
      `world-lore: <world-lore>\n雾不会散。\n</world-lore>${S}`,
      'history: 开场。',
      `player: ${zh.text('cue.turn')}`,
    ],
  },
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
    name: 'a bookkeeping runtime: the lasting half in the system prompt, the values in the turn context',
    input: {
      promptTemplate: 'Keep the dimensions.',
      manifest: {
        name: 'dimension-tracker',
        pluginId: 'world-init',
        requireToolUse: true,
        completeAfterTools: ['update-dimensions'],
      },
      turnInput: { playerMessage: 'Run.', turnId: 't4' },
      frameworkPreamble: 'HEAD',
      promptSegments: [
        {
          id: 'values',
          content: '<dimension-values>\nfog: 3\n</dimension-values>',
          position: 'system',
          audience: 'self',
          volatility: 'turn',
          providerPluginId: 'world-init',
        },
        {
          id: 'rules',
          content: '<dimension-rules>\nfog rises\n</dimension-rules>',
          position: 'system',
          audience: 'self',
          volatility: 'session',
          providerPluginId: 'world-init',
        },
        {
          id: 'story only',
          content: 'no',
          position: 'system',
          audience: 'story',
          volatility: 'stable',
          providerPluginId: 'world-init',
        },
      ],
      injectCacheBreakpoints: false,
    },
    system: 'HEAD\n\nKeep the dimensions.\n\n<dimension-rules>\nfog rises\n</dimension-rules>',
    turnContext: '<dimension-values>\nfog: 3\n</dimension-values>',
    messages: [
      ['system', '<dimension-values>\nfog: 3\n</dimension-values>'],
      ['user', 'Run.'],
    ],
    segments: [
      'framework-preamble: HEAD\n\n',
      'runtime-body: Keep the dimensions.\n\n',
      'extension: <dimension-rules>\nfog rises\n</dimension-rules>',
      'turn-context: <dimension-values>\nfog: 3\n</dimension-values>',
      'player: Run.',
    ],
    rest: { frameworkHead: 'HEAD' },
  },
  {
    name: 'pictures stand beside the player, their note in the history, depth before the turn context',
    input: {
      turnInput: { playerMessage: 'What is it?' },
      pictureAttachments: 2,
      messageHistory: [
        { role: 'user', content: 'Draw.', turnId: 't1', sourceType: 'player' },
        {
          role: 'user',
          content: 'A picture was shown to the player here: A crab',
          turnId: 't1',
          sourceType: 'system',
          ui: [
            {
              type: 'asset.generate',
              data: {
                id: 'a1',
                sessionId: 's',
                ref: { id: 'm1', mime: 'image/png', size: 9 },
                modality: 'image',
                meta: { caption: 'A  crab' },
              },
            },
          ],
        },
      ],
      promptSegments: [
        { id: 'd', content: 'Stay calm.', position: { depth: 1 }, audience: 'all', volatility: 'stable' },
      ],
      activation: { source: 'manual', payload: { why: 'asked' } },
    },
    system: '',
    turnContext:
      '<runtime-activation>\n{"source":"manual","detached":false,"payload":{"why":"asked"}}\n</runtime-activation>',
    messages: [
      ['user', 'Draw.'],
      ['user', 'A picture was shown to the player here: A crab'],
      ['system', 'Stay calm.'],
      [
        'system',
        '<runtime-activation>\n{"source":"manual","detached":false,"payload":{"why":"asked"}}\n</runtime-activation>',
      ],
      [
        'user',
        [
          { type: 'text', text: en.text('picture.intro') },
          { type: 'text', text: 'Picture 1: A crab' },
          { type: 'media', ref: { id: 'm1', mime: 'image/png', size: 9 } },
        ],
      ],
      ['user', 'What is it?'],
    ],
    segments: [
      'history: Draw.',
      'picture-note: A picture was shown to the player here: A crab',
      'depth: Stay calm.',
      'turn-context: <runtime-activation>\n{"source":"manual","detached":false,"payload":{"why":"asked"}}\n</runtime-activation>',
      `pictures: ${en.text('picture.intro')} + Picture 1: A crab`,
      'player: What is it?',
    ],
    rest: { currentTurnUserMessages: 2 },
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
  {
    name: 'over the budget: the marker first, the turn whole, steps of 30 %',
    input: {
      promptTemplate: 'x'.repeat(40),
      injectCacheBreakpoints: false,
      turnInput: { playerMessage: 'p'.repeat(40) },
      messageHistory: ['a', 'b', 'c', 'd', 'e', 'f'].map((letter, i) => ({
        role: i % 2 === 0 ? 'user' : 'assistant',
        content: letter.repeat(40),
      })),
      estimator: 'chars4',
      // 80 tokens in all, 75 fit: 80 + 15 − 75 = 20 must go, in a step of 22, which is three rows of 10.
      contextBudget: { maxInputTokens: 85, reservedForResponse: 10, protectLastUserTurns: 1 },
    },
    system: 'x'.repeat(40),
    messages: [
      ['system', en.text('history.pruned-marker')],
      ['assistant', 'd'.repeat(40)],
      ['user', 'e'.repeat(40)],
      ['assistant', 'f'.repeat(40)],
      ['user', 'p'.repeat(40)],
    ],
    segments: [
      `runtime-body: ${'x'.repeat(40)}`,
      `history: ${en.text('history.pruned-marker')}`,
      `history: ${'d'.repeat(40)}`,
      `history: ${'e'.repeat(40)}`,
      `history: ${'f'.repeat(40)}`,
      `player: ${'p'.repeat(40)}`,
    ],
    rest: { prunedMessageCount: 3, overBudget: false },
  },
  {
    name: 'events and a staged activation in the open tail, before what came late into the system prompt',
    input: {
      promptTemplate: 'Body.',
      manifest: { advertiseEvents: true },
      eventCatalogText: '- storm <now>',
      activation: { source: 'stage', detached: false, payload: null },
      turnInput: { playerMessage: 'Go.' },
      promptSegments: [{ id: 'late', content: 'Late.', position: 'pre-history', audience: 'all', volatility: 'turn' }],
      sessionContext: { contributions: [{ content: 'Rule.', position: 'before_plugin' }] },
    },
    system: `Body.${S}\n\nRule.\n\n<available-events>\n- storm &lt;now&gt;\n\n${en.text('events.instruction')}\n</available-events>\n<runtime-activation>\n{"source":"stage","detached":false,"payload":null}\n</runtime-activation>\n\nLate.`,
    messages: [['user', 'Go.']],
    segments: [
      `runtime-body: Body.${S}\n\n`,
      'lore: Rule.\n\n',
      `events: <available-events>\n- storm &lt;now&gt;\n\n${en.text('events.instruction')}\n</available-events>\n`,
      'activation: <runtime-activation>\n{"source":"stage","detached":false,"payload":null}\n</runtime-activation>\n\n',
      'extension: Late.',
      'player: Go.',
    ],
  },
  {
    name: 'depth at both ends, other roles around the history, a manual trigger in Chinese',
    input: {
      turnInput: { playerMessage: '', manualTrigger: { runtimeId: 'guide' }, locale: 'zh_Hans' },
      frameworkPreamble: '',
      messageHistory: [{ role: 'user', content: '走。' }],
      promptSegments: [
        { id: '1', content: '前', position: 'pre-history', role: 'assistant', audience: 'all', volatility: 'turn' },
        { id: '2', content: '后', position: 'post-history', role: 'user', audience: 'all', volatility: 'stable' },
        { id: '3', content: '底', position: { depth: 0 }, audience: 'all', volatility: 'stable' },
      ],
      sessionContext: { contributions: [{ content: ' 顶 ', position: 'at_depth', depth: 9, role: 'user' }] },
    },
    system: '',
    messages: [
      ['user', '顶'],
      ['assistant', '前'],
      ['user', '走。'],
      ['user', zh.text('cue.manual', { runtime: 'guide' })],
      ['system', '底'],
      ['user', '后'],
    ],
    segments: [
      'depth: 顶',
      'pre-history: 前',
      'history: 走。',
      `player: ${zh.text('cue.manual', { runtime: 'guide' })}`,
      'depth: 底',
      'post-history: 后',
    ],
    rest: { currentTurnUserMessages: 2 },
  },
];

describe('inputs and what comes out', () => {
  test.each(CASES)('$name', async ({ input, system, turnContext = '', messages, segments, rest }) => {
    const report = await assembled(input);
    expect(report.systemPrompt).toBe(system);
    expect(report.turnContext).toBe(turnContext);
    expect(report.messages.map(({ role, content }) => [role, content])).toEqual(messages);
    expect(spoken(report)).toEqual(segments);
    expect(report).toMatchObject({ currentTurnUserMessages: 1, prunedMessageCount: 0, overBudget: false, ...rest });
    checkSpans(report);
  });

  test('origin, volatility and size of a segment', async () => {
    const { segments } = await assembled(CASES[5]?.input);
    expect(segments.map(({ id, origin, volatility, tokens }) => [id, origin, volatility, tokens.value])).toEqual([
      ['s1', { plugin: null, runtime: null, label: 'preamble', turnId: null }, 'stable', 2],
      [
        's2',
        {
          plugin: 'world-init',
          runtime: 'world-init/dimension-tracker',
          label: 'world-init/dimension-tracker',
          turnId: null,
        },
        'stable',
        6,
      ],
      ['s3', { plugin: 'world-init', runtime: null, label: 'rules', turnId: null }, 'session', 12],
      ['s4', { plugin: 'world-init', runtime: null, label: 'values', turnId: null }, 'turn', 12],
      ['s5', { plugin: null, runtime: null, label: 'player', turnId: 't4' }, null, 1],
    ]);
  });
});

describe('language', () => {
  const preambleOf = async (turnInput: JsonObject, rest: JsonObject = {}, forced: 'en' | 'zh' | null = null) => {
    const result = await assembleJson(JSON.stringify({ turnInput, ...rest }), 'resources', forced);
    return result.ok ? result.value.frameworkHead : '';
  };
  test('zh-Hant-TW reads English', async () =>
    expect(await preambleOf({ locale: 'zh-Hant-TW' })).toContain('in Traditional Chinese'));
  test('the environment forces, the input wins over it', async () => {
    expect(await preambleOf({ locale: 'zh-CN' }, {}, 'en')).toContain('in Simplified Chinese');
    expect(await preambleOf({ locale: 'ru-RU' }, {}, 'zh')).toContain('俄语');
    expect(await preambleOf({ locale: 'ru-RU' }, { instructionLocale: 'en' }, 'zh')).toContain('in Russian');
  });
});

describe('an input that is refused names the field', () => {
  test.each([
    ['{', 'the input'],
    ['[]', 'the input'],
    ['{"promptTemplate":7}', 'promptTemplate'],
    ['{"promptSegments":[{"content":"x","position":"top"}]}', 'promptSegments[0].position'],
    ['{"promptSegments":[{"content":"x","volatility":"daily"}]}', 'promptSegments[0].volatility'],
    ['{"promptSegments":[{"content":"x","audience":"some"}]}', 'promptSegments[0].audience'],
    ['{"messageHistory":[{"role":"tool","content":""}]}', 'messageHistory[0].role'],
    ['{"completedResults":{"a":7}}', 'completedResults.a'],
    ['{"inputSlots":{"a":{"cardinality":"some"}}}', 'inputSlots.a.cardinality'],
    ['{"estimator":"exact"}', 'estimator'],
    [
      '{"manifest":{"input":{"inject":[{"kind":"runtime","from":"a","field":"b","as":"<a b>"}]}}}',
      'manifest.input.inject[0].as',
    ],
    ['{"manifest":{"input":{"inject":[{"kind":"plugin-data","namespace":"n","as":"<a>"}]}}}', 'store'],
    [
      '{"manifest":{"input":{"inject":[{"kind":"plugin-data","namespace":"_hidden.x","as":"<a>"}]}},"store":{}}',
      'manifest.input.inject[0].namespace',
    ],
    [
      '{"estimator":"covel","contextBudget":{"maxInputTokens":10,"reservedForResponse":10}}',
      'contextBudget.reservedForResponse',
    ],
  ])('%s', async (input, field) => {
    const result = await assembleJson(input, 'resources');
    expect(result).toMatchObject({ ok: false, error: { code: 'bad-input', values: { field } } });
  });

  test('values nested 10,000 deep neither overflow nor get lost', async () => {
    const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
    const input = `{"inputSlots":{"a":{"cardinality":"one","value":${deep},"source":{"pluginId":"p","runtimeId":"r"}}}}`;
    const result = await assembleJson(input, 'resources');
    expect(result.ok && result.value.turnContext.includes(deep)).toBe(true);
  });

  test('null is as good as absent', async () => {
    const nothing = await assembled({});
    const nulls = await assembled({
      promptTemplate: null,
      manifest: {},
      turnInput: { locale: null },
      promptSegments: null,
      store: null,
      contextBudget: null,
      estimator: null,
    });
    expect(nulls).toEqual(nothing);
  });
});
