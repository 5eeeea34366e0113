/**
 * The main job, by keyboard alone: through 24 turns of the sample session, and in each one the layout, the diff and
 * the blocks. What must stand there is asked of an engine of our own, so that a view which lags a turn behind fails.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { CallDetail } from '../../shared/api.ts';
import { connectInProcess } from '../../electron/hosts/in-process.ts';
import { expect, test } from './launch.ts';

const resources = resolve(import.meta.dirname, '..', '..', 'resources');
const TURNS = 24;

type Expected = { readonly call: CallDetail; readonly blocks: readonly string[] };

/** The first call of each of the first turns of a session, as the engine knows it. */
async function expected(sessionId: string): Promise<readonly Expected[]> {
  const userData = mkdtempSync(join(tmpdir(), 'lens-stepping-'));
  const engine = connectInProcess({ userData, version: '0', resources, openAtStart: null });
  try {
    const { sourceId } = await engine.call('source.open', { sample: true });
    const { rows } = await engine.call('turns.list', { sourceId, sessionId, from: 0, limit: TURNS });
    const found: Expected[] = [];
    for (const { turnId } of rows) {
      const [first] = await engine.call('turn.calls', { sourceId, sessionId, turnId });
      if (!first) throw new Error(`turn ${turnId} of the sample has no call`);
      const call = await engine.call('call.get', { sourceId, callId: first.id });
      const { blocks } = await engine.call('call.context', { sourceId, callId: first.id });
      found.push({ call, blocks: blocks.flatMap(({ tag }) => tag ?? []) });
    }
    return found;
  } finally {
    await engine.close();
    rmSync(userData, { recursive: true, force: true });
  }
}

const grouped = (n: number): string => n.toLocaleString('en-US');

test.use({ args: [join(resources, 'sample', 'covel.db')] });

test('24 turns by keyboard: layout, diff and blocks of each', async ({ desktop: { page } }) => {
  test.setTimeout(120_000);
  await expect(page.locator('.status')).toContainText(/Turn \d+ of \d+/);
  const turns = await expected(await page.getByRole('combobox', { name: 'Session' }).inputValue());
  expect(turns).toHaveLength(TURNS);

  await page.keyboard.press('Home');
  for (const [i, { call, blocks }] of turns.entries()) {
    await test.step(`turn ${i + 1}`, async () => {
      await page.keyboard.press('1');
      await expect(page.locator('.status')).toContainText(`Turn ${i + 1} of`);
      const layout = page.locator('.layout-pane[aria-busy=false]');
      await expect(layout).toContainText(`${grouped(call.tokens.value)} tokens`);
      await expect(layout.locator('[data-line]').first()).toBeVisible();

      await page.keyboard.press('2');
      const { comparison } = call;
      if (comparison) {
        const diff = page.locator('.diff-pane[aria-busy=false]');
        await expect(diff.getByTestId('verdict')).toContainText(
          `${grouped(comparison.shared.tokens.value)} of ${grouped(comparison.size.tokens.value)} tokens`,
        );
      } else {
        await expect(page.getByRole('tabpanel', { name: 'Prefix diff' })).toContainText(/first/i);
      }

      await page.keyboard.press('3');
      if (blocks.length > 0) {
        const context = page.locator('.context-pane[aria-busy=false]');
        await expect(context.locator('.context-block:not(.context-gone) h3 code')).toHaveText([...blocks]);
      }
    });
    await page.keyboard.press('ArrowRight');
  }
});
