/** Browser mode as it is built: how it starts, is refused, and ends. */
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { CLI, serve } from './serve.ts';

let home: string;

test.beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'lens-e2e-'));
});
test.afterEach(() => rm(home, { recursive: true, force: true }));

type Ran = { readonly code: number | null; readonly out: string; readonly err: string };

function run(...args: readonly string[]): Promise<Ran> {
  const child = spawn(process.execPath, [CLI, ...args], {
    env: { ...process.env, LC_ALL: 'C', COVEL_LENS_HOME: join(home, 'data') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, out, err })));
}

test('prints the address on one line and ends by itself when nobody comes', async () => {
  const ran = await run('serve', '--no-open', '--idle-minutes', '0.01');
  expect(ran.code).toBe(0);
  expect(ran.out).toMatch(/^Covel Lens is at http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}\n$/);
  expect(ran.err).toMatch(/^Closed: /);
  expect((await stat(join(home, 'data'))).mode & 0o777).toBe(0o700);
});

test('a port that is taken is one line and exit code 2', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  const ran = await run('serve', '--no-open', '--port', String(port));
  other.close();
  expect(ran).toMatchObject({ code: 2, out: '' });
  expect(ran.err).toMatch(/^covel-lens: Port \d+ is taken by another program\. [^\n]+\n$/);
});

test('a file that cannot be read is told before anything is served', async () => {
  const ran = await run('serve', '--no-open', join(home, 'none.db'));
  expect(ran).toMatchObject({ code: 3, out: '' });
  expect(ran.err).toMatch(/^covel-lens: [^\n]+\n$/);
});

test('a signal closes it cleanly and leaves nothing dropped behind', async ({ request }) => {
  const host = await serve('--sample');
  expect((await request.get(host.url)).status()).toBe(200);
  const put = { headers: { Origin: host.origin }, data: Buffer.from('SQLite') };
  const answer = await request.put(`${host.origin}/files?name=a.db`, put);
  expect(answer.status()).toBe(200);
  const { path } = (await answer.json()) as { path: string };
  expect((await stat(path)).size).toBe(6);
  const folder = join(path, '..', '..', '..');
  expect(await readdir(folder)).toHaveLength(1);
  expect(await host.stop()).toBe(0);
  await expect(stat(path)).rejects.toThrow(/ENOENT/);
});
