/**
 * Minimum sizes, lifetimes and mechanisms of prompt caches change with time, so they are data with dates
 * (resources/cache-rules.json). Only what is needed here is read; null means that no source was found.
 */
import { z } from 'zod';
import type { Protocol } from '../../shared/model/index.ts';
import { tokens, type Tokens } from '../../shared/units.ts';

const RuleSchema = z.object({
  id: z.string(),
  /** Names of the request shapes, separated by commas. */
  api: z.string(),
  /** Pattern of the model's name. */
  match: z.string(),
  mechanism: z.string(),
  minTokens: z.array(z.object({ match: z.string(), tokens: z.number().nullable() })).default([]),
  ttl: z.array(z.object({ id: z.string(), default: z.boolean().default(false) })).default([]),
  source: z.string().default(''),
});

const RulesSchema = z.object({
  schema: z.literal('cache-rules/1'),
  asOf: z.string(),
  rules: z.array(RuleSchema),
});

export type CacheRule = z.infer<typeof RuleSchema>;
export type CacheRules = z.infer<typeof RulesSchema>;

/** Reads the rules file. Throws on any other shape: the file is ours. */
export const parseCacheRules = (json: unknown): CacheRules => RulesSchema.parse(json);

const API_NAMES: Readonly<Record<Protocol, readonly string[]>> = {
  'anthropic-messages-v1': ['messages', 'anthropic'],
  'openai-chat-v1': ['chat'],
  'openai-responses-v1': ['responses'],
  'google-generative-ai-v1': ['generateContent'],
};

/** Rules that hold for a model behind a protocol, in the order of the file. A pattern ignores case. */
export function rulesFor(rules: CacheRules, model: string | null, protocol: Protocol): readonly CacheRule[] {
  if (model === null) return [];
  return rules.rules.filter(
    (rule) =>
      new RegExp(rule.match, 'i').test(model) &&
      rule.api.split(',').some((name) => API_NAMES[protocol].includes(name.trim())),
  );
}

/** Smallest prefix that is cached; null where it is not known for this model. The first matching entry counts. */
export function minimumOf(rule: CacheRule | undefined, model: string | null): Tokens | null {
  if (!rule || model === null) return null;
  const found = rule.minTokens.find((entry) => new RegExp(entry.match, 'i').test(model));
  return found?.tokens == null ? null : tokens(found.tokens);
}

export const defaultTtl = (rule: CacheRule | undefined): string | null =>
  rule?.ttl.find((entry) => entry.default)?.id ?? null;
