/**
 * One neutral level of reasoning becomes the fields of a model's family (assembler page, section 8.5). The runtime's
 * own wish counts only where nobody set anything. A level that the model does not offer sends nothing and is said.
 */
import type { Json, JsonObject, Protocol } from '../../../shared/model/index.ts';
import { field, isObject } from '../json.ts';
import type { ModelTraits, ThinkingStyle } from './families.ts';
import type { Warn } from './warn.ts';

/** Sends nothing, takes inherited settings away, and drops the runtime's defaults. */
export const PROVIDER_DEFAULT = 'provider-default';
const OFF: ReadonlySet<string> = new Set(['disabled', 'none']);

const SETTING_KEYS = [
  'reasoning',
  'reasoning_effort',
  'enable_thinking',
  'thinking_budget',
  'thinking',
  'thinkingConfig',
  'output_config',
] as const;

/** A native reasoning setting stands in these fields. */
export const hasReasoning = (fields: JsonObject): boolean =>
  SETTING_KEYS.some((key) => field(fields, key) != null) ||
  field(field(fields, 'generationConfig'), 'thinkingConfig') != null;

/** Says in the body's own words that the model thinks. */
export const isThinking = (fields: JsonObject): boolean => {
  const type = field(field(fields, 'thinking'), 'type');
  return field(fields, 'enable_thinking') === true || type === 'enabled' || type === 'adaptive';
};

/** Fields with values set, merged into objects, or (undefined) taken away. */
type Change = { readonly [key: string]: Json | undefined };

function change(fields: JsonObject, changes: Change): JsonObject {
  const next: Record<string, Json> = { ...fields };
  for (const [key, value] of Object.entries(changes)) {
    const before = next[key];
    if (value === undefined) delete next[key];
    else next[key] = isObject(value) && isObject(before) ? { ...before, ...value } : value;
  }
  return next;
}

/** Without one member of an object; without the object where nothing is left. */
function withoutMember(fields: JsonObject, key: string, member: string): JsonObject {
  const value = fields[key];
  if (!isObject(value) || !Object.hasOwn(value, member)) return fields;
  const { [member]: _, ...rest } = value;
  const { [key]: __, ...others } = fields;
  return Object.keys(rest).length === 0 ? others : { ...fields, [key]: rest };
}

const BUDGETS: Readonly<Record<'qwen-budget' | 'gemini-budget', Readonly<Record<string, number>>>> = {
  'qwen-budget': { low: 2048, medium: 8192, high: 16384 },
  'gemini-budget': { low: 1024, medium: 8192, high: 24576 },
};

const thinkingConfig = (config: JsonObject): Change => ({ generationConfig: { thinkingConfig: config } });

/** The effort alone, where Chat and Responses have it. */
const effortFields = (isChat: boolean, effort: string): Change =>
  isChat ? { reasoning_effort: effort } : { reasoning: { effort } };

/** Off over Chat and Responses, by family. */
const OFF_FIELDS: Readonly<Partial<Record<ThinkingStyle, (isChat: boolean) => Change>>> = {
  effort: (isChat) => effortFields(isChat, 'none'),
  deepseek: () => ({ thinking: { type: 'disabled' }, reasoning_effort: undefined }),
  'qwen-effort': (isChat) => ({ ...(isChat ? { enable_thinking: false } : {}), ...effortFields(isChat, 'none') }),
  'qwen-budget': () => ({ enable_thinking: false }),
  'qwen-switch': () => ({ enable_thinking: false }),
};

/** Fields that turn thinking off; null where this model cannot be told so over this protocol. */
function offFields(protocol: Protocol, traits: ModelTraits): Change | null {
  if (!traits.canTurnOff) return null;
  switch (protocol) {
    case 'google-generative-ai-v1':
      return traits.thinking === 'gemini-budget' ? thinkingConfig({ thinkingBudget: 0 }) : null;
    case 'anthropic-messages-v1':
      return traits.family === 'openai' || traits.family === 'gemini' ? null : { thinking: { type: 'disabled' } };
    case 'openai-chat-v1':
    case 'openai-responses-v1':
      return OFF_FIELDS[traits.thinking]?.(protocol === 'openai-chat-v1') ?? null;
  }
}

/** Qwen's own word for "think": no level is chosen. */
const AUTOMATIC = 'automatic';
type Asked = { readonly level: string; readonly isOffered: boolean; readonly isChat: boolean };

/** On over Chat and Responses, by family; null for a level that is not offered. */
const LEVEL_FIELDS: Readonly<Partial<Record<ThinkingStyle, (asked: Asked) => Change | null>>> = {
  effort: ({ level, isOffered, isChat }) => (isOffered ? effortFields(isChat, level) : null),
  deepseek: ({ level, isOffered }) => {
    if (isOffered) return { thinking: { type: 'enabled' }, reasoning_effort: level };
    const isOn = level === AUTOMATIC || level === 'low' || level === 'medium';
    return isOn ? { thinking: { type: 'enabled' }, reasoning_effort: undefined } : null;
  },
  'qwen-effort': ({ level, isOffered, isChat }) => {
    if (isChat && level === AUTOMATIC) return { enable_thinking: true, reasoning_effort: undefined };
    if (!isOffered) return null;
    return { ...(isChat ? { enable_thinking: true } : {}), ...effortFields(isChat, level) };
  },
  'qwen-budget': ({ level, isOffered }) => {
    if (level === AUTOMATIC) return { enable_thinking: true };
    return isOffered ? { enable_thinking: true, thinking_budget: BUDGETS['qwen-budget'][level] ?? 0 } : null;
  },
  'qwen-switch': ({ level, isOffered }) => (isOffered || level === AUTOMATIC ? { enable_thinking: true } : null),
  'qwen-always': () => ({ enable_thinking: true }),
};

/** Fields of one level; null where the model does not offer it over this protocol. */
function levelFields(protocol: Protocol, traits: ModelTraits, level: string): Change | null {
  const isOffered = traits.levels.includes(level);
  switch (protocol) {
    case 'google-generative-ai-v1':
      if (!isOffered) return null;
      if (traits.thinking === 'gemini-level') return thinkingConfig({ thinkingLevel: level });
      if (traits.thinking !== 'gemini-budget') return null;
      return thinkingConfig({ thinkingBudget: BUDGETS['gemini-budget'][level] ?? 0 });
    case 'anthropic-messages-v1':
      if (traits.thinking !== 'claude-adaptive' || !isOffered) return null;
      return { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: level } };
    case 'openai-chat-v1':
    case 'openai-responses-v1':
      return LEVEL_FIELDS[traits.thinking]?.({ level, isOffered, isChat: protocol === 'openai-chat-v1' }) ?? null;
  }
}

const apply = (fields: JsonObject, changes: Change): JsonObject => {
  const { generationConfig, ...rest } = changes;
  const next = change(fields, rest);
  if (!isObject(generationConfig)) return next;
  const before = field(next, 'generationConfig');
  // The whole `thinkingConfig` is replaced: a budget and a level exclude one another. `includeThoughts` may stay.
  const config = field(generationConfig, 'thinkingConfig') as JsonObject;
  const includeThoughts = field(field(before, 'thinkingConfig'), 'includeThoughts');
  const merged = includeThoughts === undefined ? config : { ...config, includeThoughts };
  return { ...next, generationConfig: { ...(isObject(before) ? before : {}), thinkingConfig: merged } };
};

export type ReasoningWish = {
  /** The neutral level that somebody set; null or empty: nobody did. */
  readonly effort: string | null;
  /** The runtime's own wish: false turns thinking off, null leaves it. */
  readonly runtime: false | null;
  /** Somebody set a native field that this protocol does not know. */
  readonly foreign: boolean;
};

/**
 * The native fields of a body with reasoning settled. `dropsDefaults`: `provider-default` was set, so the runtime's
 * other preferences fall too. The given fields are not changed.
 */
export function applyReasoning(
  protocol: Protocol,
  traits: ModelTraits,
  fields: JsonObject,
  wish: ReasoningWish,
  warn: Warn,
): { readonly fields: JsonObject; readonly dropsDefaults: boolean } {
  const settled = (next: JsonObject, dropsDefaults = false): { fields: JsonObject; dropsDefaults: boolean } => ({
    fields: withSummary(protocol, traits, next),
    dropsDefaults,
  });
  if (wish.effort === PROVIDER_DEFAULT) {
    let bare = change(fields, { enable_thinking: undefined, thinking: undefined, reasoning_effort: undefined });
    bare = withoutMember(change(bare, { thinking_budget: undefined }), 'generationConfig', 'thinkingConfig');
    return settled(withoutMember(withoutMember(bare, 'reasoning', 'effort'), 'output_config', 'effort'), true);
  }
  if (wish.effort) {
    const bare = change(fields, { thinking_budget: undefined });
    const off = OFF.has(wish.effort);
    const changes =
      (off ? offFields(protocol, traits) : null) ??
      (off && traits.thinking !== 'qwen-always' ? null : levelFields(protocol, traits, wish.effort));
    if (changes === null) {
      warn('reasoning-level', `This model does not offer the reasoning level ${wish.effort}; nothing is sent for it.`);
      return settled(bare);
    }
    if (off && traits.thinking === 'qwen-always') {
      warn('reasoning-level', 'This model cannot turn thinking off; it is sent as on.');
    }
    return settled(apply(off ? withoutMember(bare, 'output_config', 'effort') : bare, changes));
  }
  if (wish.runtime === null || wish.foreign || hasReasoning(fields)) return settled(fields);
  const off = offFields(protocol, traits);
  if (off !== null) return settled(apply(fields, off));
  const lowest = traits.thinking === 'qwen-always' ? AUTOMATIC : traits.levels[0];
  const least = lowest === undefined ? null : levelFields(protocol, traits, lowest);
  if (least === null) {
    warn('reasoning-off', 'How this model turns reasoning off is not known; nothing is sent for it.');
    return settled(fields);
  }
  warn('reasoning-off', `This model cannot turn reasoning off; its lowest level is sent (${lowest}).`);
  return settled(apply(fields, least));
}

/** Responses: models that are known to reason are asked for a summary, unless their effort is none. */
function withSummary(protocol: Protocol, traits: ModelTraits, fields: JsonObject): JsonObject {
  if (protocol !== 'openai-responses-v1' || !traits.summary) return fields;
  const reasoning = field(fields, 'reasoning');
  if (reasoning !== undefined && !isObject(reasoning)) return fields;
  if (field(reasoning, 'effort') === 'none' || field(reasoning, 'summary') !== undefined) return fields;
  return { ...fields, reasoning: { ...reasoning, summary: 'auto' } };
}
