/** `test` with a window of browser mode that is open on a file, and that must not complain by the end. */
import { test as base, expect } from '@playwright/test';
import { SAMPLE } from '../screens/facts.ts';
import { opened, witness, type Witness } from '../screens/window.ts';
import { serve, type Served } from './serve.ts';

type Fixtures = {
  /** What is opened: a path, or null for Start. */
  readonly file: string | null;
  readonly host: Served;
  readonly watched: Witness;
};

export const test = base.extend<Fixtures>({
  file: [SAMPLE, { option: true }],
  locale: 'en-US',
  host: async ({ file }, use) => {
    const host = await serve(...(file === null ? [] : [file]));
    await use(host);
    expect(await host.stop()).toBe(0);
  },
  watched: [
    async ({ page, host, file }, use) => {
      const watched = witness(page, host.origin);
      await page.goto(host.url);
      if (file === null) await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      else await opened(page);
      await use(watched);
      expect(watched.complaints).toEqual([]);
    },
    { auto: true },
  ],
});
export { expect } from '@playwright/test';
