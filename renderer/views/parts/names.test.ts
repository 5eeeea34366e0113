import { describe, expect, test } from 'vitest';
import { nameOf, originOf } from './names.ts';

describe('names', () => {
  test.each([
    ['tool', 'roll-dice', 'tool', 'roll-dice'],
    ['turn-context', 'character-fields', 'turn-context block', 'character-fields'],
    ['player', 'turn 12', 'player', 'player'],
    ['tool-result', 'roll-dice', 'tool result', 'tool result · roll-dice'],
    ['extension', '', 'extension', 'extension'],
  ] as const)('%s %j', (kind, label, kindName, name) => expect(nameOf(kind, label, kindName)).toBe(name));
});

describe('origins', () => {
  const from = (plugin: string | null, runtime: string | null): string =>
    originOf({ origin: { plugin, runtime, label: 'x', turnId: null } });
  test.each([
    ['memory', null, 'memory'],
    [null, 'narrator', 'narrator'],
    ['narrator', 'narrator', 'narrator'],
    ['world-init', 'world-init/dimension-tracker', 'world-init/dimension-tracker'],
    ['guide', 'choices', 'guide · choices'],
    [null, null, ''],
  ] as const)('%s and %s', (plugin, runtime, name) => expect(from(plugin, runtime)).toBe(name));
});
