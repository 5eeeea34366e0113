import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { placement, readState, writeState } from './state.ts';

const folder = mkdtempSync(join(tmpdir(), 'lens-state-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'window.json');
const screen = { x: 0, y: 0, width: 1920, height: 1080 };
const kept = (x: number, y: number, width = 1200, height = 800) => ({
  bounds: { x, y, width, height },
  isMaximized: false,
});

describe('what is kept', () => {
  test('comes back', () => {
    writeState(file, kept(1, 2));
    expect(readState(file)).toEqual(kept(1, 2));
    expect(existsSync(`${file}.new`)).toBe(false);
  });

  test.each([
    '',
    '{',
    'null',
    '{"bounds":{"x":"1"}}',
    '{"bounds":{"x":0,"y":0,"width":0,"height":9},"isMaximized":false}',
  ])('%j counts as nothing', (text) => {
    writeFileSync(file, text);
    expect(readState(file)).toBeNull();
  });

  test('a folder that is gone costs nothing', () => {
    const gone = join(folder, 'gone', 'window.json');
    writeState(gone, kept(1, 2));
    expect(readState(gone)).toBeNull();
  });
});

describe('where the window opens', () => {
  test.each([
    ['the first time', null, { width: 1440, height: 900 }],
    ['on the screen', kept(100, 50), { x: 100, y: 50, width: 1200, height: 800 }],
    ['half off to the right', kept(1800, 50), { x: 1800, y: 50, width: 1200, height: 800 }],
    ['on a screen that is gone', kept(2500, 50), { width: 1200, height: 800 }],
    ['above the screen', kept(100, -50), { width: 1200, height: 800 }],
    ['below the screen', kept(100, 1060), { width: 1200, height: 800 }],
    ['smaller than it may be', kept(100, 50, 300, 200), { x: 100, y: 50, width: 1024, height: 640 }],
  ])('%s', (_name, state, expected) => expect(placement(state, [screen])).toEqual(expected));

  test('a second screen counts', () => {
    expect(placement(kept(-1000, 50), [screen, { x: -1920, y: 0, width: 1920, height: 1080 }])).toMatchObject({
      x: -1000,
    });
  });
});
