/**
 * A file that cannot be opened is an error with a code; its words stand in the language files.
 */
import { basename } from 'node:path';
import type { ErrorCode, LensError } from '../../../shared/error.ts';
import { lensError } from '../../../shared/language/index.ts';

export type FileErrorCode = Extract<
  ErrorCode,
  | 'not-found'
  | 'is-directory'
  | 'no-permission'
  | 'empty-file'
  | 'not-a-database'
  | 'not-a-covel-db'
  | 'encrypted'
  | 'truncated'
  | 'copy-failed'
  | 'read-failed'
  | 'file-gone'
>;

/** @param values what the sentences need beside `path` and `name`, which are added here */
export const fileError = (code: FileErrorCode, path: string, values: LensError['values'] = {}): LensError =>
  lensError(code, { path, name: basename(path), ...values });

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
