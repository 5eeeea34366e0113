import { defineConfig } from '@playwright/test';
import { findChromium } from './scripts/chromium.mjs';

/** `npm run build` comes first: both projects run what is shipped. */
export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  workers: 2,
  fullyParallel: true,
  forbidOnly: Boolean(process.env['CI']),
  timeout: 30_000,
  expect: { timeout: 10_000 },
  reporter: [['list'], ['json', { outputFile: 'dist/reports/e2e.json' }]],
  use: {
    browserName: 'chromium',
    launchOptions: {
      executablePath: findChromium() ?? 'chromium',
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic'],
    },
    viewport: { width: 1440, height: 900 },
    // Recording every step takes as long as the steps themselves: `TRACE=1` when a failure needs it.
    trace: process.env['TRACE'] ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
  },
  projects: [
    { name: 'browser', testMatch: 'browser/**/*.spec.ts' },
    { name: 'desktop', testMatch: 'desktop/**/*.spec.ts' },
  ],
});
