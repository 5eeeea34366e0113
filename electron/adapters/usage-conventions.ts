/**
 * Providers count input in two ways. Additive (Anthropic): the input counter leaves out what was read from the cache and
 * written to it, so the whole is a sum. Inclusive (all others): the counter is the whole, the cache counts are parts of
 * it. To mix them up counts the cache twice or not at all. Which one a provider follows, and how it spells the fields,
 * is data: a rule of resources/cache-rules.json, on top of what its protocol uses (assembler page, 8.8).
 */
import type { Protocol } from '../../shared/model/index.ts';

/** Dotted paths into the usage object; the first that is reported counts. */
export type FieldPaths = readonly string[];

export type UsageConvention = {
  readonly convention: 'additive' | 'inclusive';
  /** Inclusive: the whole input. */
  readonly total: FieldPaths;
  /** Additive: input that the cache had no part in. */
  readonly uncached: FieldPaths;
  readonly read: FieldPaths;
  readonly write: FieldPaths;
  /** Written tokens by lifetime. */
  readonly writes: Readonly<Record<string, FieldPaths>>;
  /** Inclusive: what was not read from the cache, where the provider says so itself. */
  readonly miss: FieldPaths;
  /** Counters whose sum is the output. */
  readonly output: readonly FieldPaths[];
  /** Reasoning tokens, and input and output together: they show whether `output` holds the reasoning. */
  readonly reasoning: FieldPaths;
  readonly all: FieldPaths;
};

/** Fields of a rule by their role: `total`, `uncached`, `read`, `write`, `write5m`, `write1h`, …, `miss`, `output`. */
export type UsageFields = { readonly [role: string]: unknown };

/** The `usage` block of a rule: fields for every API, or one set for each. null counts as left out. */
export type UsageRule = UsageFields & {
  readonly convention: 'additive' | 'inclusive';
  readonly chat?: UsageFields | null | undefined;
  readonly responses?: UsageFields | null | undefined;
};

const NONE = {
  total: [],
  uncached: [],
  read: [],
  write: [],
  writes: {},
  miss: [],
  output: [],
  reasoning: [],
  all: [],
} as const;

/** Assembler page, 8.8; writes by lifetime from the official SDKs' types; `cached_tokens` is Kimi's older spelling. */
const PROTOCOL_CONVENTIONS: Readonly<Record<Protocol, UsageConvention>> = {
  'anthropic-messages-v1': {
    ...NONE,
    convention: 'additive',
    uncached: ['input_tokens'],
    read: ['cache_read_input_tokens'],
    write: ['cache_creation_input_tokens'],
    writes: {
      '5m': ['cache_creation.ephemeral_5m_input_tokens'],
      '1h': ['cache_creation.ephemeral_1h_input_tokens'],
    },
    output: [['output_tokens']],
  },
  'openai-chat-v1': {
    ...NONE,
    convention: 'inclusive',
    total: ['prompt_tokens'],
    read: ['prompt_tokens_details.cached_tokens', 'cached_tokens'],
    write: ['prompt_tokens_details.cache_write_tokens'],
    output: [['completion_tokens']],
    reasoning: ['completion_tokens_details.reasoning_tokens'],
    all: ['total_tokens'],
  },
  'openai-responses-v1': {
    ...NONE,
    convention: 'inclusive',
    total: ['input_tokens'],
    read: ['input_tokens_details.cached_tokens'],
    write: ['input_tokens_details.cache_write_tokens'],
    writes: {
      '30m': ['input_tokens_details.cache_write_tokens_details.ttl_30m_tokens'],
      '12h': ['input_tokens_details.cache_write_tokens_details.ttl_12h_tokens'],
    },
    output: [['output_tokens']],
    reasoning: ['output_tokens_details.reasoning_tokens'],
    all: ['total_tokens'],
  },
  'google-generative-ai-v1': {
    ...NONE,
    convention: 'inclusive',
    total: ['promptTokenCount'],
    read: ['cachedContentTokenCount'],
    output: [['candidatesTokenCount'], ['thoughtsTokenCount']],
  },
};

/** How Covel writes usage into its trace (storage page, section 3, llm.responded). */
export const RECORDED_CONVENTION: UsageConvention = {
  ...NONE,
  convention: 'inclusive',
  total: ['inputTokens'],
  read: ['cachedInputTokens'],
  write: ['cacheWriteInputTokens'],
  output: [['outputTokens']],
};

const API: Readonly<Record<Protocol, 'chat' | 'responses' | null>> = {
  'anthropic-messages-v1': null,
  'openai-chat-v1': 'chat',
  'openai-responses-v1': 'responses',
  'google-generative-ai-v1': null,
};

/**
 * How the usage of a reply is to be read. `rule`: the `usage` block of the provider's cache rule; null where there is
 * none, then the protocol's own fields hold. A field of the rule comes before the protocol's for the same role; a rule
 * that counts the other way than the protocol brings all its input fields itself.
 */
export function conventionOf(protocol: Protocol, rule: UsageRule | null): UsageConvention {
  const own = PROTOCOL_CONVENTIONS[protocol];
  if (rule === null) return own;
  const api = API[protocol];
  const variants = rule.chat != null || rule.responses != null;
  const fields = variants ? (api === null ? null : rule[api]) : rule;
  if (fields == null) return own;
  const base = rule.convention === own.convention ? own : { ...NONE, output: own.output };
  const named = (role: string): FieldPaths => {
    const path = fields[role];
    return typeof path === 'string' ? [path.replace(/^(usage|usageMetadata)\./, '')] : [];
  };
  const first = (role: string, rest: FieldPaths): FieldPaths => [...new Set([...named(role), ...rest])];
  const lifetimes = Object.keys(fields)
    .flatMap((role) => /^write(\d+[mh])$/.exec(role)?.[1] ?? [])
    .filter((ttl) => named(`write${ttl}`).length > 0);
  const output = named('output');
  const sameOutput = own.output.some((paths) => paths.includes(output[0] ?? ''));
  return {
    convention: rule.convention,
    total: first('total', base.total),
    uncached: first('uncached', base.uncached),
    read: first('read', base.read),
    write: first('write', base.write),
    writes: { ...base.writes, ...Object.fromEntries(lifetimes.map((ttl) => [ttl, named(`write${ttl}`)])) },
    miss: first('miss', base.miss),
    output: output.length === 0 || sameOutput ? own.output : [output],
    reasoning: base.reasoning,
    all: base.all,
  };
}
