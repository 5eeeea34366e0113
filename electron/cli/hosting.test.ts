import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { unwrap } from '../../shared/error.ts';
import { readLine } from './arguments.ts';
import { electronBinary } from '../../scripts/electron-binary.mjs';
import { hasDisplay, readHosting } from './hosting.ts';
import { sampleFile } from './package.ts';

const read = (line: string) => readHosting(unwrap(readLine(line.split(' ').filter(Boolean), () => true)).args, 'serve');

describe('options of the hosts', () => {
  test.each([
    ['serve', { file: null, port: 0, idleMinutes: 30, opensBrowser: true }],
    ['serve a.db', { file: resolve('a.db'), port: 0, idleMinutes: 30, opensBrowser: true }],
    ['serve --sample --no-open', { file: sampleFile, port: 0, idleMinutes: 30, opensBrowser: false }],
    ['serve --port 8123 --idle-minutes 0.5', { file: null, port: 8123, idleMinutes: 0.5, opensBrowser: true }],
  ])('%s', (line, value) => expect(read(line)).toEqual({ ok: true, value }));

  test.each([
    'serve a.db --sample',
    'serve --port 65536',
    'serve --port 80.5',
    'serve --port 0x10',
    'serve --port=-1',
    'serve --idle-minutes 0',
    'serve --idle-minutes soon',
    'serve --idle-minutes 1e9',
  ])('%s is refused', (line) => expect(read(line)).toMatchObject({ ok: false, error: { code: 'bad-usage' } }));
});

test.each([
  ['linux', {}, false],
  ['linux', { DISPLAY: ':0' }, true],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, true],
  ['darwin', {}, true],
  ['win32', {}, true],
])('%s with %j: a display is %s', (platform, env, expected) => expect(hasDisplay(platform, env)).toBe(expected));

test('Electron is found by its files, never by asking for it', async () => {
  const root = await mkdtemp(join(tmpdir(), 'lens-electron-'));
  try {
    const folder = join(root, 'node_modules', 'electron');
    await mkdir(join(folder, 'dist'), { recursive: true });
    expect(electronBinary(root, {})).toBeNull();
    await writeFile(join(folder, 'path.txt'), 'electron\n');
    expect(electronBinary(root, {})).toBeNull();
    await writeFile(join(folder, 'dist', 'electron'), '');
    expect(electronBinary(root, {})).toBe(join(folder, 'dist', 'electron'));
    expect(electronBinary(root, { ELECTRON_OVERRIDE_DIST_PATH: join(root, 'none') })).toBeNull();
    expect(electronBinary(root, { ELECTRON_OVERRIDE_DIST_PATH: join(folder, 'dist') })).toBe(
      join(folder, 'dist', 'electron'),
    );
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});
