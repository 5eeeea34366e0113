import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { networkInterfaces, tmpdir } from 'node:os';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { unwrap } from '../../shared/error.ts';
import type { Channel, ClientMessage, EngineMessage } from '../../shared/rpc.ts';
import { ask, askRaw, openSocket, signIn } from './testing/http-client.ts';
import { startWebHost, type WebHost, type WebHostOptions } from './web.ts';

/** An engine that answers each call with its own argument, and remembers what it was told. */
function echoEngine() {
  const told: ClientMessage[] = [];
  const state = { connected: 0, closed: 0 };
  const pushes: ((message: EngineMessage) => void)[] = [];
  return {
    told,
    state,
    push: (message: EngineMessage) => pushes.forEach((push) => push(message)),
    connect(): Channel {
      const listeners: ((message: EngineMessage) => void)[] = [];
      const deliver = (message: EngineMessage): void => listeners.forEach((listener) => listener(message));
      pushes.push(deliver);
      state.connected++;
      return {
        send(message) {
          told.push(message);
          if (message.t === 'call' && message.method === 'app.info') {
            deliver({ t: 'value', id: message.id, value: message.arg });
          }
        },
        onMessage: (listener) => void listeners.push(listener),
        onClose: () => undefined,
        close: () => void state.closed++,
      };
    },
  };
}

let folder: string;
let engine: ReturnType<typeof echoEngine>;
const hosts: WebHost[] = [];

async function start(options: Partial<WebHostOptions> = {}): Promise<WebHost> {
  const host = unwrap(
    await startWebHost({
      rendererDir: join(folder, 'window'),
      engine,
      userData: join(folder, 'data'),
      port: 0,
      idleMs: 60_000,
      ...options,
    }),
  );
  hosts.push(host);
  return host;
}

const addressOf = (host: WebHost): string => `127.0.0.1:${host.port}`;
const own = (host: WebHost, cookie: string) => ({ cookie, origin: `http://${addressOf(host)}` });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lens-web-'));
  engine = echoEngine();
  await mkdir(join(folder, 'window', 'assets'), { recursive: true });
  await writeFile(join(folder, 'window', 'index.html'), '<!doctype html><title>window</title>');
  await writeFile(join(folder, 'window', 'assets', 'main-1.js'), 'export const a = 1;');
  await writeFile(join(folder, 'window', 'assets', 'main-1.js.map'), '{}');
  await writeFile(join(folder, 'window', 'assets', 'empty.css'), '');
  await writeFile(join(folder, 'secret.json'), '{"secret":true}');
  await symlink(join(folder, 'secret.json'), join(folder, 'window', 'linked.json'));
});

afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.close()));
  await rm(folder, { recursive: true, force: true });
});

describe('token and cookie', () => {
  test('the token is exchanged once, for a cookie that is named by the port and closed to scripts and other sites', async () => {
    const host = await start();
    const { pathname, search } = new URL(host.url);
    const first = await ask(host.port, { path: pathname + search });
    expect(first.status).toBe(303);
    expect(first.headers['location']).toBe('/');
    expect(first.headers['set-cookie']).toEqual([
      expect.stringMatching(new RegExp(`^covel-lens-${host.port}=[\\w-]{43}; HttpOnly; SameSite=Strict; Path=/$`)),
    ]);
    const second = await ask(host.port, { path: pathname + search });
    expect(second.status).toBe(403);
    expect(second.headers['set-cookie']).toBeUndefined();
    expect(second.body).toMatch(/works once.*start it again/);
    // The browser that has the cookie may go back to the address.
    const cookie = String(first.headers['set-cookie']?.[0]?.split(';')[0]);
    expect((await ask(host.port, { path: pathname + search, headers: { cookie } })).status).toBe(303);
    expect((await ask(host.port, { headers: { cookie } })).body).toContain('<title>window</title>');
  });

  test('a wrong token and a look by HEAD do not use it up', async () => {
    const host = await start();
    const { pathname, search } = new URL(host.url);
    expect((await ask(host.port, { path: '/?token=wrong' })).status).toBe(403);
    expect((await ask(host.port, { path: '/?token=' })).status).toBe(403);
    expect((await ask(host.port, { method: 'HEAD', path: pathname + search })).status).toBe(403);
    expect((await ask(host.port, { path: `/index.html${search}` })).status).toBe(401);
    expect((await ask(host.port, { path: pathname + search })).status).toBe(303);
  });

  test('nothing is served without the cookie, nor with another one', async () => {
    const host = await start();
    const cookie = await signIn(host.url);
    const wrong = cookie.slice(0, -1) + (cookie.endsWith('A') ? 'B' : 'A');
    for (const path of ['/', '/index.html', '/assets/main-1.js', '/nothing']) {
      expect((await ask(host.port, { path })).status).toBe(401);
      expect((await ask(host.port, { path, headers: { cookie: wrong } })).status).toBe(401);
    }
    const among = `a=1; ${cookie}; b=2`;
    expect((await ask(host.port, { headers: { cookie: among } })).status).toBe(200);
  });
});

describe('host', () => {
  test('only 127.0.0.1 with our port is answered', async () => {
    const host = await start();
    const cookie = await signIn(host.url);
    for (const name of [`localhost:${host.port}`, '127.0.0.1', '127.0.0.1:1', 'evil.example', `[::1]:${host.port}`]) {
      const answer = await ask(host.port, { headers: { cookie, host: name } });
      expect([name, answer.status]).toEqual([name, 403]);
    }
    expect((await ask(host.port, { headers: { cookie, host: addressOf(host) } })).status).toBe(200);
  });

  test('a request target with its own host, and one without any Host, are refused', async () => {
    const host = await start();
    const cookie = await signIn(host.url);
    const own = `Host: ${addressOf(host)}\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`;
    for (const target of ['http://evil.example/', '//evil.example/', '*']) {
      expect(await askRaw(host.port, `GET ${target} HTTP/1.1\r\n${own}`)).toMatch(/^HTTP\/1.1 403 /);
    }
    expect(await askRaw(host.port, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /);
    expect(await askRaw(host.port, 'nonsense\r\n\r\n')).toMatch(/^HTTP\/1.1 400 [^]*Content-Security-Policy: /);
  });

  test('no other address of the machine is bound', async () => {
    const host = await start();
    const others = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    const addresses = others.filter((each) => !each.internal && each.family === 'IPv4').map((each) => each.address);
    for (const address of ['::1', '127.0.0.2', ...addresses]) {
      const socket = connect({ host: address, port: host.port, timeout: 500 });
      const outcome = await new Promise((resolve) => {
        for (const name of ['connect', 'error', 'timeout']) socket.once(name, () => resolve(name));
      });
      socket.destroy();
      expect([address, outcome]).not.toEqual([address, 'connect']);
    }
  });
});

describe('files of the window', () => {
  test('each with its type and length', async () => {
    const host = await start();
    const cookie = await signIn(host.url);
    const script = await ask(host.port, { path: '/assets/main-1.js', headers: { cookie } });
    expect(script).toMatchObject({ status: 200, body: 'export const a = 1;' });
    expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8');
    const head = await ask(host.port, { method: 'HEAD', path: '/assets/main-1.js', headers: { cookie } });
    expect(head).toMatchObject({ status: 200, body: '' });
    expect(head.headers['content-length']).toBe('19');
    expect(await ask(host.port, { path: '/assets/empty.css', headers: { cookie } })).toMatchObject({
      status: 200,
      body: '',
    });
  });

  test.each([
    '/../secret.json',
    '/..%2fsecret.json',
    '/%2e%2e/secret.json',
    '/assets/..%5c..%5csecret.json',
    '/assets/../../secret.json',
    '/linked.json',
    '/assets/',
    '/assets/main-1.js.map',
    '/assets/main-1.js%00.html',
    '/constructor',
  ])('%s is not there', async (path) => {
    const host = await start();
    const cookie = await signIn(host.url);
    const answer = await ask(host.port, { path, headers: { cookie } });
    expect(answer.status).toBe(404);
    expect(answer.body).not.toContain('secret');
  });

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE'])('%s is refused', async (method) => {
    const host = await start();
    const cookie = await signIn(host.url);
    const answer = await ask(host.port, { method, headers: own(host, cookie) });
    expect(answer.status).toBe(405);
    expect(answer.headers['allow']).toBe('GET, HEAD');
  });

  test('a window that was not built is an error', async () => {
    const result = await startWebHost({
      rendererDir: join(folder, 'nowhere'),
      engine,
      userData: folder,
      port: 0,
      idleMs: 1000,
    });
    expect(result).toMatchObject({ ok: false, error: { code: 'not-available' } });
  });
});

describe('headers', () => {
  test('every reply carries them, and none a CORS header', async () => {
    const host = await start();
    const cookie = await signIn(host.url);
    const asks = [
      {},
      { path: '/?token=wrong' },
      { headers: { cookie } },
      { path: '/assets/main-1.js', headers: { cookie } },
      { path: '/nothing', headers: { cookie } },
      { headers: { host: 'evil.example' } },
      { method: 'OPTIONS', headers: { origin: 'http://evil.example', 'access-control-request-method': 'PUT' } },
      { method: 'PUT', path: '/files', headers: own(host, cookie) },
    ];
    for (const each of asks) {
      const { headers } = await ask(host.port, each);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
        'cache-control': 'no-store',
      });
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self';");
      expect(policy).not.toMatch(/unsafe-eval|https?:|\*/);
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });
});

describe('the socket', () => {
  test('opens for our own page only', async () => {
    const host = await start();
    const cookie = await signIn(host.url);
    const good = own(host, cookie);
    expect(await openSocket(host.port, { cookie })).toBe(403);
    expect(await openSocket(host.port, { ...good, origin: 'http://evil.example' })).toBe(403);
    expect(await openSocket(host.port, { ...good, origin: `http://127.0.0.1:${host.port + 1}` })).toBe(403);
    expect(await openSocket(host.port, { ...good, origin: 'null' })).toBe(403);
    expect(await openSocket(host.port, { ...good, host: `localhost:${host.port}` })).toBe(403);
    expect(await openSocket(host.port, { origin: good.origin })).toBe(401);
    expect(await openSocket(host.port, good, '/other')).toBe(404);
    expect(engine.state.connected).toBe(0);
    expect(await openSocket(host.port, good)).toBeInstanceOf(WebSocket);
    expect(engine.state.connected).toBe(1);
  });

  test('carries calls and answers, and drops what is no message', async () => {
    const host = await start();
    const socket = (await openSocket(host.port, own(host, await signIn(host.url)))) as WebSocket;
    for (const bad of ['', '{', '[]', '{"t":"call"}', '{"t":"call","id":-1,"method":"app.info","arg":{}}', '"x"']) {
      socket.send(bad);
    }
    socket.send(Buffer.from('{"t":"call","id":9,"method":"app.info","arg":{}}'), { binary: true });
    socket.send(JSON.stringify({ t: 'call', id: 1, method: 'app.info', arg: { words: '你好' } }));
    const [data] = (await once(socket, 'message')) as [Buffer];
    expect(JSON.parse(data.toString())).toEqual({ t: 'value', id: 1, value: { words: '你好' } });
    expect(engine.told).toHaveLength(1);
  });

  test('a message over a megabyte ends this socket and nothing else', async () => {
    const host = await start();
    const headers = own(host, await signIn(host.url));
    const socket = (await openSocket(host.port, headers)) as WebSocket;
    socket.on('error', () => undefined);
    socket.send('x'.repeat(2 * 1024 * 1024));
    await once(socket, 'close');
    expect(engine.told).toEqual([]);
    expect(await openSocket(host.port, headers)).toBeInstanceOf(WebSocket);
  });

  test('its end closes its endpoint at the engine', async () => {
    const host = await start();
    const socket = (await openSocket(host.port, own(host, await signIn(host.url)))) as WebSocket;
    socket.close();
    await expect.poll(() => engine.state.closed).toBe(1);
  });

  test('a client that does not read is not listened to, and one too far behind is cut off', async () => {
    const host = await start({ socketLimits: { pauseBytes: 64 * 1024, giveUpBytes: 32 * 1024 ** 2 } });
    const socket = (await openSocket(host.port, own(host, await signIn(host.url)))) as WebSocket;
    socket.pause();
    const item = (mb: number): EngineMessage => ({ t: 'item', id: 0, item: 'x'.repeat(mb * 1024 ** 2) });
    for (let i = 0; i < 16; i++) engine.push(item(1)); // more than the system's own buffers take
    socket.send(JSON.stringify({ t: 'cancel', id: 7 }));
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(engine.told).toEqual([]);
    socket.resume();
    await expect.poll(() => engine.told).toEqual([{ t: 'cancel', id: 7 }]);
    socket.pause();
    engine.push(item(64));
    await expect.poll(() => engine.state.closed).toBe(1);
    socket.terminate();
  });
});

describe('a dropped file', () => {
  const put = (host: WebHost, headers: Record<string, string>, name: string, body: string | Buffer = 'SQLite') =>
    ask(host.port, { method: 'PUT', path: `/files?name=${encodeURIComponent(name)}`, headers, body });

  test('is stored under our folder, answered with its path, and removed at the end', async () => {
    const host = await start();
    const answer = await put(host, own(host, await signIn(host.url)), '../../故事 one.db', Buffer.from([1, 2, 3]));
    expect(answer.status).toBe(200);
    const { path } = JSON.parse(answer.body) as { path: string };
    expect(path.startsWith(join(folder, 'data', 'dropped'))).toBe(true);
    expect(path.endsWith(join('/', '故事 one.db'))).toBe(true);
    expect(await readFile(path)).toEqual(Buffer.from([1, 2, 3]));
    await host.close();
    expect(await readdir(join(folder, 'data', 'dropped'))).toEqual([]);
  });

  test('needs the cookie, our origin and PUT', async () => {
    const host = await start();
    const good = own(host, await signIn(host.url));
    expect((await put(host, { origin: good.origin }, 'a.db')).status).toBe(401);
    expect((await put(host, { cookie: good.cookie }, 'a.db')).status).toBe(403);
    expect((await put(host, { ...good, origin: 'http://evil.example' }, 'a.db')).status).toBe(403);
    expect((await ask(host.port, { path: '/files?name=a', headers: good })).status).toBe(405);
    await expect(readdir(join(folder, 'data'))).rejects.toThrow(/ENOENT/);
  });

  test('may not be larger than the limit, announced or not', async () => {
    const host = await start({ maxUploadBytes: 1000 });
    const good = own(host, await signIn(host.url));
    expect((await put(host, good, 'a.db', 'x'.repeat(1000))).status).toBe(200);
    const announced = await put(host, good, 'b.db', 'x'.repeat(1001));
    expect(announced.status).toBe(413);
    expect(JSON.parse(announced.body)).toMatchObject({ error: { code: 'bad-argument' } });
    const chunked = await put(host, { ...good, 'transfer-encoding': 'chunked' }, 'c.db', 'x'.repeat(500_000));
    expect(chunked.status).toBe(413);
    const [place] = await readdir(join(folder, 'data', 'dropped'));
    expect(await readdir(join(folder, 'data', 'dropped', String(place)))).toHaveLength(1);
  });

  test('that is cut off leaves nothing', async () => {
    const host = await start();
    const good = own(host, await signIn(host.url));
    const socket = connect(host.port, '127.0.0.1');
    socket.write(
      `PUT /files?name=a.db HTTP/1.1\r\nHost: ${addressOf(host)}\r\nOrigin: ${good.origin}\r\nCookie: ${good.cookie}\r\nContent-Length: 100000\r\n\r\nhalf`,
    );
    const dropped = join(folder, 'data', 'dropped');
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
    const left = join(folder, 'data', 'dropped', '999999999-abc', 'f-1', 'a.db');
    const alive = join(folder, 'data', 'dropped', `${process.ppid}-abc`);
    await mkdir(dirname(left), { recursive: true });
    await mkdir(alive, { recursive: true });
    await writeFile(left, 'x');
    await start();
    expect(await readdir(join(folder, 'data', 'dropped'))).toEqual([`${process.ppid}-abc`]);
  });
});

describe('life', () => {
  test('a port that is taken is a clear error', async () => {
    const host = await start();
    const result = await startWebHost({
      rendererDir: join(folder, 'window'),
      engine,
      userData: folder,
      port: host.port,
      idleMs: 1000,
    });
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'port-in-use', message: `Port ${host.port} is taken by another program.` },
    });
  });

  test('closes by itself when nobody is there, and not while a tab is open', async () => {
    const host = await start({ idleMs: 250 });
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
    const host = await start();
    const socket = (await openSocket(host.port, own(host, await signIn(host.url)))) as WebSocket;
    const ended = once(socket, 'close');
    await host.close();
    await ended;
    expect(await host.closed).toBe('asked');
    await expect(ask(host.port)).rejects.toThrow(/ECONNREFUSED/);
  });
});
