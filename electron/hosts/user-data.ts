/**
 * What is ours (settings, recent files, derived data, private copies) lives in one folder of the user's account,
 * where the platform expects it, and nobody else may read it: recorded prompts can be private.
 */
import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { fail, ok, type Result } from '../../shared/error.ts';

export type Surroundings = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  readonly home: string;
};

const here = (): Surroundings => ({ env: process.env, platform: process.platform, home: homedir() });

const absolute = (path: string | undefined): string | null => (path && isAbsolute(path) ? path : null);

/**
 * Absolute path of the folder: `$COVEL_LENS_HOME`, else the platform's convention. A relative `XDG_DATA_HOME` is
 * ignored, as the XDG base directory specification asks.
 */
export function userDataFolder({ env, platform, home }: Surroundings = here()): string {
  const own = absolute(env['COVEL_LENS_HOME']);
  if (own) return own;
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Covel Lens');
  if (platform === 'win32') return join(absolute(env['APPDATA']) ?? join(home, 'AppData', 'Roaming'), 'Covel Lens');
  return join(absolute(env['XDG_DATA_HOME']) ?? join(home, '.local', 'share'), 'covel-lens');
}

/** Creates the folder with mode 0700 where it is missing. Error: `no-permission`. */
export async function ensureUserData(path: string = userDataFolder()): Promise<Result<string>> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    return ok(path);
  } catch (thrown) {
    const detail = thrown instanceof Error ? thrown.message : String(thrown);
    return fail({
      code: 'no-permission',
      message: `The folder for Covel Lens's own data cannot be created: ${detail}.`,
      hint: 'Set COVEL_LENS_HOME to a folder that you may write to.',
      values: { path, detail },
    });
  }
}
