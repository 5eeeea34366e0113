/** Runs the command line as a user does: its own process, from source. */
import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ENTRY = fileURLToPath(new URL('../../cli.ts', import.meta.url));

export type Ran = { readonly code: number | null; readonly out: string; readonly err: string };

/** `home` becomes the folder for our own data. The language of the environment is English unless `env` says otherwise. */
export function startLens(
  args: readonly string[],
  home: string,
  env: Readonly<Record<string, string | undefined>> = {},
): ChildProcess {
  return spawn(process.execPath, [ENTRY, ...args], {
    env: {
      ...process.env,
      LC_ALL: 'en_US.UTF-8',
      DISPLAY: undefined,
      WAYLAND_DISPLAY: undefined,
      NODE_OPTIONS: undefined,
      COVEL_LENS_HOME: home,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Everything that a process writes until it ends. */
export async function finish(child: ChildProcess): Promise<Ran> {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => err.push(chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { code, out: Buffer.concat(out).toString('utf8'), err: Buffer.concat(err).toString('utf8') };
}

export const runLens = (
  args: readonly string[],
  home: string,
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<Ran> => finish(startLens(args, home, env));
