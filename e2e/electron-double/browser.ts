/** The windows of the stand-in are pages of a headless Chromium that is its child and dies with it. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findChromium } from '../../scripts/chromium.mjs';
import { connect, type Connection } from './cdp.ts';

/** Starts Chromium; its line `DevTools listening on …` is passed on, because Playwright waits for it. */
export async function startBrowser(): Promise<Connection> {
  const program = findChromium();
  if (!program) throw new Error('no Chromium here: run node scripts/chromium.mjs');
  const profile = mkdtempSync(join(tmpdir(), 'electron-double-'));
  const child = spawn(
    program,
    [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-popup-blocking',
      '--no-first-run',
      '--no-startup-window',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  process.on('exit', () => {
    child.kill('SIGKILL');
    rmSync(profile, { recursive: true, force: true, maxRetries: 3 });
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));
  const address = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`Chromium ended with code ${code}`)));
    createInterface({ input: child.stderr }).on('line', (line) => {
      const match = /^DevTools listening on (ws:\S+)$/.exec(line);
      if (!match) return;
      console.error(line);
      resolve(match[1] ?? '');
    });
  });
  return connect(address);
}
