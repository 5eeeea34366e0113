/** What goes over an open connection: messages, dropped files; and how long the host lives. */
import { once } from 'node:events';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { EngineMessage } from '../../shared/rpc.ts';
import { ask, openSocket, signIn } from './testing/http-client.ts';
import { addressOf, own, webFixture } from './testing/web-fixture.ts';
import { startWebHost, type WebHost } from './web.ts';

const web = webFixture();

describe('the socket', () => {
  test('opens for our own page only', async () => {
    const host = await web.start();
    const cookie = await signIn(host.url);
    const good = own(host, cookie);
    expect(await openSocket(host.port, { cookie })).toBe(403);
    expect(await openSocket(host.port, { ...good, origin: 'http://evil.example' })).toBe(403);
    expect(await openSocket(host.port, { ...good, origin: `http://127.0.0.1:${host.port + 1}` })).toBe(403);
    expect(await openSocket(host.port, { ...good, origin: 'null' })).toBe(403);
    expect(await openSocket(host.port, { ...good, host: `localhost:${host.port}` })).toBe(403);
    expect(await openSocket(host.port, { origin: good.origin })).toBe(401);
    expect(await openSocket(host.port, good, '/other')).toBe(404);
    expect(web.engine.state.connected).toBe(0);
    expect(await openSocket(host.port, good)).toBeInstanceOf(WebSocket);
    expect(web.engine.state.connected).toBe(1);
  });

  test('carries calls and answers, and drops what is no message', async () => {
    const host = await web.start();
    const socket = (await openSocket(host.port, own(host, await signIn(host.url)))) as WebSocket;
    for (const bad of ['', '{', '[]', '{"t":"call"}', '{"t":"call","id":-1,"method":"app.info","arg":{}}', '"x"']) {
      socket.send(bad);
    }
    socket.send(Buffer.from('{"t":"call","id":9,"method":"app.info","arg":{}}'), { binary: true });
    socket.send(JSON.stringify({ t: 'call', id: 1, method: 'app.info', arg: { words: '你好' } }));
    const [data] = (await once(socket, 'message')) as [Buffer];
    expect(JSON.parse(data.toString())).toEqual({ t: 'value', id: 1, value: { words: '你好' } });
    expect(web.engine.told).toHaveLength(1);
  });

  test('a message over a megabyte ends this socket and nothing else', async () => {
    const host = await web.start();
    const headers = own(host, await signIn(host.url));
    const socket = (await openSocket(host.port, headers)) as WebSocket;
    socket.on('error', () => undefined);
    socket.send('x'.repeat(2 * 1024 * 1024));
    await once(socket, 'close');
    expect(web.engine.told).toEqual([]);
    expect(await openSocket(host.port, headers)).toBeInstanceOf(WebSocket);
  });

  test('its end closes its endpoint at the engine', async () => {
    const host = await web.start();
    const socket = (await openSocket(host.port, own(host, await signIn(host.url)))) as WebSocket;
    socket.close();
    await expect.poll(() => web.engine.state.closed).toBe(1);
  });

  test('a client that does not read is not listened to, and one too far behind is cut off', async () => {
    const host = await web.start({ socketLimits: { pauseBytes: 64 * 1024, giveUpBytes: 32 * 1024 ** 2 } });
    const socket = (await openSocket(host.port, own(host, await signIn(host.url)))) as WebSocket;
    socket.pause();
    const item = (mb: number): EngineMessage => ({ t: 'item', id: 0, item: 'x'.repeat(mb * 1024 ** 2) });
    for (let i = 0; i < 16; i++) web.engine.push(item(1)); // more than the system's own buffers take
    socket.send(JSON.stringify({ t: 'cancel', id: 7 }));
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(web.engine.told).toEqual([]);
    socket.resume();
    await expect.poll(() => web.engine.told).toEqual([{ t: 'cancel', id: 7 }]);
    socket.pause();
    web.engine.push(item(64));
    await expect.poll(() => web.engine.state.closed).toBe(1);
    socket.terminate();
  });
});

describe('a dropped file', () => {
  const put = (host: WebHost, headers: Record<string, string>, name: string, body: string | Buffer = 'SQLite') =>
    ask(host.port, { method: 'PUT', path: `/files?name=${encodeURIComponent(name)}`, headers, body });

  test('is stored under our folder, answered with its path, and removed at the end', async () => {
    const host = await web.start();
    const answer = await put(host, own(host, await signIn(host.url)), '../../故事 one.db', Buffer.from([1, 2, 3]));
    expect(answer.status).toBe(200);
    const { path } = JSON.parse(answer.body) as { path: string };
    expect(path.startsWith(join(web.folder, 'data', 'dropped'))).toBe(true);
    expect(path.endsWith(join('/', '故事 one.db'))).toBe(true);
    expect(await readFile(path)).toEqual(Buffer.from([1, 2, 3]));
    await host.close();
    expect(await readdir(join(web.folder, 'data', 'dropped'))).toEqual([]);
  });

  test('needs the cookie, our origin and PUT', async () => {
    const host = await web.start();
    const good = own(host, await signIn(host.url));
    expect((await put(host, { origin: good.origin }, 'a.db')).status).toBe(401);
    expect((await put(host, { cookie: good.cookie }, 'a.db')).status).toBe(403);
    expect((await put(host, { ...good, origin: 'http://evil.example' }, 'a.db')).status).toBe(403);
    expect((await ask(host.port, { path: '/files?name=a', headers: good })).status).toBe(405);
    await expect(readdir(join(web.folder, 'data'))).rejects.toThrow(/ENOENT/);
  });

  test('may not be larger than the limit, announced or not', async () => {
    const host = await web.start({ maxUploadBytes: 1000 });
    const good = own(host, await signIn(host.url));
    expect((await put(host, good, 'a.db', 'x'.repeat(1000))).status).toBe(200);
    const announced = await put(host, good, 'b.db', 'x'.repeat(1001));
    expect(announced.status).toBe(413);
    expect(JSON.parse(announced.body)).toMatchObject({ error: { code: 'bad-argument' } });
    const chunked = await put(host, { ...good, 'transfer-encoding': 'chunked' }, 'c.db', 'x'.repeat(500_000));
    expect(chunked.status).toBe(413);
    const [place] = await readdir(join(web.folder, 'data', 'dropped'));
    expect(await readdir(join(web.folder, 'data', 'dropped', String(place)))).toHaveLength(1);
  });

  test('that is cut off leaves nothing', async () => {
    const host = await web.start();
    const good = own(host, await signIn(host.url));
    const socket = connect(host.port, '127.0.0.1');
    socket.write(
      `PUT /files?name=a.db HTTP/1.1\r\nHost: ${addressOf(host)}\r\nOrigin: ${good.origin}\r\nCookie: ${good.cookie}\r\nContent-Length: 100000\r\n\r\nhalf`,
    );
    const dropped = join(web.folder, 'data', 'dropped');
    const stored = () =>
      readdir(dropped, { recursive: true }).then(
        (names) => names.filter((name) => name.endsWith('a.db')),
        () => [],
      );
    await expect.poll(stored).toHaveLength(1);
    socket.destroy();
    await expect.poll(stored).toEqual([]);
    await expect.poll(async () => readdir(join(dropped, String((await readdir(dropped))[0])))).toEqual([]);
  });

  test('what a crashed host left is removed by the next one', async () => {
    const left = join(web.folder, 'data', 'dropped', '999999999-abc', 'f-1', 'a.db');
    const alive = join(web.folder, 'data', 'dropped', `${process.ppid}-abc`);
    await mkdir(dirname(left), { recursive: true });
    await mkdir(alive, { recursive: true });
    await writeFile(left, 'x');
    await web.start();
    expect(await readdir(join(web.folder, 'data', 'dropped'))).toEqual([`${process.ppid}-abc`]);
  });
});

describe('life', () => {
  test('a port that is taken is a clear error', async () => {
    const host = await web.start();
    const result = await startWebHost({
      rendererDir: join(web.folder, 'window'),
      engine: web.engine,
      userData: web.folder,
      port: host.port,
      idleMs: 1000,
    });
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'port-in-use', message: `Port ${host.port} is taken by another program.` },
    });
  });

  test('closes by itself when nobody is there, and not while a tab is open', async () => {
    const host = await web.start({ idleMs: 250 });
    const socket = (await openSocket(host.port, own(host, await signIn(host.url)))) as WebSocket;
    let reason: string | null = null;
    void host.closed.then((why) => (reason = why));
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(reason).toBeNull();
    socket.close();
    expect(await host.closed).toBe('idle');
    await expect(ask(host.port)).rejects.toThrow(/ECONNREFUSED/);
  });

  test('closing ends open sockets and frees the port at once', async () => {
    const host = await web.start();
    const socket = (await openSocket(host.port, own(host, await signIn(host.url)))) as WebSocket;
    const ended = once(socket, 'close');
    await host.close();
    await ended;
    expect(await host.closed).toBe('asked');
    await expect(ask(host.port)).rejects.toThrow(/ECONNREFUSED/);
  });
});
