/** Starts live-writer.ts in another process and talks to it. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Order, WriterStart } from './live-writer.ts';

export type Writer = {
  /** Resolves when the order was carried out; for `crash` when the process is gone. */
  order(order: Order): Promise<void>;
};

export async function startWriter(start: WriterStart): Promise<Writer> {
  const script = fileURLToPath(new URL('./live-writer.ts', import.meta.url));
  const child = fork(script, [JSON.stringify(start)], { execArgv: [] });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await ended;
  });
  const answer = async (): Promise<void> => {
    const [message] = (await Promise.race([once(child, 'message'), ended])) as unknown[];
    if (message !== 'ready' && message !== 'done') throw new Error('the writer ended');
  };
  await answer();
  return {
    async order(order) {
      const done = order.do === 'crash' ? ended : answer();
      child.send(order);
      await done;
    },
  };
}
