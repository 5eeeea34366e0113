/** `covel-lens serve [file]`: browser mode, until it is interrupted or nobody has looked for a while. */
import { ok, type Result } from '../../shared/error.ts';
import { startEngineThread } from '../hosts/engine-thread.ts';
import { ensureUserData } from '../hosts/user-data.ts';
import { startWebHost } from '../hosts/web.ts';
import type { Run } from './commands.ts';
import { checkFile, hasDisplay, readHosting, type Hosting } from './hosting.ts';
import type { Io } from './io.ts';
import { engineWorker, rendererDir, resources, version } from './package.ts';
import { say } from './texts.ts';

const MINUTE_MS = 60_000;

export const run: Run = async (args, io) => {
  const hosting = readHosting(args, 'serve');
  return hosting.ok ? serve(hosting.value, io) : hosting;
};

/** Resolves when the host has ended; errors as of `startWebHost`, and of a file that cannot be read. */
export async function serve({ file, port, idleMinutes, opensBrowser }: Hosting, io: Io): Promise<Result<void>> {
  if (file !== null) {
    const readable = await checkFile(file, io);
    if (!readable.ok) return readable;
  }
  const home = await ensureUserData();
  if (!home.ok) return home;
  const engine = startEngineThread({
    script: engineWorker,
    data: { userData: home.value, host: 'browser', version, resources, openAtStart: file },
    onGaveUp: (reason) => io.note(`covel-lens: ${reason}`),
  });
  const started = await startWebHost({
    rendererDir,
    engine,
    userData: home.value,
    port,
    idleMs: idleMinutes * MINUTE_MS,
  });
  if (!started.ok) {
    await engine.close();
    return started;
  }
  const host = started.value;
  const stop = (): void => {
    // A second signal ends the process at once, as it would by itself.
    for (const signal of SIGNALS) process.removeListener(signal, stop);
    void host.close();
  };
  for (const signal of SIGNALS) process.on(signal, stop);

  if (io.isJson) await io.printJson({ url: host.url });
  else await io.print(say(io.language)('servedAt', { url: host.url }));
  if (opensBrowser && hasDisplay(process.platform, process.env)) await openBrowser(host.url);
  const reason = await host.closed;
  await engine.close();
  if (reason === 'idle') io.note(say(io.language)('idleEnd', { n: idleMinutes }));
  return ok(undefined);
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The address is printed already: a browser that cannot be started costs nothing. */
async function openBrowser(url: string): Promise<void> {
  try {
    const { default: open } = await import('open');
    const started = await open(url);
    started.on('error', () => undefined);
  } catch {
    // No browser.
  }
}
