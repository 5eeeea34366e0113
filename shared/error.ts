/**
 * An error is a value: a code for programs, a message and a hint for people. Sentences stand in
 * shared/language under `error.<code>` and `error.<code>.hint`; `values` fill them.
 */
/** The file itself cannot be read. */
export const FILE_ERROR_CODES = [
  'not-found',
  'is-directory',
  'no-permission',
  'empty-file',
  'not-a-database',
  'not-a-covel-db',
  'encrypted',
  'truncated',
  'wal-mismatch',
  'copy-failed',
  'file-gone',
  'read-failed',
] as const;

export const ERROR_CODES = [
  ...FILE_ERROR_CODES,
  // the request (exit code 2)
  'bad-usage',
  'unknown-session',
  'unknown-call',
  'unknown-turn',
  'unknown-segment',
  'unknown-source',
  'bad-argument',
  'bad-input',
  // the call itself
  'payload-unreadable',
  'no-baseline',
  'no-body',
  'cancelled',
  'engine-failed',
  'side-file-failed',
  'engine-restarted',
  'disconnected',
  'unauthorised',
  'port-in-use',
  'not-available',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

export type LensError = {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
  readonly values: Readonly<Record<string, string | number>>;
};

export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: LensError };

export const ok = <T>(value: T): Result<T> => ({ ok: true, value });
export const fail = (error: LensError): { readonly ok: false; readonly error: LensError } => ({ ok: false, error });

/** Thrown only to cross a promise; caught at the doors and turned back into a value. */
export class LensFailure extends Error {
  override readonly name = 'LensFailure';
  readonly error: LensError;
  constructor(error: LensError) {
    super(error.message);
    this.error = error;
  }
}

export function unwrap<T>(result: Result<T>): T {
  if (!result.ok) throw new LensFailure(result.error);
  return result.value;
}
