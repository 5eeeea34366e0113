/** Starts browser mode as it is built and shipped, on a free port, with a folder for its own data that is thrown away. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const CLI = fileURLToPath(new URL('../../dist/cli/cli.js', import.meta.url));

export type Served = {
  /** With the token, which works once. */
  readonly url: string;
  /** `http://127.0.0.1:port` */
  readonly origin: string;
  /** Ends the host as Ctrl+C does; resolves with its exit code. */
  stop(): Promise<number | null>;
};

/** `args`: a file, `--sample`, or options of `covel-lens serve`. */
export async function serve(...args: readonly string[]): Promise<Served> {
  const home = await mkdtemp(join(tmpdir(), 'lens-e2e-'));
  const child = spawn(process.execPath, [CLI, 'serve', '--no-open', '--json', ...args], {
    env: { ...process.env, COVEL_LENS_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const said: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk.toString('utf8')));
  const written: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    written.push(line);
    if (line === '}') break;
  }
  const parsed: unknown = written.length > 0 ? JSON.parse(written.join('\n')) : null;
  const url = typeof parsed === 'object' && parsed !== null && 'url' in parsed ? String(parsed.url) : null;
  if (url === null) throw new Error(`covel-lens serve ended with ${await ended}: ${said.join('')}`);
  return {
    url,
    origin: new URL(url).origin,
    async stop() {
      child.kill('SIGINT');
      const code = await ended;
      await rm(home, { recursive: true, force: true });
      return code;
    },
  };
}
