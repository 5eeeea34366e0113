/**
 * A start of the app brings at most one file: `covel-lens FILE`, a double click, or "open with". Electron puts its
 * own words (the program, in a clone also the app's folder) and Chromium's switches into the same list.
 */
import { resolve } from 'node:path';

/** Absolute path of the file that a command line names; null when it names none. */
export function fileFromArguments(argv: readonly string[], isPackaged: boolean, cwd: string): string | null {
  const words = argv.slice(isPackaged ? 1 : 2);
  const end = words.indexOf('--');
  const file = end >= 0 ? words[end + 1] : words.find((word) => !word.startsWith('-'));
  return file ? resolve(cwd, file) : null;
}
