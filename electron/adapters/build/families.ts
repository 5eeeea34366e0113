/**
 * What models of a family take and refuse, as one table (assembler page, sections 8.2 to 8.6; seed 1, section 3). A
 * model is known by its name first, then by the provider that its address belongs to. An unknown model takes nothing.
 */
import { providerOf } from './providers.ts';

/** How a model is told to think or not to. `always`: it cannot be told not to. */
export type ThinkingStyle =
  | 'effort'
  | 'deepseek'
  | 'qwen-effort'
  | 'qwen-budget'
  | 'qwen-switch'
  | 'qwen-always'
  | 'claude-adaptive'
  | 'claude-switch'
  | 'gemini-budget'
  | 'gemini-level'
  | 'unknown';

export type ModelFamily = 'openai' | 'deepseek' | 'qwen' | 'claude' | 'gemini' | 'unknown';

export type ModelTraits = {
  readonly family: ModelFamily;
  readonly thinking: ThinkingStyle;
  /** Levels that the model offers, lowest first; without the way to turn thinking off. */
  readonly levels: readonly string[];
  readonly canTurnOff: boolean;
  /** Chat: the output limit is `max_completion_tokens`. */
  readonly completionTokens: boolean;
  /** Responses: asks for a summary of the reasoning. */
  readonly summary: boolean;
  /** Thinks where the request does not say. */
  readonly thinksByDefault: boolean;
  readonly refusesForcedTool: boolean;
  readonly refusesSampling: boolean;
  readonly refusesPenalties: boolean;
};

const UNKNOWN: ModelTraits = {
  family: 'unknown',
  thinking: 'unknown',
  levels: [],
  canTurnOff: false,
  completionTokens: false,
  summary: false,
  thinksByDefault: false,
  refusesForcedTool: false,
  refusesSampling: false,
  refusesPenalties: false,
};

const LOW_TO_HIGH = ['low', 'medium', 'high'] as const;
const UP_TO_XHIGH = [...LOW_TO_HIGH, 'xhigh'] as const;
const UP_TO_MAX = [...UP_TO_XHIGH, 'max'] as const;

type Row = readonly [name: RegExp, traits: Partial<ModelTraits> & Pick<ModelTraits, 'family'>];

const GPT: Pick<ModelTraits, 'family' | 'thinking' | 'completionTokens' | 'summary'> = {
  family: 'openai',
  thinking: 'effort',
  completionTokens: true,
  summary: false,
};
const CLAUDE = { family: 'claude', thinking: 'claude-adaptive', levels: UP_TO_MAX, canTurnOff: true } as const;
const QWEN = { family: 'qwen', levels: LOW_TO_HIGH, canTurnOff: true } as const;

/** The first row whose pattern fits the name decides. */
const BY_NAME: readonly Row[] = [
  [/^gpt-5(?:\.\d+)?-chat/, { family: 'openai', completionTokens: true }],
  [/^gpt-5\.1(?!\d)/, { ...GPT, summary: true, levels: LOW_TO_HIGH, canTurnOff: true }],
  [/^gpt-5\.(?:[2-9]|\d\d)/, { ...GPT, summary: true, levels: UP_TO_XHIGH, canTurnOff: true }],
  [/^gpt-5(?![\d.])/, { ...GPT, summary: true, levels: ['minimal', ...LOW_TO_HIGH] }],
  [/^gpt-[6-9](?!\d)/, { ...GPT, levels: UP_TO_XHIGH, canTurnOff: true }],
  [/^o[34](?!\d)/, { ...GPT, summary: true, levels: LOW_TO_HIGH }],
  [/^o1(?!\d)/, { ...GPT, levels: LOW_TO_HIGH }],
  [/^(?:gpt|chatgpt|o\d)(?:-|$)/, { family: 'openai' }],

  [
    /^deepseek-(?:v4|flash)/,
    { family: 'deepseek', thinking: 'deepseek', levels: ['high', 'max'], canTurnOff: true, thinksByDefault: true },
  ],
  [/^deepseek/, { family: 'deepseek', thinking: 'deepseek', levels: ['high', 'max'], canTurnOff: true }],

  [/^(?:qwq|qvq|qwen.*-thinking)/, { ...QWEN, thinking: 'qwen-always', canTurnOff: false }],
  [/^qwen-?3\.8/, { ...QWEN, thinking: 'qwen-effort' }],
  [/^qwen-?3\.[5-7]-(?:max|plus|flash)/, { ...QWEN, thinking: 'qwen-budget' }],
  [/^qwen/, { ...QWEN, thinking: 'qwen-switch' }],

  [/(?:opus|sonnet)-5[.-]5(?!\d)/, { ...CLAUDE, canTurnOff: false, refusesForcedTool: true, refusesSampling: true }],
  [/(?:fable|mythos)-5[.-]1(?!\d)/, { ...CLAUDE, canTurnOff: false, refusesForcedTool: true, refusesSampling: true }],
  [/(?:fable|mythos)-5(?!\d)/, { ...CLAUDE, canTurnOff: false, refusesSampling: true }],
  [/(?:opus|sonnet)-5(?!\d)/, { ...CLAUDE, refusesSampling: true }],
  [/opus-4[.-][78](?!\d)/, { ...CLAUDE, refusesSampling: true }],
  [/(?:opus|sonnet)-4[.-]6(?!\d)/, { ...CLAUDE, levels: [...LOW_TO_HIGH, 'max'] }],
  [/^(?:.*[./])?claude/, { family: 'claude', thinking: 'claude-switch', canTurnOff: true }],

  [
    /^gemini-2\.5-flash/,
    { family: 'gemini', thinking: 'gemini-budget', levels: LOW_TO_HIGH, canTurnOff: true, refusesPenalties: true },
  ],
  [/^gemini-2\.5/, { family: 'gemini', thinking: 'gemini-budget', levels: LOW_TO_HIGH, refusesPenalties: true }],
  [
    /^gemini-[3-9](?:\.\d+)?-flash/,
    { family: 'gemini', thinking: 'gemini-level', levels: ['minimal', ...LOW_TO_HIGH] },
  ],
  [/^gemini-[3-9]/, { family: 'gemini', thinking: 'gemini-level', levels: LOW_TO_HIGH }],
  [/^gemini/, { family: 'gemini' }],
];

/** Families of the built-in providers that serve one family, for a name that no row knows. */
const BY_PROVIDER: Readonly<Record<string, Partial<ModelTraits> & Pick<ModelTraits, 'family'>>> = {
  openai: { family: 'openai' },
  anthropic: { family: 'claude', thinking: 'claude-switch', canTurnOff: true },
  deepseek: { family: 'deepseek', thinking: 'deepseek', levels: ['high', 'max'], canTurnOff: true },
  dashscope: { ...QWEN, thinking: 'qwen-switch' },
  google: { family: 'gemini' },
};

/** The bare name: lower case, without a path of providers before it and without a variant after a colon. */
export const modelName = (model: string): string => (model.toLowerCase().split('/').at(-1) ?? '').replace(/:.*$/, '');

/** What is known of a model; `baseUrl` is the address that it is asked at. */
export function traitsOf(model: string, baseUrl: string): ModelTraits {
  const name = modelName(model);
  const row = BY_NAME.find(([pattern]) => pattern.test(name))?.[1];
  const provider = providerOf(baseUrl);
  const found = row ?? (provider === null ? undefined : BY_PROVIDER[provider]);
  return { ...UNKNOWN, ...found };
}
