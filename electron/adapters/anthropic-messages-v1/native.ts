/**
 * Claude's newer models take no sampling fields at all, the others none that thinking excludes; effort is a property of
 * thinking and falls with it (assembler page, sections 9.1 and 8.5).
 */
import type { Json, JsonObject } from '../../../shared/model/index.ts';
import { field, isObject } from '../json.ts';
import type { Settings } from '../build/metadata.ts';
import { isThinking } from '../build/reasoning.ts';
import type { Warn } from '../build/warn.ts';

const SAMPLING = ['temperature', 'top_p', 'top_k'] as const;

/** Range of `top_p` that a thinking model takes. */
const isNearOne = (value: Json | undefined): boolean => typeof value === 'number' && value >= 0.95 && value <= 1;

function without(fields: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => !keys.includes(key)));
}

/** Which sampling fields have to go, and why; in the words of a warning. */
function refused(fields: JsonObject, { traits }: Settings): { readonly keys: readonly string[]; readonly why: string } {
  if (traits.family !== 'claude') return { keys: [], why: '' };
  if (traits.refusesSampling) return { keys: SAMPLING, why: 'this model takes no sampling parameters' };
  if (!isThinking(fields)) return { keys: [], why: '' };
  const keys = SAMPLING.filter((key) => key !== 'top_p' || !isNearOne(fields['top_p']));
  return { keys, why: 'it cannot be combined with thinking' };
}

/** Native fields and sampling as this model takes them. */
export function nativeFields(settings: Settings, warn: Warn): JsonObject {
  const fields: JsonObject = { ...settings.fields, ...settings.sampling };
  const { keys, why } = refused(fields, settings);
  for (const key of keys) {
    if (fields[key] !== undefined) warn('unsupported-parameter', `${key} is not sent: ${why}.`);
  }
  const sampled = without(fields, keys);
  const config = sampled['output_config'];
  if (field(sampled['thinking'], 'type') !== 'disabled' || !isObject(config) || config['effort'] === undefined) {
    return sampled;
  }
  warn('unsupported-parameter', 'output_config.effort is not sent: thinking is turned off.');
  const rest = without(config, ['effort']);
  return Object.keys(rest).length === 0 ? without(sampled, ['output_config']) : { ...sampled, output_config: rest };
}
