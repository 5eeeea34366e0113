import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { MethodIn } from '../../shared/api.ts';
import { createClient } from '../../shared/client.ts';
import type { Channel, ClientMessage, EngineMessage } from '../../shared/rpc.ts';
import { startEngineThread, type EngineThread, type EngineWorkerData } from './engine-thread.ts';

/** A real worker in miniature: the method says what it does with the call. */
const WORKER = `
import { parentPort, workerData } from 'node:worker_threads';
import { writeFileSync } from 'node:fs';
const held = new Map();
parentPort.on('message', (m) => {
  if (m === 'close') { writeFileSync(workerData.userData + '/put-away', 'yes'); process.exit(0); }
  if (m.t === 'cancel') {
    writeFileSync(workerData.userData + '/cancelled-' + held.get(m.id), 'yes');
    parentPort.postMessage({ t: 'value', id: m.id, value: 'too late' });
    return;
  }
  if (m.arg.do === 'echo') parentPort.postMessage({ t: 'value', id: m.id, value: { arg: m.arg, id: m.id } });
  if (m.arg.do === 'stream') {
    for (const item of [1, 2]) parentPort.postMessage({ t: 'item', id: m.id, item });
    parentPort.postMessage({ t: 'progress', id: m.id, done: 1, total: 2 });
    parentPort.postMessage({ t: 'value', id: m.id, value: 'end' });
  }
  if (m.arg.do === 'hold') held.set(m.id, m.arg.name);
  if (m.arg.do === 'event') parentPort.postMessage({ t: 'event', event: { name: 'source.lost', sourceId: 's', code: 'c' } });
  if (m.arg.do === 'data') parentPort.postMessage({ t: 'value', id: m.id, value: workerData });
  if (m.arg.do === 'throw') throw new Error('broken page');
  if (m.arg.do === 'exit') process.exit(m.arg.code);
});
`;

const folder = mkdtempSync(join(tmpdir(), 'lens-thread-'));
const data: EngineWorkerData = {
  userData: folder,
  host: 'browser',
  version: '1.2.3',
  resources: '/r',
  openAtStart: null,
};
const script = pathToFileURL(join(folder, 'worker.mjs'));
let thread: EngineThread;

beforeAll(() => writeFileSync(script, WORKER));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => thread.close());

const start = (onGaveUp?: (reason: string) => void): EngineThread =>
  (thread = startEngineThread({ script, data, ...(onGaveUp ? { onGaveUp } : {}) }));

/** A raw client: what it got, and a promise for the next message that fits. */
function raw(channel: Channel): {
  readonly got: EngineMessage[];
  call(id: number, arg: Record<string, unknown>): void;
  until(fits: (message: EngineMessage) => boolean): Promise<EngineMessage>;
} {
  const got: EngineMessage[] = [];
  const waiting = new Set<() => void>();
  channel.onMessage((message) => {
    got.push(message);
    for (const wake of waiting) wake();
  });
  return {
    got,
    call: (id, arg) => channel.send({ t: 'call', id, method: 'app.info', arg } satisfies ClientMessage),
    until: (fits) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = got.find(fits);
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
  };
}
const answerTo =
  (id: number) =>
  (message: EngineMessage): boolean =>
    (message.t === 'value' || message.t === 'error') && message.id === id;
const isRestart = (message: EngineMessage): boolean =>
  message.t === 'event' && message.event.name === 'engine.restarted';

describe('several clients', () => {
  test('the same id of two clients reaches the right one, under different numbers in the engine', async () => {
    const { connect } = start();
    const [a, b] = [raw(connect()), raw(connect())];
    a.call(0, { do: 'echo', from: 'a' });
    b.call(0, { do: 'echo', from: 'b' });
    const [toA, toB] = await Promise.all([a.until(answerTo(0)), b.until(answerTo(0))]);
    expect(toA).toMatchObject({ t: 'value', id: 0, value: { arg: { from: 'a' } } });
    expect(toB).toMatchObject({ t: 'value', id: 0, value: { arg: { from: 'b' } } });
    const inner = [toA, toB].map((m) => (m.t === 'value' ? (m.value as { id: number }).id : -1));
    expect(new Set(inner).size).toBe(2);
    expect(a.got).toHaveLength(1);
    expect(b.got).toHaveLength(1);
  });

  test('items and progress come in order, before the value, under the client’s id', async () => {
    const client = raw(start().connect());
    client.call(7, { do: 'stream' });
    await client.until(answerTo(7));
    expect(client.got).toEqual([
      { t: 'item', id: 7, item: 1 },
      { t: 'item', id: 7, item: 2 },
      { t: 'progress', id: 7, done: 1, total: 2 },
      { t: 'value', id: 7, value: 'end' },
    ]);
  });

  test('an event of the engine reaches every client', async () => {
    const { connect } = start();
    const [a, b] = [raw(connect()), raw(connect())];
    a.call(0, { do: 'event' });
    const named = (name: string) => (m: EngineMessage) => m.t === 'event' && m.event.name === name;
    for (const client of [a, b]) {
      expect(await client.until(named('source.lost'))).toBeTruthy();
    }
  });

  test('the worker gets its data', async () => {
    const client = raw(start().connect());
    client.call(1, { do: 'data' });
    expect(await client.until(answerTo(1))).toEqual({ t: 'value', id: 1, value: data });
  });

  test('an id that is still open is refused, the first call goes on', async () => {
    const client = raw(start().connect());
    client.call(3, { do: 'hold', name: 'first' });
    client.call(3, { do: 'echo' });
    expect(await client.until(answerTo(3))).toMatchObject({ t: 'error', error: { code: 'bad-argument' } });
  });

  test('a cancelled call is answered once, at once, and the engine is told', async () => {
    const channel = start().connect();
    const client = raw(channel);
    client.call(4, { do: 'hold', name: 'mind-changed' });
    channel.send({ t: 'cancel', id: 4 });
    channel.send({ t: 'cancel', id: 4 });
    expect(client.got).toMatchObject([{ t: 'error', id: 4, error: { code: 'cancelled' } }]);
    client.call(5, { do: 'echo' });
    await client.until(answerTo(5));
    expect(existsSync(join(folder, 'cancelled-mind-changed'))).toBe(true);
    expect(client.got).toHaveLength(2);
  });

  test('closing a client cancels its open calls and no one else’s', async () => {
    const { connect } = start();
    const [a, b] = [connect(), raw(connect())];
    const reasons: string[] = [];
    a.onClose((reason) => reasons.push(reason));
    raw(a).call(0, { do: 'hold', name: 'mine' });
    b.call(0, { do: 'hold', name: 'other' });
    a.close();
    a.close();
    b.call(1, { do: 'echo' }); // answered after the cancel was handled
    await b.until(answerTo(1));
    expect(existsSync(join(folder, 'cancelled-mine'))).toBe(true);
    expect(existsSync(join(folder, 'cancelled-other'))).toBe(false);
    expect(reasons).toEqual(['The client closed the connection.']);
  });
});

describe('a crash', () => {
  test.each([
    ['an uncaught error', { do: 'throw' }, /broken page/],
    ['an exit with a code', { do: 'exit', code: 3 }, /code 3/],
    ['an exit nobody asked for', { do: 'exit', code: 0 }, /code 0/],
  ])('%s: open calls fail, every client is told, the next call works', async (_name, arg, reason) => {
    const { connect } = start();
    const [a, b] = [raw(connect()), raw(connect())];
    b.call(5, { do: 'hold', name: 'x' });
    a.call(0, arg);
    for (const [client, id] of [
      [a, 0],
      [b, 5],
    ] as const) {
      expect(await client.until(answerTo(id))).toMatchObject({ t: 'error', error: { code: 'engine-restarted' } });
      expect(await client.until(isRestart)).toMatchObject({ event: { reason: expect.stringMatching(reason) } });
      client.call(9, { do: 'echo' });
      expect(await client.until(answerTo(9))).toMatchObject({ t: 'value' });
    }
  });

  test('the shared client sees it as an event and goes on', async () => {
    const client = createClient(start().connect());
    const restarted = new Promise<string>((resolve) => {
      client.onEvent((event) => event.name === 'engine.restarted' && resolve(event.reason));
    });
    const call = (arg: Record<string, unknown>): Promise<unknown> =>
      client.call('app.info', arg as MethodIn<'app.info'>);
    await expect(call({ do: 'throw' })).rejects.toMatchObject({ error: { code: 'disconnected' } });
    expect(await restarted).toMatch(/broken page/);
    expect(await call({ do: 'echo' })).toMatchObject({ arg: { do: 'echo' } });
  });

  test('the third within a minute is the last, and every later call says so at once', async () => {
    const gaveUp: string[] = [];
    const client = raw(start((reason) => gaveUp.push(reason)).connect());
    for (const id of [0, 1, 2]) {
      client.call(id, { do: 'throw' });
      const code = id < 2 ? 'engine-restarted' : 'engine-failed';
      expect(await client.until(answerTo(id))).toMatchObject({ error: { code } });
    }
    client.call(3, { do: 'echo' });
    expect(await client.until(answerTo(3))).toMatchObject({
      error: { code: 'engine-failed', hint: expect.stringMatching(/start it again/) },
    });
    expect(gaveUp).toEqual([expect.stringContaining('3 times within a minute')]);
    expect(client.got.filter(isRestart)).toHaveLength(2);
  });
});

describe('closing', () => {
  test('the engine is asked to put its files away, clients are told once, nothing restarts', async () => {
    const { connect, close } = start();
    const channel = connect();
    const reasons: string[] = [];
    channel.onClose((reason) => reasons.push(reason));
    const client = raw(channel);
    client.call(0, { do: 'echo' });
    await client.until(answerTo(0));
    await Promise.all([close(), close()]);
    expect(existsSync(join(folder, 'put-away'))).toBe(true);
    expect(reasons).toEqual(['Covel Lens was closed.']);
    expect(client.got.filter(isRestart)).toHaveLength(0);
  });
});
