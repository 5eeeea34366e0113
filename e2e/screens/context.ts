/** Turn context: the blocks of a turn by name, and what became of each since the turn before. */
import { expect, type Page } from '@playwright/test';
import { goToTurn, read, showView } from './window.ts';

export type ExpectedBlock = readonly [tag: string, state: 'same' | 'changed' | 'new' | 'gone' | 'nothing earlier'];

export async function blocksOfTurn(page: Page, turn: number, expected: readonly ExpectedBlock[]): Promise<void> {
  await goToTurn(page, turn);
  await showView(page, 'context');
  const blocks = page.locator('.context-block');
  await expect(blocks.locator('h3 code')).toHaveText(expected.map(([tag]) => tag));
  for (const [i, [, state]] of expected.entries())
    await expect(blocks.nth(i).locator('.context-state')).toContainText(state);
  const count = (state: string): number => expected.filter(([, one]) => one === state).length;
  if (count('nothing earlier') > 0)
    return expect(page.locator('.context-counts')).toHaveText('No earlier turn to compare with.');
  expect(await read(page.locator('.context-counts'))).toBe(
    `Since turn ${turn - 1}: ${count('changed')} changed, ${count('new')} new, ${count('gone')} gone, ${count('same')} the same.`,
  );
}

/** Changed words are marked; without the marks the text stands as it was sent. */
export async function changesAreMarked(page: Page, tag: string, was: string, now: string): Promise<void> {
  const block = page.locator('.context-block').filter({ has: page.locator('h3 code', { hasText: tag }) });
  await expect(block.locator('del').filter({ hasText: was })).toBeVisible();
  await expect(block.locator('ins').filter({ hasText: now })).toBeVisible();
  await page.getByRole('button', { name: 'Show changes' }).click();
  await expect(block.locator('del, ins')).toHaveCount(0);
  await expect(block.locator('pre')).toContainText(now);
  await page.getByRole('button', { name: 'Show changes' }).click();
  await page.getByRole('button', { name: 'Close all' }).click();
  await expect(page.locator('.context-block pre')).toHaveCount(0);
  await page.getByRole('button', { name: 'Open all' }).click();
  await expect(block.locator('ins').first()).toBeVisible();
}
