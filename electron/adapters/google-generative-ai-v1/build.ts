/**
 * A prompt as a body of the Gemini API (assembler page, section 9.4). The model's name stands in the URL; leading system
 * text is `systemInstruction`, everything later is in `contents`, which have no system role.
 */
import type { Json, JsonObject } from '../../../shared/model/index.ts';
import { isObject } from '../json.ts';
import { isSystem } from '../build/content.ts';
import { requestCacheKey } from '../build/cache-key.ts';
import { finish } from '../build/finish.ts';
import { readSettings, type Settings } from '../build/metadata.ts';
import { prepare } from '../build/prepare.ts';
import { constAsEnum } from '../build/response-format.ts';
import { isEmpty, own, type Owned, type Traced } from '../build/traced.ts';
import type { BuildRequest, BuildTool, BuiltRequest } from '../build/types.ts';
import { geminiModelId } from '../build/url.ts';
import { collectWarnings, type Warn } from '../build/warn.ts';
import { contentsOf, systemText, type Content, type Named } from './contents.ts';
import { PROTOCOL } from './function-parts.ts';

export type FunctionDeclaration = {
  readonly name: string;
  readonly description?: string;
  readonly parametersJsonSchema?: JsonObject;
};
type WireTool = { readonly functionDeclarations: readonly Owned<FunctionDeclaration>[] };
export type GenerationConfig = {
  readonly maxOutputTokens?: number;
  readonly responseMimeType?: string;
  readonly responseJsonSchema?: Owned<Json>;
};

/** The fields that are ours to set, in the names of the API. `Native`: parts of earlier replies. */
export type GeminiBody<Native = Json> = {
  readonly contents: readonly Content<Native>[];
  readonly systemInstruction?: { readonly parts: readonly { readonly text: Traced }[] };
  readonly generationConfig: GenerationConfig;
  readonly tools?: readonly WireTool[];
};

const declaration = ({ name, description, jsonSchema, segment }: BuildTool): Owned<FunctionDeclaration> =>
  own(
    {
      name,
      ...(description === undefined ? {} : { description }),
      ...(jsonSchema === undefined ? {} : { parametersJsonSchema: jsonSchema }),
    },
    segment,
  );

/** The request's messages by their names in errors, the system prompt first. */
const namedMessages = ({ system, messages }: BuildRequest): readonly Named[] => [
  ...(isEmpty(system) ? [] : [{ message: { role: 'system', content: system }, at: 'systemPrompt' } as const]),
  ...messages.map((message, i) => ({ message, at: `messages[${i}]` })),
];

const PENALTIES = ['frequencyPenalty', 'presencePenalty'] as const;

/** What metadata says of generation, without what this model refuses. */
function inheritedConfig(inherited: Json | undefined, { traits }: Settings, warn: Warn): JsonObject {
  if (!isObject(inherited)) return {};
  const refused = PENALTIES.filter((key) => traits.refusesPenalties && inherited[key] !== undefined);
  for (const key of refused) warn('unsupported-parameter', `This model takes no ${key}; it is not sent.`);
  return Object.fromEntries(Object.entries(inherited).filter(([key]) => !refused.some((one) => one === key)));
}

/** Body, URL, headers and source map. Throws `BuildError`; the request is not changed. */
export function buildGemini(given: BuildRequest): BuiltRequest {
  const { warn, warnings } = collectWarnings();
  const request = prepare(given);
  const { model, tools, responseFormat, options } = request;
  const to = { model: geminiModelId(model), baseUrl: options.baseUrl };
  const settings = readSettings(PROTOCOL, request, warn);
  requestCacheKey(PROTOCOL, request, settings.promptCacheKey, warn);
  const inPlace = settings.lateSystemAsUser !== false;
  const all = namedMessages(request);
  const talk = all.findIndex(({ message }) => !isSystem(message));
  const leads = (named: Named, i: number): boolean => isSystem(named.message) && (!inPlace || talk < 0 || i < talk);
  const leading = all
    .filter(leads)
    .map(systemText)
    .filter((text) => !isEmpty(text));
  const rest = all.filter((named, i) => !leads(named, i));

  const { generationConfig: inherited, ...fields } = settings.fields;
  const config: GenerationConfig = {
    ...(settings.outputLimit === null ? {} : { maxOutputTokens: settings.outputLimit }),
    ...(responseFormat === null
      ? {}
      : {
          responseMimeType: 'application/json',
          responseJsonSchema: own(constAsEnum(responseFormat.schema), responseFormat.segment),
        }),
  };
  const body: GeminiBody = {
    contents: contentsOf(rest, inPlace, to),
    ...(leading.length === 0 ? {} : { systemInstruction: { parts: leading.map((text) => ({ text })) } }),
    generationConfig: { ...inheritedConfig(inherited, settings, warn), ...settings.sampling, ...config },
    ...(tools.length === 0 ? {} : { tools: [{ functionDeclarations: tools.map(declaration) }] }),
  };
  const { toolChoice } = settings;
  const tree = { ...body, ...fields, ...(toolChoice === undefined ? {} : { toolConfig: toolChoice }) };
  return finish(PROTOCOL, request, tree, warnings);
}
