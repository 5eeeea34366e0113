/**
 * One table of the errors that the engine itself raises: what happened, and what to do about it. The window
 * shows the same codes in its own language; these sentences are for the command line and for logs.
 */
import { LensFailure, type ErrorCode, type LensError } from '../../shared/error.ts';

const SENTENCES: Partial<Record<ErrorCode, readonly [message: string, hint: string]>> = {
  'unknown-session': [
    'There is no session {id} in this file.',
    'List the sessions of the file and take an id from there.',
  ],
  'unknown-turn': [
    'There is no turn {id} in this session.',
    'List the turns of the session and take an id from there.',
  ],
  'unknown-call': [
    'There is no model call {id} in this file.',
    'List the turns of a session: each call stands there with its id.',
  ],
  'unknown-segment': ['The call has no segment {id}.', 'Ask for the call again and take a segment from its list.'],
  'unknown-source': ['This file is not open any more.', 'Open it again.'],
  'bad-argument': [
    'The request {method} cannot be understood: {detail}',
    'This is a fault of the program; please report it.',
  ],
  'payload-unreadable': [
    'The recorded call {id} cannot be read: its payload is {detail}.',
    'The other calls of the session are not affected.',
  ],
  'no-body': [
    'The call {id} was recorded without its prompt.',
    'A concealed runtime leaves its prompt out of the trace.',
  ],
  'no-baseline': [
    'The call {id} is the first of its runtime: there is no earlier call to compare it with.',
    'Name the other call as well.',
  ],
  cancelled: ['Cancelled.', 'Ask again.'],
  'engine-failed': [
    'The engine failed: {detail}',
    'Try once more; if it happens again, please report it with this message.',
  ],
  'not-found': ['{path} is not there.', 'Check the path.'],
};

export function lensError(code: ErrorCode, values: Readonly<Record<string, string | number>> = {}): LensError {
  const [message, hint] = SENTENCES[code] ?? [code, ''];
  const fill = (text: string): string => text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
  return { code, message: fill(message), hint: fill(hint), values };
}

export function failWith(code: ErrorCode, values: Readonly<Record<string, string | number>> = {}): never {
  throw new LensFailure(lensError(code, values));
}
