/**
 * From words to exit code. Whatever goes wrong leaves as one line on stderr; a reader that closes its end early
 * (`| head`) has seen what it wanted, and that is no error.
 */
import { existsSync } from 'node:fs';
import { fail, LensFailure, type LensError, type Result } from '../../shared/error.ts';
import { readLine, type Line } from './arguments.ts';
import { badUsage, EXIT, exitCodeOf, unexpected } from './errors.ts';
import { commandHelp, OVERALL_USAGE, overallHelp } from './help.ts';
import { chooseLanguage, createIo, printError, type Io } from './io.ts';

/** Runs one command line and ends the process with its exit code. */
export async function main(argv: readonly string[]): Promise<never> {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(EXIT.fine);
      throw error;
    });
  }
  const line = readLine(argv, isFile);
  // An error in the line itself must still be told in the form and language that were asked for.
  const io = createIo({
    isJson: line.ok ? line.value.args.flag('json') : argv.includes('--json'),
    language: chooseLanguage(line.ok ? line.value.args.text('lang') : null, process.env),
  });
  const done = line.ok ? await run(line.value, io).catch(asFailure) : line;
  if (done.ok) process.exit(done.value === 'check-failed' ? EXIT.checkFailed : EXIT.fine);
  await printError(io, done.error);
  process.exit(exitCodeOf(done.error));
}

async function run({ command, args }: Line, io: Io): Promise<Result<void | 'check-failed'>> {
  const asked = args.text('lang');
  if (asked !== null && asked !== 'en' && asked !== 'zh') {
    return fail(badUsage(`--lang is en or zh, not "${asked}"`, OVERALL_USAGE));
  }
  if (args.flag('version')) return { ok: true, value: await printVersion(io) };
  if (!command) return { ok: true, value: await io.print(overallHelp().trimEnd()) };
  if (args.flag('help')) return { ok: true, value: await io.print(commandHelp(command).trimEnd()) };
  const { run: work } = await command.load();
  return work(args, io);
}

async function printVersion(io: Io): Promise<void> {
  const { version } = await import('./package.ts');
  if (io.isJson) await io.printJson({ version });
  else await io.print(version);
}

/** A word that is no command is opened when it can only be meant as a file. */
const isFile = (word: string): boolean => /[./\\]/.test(word) || existsSync(word);

function asFailure(thrown: unknown): { readonly ok: false; readonly error: LensError } {
  return fail(thrown instanceof LensFailure ? thrown.error : unexpected(thrown));
}
