/** Layout: one prompt as a strip and as a table, and one segment from close. */
import { expect, type Page } from '@playwright/test';
import { callReport, recordedBody, textAt } from './facts.ts';
import { chosenCall, goToTurn, inspector, int, read, rows, settled, table } from './window.ts';

const selectedRow = (page: Page) => table(page).locator('[data-line][aria-selected="true"]');
const outline = (page: Page) => page.locator('.strip-selected');
const inspected = (page: Page) => inspector(page).getByRole('region', { name: 'Text of the segment' });

/** The whole text on the right; a long one is opened first. */
async function inspectedText(page: Page): Promise<string> {
  await expect(inspected(page)).toHaveAttribute('aria-busy', 'false');
  const more = inspected(page).getByRole('button', { name: /^Show all/ });
  if (await more.isVisible()) await more.click();
  return (await inspected(page).locator('pre').allTextContents()).join('');
}

/** What table, strip and inspector say of each segment is what the recorded body holds at its wire path. */
export async function segmentsAreTheBody(page: Page, file: string, turn: number): Promise<void> {
  await goToTurn(page, turn);
  const callId = await chosenCall(page);
  const { segments } = await callReport(file, callId);
  const body = recordedBody(file, callId);
  await openAllFolds(page);
  const lines = table(page).locator('[data-line]:not([aria-expanded])');
  await table(page).focus();
  for (let i = 0; i < segments.length; i++) await page.keyboard.press('k');
  for (const [i, segment] of segments.entries()) {
    if (i > 0) await page.keyboard.press('j');
    await settled(page);
    await expect(inspector(page).locator('dl')).toContainText(`${int(segment.chars)} characters`);
    await expect(selectedRow(page).locator('.segments-tokens')).toHaveText(int(segment.tokens.value));
    await expect(selectedRow(page).locator('.segments-chars')).toHaveText(int(segment.chars));
    const [span] = segment.spans;
    await expect(inspector(page).locator('.inspector-paths code').first()).toHaveText(span?.path ?? '');
    // The blank line before a segment is covered by its span, but is not read with it.
    const recorded = segment.spans.map(({ path, start, end }, i) => {
      const text = textAt(body, path).slice(start, end);
      return i === 0 && start > 0 ? text.trimStart() : text;
    });
    if (recorded.length === 1) expect(await inspectedText(page)).toBe(recorded[0]);
    else for (const text of recorded) expect(await inspectedText(page)).toContain(text);
  }
  expect(await lines.count()).toBeLessThanOrEqual(segments.length);
}

async function openAllFolds(page: Page): Promise<void> {
  const closed = table(page).locator('[data-line][aria-expanded="false"]');
  while ((await closed.count()) > 0) await closed.first().click();
}

/** A click on the strip chooses in the table, a click in the table moves the frame on the strip. */
export async function stripAndTableGoTogether(page: Page): Promise<void> {
  const bodyRow = rows(page).filter({ hasText: 'Runtime body' });
  await bodyRow.click();
  await expect(bodyRow).toHaveAttribute('aria-selected', 'true');
  await expect(inspector(page).getByRole('heading', { level: 2 })).toHaveText('Runtime body');
  const before = await outline(page).boundingBox();

  await page.locator('.strip-run').last().click();
  await expect(inspector(page).getByRole('heading', { level: 2 })).toHaveText('Player');
  await expect(selectedRow(page)).toContainText('Player');
  const after = await outline(page).boundingBox();
  expect(after?.x).toBeGreaterThan((before?.x ?? 0) + (before?.width ?? 0) - 1);

  const run = await page.locator('.strip-run').last().boundingBox();
  expect(Math.abs((after?.x ?? 0) - (run?.x ?? 9))).toBeLessThan(3);
}

/** History is one row that opens to one row a message, by click and by Enter, and stays open in the next turn. */
export async function historyOpensAndCloses(page: Page): Promise<void> {
  const history = table(page).locator('[data-line][aria-expanded]').filter({ hasText: 'history' });
  const inside = table(page).locator('.segments-in');
  const said = /history, (\d+) messages/.exec(await read(history));
  expect(said).not.toBeNull();
  await expect(history).toHaveAttribute('aria-expanded', 'false');
  await expect(inside).toHaveCount(0);

  await history.click();
  await expect(history).toHaveAttribute('aria-expanded', 'true');
  await expect(inside.first()).toContainText(/history, user/);
  await expect(inside.nth(1)).toContainText(/history, assistant/);

  await page.keyboard.press('ArrowLeft');
  await settled(page);
  await expect(history).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.press('ArrowRight');
  await settled(page);

  await history.click();
  await expect(history).toHaveAttribute('aria-expanded', 'false');
  await expect(inside).toHaveCount(0);
}

/** `j` and `k` go through the lines one by one and stop at both ends. */
export async function jAndK(page: Page): Promise<void> {
  const line = async (): Promise<number> => Number(await selectedRow(page).getAttribute('data-line'));
  const lines = await rows(page).count();
  const body = rows(page).filter({ hasText: 'Runtime body' });
  await body.click();
  await expect(body).toHaveAttribute('aria-selected', 'true');
  const at = await line();
  await page.keyboard.press('j');
  await expect.poll(line).toBe(at + 1);
  await page.keyboard.press('k');
  await expect.poll(line).toBe(at);
  for (let i = 0; i <= lines; i++) await page.keyboard.press('k');
  await expect.poll(line).toBe(0);
  for (let i = 0; i <= lines; i++) await page.keyboard.press('j');
  await expect.poll(line).toBe(lines - 1);
}

/** `a` shows the same call assembled anew: its verdict, the source of every line, and back again. */
export async function assembledBesideRecorded(page: Page, turn: number): Promise<void> {
  await goToTurn(page, turn);
  await page.keyboard.press('a');
  await expect(page.getByTestId('verdict')).toContainText('Assembled anew: equal to the recorded request');
  const body = rows(page).filter({ hasText: 'Runtime body' });
  await expect(body.locator('.segments-origin')).toContainText('recording');
  await expect(rows(page).filter({ hasText: 'world-lore' }).locator('.segments-origin')).toContainText('database');
  await body.click();
  await expect(page.getByTestId('assembled-text')).toContainText('recording');
  await page.getByRole('button', { name: 'Recorded', exact: true }).click();
  await expect(page.getByTestId('verdict')).not.toContainText('Assembled anew');
  await expect(page.getByRole('button', { name: 'Recorded', exact: true })).toHaveAttribute('aria-pressed', 'true');
}
