/**
 * A script tells failures apart by the exit code: 2 is a mistake in the question, 3 is a file or a recording that
 * cannot be read.
 */
import { FILE_ERROR_CODES, type ErrorCode, type LensError } from '../../shared/error.ts';

export const EXIT = { fine: 0, checkFailed: 1, badUsage: 2, cannotRead: 3, provider: 4 } as const;

const CANNOT_READ: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...FILE_ERROR_CODES,
  'payload-unreadable',
  'no-body',
  'engine-failed',
  'engine-restarted',
  'disconnected',
]);

export const exitCodeOf = (error: LensError): number => (CANNOT_READ.has(error.code) ? EXIT.cannotRead : EXIT.badUsage);

/** `message` as the first half of a sentence, without its full stop. */
export const badUsage = (message: string, usage: string): LensError => ({
  code: 'bad-usage',
  message: `${message[0]?.toUpperCase()}${message.slice(1)}.`,
  hint: `Usage: ${usage}`,
  values: { detail: message, usage },
});

/** What was thrown by a fault of ours or of the machine. */
export function unexpected(thrown: unknown): LensError {
  const detail = thrown instanceof Error ? thrown.message : String(thrown);
  return {
    code: 'engine-failed',
    message: `Something failed that should not: ${detail}`,
    hint: 'Try once more; if it happens again, please report it with this message.',
    values: { detail },
  };
}
