/** Ledger: what compaction and pruning took away, and the way to the calls that it cost. */
import { expect, type Page } from '@playwright/test';
import { ledgerReport } from './facts.ts';
import { atTurn, chosenCall, goToTurn, int, read, settled, showView, verdict } from './window.ts';

const rows = (page: Page) => page.getByRole('table', { name: 'Summaries' }).locator('tbody tr');
const pane = (page: Page) => page.getByTestId('ledger-summary');

/** Rows, bars and the text beside them are what the command line reports. */
export async function ledgerIsTheReport(page: Page, file: string): Promise<void> {
  const { summaries } = await ledgerReport(file);
  await showView(page, 'ledger');
  await expect(rows(page)).toHaveCount(summaries.length);
  await expect(page.locator('.ledger-bar')).toHaveCount(summaries.length);
  for (const [i, { turns, messageIds, tokens, content }] of summaries.entries()) {
    const words = await read(rows(page).nth(i));
    expect(words).toContain(`turns ${turns[0]}–${turns[1]} ${messageIds?.length} ${int(tokens?.value ?? -1)} unknown`);
    await page.locator('.ledger-bar').nth(i).click();
    await expect(rows(page).nth(i).getByRole('button').first()).toHaveAttribute('aria-pressed', 'true');
    await expect(pane(page).getByRole('heading', { level: 2 })).toHaveText(`Summary of turns ${turns[0]}–${turns[1]}`);
    await expect(pane(page).locator('.long-text pre').first()).toHaveText(content ?? '');
  }
  const box = async (i: number) => (await page.locator('.ledger-bar').nth(i).boundingBox()) ?? { x: 0, width: 0 };
  const [first, second] = [await box(0), await box(1)];
  const lengths = summaries.map(({ turns: [from, to] }) => (to ?? 0) - (from ?? 0) + 1);
  expect(second.width / first.width).toBeCloseTo((lengths[1] ?? 0) / (lengths[0] ?? 0), 1);
  expect(second.x).toBeCloseTo(first.x + first.width, 0);
}

/** The messages behind a summary are there, closed, and each opens to its whole text. By keyboard. */
export async function replacedMessagesOpen(page: Page, file: string): Promise<void> {
  const { summaries } = await ledgerReport(file);
  await showView(page, 'ledger');
  await rows(page).first().getByRole('button').first().focus();
  await page.keyboard.press('Enter');
  const messages = pane(page).locator('.ledger-replaced li');
  await expect(messages).toHaveCount(0);
  await pane(page).getByRole('button', { name: 'messages it replaced' }).focus();
  await page.keyboard.press('Enter');
  await expect(messages).toHaveCount(summaries[0]?.messageIds?.length ?? -1);
  await messages.first().locator('summary').focus();
  await page.keyboard.press('Enter');
  await expect(messages.first().locator('pre')).toHaveText(await messages.first().locator('.ledger-words').innerText());
}

/** A link of a row leads to the call that broke, and the difference says why; a pruning leads to its call. */
export async function brokenCallsAreReached(page: Page, file: string): Promise<void> {
  const { summaries, pruned } = await ledgerReport(file);
  const broken = summaries[0]?.broke[0];
  await goToTurn(page, 3);
  await showView(page, 'ledger');
  await rows(page)
    .first()
    .getByRole('button', { name: `${broken?.runtimeId}, turn ${broken?.turnIndex}` })
    .click();
  await expect(page.locator('#view-tab-diff')).toHaveAttribute('aria-selected', 'true');
  await atTurn(page, broken?.turnIndex ?? 0);
  expect(await chosenCall(page)).toBe(broken?.callId);
  await expect(verdict(page)).toContainText('summary');

  await showView(page, 'ledger');
  const cut = page.getByRole('listitem').filter({ hasText: `${pruned[0]?.messages} messages left out` });
  await cut.getByRole('button').focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('#view-tab-diff')).toHaveAttribute('aria-selected', 'true');
  await settled(page);
  expect(await chosenCall(page)).toBe(pruned[0]?.callId);
  // Back to the runtime that the next steps begin with.
  for (let i = 0; i < 12; i++) await page.keyboard.press('ArrowUp');
  await settled(page);
}
