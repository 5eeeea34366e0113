/** Timeline and chart: what happened in which turn, which session, and the session as a whole. */
import { expect, type Page } from '@playwright/test';
import { atTurn, place, rows, settled, statusLine, turnRow, verdict } from './window.ts';

/** Marks by the number of their turn; every other turn has none. */
export type Marks = Readonly<Record<number, readonly string[]>>;

/** Steps through the turns, since only those in sight are drawn, and reads the marks of each row. */
export async function marksStandWhereTheyBelong(page: Page, total: number, expected: Marks): Promise<void> {
  const found: Record<number, readonly string[]> = {};
  await page.keyboard.press('Home');
  for (let turn = 1; turn <= total; turn++) {
    if (turn > 1) await page.keyboard.press('ArrowRight');
    const row = turnRow(page, turn);
    await expect(row).toHaveAttribute('aria-selected', 'true');
    const words = await row
      .locator('.turn-mark')
      .evaluateAll((marks) =>
        marks.map((mark) => mark.querySelector('[aria-label]')?.getAttribute('aria-label') ?? ''),
      );
    if (words.length > 0) found[turn] = words;
  }
  expect(found).toEqual(expected);
}

/** The newest session is open; the other one lists its own turns, and the way back leads to the newest turn. */
export async function sessionsSwitch(page: Page): Promise<void> {
  const chooser = page.getByRole('combobox', { name: 'Session' });
  const { total } = await place(page);
  const here = await chooser.inputValue();
  const other = await chooser.locator(`option:not([value="${here}"])`).first().getAttribute('value');
  await chooser.selectOption(other ?? '');
  await expect(statusLine(page)).toContainText('Turn 8 of 8');
  await expect(page.locator('.session-head')).toContainText(/en-US · 8 turns · .*1 summary/);
  await settled(page);
  await expect(rows(page).first()).toBeVisible();
  await chooser.selectOption(here);
  await expect(statusLine(page)).toContainText(`Turn ${total} of ${total}`);
}

/** A click on a bar of the chart jumps to its turn, and the bar is framed. */
export async function chartJumps(page: Page, turn: number): Promise<void> {
  const chart = page.locator('.chart');
  await expect(chart.locator('.recharts-bar-rectangle').first()).toBeVisible();
  const { total } = await place(page);
  const box = await chart.locator('.chart-columns').boundingBox();
  if (!box) throw new Error('the chart has no place');
  await page.mouse.click(box.x + (box.width * (turn - 0.5)) / total, box.y + box.height / 2);
  await atTurn(page, turn);
  expect((await place(page)).turn).toBe(turn);
  const frame = await chart.locator('.chart-current').boundingBox();
  expect(frame?.x).toBeCloseTo(box.x + (box.width * (turn - 1)) / total, -0.5);
  const row = chart.getByRole('table').getByRole('row').nth(turn);
  await expect(row.getByRole('rowheader')).toHaveText(String(turn));
}

/** Space plays turn by turn until it is pressed again. */
export async function playGoesOn(page: Page): Promise<void> {
  await page.keyboard.press('Home');
  await atTurn(page, 1);
  await page.keyboard.press('Space');
  await expect(statusLine(page)).toContainText('playing');
  await expect(statusLine(page)).toContainText('Turn 3 of');
  await page.keyboard.press('Space');
  await expect(statusLine(page)).not.toContainText('playing');
  await settled(page);
  const { turn } = await place(page);
  await expect(verdict(page)).toContainText(`turn ${turn - 1}.`);
}
