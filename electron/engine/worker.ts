/**
 * The engine behind a thread's port: the window never waits for SQL, JSON or a comparison.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { createEngine } from './engine.ts';

const WorkerData = z.object({
  userData: z.string(),
  host: z.enum(['desktop', 'browser']),
  version: z.string(),
  resources: z.string(),
  openAtStart: z.string().nullable(),
});

const port = parentPort;
if (!port) throw new Error('engine/worker.ts runs in a worker thread');
const engine = createEngine({ ...WorkerData.parse(workerData), send: (message) => port.postMessage(message) });
port.on('message', (message: unknown) => {
  if (message === 'close') void engine.close().then(() => port.close());
  else engine.receive(message);
});
