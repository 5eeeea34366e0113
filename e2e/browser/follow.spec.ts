/**
 * A server may write while the window is open. New turns come by themselves, the place of a person is not touched
 * unless they stand at the end, and nothing of ours appears beside the file.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import type { Order, WriterStart } from '../../electron/sources/covel-db/testing/live-writer.ts';
import { SAMPLE } from '../screens/facts.ts';
import { atTurn, goToTurn, inspector, place, read, settled, showView, statusLine, turnRow } from '../screens/window.ts';
import { expect, test as base } from './window.ts';

const WRITER = fileURLToPath(new URL('../../electron/sources/covel-db/testing/live-writer.ts', import.meta.url));
const SESSION = 'moon-5e1f07ac';

type Writer = { readonly order: (order: Order) => Promise<void>; readonly stop: () => Promise<void> };

/** The server in its own process: `file` is put into WAL mode and stays open. */
async function startWriter(path: string): Promise<Writer> {
  const start: WriterStart = { path, seed: 'follow', startedAt: '2026-11-25T09:00:00.000Z', autoCheckpoint: 0 };
  const child: ChildProcess = fork(WRITER, [JSON.stringify(start)], { execArgv: [] });
  const ended = once(child, 'exit');
  await Promise.race([once(child, 'message'), ended]);
  return {
    async order(order) {
      const done = once(child, 'message');
      child.send(order);
      await Promise.race([done, ended]);
    },
    async stop() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

const folder = (path: string): readonly string[] =>
  readdirSync(path)
    .toSorted()
    .map(
      (name) =>
        `${name} ${createHash('sha256')
          .update(readFileSync(join(path, name)))
          .digest('hex')}`,
    );

type Fixtures = { readonly place: string; readonly writer: Writer };

const test = base.extend<Fixtures>({
  // oxlint-disable-next-line no-empty-pattern -- a fixture names what it uses by a pattern
  place: async ({}, use) => {
    const place = mkdtempSync(join(tmpdir(), 'lens-follow-'));
    copyFileSync(SAMPLE, join(place, 'covel.db'));
    await use(place);
    rmSync(place, { recursive: true, force: true });
  },
  writer: async ({ place }, use) => {
    const writer = await startWriter(join(place, 'covel.db'));
    await use(writer);
    await writer.stop();
  },
  // The writer comes first: the window opens a file in WAL mode whose server runs.
  file: async ({ place, writer }, use) => {
    void writer;
    await use(join(place, 'covel.db'));
  },
});

/** The Layout screen with what comes later: since when each segment is the same, and the prediction. */
async function complete(page: Page): Promise<string> {
  await settled(page);
  await expect(page.getByTestId('predicted')).toBeVisible();
  await expect(page.locator('#view-panel')).toContainText(/Framework preamble.{0,60}turn 1/s);
  return read(page.locator('#view-panel'));
}

test('new turns appear; the place stays, or moves along at the end', async ({ page, place: at, writer }) => {
  await expect(statusLine(page)).toContainText('Turn 27 of 27');
  await expect(page.locator('.pill-following')).toBeVisible();
  await goToTurn(page, 12);
  const shown = await complete(page);
  await writer.order({ do: 'turn', sessionId: SESSION, playerText: '再等一班船。' });
  await expect(statusLine(page)).toContainText('Turn 12 of 28');
  expect(await complete(page)).toBe(shown);

  await page.keyboard.press('End');
  await atTurn(page, 28);
  await expect(turnRow(page, 28)).toContainText('再等一班船。');
  await writer.order({ do: 'turn', sessionId: SESSION, playerText: '船来了。' });
  await expect(statusLine(page)).toContainText('Turn 29 of 29');
  await expect(turnRow(page, 29)).toContainText('船来了。');
  await settled(page);
  await expect(inspector(page)).toBeVisible();

  await writer.order({ do: 'open-turn', sessionId: SESSION });
  await expect(statusLine(page)).toContainText('of 30');
  await expect(turnRow(page, 30).getByLabel('running')).toBeVisible();

  // Nobody writes from here on: what stands in the folder is the server's alone.
  const before = folder(at);
  expect(before.map((line) => line.split(' ')[0])).toEqual(['covel.db', 'covel.db-shm', 'covel.db-wal']);
  await goToTurn(page, 29);
  for (const view of ['diff', 'context', 'wire', 'layout'] as const) await showView(page, view);
  await page.keyboard.press('Home');
  await atTurn(page, 1);
  expect(folder(at)).toEqual(before);
});

test('a file that is replaced, then gone, then back', async ({ page, place: at, writer }) => {
  await writer.stop();
  await expect(statusLine(page)).toContainText('Turn 27 of 27');
  for (const name of readdirSync(at)) rmSync(join(at, name));
  await expect(page.locator('.pill-lost')).toBeVisible();
  await expect(page.locator('.notice')).toContainText('covel.db can no longer be read');
  await page.keyboard.press('Home');
  await expect(turnRow(page, 1)).toHaveAttribute('aria-selected', 'true');
  copyFileSync(SAMPLE, join(at, 'covel.db'));
  await expect(page.locator('.pill-following')).toBeVisible();
  await expect.poll(() => place(page)).toEqual({ turn: 1, total: 27 });
});
