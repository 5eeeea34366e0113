import { describe, expect, test } from 'vitest';
import { build, CODEX, lore, segment } from './testing/params.ts';
import { AssemblyError } from './types.ts';

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
    const failure = build(given);
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
