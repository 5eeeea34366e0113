/** What the first picture costs: scripts and styles by their size on the way, editor and charts only when asked for. */
import { gzipSync } from 'node:zlib';
import { opened, showView } from '../screens/window.ts';
import { expect, test } from './window.ts';

/** quality.md: the renderer's first load, gzip (bytes). */
const MOST_FIRST = 400_000;

type Part = { readonly path: string; readonly gzip: number; readonly text: string };

test.describe('Start', () => {
  test.use({ file: null });

  test('the first load is small; charts and editor come on demand', async ({ page, host, watched }) => {
    await page.waitForLoadState('networkidle');
    const partsOf = async (urls: readonly string[]): Promise<readonly Part[]> => {
      const parts: Part[] = [];
      for (const url of new Set(urls)) {
        const path = new URL(url).pathname;
        if (!/\.(js|css)$/.test(path)) continue;
        const body = await (await page.request.get(`${host.origin}${path}`)).body();
        parts.push({ path, gzip: gzipSync(body).length, text: body.toString('utf8') });
      }
      return parts;
    };
    const isCharts = ({ text }: Part): boolean => text.includes('recharts');
    const isEditor = ({ text }: Part): boolean => text.includes('editor.contrib.');

    const first = await partsOf(watched.requests);
    expect(first.length).toBeGreaterThan(0);
    expect(first.some(isCharts)).toBe(false);
    expect(first.some(isEditor)).toBe(false);
    const total = first.reduce((sum, part) => sum + part.gzip, 0);
    expect(total).toBeLessThanOrEqual(MOST_FIRST);

    const before = watched.requests.length;
    await page.getByRole('button', { name: 'Open the sample session' }).click();
    await opened(page);
    await expect(page.locator('.recharts-bar-rectangle').first()).toBeVisible();
    const withSession = await partsOf(watched.requests.slice(before));
    expect(withSession.some(isCharts)).toBe(true);
    expect(withSession.some(isEditor)).toBe(false);
    const usable = total + withSession.filter((part) => !isCharts(part)).reduce((sum, part) => sum + part.gzip, 0);
    expect(usable).toBeLessThanOrEqual(MOST_FIRST);

    const then = watched.requests.length;
    await showView(page, 'diff');
    await expect(page.getByTestId('text-diff')).toBeVisible();
    expect((await partsOf(watched.requests.slice(then))).some(isEditor)).toBe(true);
  });
});
