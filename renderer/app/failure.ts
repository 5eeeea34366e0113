/** A promise can fail with anything; the window speaks only of errors that have a code (shared/error.ts). */
import { LensFailure, type ErrorCode, type LensError } from '../../shared/error.ts';

/** The error value behind whatever a promise was rejected with. */
export const asError = (cause: unknown): LensError =>
  cause instanceof LensFailure
    ? cause.error
    : { code: 'engine-failed', message: String(cause), hint: '', values: { reason: String(cause) } };

const is =
  (code: ErrorCode) =>
  (cause: unknown): boolean =>
    cause instanceof LensFailure && cause.error.code === code;
export const isCancelled = is('cancelled');
export const isDisconnected = is('disconnected');
