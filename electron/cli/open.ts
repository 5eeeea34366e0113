/** `covel-lens [open] [file]`: the desktop app where Electron's binary is, else browser mode. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fail, ok, type Result } from '../../shared/error.ts';
import type { Run } from './commands.ts';
import { electronBinary } from '../../scripts/electron-binary.mjs';
import { unexpected } from './errors.ts';
import { checkFile, hasDisplay, readHosting } from './hosting.ts';
import type { Io } from './io.ts';
import { desktopEntry, root } from './package.ts';
import { say } from './texts.ts';

export const run: Run = async (args, io) => {
  const hosting = readHosting(args, 'open');
  if (!hosting.ok) return hosting;
  const canStart = existsSync(desktopEntry) && hasDisplay(process.platform, process.env);
  const binary = canStart ? electronBinary(root, process.env) : null;
  if (binary === null) {
    io.note(say(io.language)('noDesktop'));
    const { serve } = await import('./serve.ts');
    return serve(hosting.value, io);
  }
  const { file } = hosting.value;
  if (file !== null) {
    const readable = await checkFile(file, io);
    if (!readable.ok) return readable;
  }
  return startDesktop(binary, file === null ? [root] : [root, file], io);
};

async function startDesktop(binary: string, args: readonly string[], io: Io): Promise<Result<void>> {
  const app = spawn(binary, args, { detached: true, stdio: 'ignore' });
  const failure = await new Promise<Error | null>((resolve) => {
    app.once('spawn', () => resolve(null));
    app.once('error', resolve);
  });
  if (failure) return fail(unexpected(failure));
  app.unref(); // the app outlives the command
  if (io.isJson) await io.printJson({ host: 'desktop' });
  else await io.print(say(io.language)('desktopOpened'));
  return ok(undefined);
}
