/**
 * The options that Covel knows by name, for a protocol or a provider (slots page, section 2.3): which protocol takes
 * them, and where they stand on its wire. A known option of a wrong type is a fault of the configuration; one that
 * the protocol does not take is not sent.
 */
import type { Json, JsonObject, Protocol } from '../../../shared/model/index.ts';
import { field, isObject } from '../json.ts';
import { BuildError } from './types.ts';
import type { Warn } from './warn.ts';

/** `here`: taken, but read by the adapters themselves and not sent under this name. */
type Place = readonly string[] | 'here';
type Rule = {
  readonly fits: (value: Json) => boolean;
  readonly expects: string;
  readonly wire: Readonly<Partial<Record<Protocol, Place>>>;
  readonly send?: (value: Json) => Json;
};

const CHAT = 'openai-chat-v1';
const RESPONSES = 'openai-responses-v1';
const ANTHROPIC = 'anthropic-messages-v1';
const GEMINI = 'google-generative-ai-v1';

const isBoolean = (value: Json): boolean => typeof value === 'boolean';
const isString = (value: Json): boolean => typeof value === 'string';
const isWhole = (value: Json | undefined): value is number => Number.isSafeInteger(value);

const LEVELS: readonly Json[] = ['minimal', 'low', 'medium', 'high'];

/** Anthropic's `thinking`, its budget in our spelling or in the wire's. */
function isThinkingOption(value: Json): boolean {
  const type = field(value, 'type');
  if (type === 'disabled' || type === 'adaptive') return true;
  const budget = field(value, 'budgetTokens') ?? field(value, 'budget_tokens');
  return type === 'enabled' && isWhole(budget) && budget >= 1024;
}

function isThinkingConfig(value: Json): boolean {
  if (!isObject(value)) return false;
  const { thinkingBudget: budget, thinkingLevel: level, includeThoughts: thoughts } = value;
  if (thoughts !== undefined && typeof thoughts !== 'boolean') return false;
  if (budget !== undefined && level !== undefined) return false;
  if (budget !== undefined) return isWhole(budget) && budget >= -1;
  return level === undefined || LEVELS.includes(level);
}

/** Anthropic's `thinking` in the wire's spelling. */
export function sendThinking(value: Json): Json {
  if (!isObject(value) || value['budgetTokens'] === undefined) return value;
  const { budgetTokens, ...rest } = value;
  return { ...rest, budget_tokens: budgetTokens };
}

const RULES: Readonly<Record<string, Rule>> = {
  reasoningEffort: {
    fits: isString,
    expects: 'a level',
    wire: { [CHAT]: 'here', [RESPONSES]: 'here', [ANTHROPIC]: 'here', [GEMINI]: 'here' },
  },
  reasoningSummary: {
    fits: (value) => value === 'auto' || value === 'concise' || value === 'detailed',
    expects: 'auto, concise or detailed',
    wire: { [RESPONSES]: ['reasoning', 'summary'] },
  },
  parallelToolCalls: {
    fits: isBoolean,
    expects: 'true or false',
    wire: { [CHAT]: ['parallel_tool_calls'], [RESPONSES]: ['parallel_tool_calls'] },
  },
  store: { fits: isBoolean, expects: 'true or false', wire: { [CHAT]: ['store'], [RESPONSES]: ['store'] } },
  user: { fits: isString, expects: 'a text', wire: { [CHAT]: ['user'], [RESPONSES]: ['user'] } },
  seed: {
    fits: isWhole,
    expects: 'a whole number',
    wire: { [CHAT]: ['seed'], [GEMINI]: ['generationConfig', 'seed'] },
  },
  promptCacheKey: {
    fits: isBoolean,
    expects: 'true or false',
    wire: { [CHAT]: 'here', [RESPONSES]: 'here', [ANTHROPIC]: 'here', [GEMINI]: 'here' },
  },
  lateSystemAsUser: {
    fits: isBoolean,
    expects: 'true or false',
    wire: { [CHAT]: 'here', [RESPONSES]: 'here', [ANTHROPIC]: 'here', [GEMINI]: 'here' },
  },
  thinking: {
    fits: isThinkingOption,
    expects: '{type: disabled or adaptive} or {type: enabled, budgetTokens from 1024 on}',
    wire: { [ANTHROPIC]: ['thinking'] },
    send: sendThinking,
  },
  thinkingConfig: {
    fits: isThinkingConfig,
    expects: 'a thinkingBudget from -1 on or a thinkingLevel, and includeThoughts',
    wire: { [GEMINI]: ['generationConfig', 'thinkingConfig'] },
  },
  cachedContent: { fits: isString, expects: 'a name', wire: { [GEMINI]: ['cachedContent'] } },
  extraBody: {
    fits: isObject,
    expects: 'a table',
    wire: { [CHAT]: 'here', [RESPONSES]: 'here', [ANTHROPIC]: 'here', [GEMINI]: 'here' },
  },
};

export const isOption = (name: string): boolean => Object.hasOwn(RULES, name);

/** What a table of options says, split by who reads it. */
export type ReadOptions = {
  /** Native fields, where they stand on the wire. */
  readonly fields: JsonObject;
  /** Options that the adapters read themselves, by name. */
  readonly here: JsonObject;
};

/** Puts a value at a place, into objects that are there already. */
function put(fields: JsonObject, place: readonly string[], value: Json): JsonObject {
  const [key, ...rest] = place;
  if (key === undefined) return fields;
  const before = fields[key];
  return {
    ...fields,
    [key]: rest.length === 0 ? value : put(isObject(before) ? before : {}, rest, value),
  };
}

/**
 * Options of one table, checked. `onto`: native fields that they are laid over. `field`: the table's name in errors.
 * Throws BuildError on `<field>.<option>` for a known option of a wrong type; warns for others than the known.
 */
export function readOptions(
  protocol: Protocol,
  table: JsonObject,
  onto: JsonObject,
  where: string,
  warn: Warn,
): ReadOptions {
  let fields = onto;
  const here: Record<string, Json> = {};
  for (const [name, value] of Object.entries(table)) {
    const rule = Object.hasOwn(RULES, name) ? RULES[name] : undefined;
    if (rule === undefined) {
      warn('unknown-option', `${where}.${name} is no known option and is not sent.`);
      continue;
    }
    const place = rule.wire[protocol];
    if (value === null) continue;
    if (!rule.fits(value)) throw new BuildError(`${where}.${name}`, `${name} must be ${rule.expects}.`);
    if (place === undefined) warn('unsupported-option', `${protocol} does not take ${name}; it is not sent.`);
    else if (place === 'here') here[name] = value;
    else fields = put(fields, place, rule.send?.(value) ?? value);
  }
  return { fields, here };
}
