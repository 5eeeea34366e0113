/** The recording of a call that cannot be read does not even say which runtime made it; the engine then writes `?`. */
import type { Translate } from './language/index.ts';
import { shortRuntime } from './lanes.ts';

const UNKNOWN = '?';

export const isKnownRuntime = (runtimeId: string): boolean => runtimeId !== UNKNOWN;

/** A runtime by its id, in words where it is not known. */
export const runtimeName = (runtimeId: string, t: Translate): string =>
  isKnownRuntime(runtimeId) ? runtimeId : t('app.runtime.unknown');

/** The same, by the last part of its id. */
export const shortRuntimeName = (runtimeId: string, t: Translate): string => shortRuntime(runtimeName(runtimeId, t));
