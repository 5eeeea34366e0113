/** Input of a command: a file, or `-` for what is piped in. */
import { readFile } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import { fail, ok, type Result } from '../../shared/error.ts';
import type { InstructionLanguage } from '../assembler/types.ts';

/** The text of the file. Errors: `not-found`, `is-directory`, `no-permission`, `read-failed`. */
export async function readInput(file: string): Promise<Result<string>> {
  try {
    return ok(await (file === '-' ? textOf(process.stdin) : readFile(file, 'utf8')));
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException;
    const { lensError } = await import('../../shared/language/index.ts');
    if (code === 'ENOENT') return fail(lensError('not-found', { path: file }));
    if (code === 'EISDIR') return fail(lensError('is-directory', { path: file }));
    if (code === 'EACCES') return fail(lensError('no-permission', { path: file }));
    return fail(lensError('read-failed', { path: file, reason: message }));
  }
}

/** The instruction language that the environment asks for (`COVEL_INSTRUCTION_LOCALE`); null: none. */
export function forcedLanguage(): InstructionLanguage | null {
  const forced = process.env['COVEL_INSTRUCTION_LOCALE'];
  return forced === 'en' || forced === 'zh' ? forced : null;
}
