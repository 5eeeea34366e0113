/** The windows of the stand-in are pages of a headless Chromium that is its child and dies with it. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { findChromium } from '../../scripts/chromium.mjs';
import { connect, type Connection } from './cdp.ts';

const Processes = z.object({ processInfo: z.array(z.object({ type: z.string(), id: z.int() })) });

export type Browser = {
  readonly connection: Connection;
  /** Ends Chromium in good order, so that none of its processes writes into the profile after it was removed. */
  end(): Promise<void>;
};
const END_MS = 2_000;

/** Starts Chromium; its line `DevTools listening on …` is passed on, because Playwright waits for it. */
export async function startBrowser(): Promise<Browser> {
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
  let browserPid: number | null = null;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  process.on('exit', () => {
    child.kill('SIGKILL');
    if (browserPid !== null && child.exitCode === null) process.kill(browserPid, 'SIGKILL');
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
  const connection = await connect(address);
  // Debian's program is a shell script that waits for the real one: ending the script would leave that running.
  const { processInfo } = Processes.parse(await connection.send('SystemInfo.getProcessInfo'));
  browserPid = processInfo.find(({ type }) => type === 'browser')?.id ?? null;
  return {
    connection,
    async end() {
      connection.send('Browser.close').catch(() => undefined);
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, END_MS))]);
    },
  };
}
