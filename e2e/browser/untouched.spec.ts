/** After a whole session in the window the folder of the file holds what it held, byte for byte. */
import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SAMPLE } from '../screens/facts.ts';
import { searchFindsAndJumps } from '../screens/frame.ts';
import { sessionsSwitch } from '../screens/timeline.ts';
import { atTurn, showView } from '../screens/window.ts';
import { expect, test as base } from './window.ts';

const listing = (path: string): readonly string[] =>
  readdirSync(path)
    .toSorted()
    .map((name) => {
      const { size, mtimeMs, mode } = statSync(join(path, name));
      const hash = createHash('sha256')
        .update(readFileSync(join(path, name)))
        .digest('hex');
      return [name, size, mtimeMs, mode, hash].join(' ');
    });

const test = base.extend<{ readonly folder: string }>({
  // oxlint-disable-next-line no-empty-pattern -- a fixture names what it uses by a pattern
  folder: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'lens-untouched-'));
    copyFileSync(SAMPLE, join(folder, 'covel.db'));
    await use(folder);
    rmSync(folder, { recursive: true, force: true });
  },
  file: async ({ folder }, use) => {
    await use(join(folder, 'covel.db'));
  },
});

test('file and folder are byte-identical', async ({ page, folder, host }) => {
  const before = listing(folder);
  expect(before).toHaveLength(1);
  for (const view of ['diff', 'context', 'wire', 'layout'] as const) {
    await showView(page, view);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowDown');
  }
  await searchFindsAndJumps(page, '绕过柜台', 21);
  await sessionsSwitch(page);
  await page.keyboard.press('Home');
  await atTurn(page, 1);
  expect(listing(folder)).toEqual(before);
  await page.close();
  await host.stop();
  expect(listing(folder)).toEqual(before);
});
