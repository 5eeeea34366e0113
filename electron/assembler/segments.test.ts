import { describe, expect, test } from 'vitest';
import { extensionPiece, placementOf, selectSegments } from './segments.ts';
import { segment } from './testing/params.ts';
import type { Position, PromptSegment, RuntimeManifest } from './types.ts';

const RUNTIME: RuntimeManifest = { name: 'narrator', pluginId: 'narrator' };

describe('order', () => {
  test('volatility, order, plugin, id; strings by UTF-16 units', () => {
    const given: readonly PromptSegment[] = [
      segment('turn', { volatility: 'turn', order: -9 }),
      segment('session', { volatility: 'session', order: -5 }),
      segment('late', { order: 2 }),
      segment('alpha', { providerPluginId: 'alpha' }),
      segment('zeta', { providerPluginId: 'Zeta' }),
      segment('b', { providerPluginId: 'alpha' }),
      segment('none'),
      segment('early', { order: -1, providerPluginId: 'zzz' }),
    ];
    expect(selectSegments(given, RUNTIME).map(({ id }) => id)).toEqual([
      'early',
      'none',
      'zeta',
      'alpha',
      'b',
      'late',
      'session',
      'turn',
    ]);
  });

  test('leaves the given list alone', () => {
    const given = [segment('b'), segment('a')];
    selectSegments(given, RUNTIME);
    expect(given.map(({ id }) => id)).toEqual(['b', 'a']);
  });
});

describe('place', () => {
  const DEPTH: Position = { depth: 3 };
  test.each([
    ['system', 'stable', 'system', 'lasting', 'extension', 'system'],
    ['system', 'session', 'system', 'lasting', 'extension', 'system'],
    ['system', 'session', 'user', 'lasting', 'extension', 'system'],
    ['system', 'turn', 'system', 'turn-context', 'turn-context', 'system'],
    ['system', 'turn', 'user', 'turn-context', 'turn-context', 'system'],
    ['pre-history', 'stable', undefined, 'lasting', 'extension', 'system'],
    ['pre-history', 'session', 'system', 'lasting', 'extension', 'system'],
    ['pre-history', 'turn', undefined, 'tail', 'extension', 'system'],
    ['pre-history', 'stable', 'user', 'before-history', 'pre-history', 'user'],
    ['pre-history', 'turn', 'assistant', 'before-history', 'pre-history', 'assistant'],
    ['post-history', 'stable', undefined, 'after-history', 'post-history', 'system'],
    ['post-history', 'turn', 'user', 'after-history', 'post-history', 'user'],
    [DEPTH, 'stable', undefined, 'depth', 'depth', 'system'],
    [DEPTH, 'turn', 'assistant', 'depth', 'depth', 'assistant'],
  ] as const)('%j %s %s', (position, volatility, role, placement, kind, sentAs) => {
    const given = segment('x', { position, volatility, ...(role ? { role } : {}), providerPluginId: 'p' });
    expect(placementOf(given)).toBe(placement);
    expect(extensionPiece(given)).toMatchObject({ kind, role: sentAs, plugin: 'p', label: 'x', volatility, position });
  });
});
