/**
 * Which tool the model has to call. The runtime's preference gives way to what somebody set, to thinking, and to
 * models that refuse to be forced (assembler page, section 8.6; seed 1, section 3).
 */
import type { Json, JsonObject, Protocol } from '../../../shared/model/index.ts';
import { field, isObject, nameOf } from '../json.ts';
import type { ModelTraits } from './families.ts';
import { isThinking } from './reasoning.ts';
import type { ToolChoice } from './types.ts';
import type { Warn } from './warn.ts';

type Choice = { readonly kind: 'auto' | 'none' | 'required' } | { readonly kind: 'named'; readonly name: string };

const AUTO: Choice = { kind: 'auto' };
const GEMINI_MODES = { auto: 'AUTO', none: 'NONE', required: 'ANY' } as const;

/** Words for a choice without a name. */
const KINDS: ReadonlyMap<string, 'auto' | 'none' | 'required'> = new Map([
  ['auto', 'auto'],
  ['none', 'none'],
  ['required', 'required'],
  ['any', 'required'],
]);

/** Any protocol's spelling of a choice; null for what none of them says. */
function readChoice(value: Json): Choice | null {
  const word = nameOf(value) ?? nameOf(field(value, 'type'));
  const mode = nameOf(field(field(value, 'functionCallingConfig'), 'mode'))?.toLowerCase();
  const name = nameOf(field(value, 'name')) ?? nameOf(field(field(value, 'function'), 'name'));
  if (name !== null && (word === null || word === 'function' || word === 'tool')) return { kind: 'named', name };
  const kind = KINDS.get(word ?? mode ?? '');
  return kind === undefined ? null : { kind };
}

/** A choice in each protocol's own words. */
export const NATIVE_TOOL_CHOICE = {
  'openai-chat-v1': (choice: Choice) =>
    choice.kind === 'named' ? ({ type: 'function', function: { name: choice.name } } as const) : choice.kind,
  'openai-responses-v1': (choice: Choice) =>
    choice.kind === 'named' ? ({ type: 'function', name: choice.name } as const) : choice.kind,
  'anthropic-messages-v1': (choice: Choice) => {
    if (choice.kind === 'named') return { type: 'tool', name: choice.name } as const;
    return choice.kind === 'required' ? ({ type: 'any' } as const) : { type: choice.kind };
  },
  'google-generative-ai-v1': (choice: Choice) => {
    if (choice.kind === 'named') {
      return { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: [choice.name] } } as const;
    }
    return { functionCallingConfig: { mode: GEMINI_MODES[choice.kind] } };
  },
} satisfies Readonly<Record<Protocol, (choice: Choice) => Json>>;

const nativeChoice = (protocol: Protocol, choice: Choice): Json => NATIVE_TOOL_CHOICE[protocol](choice);

/** Whether a set value is already in the protocol's own words, and so goes out as written. */
function isNative(protocol: Protocol, value: Json): boolean {
  if (protocol === 'google-generative-ai-v1') return isObject(field(value, 'functionCallingConfig'));
  const words = protocol === 'anthropic-messages-v1' ? ['auto', 'any', 'tool', 'none'] : ['auto', 'none', 'required'];
  if (typeof value === 'string') return protocol !== 'anthropic-messages-v1' && words.includes(value);
  const type = nameOf(field(value, 'type'));
  if (type === null) return false;
  if (protocol === 'anthropic-messages-v1') return words.includes(type);
  return type === 'function'
    ? isObject(field(value, 'function')) === (protocol === 'openai-chat-v1')
    : !['tool', 'any', 'auto', 'none', 'required'].includes(type);
}

export type ToolChoiceWish = {
  /** The runtime's preference; null: none. */
  readonly preference: ToolChoice;
  /** What somebody set, in any spelling; undefined: nothing. */
  readonly explicit: Json | undefined;
  /** Names of the tools that are sent. */
  readonly tools: readonly string[];
};

/**
 * `tool_choice` of a body (`toolConfig` for Gemini), or undefined where the field is left out. `fields`: the other
 * native fields of the body, reasoning settled.
 */
export function toolChoiceField(
  protocol: Protocol,
  traits: ModelTraits,
  fields: JsonObject,
  wish: ToolChoiceWish,
  warn: Warn,
): Json | undefined {
  const { preference, explicit, tools } = wish;
  if (tools.length === 0) {
    if (explicit !== undefined || preference !== null)
      warn('no-tools', 'There are no tools, so no tool choice is sent.');
    return undefined;
  }
  const isRefused = isDeepseekThinking(protocol, traits, fields);
  if (explicit !== undefined) {
    if (isRefused) warn('tool-choice', 'DeepSeek takes no tool choice while thinking; the one that was set is sent.');
    return unforced(protocol, traits, explicitField(protocol, explicit, warn), warn);
  }
  if (isRefused) {
    if (preference !== null) warn('tool-choice', 'DeepSeek takes no tool choice while thinking; it is left out.');
    return undefined;
  }
  const missing = preference !== null && preference !== 'required' && !tools.includes(preference.name);
  if (missing) warn('tool-choice', `There is no tool ${preference.name} to be chosen; the model chooses.`);
  const wanted = preferred(missing ? null : preference);
  if (wanted === null) return protocol === 'anthropic-messages-v1' ? undefined : nativeChoice(protocol, AUTO);
  if (protocol !== 'google-generative-ai-v1' && isThinking(fields)) {
    warn('tool-choice', 'No tool can be forced while thinking is on; the model chooses.');
    return nativeChoice(protocol, AUTO);
  }
  return unforced(protocol, traits, nativeChoice(protocol, wanted), warn);
}

const preferred = (preference: ToolChoice): Choice | null =>
  preference === null ? null : preference === 'required' ? { kind: 'required' } : { kind: 'named', ...preference };

function explicitField(protocol: Protocol, value: Json, warn: Warn): Json | undefined {
  if (isNative(protocol, value)) return value;
  const choice = readChoice(value);
  if (choice !== null) return nativeChoice(protocol, choice);
  if (protocol === 'openai-chat-v1' || protocol === 'openai-responses-v1') return value;
  warn('tool-choice', 'The tool choice that was set is none of this protocol; it is left out.');
  return undefined;
}

/** Over Chat and Responses, DeepSeek refuses any tool choice while it thinks. */
function isDeepseekThinking(protocol: Protocol, traits: ModelTraits, fields: JsonObject): boolean {
  if (traits.family !== 'deepseek' || protocol === 'anthropic-messages-v1' || protocol === 'google-generative-ai-v1') {
    return false;
  }
  if (isThinking(fields)) return true;
  const silent = field(field(fields, 'thinking'), 'type') === undefined && field(fields, 'enable_thinking') !== false;
  return silent && traits.thinksByDefault;
}

/** Claude models that refuse to be forced get `auto`; what else the choice says (parallel calls) stays. */
function unforced(protocol: Protocol, traits: ModelTraits, choice: Json | undefined, warn: Warn): Json | undefined {
  if (choice === undefined || !traits.refusesForcedTool) return choice;
  const kind = readChoice(choice)?.kind;
  if (kind !== 'required' && kind !== 'named') return choice;
  warn('tool-choice', 'This model cannot be forced to call a tool; it chooses itself.');
  if (protocol !== 'anthropic-messages-v1' || !isObject(choice)) return nativeChoice(protocol, AUTO);
  const { type: _type, name: _name, ...rest } = choice;
  return { type: 'auto', ...rest };
}
