/**
 * Takes every screen in both themes, both languages and both sizes that a person is promised:
 *   node e2e/screenshots.ts OUTDIR [part of a name]
 *   node e2e/screenshots.ts --readme             the one picture of README.md
 * `npm run build` comes first. The pictures are to be looked at; nothing is compared.
 */
import { mkdirSync, mkdtempSync, rmSync, truncateSync, copyFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium, type Page } from 'playwright';
import { findChromium } from '../scripts/chromium.mjs';
import { smallerPng } from '../scripts/smaller-png.ts';
import { serve } from './browser/serve.ts';
import { SAMPLE } from './screens/facts.ts';

/** Name of the picture that README.md shows, and where it is kept. */
const README = { of: '1440-en-dark-layout-broken.png', folder: 'resources/screenshots', name: 'layout-dark.png' };
const isReadme = process.argv[2] === '--readme';
const out = resolve(isReadme ? join(import.meta.dirname, '..', README.folder) : (process.argv[2] ?? 'screenshots'));
const only = isReadme ? README.of : (process.argv[3] ?? '');
mkdirSync(out, { recursive: true });

const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 640 },
] as const;

/** Everything is on screen and at rest. */
async function rest(page: Page): Promise<void> {
  await page.waitForFunction(
    () => !document.querySelector('.ui-loading, #view-panel [aria-busy="true"], .status-indexing'),
  );
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 60)))),
  );
}

async function turn(page: Page, n: number): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.locator('.palette-input').fill(String(n));
  await page.locator('[cmdk-item][data-value="go"]').waitFor();
  await page.keyboard.press('Enter');
  await rest(page);
}

const view =
  (key: string, n: number, downs = 0) =>
  async (page: Page) => {
    await turn(page, n);
    for (let i = 0; i < 8; i++) await page.keyboard.press('ArrowUp');
    await page.keyboard.press(key);
    for (let i = 0; i < downs; i++) await page.keyboard.press('ArrowDown');
    await rest(page);
    if (key === '2') await page.locator('.view-line:visible, .ui-empty').first().waitFor();
    if (key === '5') await page.locator('.view-line, .ui-empty').first().waitFor();
  };

async function search(page: Page, words: string): Promise<void> {
  await page.keyboard.press('/');
  await page.locator('.palette-input').fill(words);
  await page.waitForFunction(
    () =>
      (document.querySelector('.palette-note')?.textContent ?? '') === '' ||
      document.querySelectorAll('[cmdk-item]').length > 3,
  );
}

/** On the sample session, in this order; each leaves the window so that the next can begin. */
const SCREENS: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'layout-held': view('1', 27),
  'layout-broken': view('1', 10),
  'layout-first': view('1', 1),
  'layout-tools': view('1', 5),
  'layout-loop': view('1', 8, 3),
  'diff-segment': view('2', 10),
  'diff-tool': view('2', 5),
  'diff-model': view('2', 15),
  'diff-grew': view('2', 6, 1),
  'diff-first': view('2', 1),
  'context-changed': view('3', 5),
  'context-new': view('3', 2),
  'context-none': view('3', 5, 1),
  ledger: view('4', 22),
  'layout-expired': view('1', 4),
  'layout-why': async (page) => {
    await view('1', 25)(page);
    await page.locator('.strip-why').click();
    await rest(page);
  },
  cache: async (page) => {
    await view('6', 12)(page);
    await page.locator('.recharts-bar-rectangle').first().waitFor();
  },
  'cache-end': async (page) => {
    await page.locator('.cache').evaluate((box) => box.scrollTo(0, box.scrollHeight));
    await rest(page);
  },
  'cache-open': async (page) => {
    await page.locator('.cache').evaluate((box) => box.scrollTo(0, 0));
    await page.locator('.cache-card button').click();
    await page.locator('.cache-line-cause').first().click();
    await rest(page);
  },
  'wire-429': view('5', 3),
  'wire-fallback': view('5', 15),
  'wire-failed': view('5', 14, 2),
  'wire-tools': view('5', 2),
  'turn-failed': view('1', 16),
  'turn-interrupted': view('1', 23),
  palette: async (page) => {
    await view('1', 21)(page);
    await page.keyboard.press('Control+k');
    await page.locator('.palette-input').waitFor();
  },
  search: async (page) => {
    await page.keyboard.press('Escape');
    await search(page, '算盘');
  },
  help: async (page) => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.locator('dialog[open]').waitFor();
  },
  'no-panels': async (page) => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('i');
    await page.keyboard.press('c');
    await rest(page);
  },
  'first-session': async (page) => {
    await page.keyboard.press('i');
    await page.keyboard.press('c');
    await page.locator('.session-head select').selectOption({ index: 0 });
    await page.locator('.turns [aria-selected="true"]').waitFor();
    await rest(page);
  },
  'layout-open-history': async (page) => {
    await page.locator('.session-head select').selectOption({ index: 1 });
    await page.locator('.turns [aria-selected="true"]').waitFor();
    await view('1', 20)(page);
    await page.locator('.segments [aria-expanded="false"]').last().click();
    await rest(page);
  },
};

const folder = mkdtempSync(join(tmpdir(), 'lens-screenshots-'));
const bad = join(folder, 'notes.db');
writeFileSync(bad, 'Not a database.\n');
const cut = join(folder, 'cut.db');
copyFileSync(SAMPLE, cut);
truncateSync(cut, 2048);

const typed = (path: string) => async (page: Page) => {
  await page.locator('.start-path input').fill(path);
  await page.keyboard.press('Enter');
  await page.locator('.ui-error').waitFor();
};
const START: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  start: async () => undefined,
  'start-not-a-database': typed(bad),
  'start-cut-off': typed(cut),
  'start-missing': typed(join(folder, 'a folder with a rather long name', 'covel.db')),
};

const browser = await chromium.launch({
  executablePath: findChromium() ?? 'chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic'],
});
for (const [args, screens] of [
  [[], START],
  [['--sample'], SCREENS],
] as const) {
  const host = await serve(...args);
  const first = await browser.newContext();
  await (await first.newPage()).goto(host.url);
  const storageState = await first.storageState();
  await first.close();
  for (const viewport of SIZES)
    for (const locale of ['en-US', 'zh-CN'])
      for (const colorScheme of ['dark', 'light'] as const) {
        const fileOf = (name: string): string => `${viewport.width}-${locale.slice(0, 2)}-${colorScheme}-${name}.png`;
        const wanted = Object.keys(screens).filter((name) => fileOf(name).includes(only));
        if (wanted.length === 0) continue;
        const context = await browser.newContext({
          storageState,
          viewport,
          locale,
          colorScheme,
          reducedMotion: 'reduce',
        });
        const page = await context.newPage();
        await page.goto(host.origin);
        await page.locator(args.length === 0 ? '.start h1' : '.turns [aria-selected="true"]').waitFor();
        if (args.length === 0) await page.evaluate(() => document.fonts.ready);
        else await rest(page);
        for (const [name, show] of Object.entries(screens)) {
          await show(page);
          if (!wanted.includes(name)) continue;
          const picture = await page.screenshot();
          if (isReadme) writeFileSync(join(out, README.name), smallerPng(picture));
          else writeFileSync(join(out, fileOf(name)), picture);
        }
        await context.close();
      }
  await host.stop();
}
await browser.close();
rmSync(folder, { recursive: true, force: true });
