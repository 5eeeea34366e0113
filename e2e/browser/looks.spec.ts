/** No screen may have a serious fault in what it offers to those who do not see it or not well, in either theme. */
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { goToTurn, showView } from '../screens/window.ts';
import { expect, test } from './window.ts';

const GRAVE: readonly unknown[] = ['serious', 'critical'];

type Fault = readonly [rule: string, where: string];

async function faults(page: Page): Promise<readonly Fault[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(({ impact }) => GRAVE.includes(impact))
    .flatMap(({ id, nodes }) => nodes.map((node): Fault => [id, node.target.join(' ')]));
}

/** In this order; each leaves the window so that the next can begin. */
const SCREENS: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  layout: (page) => goToTurn(page, 10),
  diff: async (page) => {
    await showView(page, 'diff');
    await expect(page.getByTestId('text-diff').locator('.modified .view-line').first()).toBeVisible();
  },
  context: (page) => showView(page, 'context'),
  ledger: async (page) => {
    await showView(page, 'ledger');
    await page.getByRole('button', { name: 'messages it replaced' }).click();
    await expect(page.locator('.ledger-replaced li').first()).toBeVisible();
  },
  cache: async (page) => {
    await showView(page, 'cache');
    await page.locator('.cache-line-cause').first().click();
    await page.getByRole('button', { name: 'by provider' }).click();
    await expect(page.locator('.cache-misses')).toBeVisible();
    await expect(page.locator('.recharts-bar-rectangle').first()).toBeVisible();
  },
  wire: async (page) => {
    await goToTurn(page, 16);
    await showView(page, 'wire');
    await expect(page.getByTestId('code-text').locator('.view-line').first()).toBeVisible();
  },
  palette: async (page) => {
    await page.keyboard.press('Control+k');
    await expect(page.locator('.palette-input')).toBeFocused();
  },
  help: async (page) => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog')).toBeVisible();
  },
};

for (const colorScheme of ['dark', 'light'] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test('axe finds nothing serious in the views', async ({ page }) => {
      test.slow();
      const found: Record<string, readonly Fault[]> = {};
      for (const [name, show] of Object.entries(SCREENS)) {
        await show(page);
        const here = await faults(page);
        if (here.length > 0) found[name] = here;
      }
      expect(found).toEqual({});
    });

    test.describe('Start', () => {
      test.use({ file: null });

      test('axe finds nothing serious on Start', async ({ page }) => {
        expect(await faults(page)).toEqual([]);
        await page.locator('.start-path input').fill('/nowhere/covel.db');
        await page.keyboard.press('Enter');
        await expect(page.getByRole('alert')).toBeVisible();
        expect(await faults(page)).toEqual([]);
      });
    });
  });
}
