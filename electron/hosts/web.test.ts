import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ask, askRaw, signIn } from './testing/http-client.ts';
import { addressOf, own, webFixture } from './testing/web-fixture.ts';
import { startWebHost } from './web.ts';

const web = webFixture();

describe('token and cookie', () => {
  test('the token is exchanged once, for a cookie that is named by the port and closed to scripts and other sites', async () => {
    const host = await web.start();
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
    const host = await web.start();
    const { pathname, search } = new URL(host.url);
    expect((await ask(host.port, { path: '/?token=wrong' })).status).toBe(403);
    expect((await ask(host.port, { path: '/?token=' })).status).toBe(403);
    expect((await ask(host.port, { method: 'HEAD', path: pathname + search })).status).toBe(403);
    expect((await ask(host.port, { path: `/index.html${search}` })).status).toBe(401);
    expect((await ask(host.port, { path: pathname + search })).status).toBe(303);
  });

  test('nothing is served without the cookie, nor with another one', async () => {
    const host = await web.start();
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
    const host = await web.start();
    const cookie = await signIn(host.url);
    for (const name of [`localhost:${host.port}`, '127.0.0.1', '127.0.0.1:1', 'evil.example', `[::1]:${host.port}`]) {
      const answer = await ask(host.port, { headers: { cookie, host: name } });
      expect([name, answer.status]).toEqual([name, 403]);
    }
    expect((await ask(host.port, { headers: { cookie, host: addressOf(host) } })).status).toBe(200);
  });

  test('a request target with its own host, and one without any Host, are refused', async () => {
    const host = await web.start();
    const cookie = await signIn(host.url);
    const own = `Host: ${addressOf(host)}\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`;
    for (const target of ['http://evil.example/', '//evil.example/', '*']) {
      expect(await askRaw(host.port, `GET ${target} HTTP/1.1\r\n${own}`)).toMatch(/^HTTP\/1.1 403 /);
    }
    expect(await askRaw(host.port, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /);
    expect(await askRaw(host.port, 'nonsense\r\n\r\n')).toMatch(/^HTTP\/1.1 400 [^]*Content-Security-Policy: /);
  });

  test('no other address of the machine is bound', async () => {
    const host = await web.start();
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
    const host = await web.start();
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
    const host = await web.start();
    const cookie = await signIn(host.url);
    const answer = await ask(host.port, { path, headers: { cookie } });
    expect(answer.status).toBe(404);
    expect(answer.body).not.toContain('secret');
  });

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE'])('%s is refused', async (method) => {
    const host = await web.start();
    const cookie = await signIn(host.url);
    const answer = await ask(host.port, { method, headers: own(host, cookie) });
    expect(answer.status).toBe(405);
    expect(answer.headers['allow']).toBe('GET, HEAD');
  });

  test('a window that was not built is an error', async () => {
    const result = await startWebHost({
      rendererDir: join(web.folder, 'nowhere'),
      engine: web.engine,
      userData: web.folder,
      port: 0,
      idleMs: 1000,
    });
    expect(result).toMatchObject({ ok: false, error: { code: 'not-available' } });
  });
});

describe('headers', () => {
  test('every reply carries them, and none a CORS header', async () => {
    const host = await web.start();
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
      expect(policy).not.toMatch(/unsafe-|https?:|\*/);
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });
});
