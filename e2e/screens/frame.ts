/** The frame: palette, help, language, theme, panels, and that the window remembers them. */
import { expect, type Page } from '@playwright/test';
import { COMMANDS } from './registry.ts';
import { atTurn, goToTurn, inspector, opened, place, read, showView, statusLine } from './window.ts';

const palette = (page: Page) => page.getByRole('dialog', { name: 'Search and commands' });
const field = (page: Page) => palette(page).locator('.palette-input');
const hits = (page: Page) => palette(page).locator('[cmdk-item][data-value^="hit"]');

/** A word that stands only in one narration is found, and the way leads to the turn that told it. */
export async function searchFindsAndJumps(page: Page, word: string, turn: number): Promise<void> {
  await goToTurn(page, 1);
  await page.keyboard.press('/');
  await expect(field(page)).toBeFocused();
  await field(page).fill(word);
  await expect(hits(page).first()).toBeVisible();
  const mark = hits(page).first().locator('mark');
  await expect(mark).toHaveText(word);
  const [row, box] = [await hits(page).first().locator('.palette-words').boundingBox(), await mark.boundingBox()];
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual((row?.x ?? 0) + (row?.width ?? 0));
  const said = await hits(page).first().locator('.palette-turn').innerText();
  expect(Number(said)).toBe(turn);
  await expect(palette(page)).not.toContainText('Searching');
  await page.keyboard.press('Enter');
  await expect(palette(page)).toHaveCount(0);
  await atTurn(page, turn);
}

/** What is nowhere is said to be nowhere. */
export async function searchFindsNothing(page: Page): Promise<void> {
  await page.keyboard.press('/');
  await field(page).fill('qqzzxx');
  await expect(palette(page)).toContainText('Nothing found.');
  await page.keyboard.press('Escape');
  await expect(palette(page)).toHaveCount(0);
}

/** A command by its words; a number is a turn; the keys of the window rest meanwhile. */
export async function paletteRunsCommands(page: Page): Promise<void> {
  const before = (await place(page)).turn;
  await page.keyboard.press('Control+k');
  await field(page).fill('wire');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await expect(page.locator('#view-tab-wire')).toHaveAttribute('aria-selected', 'true');
  expect((await place(page)).turn).toBe(before);
  await showView(page, 'layout');
  await goToTurn(page, 7);
}

/** Every command with a key stands in the help, with that key; Escape closes it. */
export async function helpListsTheKeys(page: Page): Promise<void> {
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keys' });
  await expect(help).toBeVisible();
  const listed = help.locator('dl > div');
  await expect(listed).toHaveCount(COMMANDS.length);
  for (const [i, [words, keys]] of COMMANDS.entries()) {
    await expect(listed.nth(i).locator('dt')).toHaveText(words);
    await expect(listed.nth(i).locator('kbd')).toHaveText([...keys]);
  }
  await page.keyboard.press('Escape');
  await expect(help).toHaveCount(0);
}

/** 中文 and a dark window at a click, both kept over a reload; then back. */
export async function languageAndThemeAreKept(page: Page): Promise<void> {
  const html = page.locator('html');
  await page.getByRole('button', { name: 'Switch to 中文' }).click();
  await expect(html).toHaveAttribute('lang', 'zh-CN');
  await expect(page.locator('#view-tab-layout')).not.toContainText('Layout');
  await page.getByRole('button', { name: /^主题/ }).click();
  await expect(html).toHaveAttribute('data-theme', 'dark');
  const dark = await backgroundOf(page);
  await page.getByRole('button', { name: /^主题/ }).click();
  await expect(html).toHaveAttribute('data-theme', 'light');
  expect(await backgroundOf(page)).not.toBe(dark);

  await page.reload();
  await expect(html).toHaveAttribute('lang', 'zh-CN');
  await expect(html).toHaveAttribute('data-theme', 'light');
  await opened(page);
  expect(await read(statusLine(page))).toMatch(/[\u4e00-\u9fff]/);
  await page.getByRole('button', { name: /English/ }).click();
  await expect(html).toHaveAttribute('lang', 'en');
}

const backgroundOf = (page: Page): Promise<string> =>
  page.evaluate(() => getComputedStyle(document.body).backgroundColor);

/** `i` and `c` close inspector and chart and bring them back; a reload leaves them as they were. */
export async function panelsToggle(page: Page): Promise<void> {
  const chart = page.locator('.chart');
  await expect(inspector(page)).toBeVisible();
  await expect(chart).toBeVisible();
  await page.keyboard.press('i');
  await page.keyboard.press('c');
  await expect(inspector(page)).toHaveCount(0);
  await expect(chart).toHaveCount(0);
  await page.reload();
  await opened(page);
  await expect(inspector(page)).toHaveCount(0);
  await expect(chart).toHaveCount(0);
  await page.keyboard.press('i');
  await page.keyboard.press('c');
  await expect(inspector(page)).toBeVisible();
  await expect(chart).toBeVisible();
}

/** Handles move by mouse and by keys, and the sizes are there again after a reload. */
export async function panelsKeepTheirSizes(page: Page): Promise<void> {
  const width = async (): Promise<number> => (await page.locator('.timeline').boundingBox())?.width ?? 0;
  const before = await width();
  const handle = page.getByRole('separator', { name: 'Width of the timeline' });
  const box = await handle.boundingBox();
  if (!box) throw new Error('the handle has no place');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + 90, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  await expect.poll(width).toBeGreaterThan(before + 80);
  await handle.focus();
  const turn = (await place(page)).turn;
  await page.keyboard.press('ArrowRight');
  expect((await place(page)).turn).toBe(turn);
  const after = await width();
  await page.reload();
  await opened(page);
  await expect.poll(async () => Math.abs((await width()) - after)).toBeLessThan(3);
}
