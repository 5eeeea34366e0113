/** Prefix diff: where two requests part, in words and in an editor that is placed there. */
import { expect, type Page } from '@playwright/test';
import { diffReport, turnsOf } from './facts.ts';
import { chosenCall, goToCall, goToTurn, inspector, int, read, settled, showView, verdict } from './window.ts';

const editor = (page: Page) => page.getByTestId('text-diff');
const chooser = (page: Page) => page.getByLabel('Baseline');

/** The marked line is in sight on the right side, and it holds what the diff says is new there. */
export async function editorIsAtTheDifference(page: Page, turn: number, shown: string): Promise<void> {
  await goToTurn(page, turn);
  await showView(page, 'diff');
  // The editor draws its lines anew while the diff is being worked out.
  await expect(async () => {
    const box = await editor(page).boundingBox();
    const line = await editor(page).locator('.modified .lens-divergence').first().boundingBox({ timeout: 1000 });
    expect(line?.y).toBeGreaterThanOrEqual(box?.y ?? Infinity);
    expect(line?.y).toBeLessThan((box?.y ?? 0) + (box?.height ?? 0));
  }).toPass();
  await expect(editor(page).locator('.modified .view-lines')).toContainText(shown);
}

/** Another baseline gives the verdict that the command line gives for that pair; the default comes back. */
export async function baselineChangesTheVerdict(page: Page, file: string, turn: number): Promise<void> {
  await goToTurn(page, turn);
  await page.keyboard.press('d');
  await expect(page.locator('#view-tab-diff')).toHaveAttribute('aria-selected', 'true');
  await expect(chooser(page)).toBeFocused();
  // The list of the browser itself is open and has the keys; the first Escape closes it.
  await page.keyboard.press('Escape');
  await settled(page);
  const byRule = await read(verdict(page));
  const other = (await turnsOf(file))[1]?.calls[0]?.id ?? '';
  const { shared } = await diffReport(file, await chosenCall(page), other);

  await chooser(page).selectOption(other);
  await expect(chooser(page)).not.toBeFocused();
  await expect(verdict(page)).toContainText('turn 2 ·');
  await settled(page);
  expect(await read(verdict(page))).toContain(`Shared ${int(shared.tokens.value)} of`);
  expect(await read(verdict(page))).not.toBe(byRule);
  await chooser(page).selectOption('');
  await expect.poll(() => read(verdict(page))).toBe(byRule);
}

/** The first call of a runtime has nothing to be compared with, says so, and can still be given a baseline. */
export async function firstCallSaysSo(page: Page): Promise<void> {
  await goToTurn(page, 1);
  await showView(page, 'diff');
  const panel = page.locator('#view-panel');
  await expect(panel).toContainText('Nothing to compare with');
  await expect(chooser(page).locator('option:checked')).toHaveText('none by rule');
  await expect(editor(page)).toHaveCount(0);
  await chooser(page).selectOption({ label: 'turn 1 · guide · step 0' });
  await expect(verdict(page)).toContainText('turn 1 · step 0 → turn 1 · step 0 · narrator');
  await expect(editor(page)).toBeVisible();
}

/** A later step of a tool loop is compared with the step before, and only grew. */
export async function laterStepOnlyGrew(page: Page, turn: number): Promise<void> {
  await goToTurn(page, turn);
  await goToCall(page, 'narrator', 1);
  await showView(page, 'diff');
  await expect(verdict(page)).toContainText('Only grew');
  await expect(verdict(page)).toContainText(`turn ${turn} · step 0 → turn ${turn} · step 1`);
}

/** A changed segment opens in the layout. */
export async function changedSegmentOpens(page: Page, turn: number, name: string): Promise<void> {
  await goToTurn(page, turn);
  await showView(page, 'diff');
  await page.getByRole('list', { name: 'Changed segments' }).getByRole('button', { name }).click();
  await expect(page.locator('#view-tab-layout')).toHaveAttribute('aria-selected', 'true');
  await expect(inspector(page).getByRole('heading', { level: 2 })).toHaveText(name);
}
