/**
 * Starts the built desktop app: on real Electron where its binary is, else on the stand-in. The specs are the same
 * and never know which; that is what makes them an acceptance test of the real one.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { _electron, test as base, type ElectronApplication, type Page } from '@playwright/test';
import { electronBinary } from '../../scripts/electron-binary.mjs';

const root = resolve(import.meta.dirname, '..', '..');
const double = join(root, 'e2e', 'electron-double', 'electron-double.ts');

export type Desktop = {
  readonly app: ElectronApplication;
  readonly page: Page;
  /** Our own folder of this run; empty at the start. */
  readonly home: string;
};

export async function launch(home: string, args: readonly string[] = []): Promise<Desktop> {
  const app = await _electron.launch({
    // Without a path Playwright finds the real one by itself and adds its loader.
    ...(electronBinary() === null ? { executablePath: double } : {}),
    args: [root, ...args],
    env: {
      ...(process.env as Record<string, string>),
      PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`,
      COVEL_LENS_HOME: home,
    },
  });
  const page = await app.firstWindow();
  // A window is there before its page is.
  await page.locator('.frame').waitFor();
  return { app, page, home };
}

type Fixtures = { readonly args: readonly string[]; readonly desktop: Desktop };

/** `test` with a running app; `test.use({ args: [file] })` names what it opens. */
export const test = base.extend<Fixtures>({
  args: [[], { option: true }],
  desktop: async ({ args }, provide) => {
    const home = mkdtempSync(join(tmpdir(), 'lens-desktop-'));
    const desktop = await launch(home, args);
    await provide(desktop);
    await desktop.app.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  },
});
export { expect } from '@playwright/test';
