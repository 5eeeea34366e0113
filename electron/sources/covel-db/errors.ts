/**
 * The sentences of a file that cannot be opened. English stands here; the language files translate by code and
 * fill in `values`.
 */
import { basename } from 'node:path';
import type { ErrorCode, LensError } from '../../../shared/error.ts';

const SENTENCES = {
  'not-found': [
    'There is no file at {path}.',
    'Check the path; the desktop app of Covel keeps it in ~/.covel/data/covel.db.',
  ],
  'is-directory': ['{path} is a folder.', 'Open the file covel.db inside it.'],
  'no-permission': ['{path} may not be read.', 'Ask for read permission on the file and its folder, or open a copy.'],
  'empty-file': ['{name} is empty (0 bytes).', 'Covel has not written anything to it yet; look for another covel.db.'],
  'not-a-database': [
    '{name} is not a SQLite database; it looks like this: {looksLike}.',
    'Open the covel.db itself; unpack it first when it is an archive.',
  ],
  'not-a-covel-db': [
    '{name} is a SQLite database, but not a covel.db: it has no table trace_events. Its tables: {tables}.',
    "Open the file that Covel's server writes, usually called covel.db.",
  ],
  encrypted: ['{name} looks like an encrypted database.', 'Decrypt it first; Covel itself never encrypts its file.'],
  truncated: [
    '{name} is cut off: {bytes} of {expected} bytes are there, and what is left cannot be read.',
    'Copy the file again from where it came from, while no server writes to it.',
  ],
  'copy-failed': [
    'The private copy of {name} could not be made: {reason}.',
    'Free disk space where the application keeps its data, or wait until the server is quiet.',
  ],
  'read-failed': [
    '{name} could not be read: {reason}.',
    'Try again; if it stays, check the file with sqlite3 and "PRAGMA integrity_check".',
  ],
  'file-gone': ['{name} is no longer in its place.', 'What was loaded stays on screen; put the file back to go on.'],
} as const satisfies Partial<Record<ErrorCode, readonly [string, string]>>;

export type FileErrorCode = keyof typeof SENTENCES;

/** @param values what the sentences need beside `path` and `name`, which are added here */
export function fileError(
  code: FileErrorCode,
  path: string,
  values: Readonly<Record<string, string | number>> = {},
): LensError {
  const all: Record<string, string | number> = { path, name: basename(path), ...values };
  const fill = (sentence: string): string => sentence.replace(/\{(\w+)\}/g, (_whole, key: string) => String(all[key]));
  const [message, hint] = SENTENCES[code];
  return { code, message: fill(message), hint: fill(hint), values: all };
}

const ERRNO: Readonly<Record<string, FileErrorCode>> = {
  ENOENT: 'not-found',
  ENOTDIR: 'not-found',
  EISDIR: 'is-directory',
  EACCES: 'no-permission',
  EPERM: 'no-permission',
};

/** The code of a failed system call, as in Node's errors; null when it is not one. */
export function errnoOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** A failed system call on the user's file as an error for people. */
export function errnoError(error: unknown, path: string): LensError {
  const code = ERRNO[errnoOf(error) ?? ''] ?? 'read-failed';
  return fileError(code, path, { reason: reasonOf(error) });
}
