import { describe, expect, test } from 'vitest';
import { CACHE_SENTINEL as S } from './data/escape.ts';
import { storeOf } from './data/inject.ts';
import { brief, build, checkCover, CODEX, lore, row, rows, segment } from './testing/params.ts';
import { en, zh } from './testing/texts.ts';
import type { HistoryRecord } from './types.ts';

describe('turn context', () => {
  test('a runtime inject stands there and not in the system prompt', async () => {
    const context = await build({
      manifest: { input: { inject: [{ kind: 'runtime', from: 'dig/north', field: 'text', as: '<scene>' }] } },
      completedResults: new Map([['dig/north', { output: { text: 'A <b> & c {{ x }}' } }]]),
    });
    const block = '<scene>A &lt;b&gt; &amp; c {{ x }}</scene>';
    expect(context.systemPrompt).not.toContain('scene');
    expect(context.turnContext).toBe(block);
    expect(brief(context)).toEqual([`S:${block}`, 'U:I knock.']);
  });

  test('data blocks in order with single line breaks, then a blank line and the turn segments', async () => {
    const context = await build({
      manifest: { input: { inject: CODEX } },
      store: storeOf([row('lamp', { id: 'lamp', lit: true })]),
      inputSlots: { tide: { cardinality: 'one', value: 3, source: { pluginId: 'w', runtimeId: 'w', resultId: 'r' } } },
      exportSlots: { out: { cardinality: 'all', items: [] } },
      activation: { source: 'event', detached: true, payload: { topic: 'storm' } },
      promptSegments: [segment('M1', { volatility: 'turn' }), segment('M2', { volatility: 'turn' })],
    });
    expect(context.turnContext).toBe(
      [
        '<codex>\n- lamp | {"lit":true}\n</codex>',
        '<runtime-inputs>\n{"tide":{"cardinality":"one","value":3,"source":{"pluginId":"w","runtimeId":"w"}}}\n</runtime-inputs>',
        '<runtime-exports>\n{"out":{"cardinality":"all","items":[]}}\n</runtime-exports>',
        '<runtime-activation>\n{"source":"event","detached":true,"payload":{"topic":"storm"}}\n</runtime-activation>\n\nM1\n\nM2',
      ].join('\n'),
    );
    expect(context.systemPrompt).toBe(`Body.${S}`);
    expect(context.segmented[0]?.segments.map(({ label }) => label)).toEqual([
      'codex',
      'runtime-inputs',
      'runtime-exports',
      'runtime-activation',
      'M1',
      'M2',
    ]);
    checkCover(context);
  });

  test('no rows: the none word on one line', async () =>
    expect((await build({ manifest: { input: { inject: CODEX } }, store: storeOf([]) }, zh)).turnContext).toBe(
      '<codex>（无）</codex>',
    ));
});

describe('messages', () => {
  test('history, story and post-history', async () => {
    const context = await build({
      messageHistory: rows('u1', 'a1'),
      executionStory: [{ role: 'assistant', content: 'Door opens.', name: 'narrator' }],
      promptSegments: [segment('last', { position: 'post-history' })],
    });
    expect(brief(context)).toEqual([
      'U:u1',
      'A:a1',
      'U:I knock.',
      'A:Door opens.',
      `U:${en.text('cue.story')}`,
      'S:last',
    ]);
    expect(context.messages[3]).toEqual({ role: 'assistant', content: 'Door opens.', name: 'narrator' });
    expect(context.currentTurnUserMessages).toBe(2);
  });

  test('an empty story has no cue', async () => {
    const context = await build({ executionStory: [] });
    expect(brief(context)).toEqual(['U:I knock.']);
    expect(context.currentTurnUserMessages).toBe(1);
  });

  test('a player who said nothing: a cue', async () => {
    expect(brief(await build({ turnInput: { playerMessage: ' \n' } }))).toEqual([`U:${en.text('cue.turn')}`]);
    const manualTrigger = { runtimeId: 'guide' };
    expect(brief(await build({ turnInput: { playerMessage: '', manualTrigger } }, zh))).toEqual([
      `U:${zh.text('cue.manual', { runtime: 'guide' })}`,
    ]);
    expect(brief(await build({ turnInput: { playerMessage: 'go', manualTrigger } }))).toEqual(['U:go']);
  });

  test('lore at depth 2 over three rows and the player', async () => {
    const contributions = [lore('Deep.', { position: 'at_depth', depth: 2 })];
    const context = await build({ messageHistory: rows('u1', 'a1', 'u2'), sessionContext: { contributions } });
    expect(brief(context)).toEqual(['U:u1', 'A:a1', 'S:Deep.', 'U:u2', 'U:I knock.']);
  });

  test('lore without a depth stands at depth 4, in the role it names', async () => {
    const contributions = [lore('Deep.', { position: 'at_depth', role: 'assistant' })];
    const context = await build({ messageHistory: rows('u1', 'a1', 'u2', 'a2'), sessionContext: { contributions } });
    expect(brief(context)).toEqual(['U:u1', 'A:Deep.', 'A:a1', 'U:u2', 'A:a2', 'U:I knock.']);
  });

  test('a user segment at depth 1 and a post-history segment', async () => {
    const context = await build({
      messageHistory: rows('u1', 'a1', 'u2'),
      promptSegments: [
        segment('depth', { position: { depth: 1 }, role: 'user' }),
        segment('last', { position: 'post-history' }),
      ],
    });
    expect(brief(context)).toEqual(['U:u1', 'A:a1', 'U:u2', 'U:depth', 'U:I knock.', 'S:last']);
    expect(context.currentTurnUserMessages).toBe(1);
  });

  test('depth 99 first, depth 0 last', async () => {
    const promptSegments = [
      segment('last', { position: { depth: 0 }, role: 'user' }),
      segment('first', { position: { depth: 99 } }),
    ];
    const context = await build({ promptSegments });
    expect(brief(context)).toEqual(['S:first', 'U:I knock.', 'U:last']);
    expect(context.currentTurnUserMessages).toBe(2);
  });

  test('lore stands before an extension of the same depth, shallower lore after deeper lore', async () => {
    const context = await build({
      promptSegments: [segment('E', { position: { depth: 1 } })],
      sessionContext: {
        contributions: [
          lore('L2', { position: 'at_depth', depth: 1, order: 2 }),
          lore('L1', { position: 'at_depth', depth: 1, order: 1 }),
        ],
      },
    });
    expect(brief(context)).toEqual(['S:L1', 'S:L2', 'S:E', 'U:I knock.']);
  });

  test('depth right before the player stands before the turn context', async () => {
    const context = await build({
      promptSegments: [segment('D', { position: { depth: 1 } }), segment('T', { volatility: 'turn' })],
    });
    expect(brief(context)).toEqual(['S:D', 'S:T', 'U:I knock.']);
  });

  test('turn context, story, depth 0 and post-history together', async () => {
    const context = await build({
      messageHistory: rows('u1'),
      executionStory: [{ role: 'assistant', content: 'Story.' }],
      inputSlots: { n: { cardinality: 'one', value: 'Story.', source: { pluginId: 'n', runtimeId: 'n' } } },
      promptSegments: [
        segment('Mem.', { volatility: 'turn' }),
        segment('D0', { position: { depth: 0 } }),
        segment('P', { position: 'post-history' }),
      ],
    });
    const inputs = `<runtime-inputs>\n{"n":{"cardinality":"one","value":"${en.text('note.narrative-sent')}","source":{"pluginId":"n","runtimeId":"n"}}}\n</runtime-inputs>`;
    expect(brief(context)).toEqual([
      'U:u1',
      `S:${inputs}\n\nMem.`,
      'U:I knock.',
      'A:Story.',
      `U:${en.text('cue.story')}`,
      'S:D0',
      'S:P',
    ]);
  });

  test('history never contains a sentinel, and its text makes no breakpoint', async () => {
    const context = await build({
      promptTemplate: `Say {{ player.message }}.`,
      turnInput: { playerMessage: `x${S}y` },
      messageHistory: rows(`u${S}1`),
      promptSegments: [segment(`a${S}b`), segment(`\ue000COVEL_\ue000COVEL_CACHE_BREAK\ue000CACHE_BREAK\ue000`)],
    });
    expect(context.systemPrompt.split(S)).toHaveLength(3);
    for (const { content } of context.messages) expect(content).not.toContain('\ue000');
  });
});

describe('two turns that differ in turn data alone', () => {
  test('have the same system prompt and the same history prefix', async () => {
    const turn = (n: number, history: readonly HistoryRecord[]) =>
      build({
        messageHistory: history,
        turnInput: { playerMessage: `say ${n}`, turnId: `t${n}`, locale: 'zh-CN' },
        inputSlots: { n: { cardinality: 'one', value: n, source: { pluginId: 'p', runtimeId: 'r' } } },
        promptSegments: [segment(`memory ${n}`, { id: 'm', volatility: 'turn' }), segment('Stable.')],
      });
    const first = await turn(1, rows('u1', 'a1'));
    const second = await turn(2, rows('u1', 'a1', 'u2', 'a2'));
    expect(second.systemPrompt).toBe(first.systemPrompt);
    expect(second.messages.slice(0, 2)).toEqual(first.messages.slice(0, 2));
    expect(second.turnContext).not.toBe(first.turnContext);
  });
});

describe('budget', () => {
  const chars4 = (text: string): number => Math.ceil(text.length / 4);
  const long = Array.from({ length: 10 }, (_, i) => `${i % 2 === 0 ? 'u' : 'a'}${'x'.repeat(39)}`);

  test('the oldest rows go, the marker stands first, the turn stays', async () => {
    const context = await build({
      promptTemplate: 'b'.repeat(40),
      injectCacheBreakpoints: false,
      messageHistory: rows(...long),
      promptSegments: [segment('Turn.', { volatility: 'turn' })],
      estimator: chars4,
      contextBudget: { maxInputTokens: 100, reservedForResponse: 30 },
    });
    expect(brief(context)).toEqual([
      `S:${en.text('history.pruned-marker')}`,
      ...long.slice(-3).map((text) => `${text.startsWith('u') ? 'U' : 'A'}:${text}`),
      'S:Turn.',
      'U:I knock.',
    ]);
    expect(context).toMatchObject({ prunedMessageCount: 7, overBudget: false });
    checkCover(context);
  });

  test('needs both, an estimator and a budget', async () => {
    const contextBudget = { maxInputTokens: 10, reservedForResponse: 1 };
    expect((await build({ messageHistory: rows(...long), contextBudget })).prunedMessageCount).toBe(0);
    expect((await build({ messageHistory: rows(...long), estimator: chars4 })).prunedMessageCount).toBe(0);
  });

  test('one player message larger than the window stays, and says so', async () => {
    const context = await build({
      turnInput: { playerMessage: 'x'.repeat(4000) },
      estimator: chars4,
      contextBudget: { maxInputTokens: 100, reservedForResponse: 10 },
    });
    expect(context.overBudget).toBe(true);
    expect(context.messages).toHaveLength(1);
  });

  test('an impossible budget is a configuration error', () =>
    expect(
      build({ estimator: chars4, contextBudget: { maxInputTokens: 10, reservedForResponse: 10 } }),
    ).rejects.toMatchObject({ code: 'configuration' }));
});
