/**
 * Provider metadata goes into the body between the base fields and the parameter overrides, but for the keys that are
 * the adapter's own (assembler page, 8.2; slots page, 2.3). What it says about reasoning, tools, caching and late
 * system text is read here once, for all protocols.
 */
import type { Json, JsonObject, Protocol } from '../../../shared/model/index.ts';
import { field, isObject, nameOf } from '../json.ts';
import { traitsOf, type ModelTraits } from './families.ts';
import { isOption, readOptions, sendThinking } from './options.ts';
import { checkNumber, outputLimitField, readOverrides, samplingFields } from './overrides.ts';
import { providerOf } from './providers.ts';
import { applyReasoning, hasReasoning } from './reasoning.ts';
import { toolChoiceField } from './tool-choice.ts';
import { baseUrlOf } from './url.ts';
import type { BuildRequest, ParameterOverrides } from './types.ts';
import type { Warn } from './warn.ts';

/** Read by the adapters, never part of a body: our own names, and the wire keys of other media. */
const OURS: ReadonlySet<string> = new Set([
  'parameterOverrides',
  'providerOptions',
  'toolChoice',
  'embeddingFormat',
  'imageWire',
  'speechWire',
  'transcriptionWire',
  'musicWire',
]);

const LIMITS = ['max_tokens', 'max_completion_tokens', 'max_output_tokens'] as const;

/** Keys of a body that metadata cannot set. `tool_choice` is read, and decided by its own rule. */
const PROTECTED: Readonly<Record<Protocol, ReadonlySet<string>>> = {
  'openai-chat-v1': new Set(['model', 'messages', 'stream', 'stream_options', 'response_format', ...LIMITS]),
  'openai-responses-v1': new Set([
    'model',
    'input',
    'instructions',
    'messages',
    'stream',
    'stream_options',
    'text',
    'response_format',
    'tools',
    'reasoning_effort',
    ...LIMITS,
  ]),
  'anthropic-messages-v1': new Set([
    'model',
    'system',
    'messages',
    'stream',
    'stream_options',
    'response_format',
    'text',
    'tools',
    'reasoning_effort',
    ...LIMITS,
  ]),
  'google-generative-ai-v1': new Set([]),
};

/** Gemini's body takes no other fields from metadata than these; further ones go through `extraBody`. */
const GEMINI_FIELDS: ReadonlySet<string> = new Set(['cachedContent', 'safetySettings', 'labels', 'generationConfig']);
const GEMINI_PROTECTED_CONFIG: ReadonlySet<string> = new Set([
  'maxOutputTokens',
  'responseMimeType',
  'responseSchema',
  'responseJsonSchema',
]);

/** Keys that `extraBody` cannot set, in any protocol. */
const PROTECTED_EXTRA: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'input',
  'instructions',
  'system',
  'stream',
  'stream_options',
  'tools',
  'tool_choice',
  'response_format',
  'text',
  'parameterOverrides',
  'embeddingFormat',
  'providerOptions',
  'reasoningEffort',
  'contents',
  'systemInstruction',
  'generationConfig',
  ...LIMITS,
]);

/** Options whose name is also the protocol's own: in the free metadata they go out as written. */
const ALSO_NATIVE: Readonly<Record<Protocol, readonly string[]>> = {
  'openai-chat-v1': ['thinking', 'store', 'user', 'seed'],
  'openai-responses-v1': ['thinking', 'store', 'user', 'seed'],
  'anthropic-messages-v1': ['thinking'],
  'google-generative-ai-v1': [],
};

/** Whether a key of the free metadata is an option by its neutral name. */
const isOwnOption = (protocol: Protocol, key: string): boolean => isOption(key) && !ALSO_NATIVE[protocol].includes(key);

const NEUTRAL_TOOL_CHOICE = ['tool_choice', 'toolChoice'] as const;

/** Owner of texts that came with the metadata: tools that Chat takes from it. */
export const METADATA_SEGMENT = 'metadata';

/** What a request sends beside its prompt, for one protocol. */
export type Settings = {
  readonly traits: ModelTraits;
  /**
   * Native fields from metadata, options, extra body and reasoning, to be spread between the base fields and
   * `sampling`. Gemini: reasoning, seed and the like stand in its `generationConfig`.
   */
  readonly fields: JsonObject;
  /** Sampling parameters under their wire names (Gemini: members of `generationConfig`). */
  readonly sampling: Readonly<Record<string, number>>;
  /** Wire name of the output limit. */
  readonly limitField: string;
  /** The override alone; null: none. */
  readonly outputOverride: number | null;
  /** The override, else what the request says; null: neither. */
  readonly outputLimit: number | null;
  /** From the options, else from the metadata; null: not set. */
  readonly lateSystemAsUser: boolean | null;
  readonly promptCacheKey: boolean | null;
  /** `tool_choice`, Gemini `toolConfig`; undefined: left out. */
  readonly toolChoice: Json | undefined;
};

/** Says that a table is none; nothing of it is read. null is as good as absent. */
function notATable(where: string, value: Json | undefined, warn: Warn): void {
  if (value != null && !isObject(value)) warn('no-table', `${where} is no table and is not read.`);
}

function keepNative(protocol: Protocol, metadata: JsonObject, warn: Warn): JsonObject {
  const gemini = protocol === 'google-generative-ai-v1';
  const kept: [string, Json][] = [];
  for (const [key, value] of Object.entries(metadata)) {
    if (OURS.has(key) || isOwnOption(protocol, key) || key === 'tool_choice' || (gemini && key === 'toolConfig'))
      continue;
    if (gemini ? !GEMINI_FIELDS.has(key) : PROTECTED[protocol].has(key)) {
      warn('protected-field', `metadata.${key} is not for metadata to set in ${protocol}; it is not sent.`);
    } else kept.push([key, protocol === 'anthropic-messages-v1' && key === 'thinking' ? sendThinking(value) : value]);
  }
  const fields: JsonObject = Object.fromEntries(kept);
  const { generationConfig: config, ...others } = fields;
  if (!gemini || config === undefined) return fields;
  if (!isObject(config)) {
    notATable('metadata.generationConfig', config, warn);
    return others;
  }
  const open = Object.entries(config).filter(([key]) => {
    if (GEMINI_PROTECTED_CONFIG.has(key)) {
      warn('protected-field', `metadata.generationConfig.${key} is not for metadata to set; it is not sent.`);
    }
    return !GEMINI_PROTECTED_CONFIG.has(key);
  });
  return { ...fields, generationConfig: Object.fromEntries(open) };
}

function keepExtra(extra: Json | undefined, warn: Warn): JsonObject {
  if (!isObject(extra)) return {};
  const kept = Object.entries(extra).filter(([key]) => {
    if (PROTECTED_EXTRA.has(key)) warn('protected-field', `extraBody cannot set ${key}; it is not sent.`);
    return !PROTECTED_EXTRA.has(key);
  });
  return Object.fromEntries(kept);
}

const flag = (value: Json | undefined): boolean | null => (typeof value === 'boolean' ? value : null);

/** The first of these that is set. */
const firstSet = (...values: readonly (Json | undefined)[]): Json | undefined => values.find((value) => value != null);

function mergedOverrides(request: BuildRequest, warn: Warn): { numbers: ParameterOverrides; table: JsonObject } {
  const table = request.metadata['parameterOverrides'];
  notATable('metadata.parameterOverrides', table, warn);
  const below = isObject(table) ? table : {};
  const { reasoningEffort: _, ...own } = request.parameterOverrides;
  const numbers = {
    ...readOverrides(below, 'metadata.parameterOverrides', warn),
    ...readOverrides(own, 'parameterOverrides', warn),
  };
  return { numbers, table: below };
}

/**
 * Everything of a request but its prompt. Options of the protocol, then of the provider that the address belongs to,
 * lie over the free metadata; the request's own overrides and options win. Throws BuildError.
 */
export function readSettings(protocol: Protocol, request: BuildRequest, warn: Warn): Settings {
  const { metadata, options } = request;
  const baseUrl = baseUrlOf(protocol, options.baseUrl);
  const traits = traitsOf(request.model, baseUrl);

  let fields = keepNative(protocol, metadata, warn);
  let here: JsonObject = {};
  const lay = (table: Json | undefined, where: string): void => {
    notATable(where, table, warn);
    if (!isObject(table)) return;
    const read = readOptions(protocol, table, fields, where, warn);
    fields = { ...read.fields, ...keepExtra(read.here['extraBody'], warn) };
    here = { ...here, ...read.here };
  };
  lay(ownOptions(protocol, metadata), 'metadata');
  const tables = metadata['providerOptions'];
  notATable('metadata.providerOptions', tables, warn);
  const provider = providerOf(baseUrl);
  lay(field(tables, protocol), `metadata.providerOptions.${protocol}`);
  if (provider !== null) lay(field(tables, provider), `metadata.providerOptions.${provider}`);

  const { numbers, table } = mergedOverrides(request, warn);
  const effort = nameOf(
    firstSet(
      request.parameterOverrides.reasoningEffort || null,
      nameOf(table['reasoningEffort']),
      here['reasoningEffort'],
    ),
  );
  const foreign = hasReasoning(metadata);
  const settled = applyReasoning(protocol, traits, fields, { effort, runtime: request.reasoning, foreign }, warn);

  const asked = request.maxOutputTokens;
  if (asked !== null) checkNumber('maxOutputTokens', asked, '');
  const gemini = protocol === 'google-generative-ai-v1';
  return {
    traits,
    fields: settled.fields,
    sampling: samplingFields(protocol, numbers, traits, warn),
    limitField: outputLimitField(protocol, traits),
    outputOverride: numbers.maxOutputTokens ?? null,
    outputLimit: numbers.maxOutputTokens ?? asked,
    lateSystemAsUser: options.lateSystemAsUser ?? flag(here['lateSystemAsUser']),
    promptCacheKey: options.promptCacheKey ?? flag(here['promptCacheKey']),
    toolChoice: toolChoiceField(
      protocol,
      traits,
      settled.fields,
      {
        preference: settled.dropsDefaults ? null : request.toolChoice,
        explicit: firstSet(
          gemini ? metadata['toolConfig'] : null,
          ...NEUTRAL_TOOL_CHOICE.map((key) => table[key]),
          ...NEUTRAL_TOOL_CHOICE.map((key) => metadata[key]),
        ),
        tools: [...request.tools.map((tool) => tool.name), ...metadataTools(protocol, settled.fields)],
      },
      warn,
    ),
  };
}

const ownOptions = (protocol: Protocol, metadata: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(metadata).filter(([key]) => isOwnOption(protocol, key)));

/** Chat alone takes tools from its metadata. */
const metadataTools = (protocol: Protocol, fields: JsonObject): readonly string[] => {
  const tools = protocol === 'openai-chat-v1' ? fields['tools'] : undefined;
  if (!Array.isArray(tools)) return [];
  return (tools as readonly Json[]).flatMap((tool) => nameOf(field(field(tool, 'function'), 'name')) ?? []);
};
