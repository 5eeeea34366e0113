/** Usage objects as providers send them, and how they are read. For tests. */
import { readFileSync } from 'node:fs';
import type { Json, JsonObject, Protocol, ReportedUsage } from '../../../shared/model/index.ts';
import { conventionOf, type UsageRule } from '../usage-conventions.ts';
import { normaliseUsage } from '../usage.ts';

type RuleFile = { readonly rules: readonly { readonly id: string; readonly usage?: UsageRule }[] };
export const rules = (
  JSON.parse(readFileSync(new URL('../../../resources/cache-rules.json', import.meta.url), 'utf8')) as RuleFile
).rules;

export const ruleOf = (id: string): UsageRule | null => {
  const rule = rules.find((one) => one.id === id);
  if (!rule) throw new Error(`no rule ${id}`);
  return rule.usage ?? null;
};

export const CHAT = 'openai-chat-v1';
export const RESPONSES = 'openai-responses-v1';
export const ANTHROPIC = 'anthropic-messages-v1';
export const GEMINI = 'google-generative-ai-v1';

export const readUsage = (protocol: Protocol, raw: Json, rule: string | null = null): ReportedUsage | null =>
  normaliseUsage(raw, conventionOf(protocol, rule === null ? null : ruleOf(rule)));

/** [uncached, read, write, output, input] */
export const rowOf = (usage: ReportedUsage | null): readonly (number | null)[] | null =>
  usage && [usage.usage.uncached, usage.usage.read, usage.usage.write, usage.usage.output, usage.input];

export const chat = (total: Json, details: Json = {}, output: Json = 5): JsonObject => ({
  prompt_tokens: total,
  prompt_tokens_details: details,
  completion_tokens: output,
});
export const anthropic = (input: Json, more: JsonObject = {}): JsonObject => ({
  input_tokens: input,
  output_tokens: 5,
  ...more,
});
export const cached = (reads: Json, writes: Json): JsonObject => ({
  cache_read_input_tokens: reads,
  cache_creation_input_tokens: writes,
});
