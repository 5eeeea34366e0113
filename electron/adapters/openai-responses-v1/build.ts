/**
 * OpenAI Responses, stateless: nothing is stored at the provider unless the slot says so, so reasoning comes back
 * encrypted and is sent along. A schema has a field of its own (assembler page, sections 8 and 9.3).
 */
import type { Json, JsonObject } from '../../../shared/model/index.ts';
import { requestCacheKey } from '../build/cache-key.ts';
import { allMessages } from '../build/content.ts';
import { finish } from '../build/finish.ts';
import { lateSystemAsUser } from '../build/late-system.ts';
import { readSettings, type Settings } from '../build/metadata.ts';
import { prepare } from '../build/prepare.ts';
import { formatName } from '../build/response-format.ts';
import { own, type Owned } from '../build/traced.ts';
import type { BuildRequest, BuildTool, BuiltRequest } from '../build/types.ts';
import { collectWarnings } from '../build/warn.ts';
import { field, isList } from '../json.ts';
import { responseItems, type NativeItem, type OwnItem } from './items.ts';

const PROTOCOL = 'openai-responses-v1';
const ENCRYPTED = 'reasoning.encrypted_content';

type ResponseTool = {
  readonly type: 'function';
  readonly name: string;
  readonly description?: string;
  readonly parameters: JsonObject;
  readonly strict: false;
};
type Format = { readonly type: 'json_schema'; readonly name: string; readonly schema: JsonObject };

/** The fields that this adapter writes itself, but for the output limit and the tool choice. */
export type ResponsesBody<Item = OwnItem | NativeItem> = {
  readonly model: string;
  readonly store: boolean;
  readonly prompt_cache_key?: string;
  readonly input: readonly Item[];
  readonly text?: { readonly format: Owned<Format> };
  readonly tools?: readonly Owned<ResponseTool>[];
  readonly stream?: true;
};

const toolOf = ({ name, description, jsonSchema, segment }: BuildTool): Owned<ResponseTool> =>
  own(
    {
      type: 'function',
      name,
      ...(description === undefined ? {} : { description }),
      parameters: jsonSchema ?? { type: 'object', properties: {} },
      strict: false,
    },
    segment,
  );

function bodyOf(request: BuildRequest, settings: Settings, cacheKey: string | null): ResponsesBody {
  const { model, tools, responseFormat, options } = request;
  const given = allMessages(request);
  const messages = settings.lateSystemAsUser === true ? lateSystemAsUser(given) : given;
  const store = settings.fields['store'] === true;
  return {
    model,
    store,
    ...(cacheKey === null ? {} : { prompt_cache_key: cacheKey }),
    input: responseItems(messages, request, store),
    ...(responseFormat === null ? {} : { text: { format: formatOf(responseFormat) } }),
    ...(tools.length === 0 ? {} : { tools: tools.map(toolOf) }),
    ...(options.stream ? { stream: true } : {}),
  };
}

const formatOf = ({ schema, segment }: NonNullable<BuildRequest['responseFormat']>): Owned<Format> =>
  own({ type: 'json_schema', name: formatName(schema), schema }, segment);

/** What the reply has to include: encrypted reasoning too, where nothing is stored and the model may reason. */
function includeOf(fields: JsonObject): readonly Json[] {
  const given = isList(fields['include']) ? fields['include'] : [];
  const needs = fields['store'] !== true && field(fields['reasoning'], 'effort') !== 'none';
  return [...new Set(needs ? [...given, ENCRYPTED] : given)];
}

/** A request as the body of `/responses`. Throws BuildError. */
export function buildResponses(request: BuildRequest): BuiltRequest {
  const { warn, warnings } = collectWarnings();
  const clean = prepare(request);
  const settings = readSettings(PROTOCOL, clean, warn);
  const { sampling, limitField, outputLimit, toolChoice } = settings;
  const cacheKey = requestCacheKey(PROTOCOL, clean, settings.promptCacheKey, warn);
  const { input, text, tools, stream, ...base } = bodyOf(clean, settings, cacheKey);
  const { include: _, ...fields } = settings.fields;
  const include = includeOf(settings.fields);
  return finish(
    PROTOCOL,
    clean,
    {
      ...base,
      ...fields,
      ...sampling,
      ...(outputLimit === null ? {} : { [limitField]: outputLimit }),
      ...(include.length === 0 ? {} : { include }),
      input,
      text,
      tools,
      tool_choice: toolChoice,
      stream,
    },
    warnings,
  );
}
