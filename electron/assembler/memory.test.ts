import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { build, segment } from './testing/params.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const heapMegabytes = (): number => {
  collect();
  return process.memoryUsage().heapUsed / 1e6;
};

test('10,000 assemblies in one process leave nothing behind', async () => {
  const assemble = async (times: number): Promise<void> => {
    for (let i = 0; i < times; i++) {
      await build({
        turnInput: { locale: 'zh-CN', playerMessage: `step ${i}` },
        messageHistory: [{ role: 'user', content: `row ${i}` }],
        promptSegments: [segment(`memory ${i}`, { volatility: 'turn' }), segment('Stable.')],
      });
    }
  };
  await assemble(500);
  const before = heapMegabytes();
  await assemble(10_000);
  // 10,000 kept contexts would be far more than 10 MB.
  expect(heapMegabytes() - before).toBeLessThan(3);
}, 60_000);
