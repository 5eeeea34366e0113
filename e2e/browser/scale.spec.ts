/** Ten thousand turns: the list draws what is in sight, and both ends are one key away. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { buildDb, createClock, createIds } from '../../electron/sources/covel-db/testing/build-db.ts';
import { atTurn, goToTurn, turnRow } from '../screens/window.ts';
import { expect, test as base } from './window.ts';

const TURNS = 10_000;
/** Rows of turns in the document, however many turns there are. */
const MOST_ROWS = 200;
/** From the key to its row on screen, on a machine that does other things too (ms). */
const SOON_MS = 1000;

/** Milliseconds from a key to the frame in which its turn is chosen and drawn, by the clock of the page. */
const timeOfKey = (page: Page, key: string, turn: number): Promise<number> =>
  page.evaluate(
    async ([name, row]) => {
      const started = performance.now();
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: name, code: name, bubbles: true }));
      while (!document.querySelector(row)) await new Promise(requestAnimationFrame);
      return performance.now() - started;
    },
    [key, `#turn-row-${turn}[aria-selected="true"]`] as const,
  );

const test = base.extend<object, { readonly large: string }>({
  large: [
    // oxlint-disable-next-line no-empty-pattern -- a fixture names what it uses by a pattern
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'lens-scale-'));
      const path = join(folder, 'covel.db');
      const db = buildDb(path, { journal: 'delete', ids: createIds('scale'), clock: createClock(undefined, 1) });
      db.db.pragma('synchronous = off');
      db.transaction(() => {
        const sessionId = db.insertSession({ id: 'long', title: 'Ten thousand', completedPlayerTurns: TURNS });
        for (let i = 1; i <= TURNS; i++)
          db.insertTurn({
            sessionId,
            playerText: `step ${i}`,
            during: (turn) => {
              db.insertCall({ ...turn, payload: { messages: [{ role: 'user', content: `step ${i}` }] } });
              db.insertReply(turn);
            },
          });
      });
      db.close();
      await use(path);
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
});

test.use({ file: async ({ large }, use) => use(large) });

test('the list scrolls, ends are quick, and the document stays small', async ({ page }) => {
  const rows = page.locator('.turns .turn');
  const list = page.getByRole('listbox', { name: 'Turns' });
  await expect(turnRow(page, TURNS)).toBeVisible();
  for (const [key, turn] of [
    ['Home', 1],
    ['End', TURNS],
    ['Home', 1],
  ] as const) {
    expect(await timeOfKey(page, key, turn)).toBeLessThan(SOON_MS);
    await atTurn(page, turn);
    await expect(turnRow(page, turn)).toBeInViewport();
    expect(await rows.count()).toBeLessThan(MOST_ROWS);
  }
  await list.evaluate((box) => box.scrollTo(0, box.scrollHeight / 2 - box.clientHeight / 2));
  await expect(turnRow(page, TURNS / 2)).toBeInViewport();
  await expect(turnRow(page, TURNS / 2)).toContainText(`step ${TURNS / 2}`);
  expect(await rows.count()).toBeLessThan(MOST_ROWS);
  await goToTurn(page, 7777);
  await expect(turnRow(page, 7777)).toBeInViewport();
  await page.keyboard.press('ArrowRight');
  await atTurn(page, 7778);
  await expect(page.locator('.chart')).toContainText('each bar');
});
