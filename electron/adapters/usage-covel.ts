/**
 * Covel's own form of usage, as it writes it into its trace: `inputTokens` holds everything that was read, the cache
 * counts are disjoint parts of it, and what was not reported is left out. It forgives: a counter that is no count is 0
 * (assembler page, 8.8). To judge a bill use usage.ts, which says what it could not believe.
 */
import type { Json, Protocol } from '../../shared/model/index.ts';
import { field } from './json.ts';

/** Tokens. */
export type CovelUsage = {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens?: number;
  readonly cacheWriteInputTokens?: number;
};

type Fields = {
  readonly input: readonly (readonly string[])[];
  readonly cached: readonly string[];
  readonly write: readonly string[] | null;
  readonly output: readonly (readonly string[])[];
};

const FIELDS: Readonly<Record<Protocol, Fields>> = {
  'openai-chat-v1': {
    input: [['prompt_tokens']],
    cached: ['prompt_tokens_details', 'cached_tokens'],
    write: ['prompt_tokens_details', 'cache_write_tokens'],
    output: [['completion_tokens']],
  },
  'openai-responses-v1': {
    input: [['input_tokens']],
    cached: ['input_tokens_details', 'cached_tokens'],
    write: ['input_tokens_details', 'cache_write_tokens'],
    output: [['output_tokens']],
  },
  'anthropic-messages-v1': {
    input: [['input_tokens'], ['cache_read_input_tokens'], ['cache_creation_input_tokens']],
    cached: ['cache_read_input_tokens'],
    write: ['cache_creation_input_tokens'],
    output: [['output_tokens']],
  },
  'google-generative-ai-v1': {
    input: [['promptTokenCount']],
    cached: ['cachedContentTokenCount'],
    write: null,
    output: [['candidatesTokenCount'], ['thoughtsTokenCount']],
  },
};

/** Non-negative safe integer, also as a string of digits; everything else counts 0. */
function counter(value: Json): number {
  const n = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof n === 'number' && Number.isSafeInteger(n) && n > 0 ? n : 0;
}

/** A provider's usage object in Covel's form; sums stop at MAX_SAFE_INTEGER. null for anything that is no object. */
export function covelUsage(protocol: Protocol, raw: Json | undefined): CovelUsage | null {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return null;
  const fields = FIELDS[protocol];
  const read = (path: readonly string[]): number | null => {
    const value = path.reduce<Json | undefined>((here, key) => field(here, key), raw);
    return value === undefined || value === null ? null : counter(value);
  };
  const sum = (paths: readonly (readonly string[])[]): number =>
    Math.min(
      paths.reduce((all, path) => all + (read(path) ?? 0), 0),
      Number.MAX_SAFE_INTEGER,
    );
  const inputTokens = sum(fields.input);
  const cached = read(fields.cached);
  const write = fields.write === null ? null : read(fields.write);
  const cachedTokens = Math.min(cached ?? 0, inputTokens);
  return {
    inputTokens,
    outputTokens: sum(fields.output),
    ...(cached === null ? {} : { cachedInputTokens: cachedTokens }),
    ...(write === null ? {} : { cacheWriteInputTokens: Math.min(write, inputTokens - cachedTokens) }),
  };
}
