/**
 * Which rule of resources/cache-rules.json holds for a request, and what it says. Everything that is not in the file,
 * or is there without a source, is null: what is not known is never replaced by a likely number.
 */
import type { Protocol } from '../../shared/model/index.ts';
import { tokens, type Tokens } from '../../shared/units.ts';
import { modelMatches } from './model-name.ts';
import type { CacheRule, CacheRules, CacheTier } from './rules-schema.ts';

export { CACHE_TIERS, parseCacheRules, type CacheRule, type CacheRules, type CacheTier } from './rules-schema.ts';
export { settingsOf, settingValues, type Setting, type SettingsByTier } from './rules-settings.ts';

const API_NAMES: Readonly<Record<Protocol, readonly string[]>> = {
  'anthropic-messages-v1': ['messages', 'anthropic'],
  'openai-chat-v1': ['chat'],
  'openai-responses-v1': ['responses'],
  'google-generative-ai-v1': ['generateContent'],
};

const isFor = (api: string, protocol: Protocol): boolean =>
  api.split(',').some((name) => API_NAMES[protocol].includes(name.trim()));

/** Rules that hold for a model behind a protocol, in the order of the file. A pattern ignores case. */
export function rulesFor(rules: CacheRules, model: string | null, protocol: Protocol): readonly CacheRule[] {
  if (model === null) return [];
  return rules.rules.filter((rule) => isFor(rule.api, protocol) && modelMatches(rule.match, model));
}

/** Models with open weights run in many places; their maker's rules hold for the maker's own service. */
const MAKERS: Readonly<Record<string, string>> = {
  deepseek: 'deepseek',
  'qwen-implicit': 'dashscope',
  'qwen-explicit': 'dashscope',
  kimi: 'moonshot',
  glm: 'zhipu',
  minimax: 'minimax',
};
/** Covel's built-in providers that also, or only, serve models of other makers (slots page, 2.7). */
const HOSTS: readonly string[] = [
  'dashscope',
  'fireworks',
  'groq',
  'litellm',
  'llamacpp',
  'lmstudio',
  'ollama',
  'openrouter',
  'siliconflow',
  'together',
  'vercel',
  'vllm',
  'volcengine',
];

const isServedByMaker = (rule: CacheRule, provider: string | null): boolean => {
  const maker = MAKERS[rule.id];
  return maker === undefined || provider === null || provider === maker || !HOSTS.includes(provider);
};

export type RuleQuery = {
  readonly protocol: Protocol | null;
  readonly model: string | null;
  /** Covel's id of the provider; null: not recorded. */
  readonly provider: string | null;
  /** The body carries marks of its own. */
  readonly hasMarks: boolean;
};

/**
 * The one rule that holds for a call; null: none is known. Where marks and the provider's own cache are two rules that
 * exclude each other, the marks of the body decide. A rule about resources never holds by itself.
 */
export function cacheRuleFor(rules: CacheRules, { protocol, model, provider, hasMarks }: RuleQuery): CacheRule | null {
  if (protocol === null) return null;
  const found = rulesFor(rules, model, protocol).filter(
    (rule) => rule.mechanism !== 'resource' && isServedByMaker(rule, provider),
  );
  const marked = hasMarks ? found.find((rule) => rule.excludes !== null) : undefined;
  return marked ?? found.find((rule) => rule.excludes === null) ?? null;
}

/** Smallest prefix that is cached; null where it is not known for this model. The first matching entry counts. */
export function minimumOf(rule: CacheRule | null | undefined, model: string | null): Tokens | null {
  if (!rule || model === null) return null;
  const found = rule.minTokens.find((entry) => modelMatches(entry.match, model));
  return found?.tokens == null || !found.verified ? null : tokens(found.tokens);
}

export const defaultTtl = (rule: CacheRule | null | undefined): string | null =>
  rule?.ttl.find((entry) => entry.default)?.id ?? null;

export type Lifetime = {
  readonly id: string;
  /** null: not known. */
  readonly seconds: number | null;
  /** What a written token costs, in input tokens; null: not known. */
  readonly writeX: number | null;
  /** Entries may live longer than `seconds`. */
  readonly isMinimum: boolean;
  /** Entries may be gone before `seconds`. */
  readonly isMaximum: boolean;
};

/**
 * Lifetime of what a mark writes.
 * @param ttl as the mark names it; null: the rule's default
 * @returns null where the rule knows no such lifetime for this protocol and model, or has no default
 */
export function lifetimeOf(
  rule: CacheRule,
  ttl: string | null,
  protocol: Protocol | null,
  model: string | null,
): Lifetime | null {
  const found = rule.ttl.find(
    (entry) =>
      (ttl === null ? entry.default : entry.id === ttl) &&
      (entry.api === null || (protocol !== null && isFor(entry.api, protocol))) &&
      (entry.match === null || (model !== null && modelMatches(entry.match, model))),
  );
  if (!found) return null;
  const { id, seconds, isMinimum, isMaximum } = found;
  return { id, seconds, writeX: found.verified ? found.writeX : null, isMinimum, isMaximum };
}

/** The shortest lifetime that the rules know of any provider, in seconds; null: they know none. */
export function shortestLifetimeOf({ rules }: CacheRules): number | null {
  const known = rules.flatMap(({ ttl }) => ttl.flatMap(({ seconds }) => seconds ?? []));
  return known.length === 0 ? null : Math.min(...known);
}

/** Whether written tokens have a price of their own; null: not known. */
export function billsWrites(rule: CacheRule): boolean | null {
  if (rule.writeX !== null) return rule.writeX !== 1;
  if (rule.ttl.length === 0) return null;
  // A lifetime whose factor nobody published is still billed: free writes are said to be free (writeX 1).
  return rule.ttl.some((entry) => entry.writeX !== 1);
}

/** The day of a moment, UTC. */
const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/**
 * What a read token costs, in input tokens; null: not known, or only known as a price.
 * @param at the time of the call; null: unknown, then only a factor without dates can be told
 */
export function readFactorOf(rule: CacheRule, model: string | null, at: Date | null): number | null {
  if (model === null) return null;
  const day = at && !Number.isNaN(at.getTime()) ? dayOf(at) : null;
  for (const entry of rule.readX) {
    if (!modelMatches(entry.match, model)) continue;
    if (entry.from === null && entry.until === null) return entry.x;
    if (day === null) return null;
    if ((entry.from === null || day >= entry.from) && (entry.until === null || day <= entry.until)) return entry.x;
  }
  return null;
}

/** Steps in which tokens are cached; 1: to the token. null: not known. */
export const granularityOf = (rule: CacheRule): Tokens | null =>
  rule.granularityTokens === null ? null : tokens(rule.granularityTokens);

/** The order in which the provider hashes a request; null: not known, the order of the protocol's key text is taken. */
export const renderOrderOf = (rule: CacheRule): readonly CacheTier[] | null => rule.renderOrder;
