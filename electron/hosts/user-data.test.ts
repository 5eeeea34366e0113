import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ensureUserData, userDataFolder } from './user-data.ts';

const home = '/home/reader';

test.each([
  ['linux', {}, '/home/reader/.local/share/covel-lens'],
  ['linux', { XDG_DATA_HOME: '/data' }, '/data/covel-lens'],
  ['linux', { XDG_DATA_HOME: 'relative' }, '/home/reader/.local/share/covel-lens'],
  ['linux', { XDG_DATA_HOME: '/data', COVEL_LENS_HOME: '/own' }, '/own'],
  ['darwin', {}, '/home/reader/Library/Application Support/Covel Lens'],
  ['win32', { APPDATA: '/roaming' }, '/roaming/Covel Lens'],
  ['win32', {}, '/home/reader/AppData/Roaming/Covel Lens'],
])('%s with %j', (platform, env, expected) => {
  expect(userDataFolder({ env, platform, home })).toBe(expected);
});

test('the folder is created for its owner only; an impossible place is an error', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lens-home-'));
  try {
    const path = join(folder, 'a', 'covel-lens');
    expect(await ensureUserData(path)).toEqual({ ok: true, value: path });
    expect((await stat(path)).mode & 0o777).toBe(0o700);
    await writeFile(join(folder, 'file'), '');
    expect(await ensureUserData(join(folder, 'file', 'x'))).toMatchObject({
      ok: false,
      error: { code: 'no-permission' },
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
