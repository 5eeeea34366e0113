/** Browser mode whole: a real engine in its thread behind real sockets. */
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import type { SourceSummary, TurnPage } from '../../shared/api.ts';
import { unwrap } from '../../shared/error.ts';
import type { EngineMessage } from '../../shared/rpc.ts';
import { buildDb } from '../sources/covel-db/testing/build-db.ts';
import { startEngineThread, type EngineThread } from './engine-thread.ts';
import { openSocket, signIn } from './testing/http-client.ts';
import { startWebHost, type WebHost } from './web.ts';

let folder: string;
let engine: EngineThread;
let host: WebHost;
let headers: Readonly<Record<string, string>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lens-web-engine-'));
  await mkdir(join(folder, 'window'));
  await writeFile(join(folder, 'window', 'index.html'), '<!doctype html>');
  const db = buildDb(join(folder, 'covel.db'));
  db.insertSession({ id: 'harbour' });
  db.insertTurn({ sessionId: 'harbour', turnId: 'turn-1', playerText: '敲门' });
  db.close();
  engine = startEngineThread({
    script: new URL('../engine/worker.ts', import.meta.url),
    data: {
      userData: join(folder, 'data'),
      host: 'browser',
      version: '0.0.0',
      resources: fileURLToPath(new URL('../../resources', import.meta.url)),
      openAtStart: null,
    },
  });
  const options = { rendererDir: join(folder, 'window'), engine, userData: join(folder, 'data'), port: 0 };
  host = unwrap(await startWebHost({ ...options, idleMs: 60_000 }));
  headers = { cookie: await signIn(host.url), origin: `http://127.0.0.1:${host.port}` };
});

afterAll(async () => {
  await host.close();
  await engine.close();
  await rm(folder, { recursive: true, force: true });
});

async function connect(): Promise<WebSocket> {
  const socket = await openSocket(host.port, headers);
  if (typeof socket === 'number') throw new Error(`refused with ${socket}`);
  return socket;
}

async function call(socket: WebSocket, id: number, method: string, arg: unknown): Promise<EngineMessage> {
  socket.send(JSON.stringify({ t: 'call', id, method, arg }));
  const [data] = (await once(socket, 'message')) as [Buffer];
  return JSON.parse(data.toString('utf8')) as EngineMessage;
}

test('two tabs with the same ids each get their own answers', async () => {
  const [one, two] = [await connect(), await connect()];
  const [opened, info] = await Promise.all([
    call(one, 0, 'source.open', { path: join(folder, 'covel.db') }),
    call(two, 0, 'app.info', {}),
  ]);
  expect(opened).toMatchObject({ t: 'value', id: 0, value: { name: 'covel.db', sessions: [{ id: 'harbour' }] } });
  expect(info).toMatchObject({ t: 'value', id: 0, value: { host: 'browser' } });
  const { sourceId } = (opened as { value: SourceSummary }).value;
  const turns = await call(one, 1, 'turns.list', { sourceId, sessionId: 'harbour', from: 0, limit: 10 });
  expect((turns as { value: TurnPage }).value).toMatchObject({ total: 1, rows: [{ playerText: '敲门' }] });
});

test.each([
  ['engine.stop', {}],
  ['constructor', {}],
  ['turns.list', { sourceId: 's', sessionId: 's', from: -1, limit: 10 }],
  ['source.open', { path: '' }],
  ['source.open', null],
])('%s with %j is refused, and the engine goes on', async (method, arg) => {
  const socket = await connect();
  expect(await call(socket, 1, method, arg)).toMatchObject({ t: 'error', id: 1, error: { code: 'bad-argument' } });
  expect(await call(socket, 2, 'app.info', {})).toMatchObject({ t: 'value', id: 2 });
});
