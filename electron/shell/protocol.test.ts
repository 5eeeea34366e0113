import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { securityHeaders } from '../hosts/web-headers.ts';

vi.mock('electron', () => ({ protocol: {} }));
const { CONTENT_SECURITY_POLICY, fileOf, serve } = await import('./protocol.ts');

const base = mkdtempSync(join(tmpdir(), 'lens-protocol-'));
const folder = join(base, 'renderer');
beforeAll(() => {
  mkdirSync(join(folder, 'assets'), { recursive: true });
  mkdirSync(join(base, 'renderer-other'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html>');
  writeFileSync(join(folder, 'assets', 'a-1.js'), 'export {}');
  writeFileSync(join(base, 'secret.json'), '{}');
  writeFileSync(join(base, 'renderer-other', 'x.json'), '{}');
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

describe('which file an address names', () => {
  test.each([
    ['app://bundle/index.html', 'index.html'],
    ['app://bundle/index.html?x=1#y', 'index.html'],
    ['app://bundle/assets/a-1.js', 'assets/a-1.js'],
    ['app://bundle/assets/../index.html', 'index.html'],
    ['app://bundle/a%20b.css', 'a b.css'],
  ])('%s → %s', (url, file) => expect(fileOf(url, folder)).toBe(join(folder, file)));

  test.each([
    'app://bundle/',
    'app://bundle/assets',
    'app://bundle/main.js.map',
    'app://bundle/.env',
    'app://bundle/%2e%2e%2fsecret.json',
    'app://bundle/assets/%2e%2e%2f%2e%2e%2fsecret.json',
    'app://bundle/..%2frenderer-other/x.json',
    'app://bundle/..%5csecret.json',
    'app://bundle/C:%5csecret.json',
    'app://bundle/index%00.html',
    'app://bundle/%E0%A4%A.html',
    'app://other/index.html',
    'file:///index.html',
    'https://bundle/index.html',
    'nonsense',
  ])('%s names none', (url) => expect(fileOf(url, folder)).toBeNull());

  test('whatever the path, it stays inside the folder', () => {
    for (const path of ['../'.repeat(9), '..%2f'.repeat(9), '....//'.repeat(3), '%252e%252e/'.repeat(3)]) {
      const file = fileOf(`app://bundle/${path}secret.json`, folder);
      expect(file === null || file.startsWith(folder + '/') || file.startsWith(folder + '\\')).toBe(true);
    }
  });
});

describe('answers', () => {
  const get = (url: string, method = 'GET') => serve({ url, method }, folder);

  test('a file, with its type and the policy', async () => {
    const answer = await get('app://bundle/assets/a-1.js');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(await answer.text()).toBe('export {}');
  });

  test.each([
    ['app://bundle/missing.js', 'GET', 404],
    ['app://bundle/%2e%2e%2fsecret.json', 'GET', 404],
    ['app://bundle/index.html', 'POST', 405],
    ['app://bundle/index.html', 'PUT', 405],
  ])('%s %s → %i, also with the policy', async (url, method, status) => {
    const answer = await get(url, method);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-security-policy')).toBe(CONTENT_SECURITY_POLICY);
    expect(await answer.text()).toBe('');
  });

  test('HEAD has the headers and no body', async () => {
    const answer = await get('app://bundle/index.html', 'HEAD');
    expect(answer.headers.get('content-type')).toContain('text/html');
    expect(await answer.text()).toBe('');
  });
});

test('the policy is the one of browser mode, but for the socket', () => {
  const web = securityHeaders('127.0.0.1:1')['Content-Security-Policy'];
  expect(web?.replace(' ws://127.0.0.1:1', '')).toBe(CONTENT_SECURITY_POLICY);
});

test('no script but our own files can run', () => {
  expect(CONTENT_SECURITY_POLICY).toContain("script-src 'self';");
  expect(CONTENT_SECURITY_POLICY).not.toMatch(/unsafe-|https?:|\*/);
});
