/**
 * Beside its text a request carries settings. Some of them are part of what a provider hashes, or decide which
 * entries it may read (cache-rules page, 3.1 and 3.2); sampling values, limits and transport are not.
 */
import type { Json, JsonObject } from '../../shared/model/index.ts';
import { compactJson, isObject } from './json-walk.ts';

/** Fields of any protocol that are compared, down to their leaves. */
const SETTINGS: readonly string[] = [
  'tool_choice',
  'toolConfig',
  'parallel_tool_calls',
  'thinking',
  'enable_thinking',
  'thinking_budget',
  'reasoning',
  'reasoning_effort',
  'output_config',
  'response_format',
  'text',
  'verbosity',
  'context_management',
  'service_tier',
  'speed',
  'cachedContent',
];

/** Of Gemini's one bag of settings only these. */
const GENERATION_SETTINGS: readonly string[] = [
  'thinkingConfig',
  'responseMimeType',
  'responseJsonSchema',
  'responseSchema',
];

export type OptionChange = { readonly field: string; readonly was: string | null; readonly now: string | null };

/** The settings that differ, each with its path and its two values as compact JSON (null: not set). */
export function changedOptions(a: JsonObject, b: JsonObject): readonly OptionChange[] {
  const changes: OptionChange[] = [];
  for (const field of SETTINGS) compare(field, own(a, field), own(b, field), changes);
  for (const field of GENERATION_SETTINGS) {
    compare(`generationConfig.${field}`, inGeneration(a, field), inGeneration(b, field), changes);
  }
  return changes;
}

/** The value that routes requests to the same cache, where the recording kept it. */
export function cacheKeyOf(body: JsonObject): string | null {
  const key = own(body, 'prompt_cache_key');
  return typeof key === 'string' ? key : null;
}

const own = (value: JsonObject, key: string): Json | undefined => (Object.hasOwn(value, key) ? value[key] : undefined);

function inGeneration(body: JsonObject, field: string): Json | undefined {
  const config = own(body, 'generationConfig');
  return isObject(config) ? own(config, field) : undefined;
}

/** Two levels are enough to name `reasoning.effort` or `text.format`; below that the value is shown whole. */
function compare(field: string, a: Json | undefined, b: Json | undefined, into: OptionChange[], depth = 0): void {
  const was = a === undefined ? null : compactJson(a);
  const now = b === undefined ? null : compactJson(b);
  if (was === now) return;
  if (depth < 2 && isObject(a) && isObject(b)) {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
      compare(`${field}.${key}`, own(a, key), own(b, key), into, depth + 1);
    }
    return;
  }
  into.push({ field, was, now });
}
