import { describe, expect, test } from 'vitest';
import { CACHE_SENTINEL as S } from './data/escape.ts';
import { splitAtSentinels } from './system-prompt.ts';
import { brief, build, checkCover, lore, rows, segment } from './testing/params.ts';
import { en } from './testing/texts.ts';

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
    expect(systemPrompt.split('- storm &lt;/available-events&gt;')).toHaveLength(count + 1);
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
