/** What `open` and `serve` share: which file, which port, how long. */
import { resolve } from 'node:path';
import { fail, ok, type Result } from '../../shared/error.ts';
import type { Args } from './arguments.ts';
import { findCommand } from './commands.ts';
import { badUsage } from './errors.ts';
import { usageOf } from './help.ts';
import type { Io } from './io.ts';
import { sampleFile } from './package.ts';

export type Hosting = {
  /** Absolute; null opens the Start screen. */
  readonly file: string | null;
  /** 0 takes a free one. */
  readonly port: number;
  readonly idleMinutes: number;
  readonly opensBrowser: boolean;
};

const IDLE_MINUTES = 30;
const MAX_IDLE_MINUTES = 7 * 24 * 60;

/** Errors: `bad-usage`. */
export function readHosting({ positionals: [file], text, flag }: Args, command: 'open' | 'serve'): Result<Hosting> {
  const spec = findCommand(command);
  const refuse = (message: string) => fail(badUsage(message, spec ? usageOf(spec) : ''));
  if (file !== undefined && flag('sample')) return refuse('name a file or --sample, not both');
  const portText = text('port') ?? '0';
  const port = Number(portText);
  if (!/^\d{1,5}$/.test(portText) || port > 65_535) {
    return refuse(`--port is a number from 0 to 65535, not "${portText}"`);
  }
  const minutesText = text('idle-minutes') ?? String(IDLE_MINUTES);
  const idleMinutes = Number(minutesText);
  if (!/^\d+(\.\d+)?$/.test(minutesText) || idleMinutes <= 0 || idleMinutes > MAX_IDLE_MINUTES) {
    return refuse(`--idle-minutes is a number above 0, not "${minutesText}"`);
  }
  return ok({
    file: file === undefined ? (flag('sample') ? sampleFile : null) : resolve(file),
    port,
    idleMinutes,
    opensBrowser: !flag('no-open'),
  });
}

/** Something that a window could be shown on. */
export function hasDisplay(platform: string, env: Readonly<Record<string, string | undefined>>): boolean {
  if (platform === 'darwin' || platform === 'win32') return true;
  return ['DISPLAY', 'WAYLAND_DISPLAY', 'WSL_DISTRO_NAME'].some((name) => env[name]);
}

/** A file that cannot be read is told here, before a window opens. */
export async function checkFile(file: string, io: Io): Promise<Result<void>> {
  const { withReports } = await import('./reports.ts');
  return withReports(file, io, () => Promise.resolve(ok(undefined)));
}
