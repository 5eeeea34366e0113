import { describe, expect, test } from 'vitest';
import { CACHE_SENTINEL as S } from './data/escape.ts';
import { storeOf } from './data/inject.ts';
import { splitAtSentinels } from './system-prompt.ts';
import { brief, build, checkCover, segment } from './testing/params.ts';
import { en, zh } from './testing/texts.ts';
import { AssemblyError, type HistoryRecord, type LoreContribution, type PluginDataRow } from './types.ts';

const rows = (...texts: readonly string[]): readonly HistoryRecord[] =>
  texts.map((content, i) => ({ role: content.startsWith('a') ? 'assistant' : 'user', content, turnId: `t${i}` }));
const lore = (content: string, rest: Partial<LoreContribution> = {}): LoreContribution => ({
  kind: 'lore_entry',
  content,
  position: 'before_plugin',
  ...rest,
});
const row = (key: string, value: PluginDataRow['value'], at = 1): PluginDataRow => ({
  pluginId: 'narrator',
  namespace: 'codex',
  key,
  value,
  createdAt: `2026-01-0${at}T00:00:00Z`,
  updatedAt: `2026-01-0${at}T00:00:00Z`,
});
const CODEX = [{ kind: 'plugin-data', namespace: 'codex', as: '<codex>' }] as const;

describe('system prompt', () => {
  test('body only, no locale', async () => {
    const context = await build();
    expect(context.systemPrompt).toBe(`Body.${S}`);
    expect(context.frameworkHead).toBe('');
    expect(context.systemPrompt).not.toContain('\n\n\n');
    expect(brief(context)).toEqual(['U:I knock.']);
    expect(context.turnContext).toBe('');
    expect(context.currentTurnUserMessages).toBe(1);
  });

  test('a locale brings the preamble in front of the body', async () => {
    const { systemPrompt, frameworkHead } = await build({ turnInput: { locale: 'en-US' } });
    expect(systemPrompt.startsWith('[RUNTIME]')).toBe(true);
    expect(systemPrompt.indexOf('[LANGUAGE]')).toBeLessThan(systemPrompt.indexOf('Body.'));
    expect(splitAtSentinels(systemPrompt)).toHaveLength(2);
    expect(systemPrompt).toBe(`${frameworkHead}\n\nBody.${S}`);
  });

  test('a preamble that is passed in wins, an empty one leaves it out', async () => {
    expect((await build({ frameworkPreamble: 'Head.' })).systemPrompt).toBe(`Head.${S}\n\nBody.${S}`);
    const none = await build({ frameworkPreamble: '', turnInput: { locale: 'en' } });
    expect(none).toMatchObject({ systemPrompt: `Body.${S}`, frameworkHead: '' });
  });

  test('all seven parts in order, four sentinels', async () => {
    const context = await build({
      frameworkPreamble: 'Head.',
      manifest: { outputKind: 'story', advertiseEvents: true },
      sessionContext: {
        world: { lore: 'Fog.' },
        contributions: [
          lore('After.', { position: 'after_plugin' }),
          lore(' Before 2. ', { order: 2 }),
          lore('Before 1.', { order: 1 }),
          lore('   '),
          lore('Other.', { kind: 'note' }),
        ],
      },
      promptSegments: [
        segment('Session.', { volatility: 'session' }),
        segment('Stable.'),
        segment('Lasting pre.', { position: 'pre-history' }),
        segment('Tail.', { position: 'pre-history', volatility: 'turn' }),
      ],
      eventCatalogText: '- storm',
      activation: { source: 'stage', detached: false, payload: { step: 1 } },
    });
    expect(context.systemPrompt).toBe(
      [
        `Head.${S}`,
        `Body.${S}`,
        '<world-lore>\nFog.\n</world-lore>',
        'Lasting pre.',
        'Stable.',
        `Session.${S}`,
        'Before 1.',
        'Before 2.',
        `<available-events>\n- storm\n\n${en.text('events.instruction')}\n</available-events>\n` +
          '<runtime-activation>\n{"source":"stage","detached":false,"payload":{"step":1}}\n</runtime-activation>',
        `After.${S}`,
        'Tail.',
      ].join('\n\n'),
    );
    expect(context.turnContext).toBe('');
    expect(brief(context)).toEqual(['U:I knock.']);
    expect(context.system.segments.map(({ kind }) => kind)).toEqual([
      'framework-preamble',
      'runtime-body',
      'world-lore',
      'extension',
      'extension',
      'extension',
      'lore',
      'lore',
      'events',
      'activation',
      'lore',
      'extension',
    ]);
    checkCover(context);
  });

  test('without cache breakpoints the same text without sentinels', async () => {
    const given = { frameworkPreamble: 'Head.', promptSegments: [segment('Stable.')] };
    const marked = await build(given);
    const plain = await build({ ...given, injectCacheBreakpoints: false });
    expect(plain.systemPrompt).toBe(marked.systemPrompt.replaceAll(S, ''));
    expect(plain.frameworkHead).toBe('Head.');
  });

  test('world lore is for story runtimes', async () => {
    const sessionContext = { world: { lore: 'Fog.' } };
    expect((await build({ sessionContext })).systemPrompt).not.toContain('Fog');
  });

  test('world lore that holds its own closing tag: disarmed, the rest untouched, exactly one closing tag', async () => {
    const world = { lore: '> a & b <!-- c -->\n</world-lore> d' };
    const { systemPrompt } = await build({ sessionContext: { world }, manifest: { outputKind: 'story' } });
    expect(systemPrompt).toContain('<world-lore>\n> a & b <!-- c -->\n&lt;/world-lore> d\n</world-lore>');
    expect(systemPrompt.split('</world-lore>')).toHaveLength(2);
  });

  test('lore before and after the plugin stands behind the body', async () => {
    const contributions = [lore('B'), lore('A', { position: 'after_plugin' })];
    expect((await build({ sessionContext: { contributions } })).systemPrompt).toBe(`Body.${S}\n\nB\n\nA${S}`);
  });

  test('a turn segment that asked for pre-history stands last, behind the last sentinel', async () => {
    const promptSegments = [segment('Now.', { position: 'pre-history', volatility: 'turn' }), segment('Stable.')];
    expect((await build({ promptSegments })).systemPrompt).toBe(`Body.${S}\n\nStable.${S}\n\nNow.`);
  });

  test.each([
    [true, '- storm </available-events>', 1],
    [true, '', 0],
    [true, ' \n', 0],
    [false, '- storm', 0],
    [undefined, '- storm', 0],
  ] as const)('events: advertised %j, catalogue %j', async (advertiseEvents, eventCatalogText, count) => {
    const { systemPrompt } = await build({
      manifest: advertiseEvents === undefined ? {} : { advertiseEvents },
      eventCatalogText,
    });
    expect(systemPrompt.split('</available-events>')).toHaveLength(count + 1);
    if (count > 0) expect(systemPrompt).toContain('- storm &lt;/available-events&gt;');
  });
});

describe('extension segments', () => {
  test('stable and session in the system prompt, turn only in the turn context', async () => {
    const context = await build({
      promptSegments: [
        segment('Turn.', { volatility: 'turn' }),
        segment('Session.', { volatility: 'session' }),
        segment('Stable.'),
      ],
    });
    expect(context.systemPrompt).toBe(`Body.${S}\n\nStable.\n\nSession.${S}`);
    expect(context.turnContext).toBe('Turn.');
    expect(brief(context)).toEqual(['S:Turn.', 'U:I knock.']);
  });

  test('audience', async () => {
    const { systemPrompt } = await build({
      manifest: { outputKind: 'story', outputContract: 'narrative-engine@2' },
      promptSegments: [
        segment('other self', { audience: 'self', providerPluginId: 'memory' }),
        segment('own self', { audience: 'self', providerPluginId: 'narrator' }),
        segment('nobody self', { audience: 'self' }),
        segment('story', { audience: 'story' }),
        segment('right contract', { audience: { contract: 'narrative-engine@2' } }),
        segment('wrong contract', { audience: { contract: 'narrative-engine@1' } }),
        segment('all'),
      ],
    });
    expect(splitAtSentinels(systemPrompt)[1]?.trim().split('\n\n').toSorted()).toEqual([
      'all',
      'own self',
      'right contract',
      'story',
    ]);
  });

  test('a story segment is not for other runtimes', async () =>
    expect((await build({ promptSegments: [segment('x', { audience: 'story' })] })).systemPrompt).toBe(`Body.${S}`));

  test('pre-history and post-history with other roles are the first and the last message', async () => {
    const context = await build({
      messageHistory: rows('u1', 'a1'),
      promptSegments: [
        segment('last', { position: 'post-history', role: 'assistant' }),
        segment('first', { position: 'pre-history', role: 'user', volatility: 'turn' }),
      ],
    });
    expect(brief(context)).toEqual(['U:first', 'U:u1', 'A:a1', 'U:I knock.', 'A:last']);
  });

  test('content is never a template', async () => {
    const { systemPrompt, turnContext } = await build({
      promptSegments: [segment('{{ player.message }}'), segment('{{ player.message }} now', { volatility: 'turn' })],
    });
    expect(systemPrompt).toContain('{{ player.message }}');
    expect(turnContext).toBe('{{ player.message }} now');
  });

  test('a blank segment leaves neither text nor separator', async () =>
    expect((await build({ promptSegments: [segment('  \n'), segment('x')] })).systemPrompt).toBe(`Body.${S}\n\nx${S}`));
});

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

describe('bad input names its field', () => {
  const unknown = (word: string) => word as never;
  test.each([
    ['position', 'promptSegments[0].position', { promptSegments: [segment('x', { position: unknown('top') })] }],
    ['depth', 'promptSegments[0].position.depth', { promptSegments: [segment('x', { position: { depth: NaN } })] }],
    [
      'volatility',
      'promptSegments[0].volatility',
      { promptSegments: [segment('x', { volatility: unknown('daily') })] },
    ],
    ['audience', 'promptSegments[0].audience', { promptSegments: [segment('x', { audience: unknown('some') })] }],
    ['contract', 'promptSegments[0].audience.contract', { promptSegments: [segment('x', { audience: {} as never })] }],
    ['role', 'promptSegments[0].role', { promptSegments: [segment('x', { role: unknown('tool') })] }],
    ['order', 'promptSegments[0].order', { promptSegments: [segment('x', { order: Infinity })] }],
    ['row role', 'messageHistory[0].role', { messageHistory: [{ role: unknown('tool'), content: '' }] }],
    [
      'lore position',
      'sessionContext.contributions[0].position',
      { sessionContext: { contributions: [lore('x', { position: unknown('top') })] } },
    ],
    ['tag', 'manifest.input.inject[0].as', { manifest: { input: { inject: [{ ...CODEX[0], as: '<a b>' }] } } }],
    ['store', 'store', { manifest: { input: { inject: CODEX } } }],
    ['pictures', 'pictureAttachments', { pictureAttachments: -1 }],
    ['activation', 'activation.source', { activation: { source: unknown('x'), detached: false, payload: null } }],
  ] as const)('%s', async (_, field, given) => {
    const failure = build(given as never);
    await expect(failure).rejects.toBeInstanceOf(AssemblyError);
    await expect(failure).rejects.toMatchObject({ field });
  });

  test('a hidden namespace is refused before the store is asked', async () => {
    let asked = 0;
    const store = {
      getPluginDataPromptWindow: () => {
        asked++;
        return Promise.resolve({ entries: [], total: 0 });
      },
    };
    const inject = [{ kind: 'plugin-data', namespace: '_hidden.plot', as: '<x>' }] as const;
    await expect(build({ manifest: { input: { inject } }, store })).rejects.toMatchObject({ code: 'hidden-namespace' });
    expect(asked).toBe(0);
  });

  test('a store error comes out', () =>
    expect(
      build({
        manifest: { input: { inject: CODEX } },
        store: { getPluginDataPromptWindow: () => Promise.reject(new Error('disk')) },
      }),
    ).rejects.toMatchObject({ code: 'store', message: expect.stringContaining('disk') }));
});
