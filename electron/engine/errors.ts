/**
 * A failure inside a handler leaves it as a thrown value and becomes an error at the engine's door.
 */
import { LensFailure, type ErrorCode, type LensError } from '../../shared/error.ts';
import { lensError } from '../../shared/language/index.ts';

export { lensError };

export function failWith(code: ErrorCode, values: LensError['values'] = {}): never {
  throw new LensFailure(lensError(code, values));
}
