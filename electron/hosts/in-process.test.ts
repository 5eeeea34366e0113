import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectInProcess, type InProcessClient } from './in-process.ts';

let userData: string;
let client: InProcessClient;

beforeEach(async () => {
  userData = await mkdtemp(join(tmpdir(), 'lens-in-process-'));
  client = connectInProcess({ userData, version: '1.2.3', resources: join(userData, 'none'), openAtStart: 'a.db' });
});

afterEach(async () => {
  await client.close();
  await rm(userData, { recursive: true, force: true });
});

test('answers as the contract says, and knows where it runs', async () => {
  expect(await client.call('app.info', {})).toEqual({
    version: '1.2.3',
    host: 'in-process',
    platform: process.platform,
    openAtStart: 'a.db',
  });
});

test('an error arrives as a value of the contract', async () => {
  await expect(client.call('source.open', { path: join(userData, 'none.db') })).rejects.toMatchObject({
    error: { code: 'not-found' },
  });
  await expect(client.call('turns.list', { sourceId: 's', sessionId: '', from: 0, limit: 1 })).rejects.toMatchObject({
    error: { code: 'bad-argument' },
  });
});

test('what is not plain data is refused before it is sent', async () => {
  const strange = { path: 'a', extra: () => 'function' };
  await expect(client.call('recent.forget', strange)).rejects.toThrow(/could not be cloned/);
});

test('a cancelled call ends at once, and a closed client answers no more', async () => {
  const abort = new AbortController();
  const open = client.call('recent.list', {}, { signal: abort.signal });
  abort.abort();
  await expect(open).rejects.toMatchObject({ error: { code: 'cancelled' } });
  const late = client.call('recent.list', {});
  await client.close();
  await expect(late).rejects.toMatchObject({ error: { code: 'disconnected' } });
  await expect(client.call('recent.list', {})).rejects.toMatchObject({ error: { code: 'disconnected' } });
});
