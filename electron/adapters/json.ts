/**
 * Everything in a recorded body is untrusted JSON: any field may have any shape, and a value may be nested ten
 * thousand levels deep. So shapes are asked for, never assumed, and nothing here recurses.
 */
import { chars } from '../../shared/units.ts';
import type { Json, JsonObject, JsonPointer, Text } from '../../shared/model/index.ts';

export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The string itself, or null for anything else and for the empty string. */
export const nameOf = (value: Json | undefined): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

/** An own field of an object; undefined for any other value. */
export const field = (value: Json | undefined, key: string): Json | undefined =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

/** The value at a pointer (RFC 6901) of its own members; undefined where there is none. */
export function valueAt(value: Json, pointer: JsonPointer): Json | undefined {
  const keys = pointer.split('/').slice(1);
  return keys.reduce<Json | undefined>((here, raw) => {
    const key = raw.replaceAll('~1', '/').replaceAll('~0', '~');
    return isList(here) ? here[Number(key)] : field(here, key);
  }, value);
}

/** RFC 6901: pointer of a member of what stands at `path`. */
export const at = (path: JsonPointer, key: string | number): JsonPointer =>
  typeof key === 'number' || !SPECIAL.test(key)
    ? `${path}/${key}`
    : `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
const SPECIAL = /[~/]/;

export const wholeText = (path: JsonPointer, text: string): Text => ({
  path,
  start: chars(0),
  end: chars(text.length),
  text,
});
