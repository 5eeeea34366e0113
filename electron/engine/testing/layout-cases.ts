/** Where things stand: parts of the system prompt, history, depth, pictures, the budget. */
import { CACHE_SENTINEL as S } from '../../assembler/index.ts';
import { en, zh } from '../../assembler/testing/texts.ts';
import type { AssembleReport } from '../assemble.ts';
import type { JsonObject } from '../../../shared/model/index.ts';

/** An input, and what comes out by the seed's rules. */
export type AssembleCase = {
  readonly name: string;
  readonly input: JsonObject;
  readonly system: string;
  readonly turnContext?: string;
  readonly messages: readonly (readonly [role: string, content: unknown])[];
  /** `kind: text` of every segment, in order. */
  readonly segments: readonly string[];
  readonly rest?: Partial<AssembleReport>;
};

export const LAYOUT_CASES: readonly AssembleCase[] = [
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
