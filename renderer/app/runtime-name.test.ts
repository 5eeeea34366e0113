import { expect, test } from 'vitest';
import { translator } from './language/text.ts';
import { isKnownRuntime, runtimeName, shortRuntimeName } from './runtime-name.ts';

test.each([
  ['narrator', 'narrator', 'narrator', true],
  ['world-init/dimension-tracker', 'world-init/dimension-tracker', 'dimension-tracker', true],
  ['?', 'unknown runtime', 'unknown runtime', false],
] as const)('%s', (id, name, short, known) => {
  const t = translator('en');
  expect([runtimeName(id, t), shortRuntimeName(id, t), isKnownRuntime(id)]).toEqual([name, short, known]);
  expect(runtimeName('?', translator('zh'))).toBe('未知运行时');
});
