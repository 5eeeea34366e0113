/**
 * OpenAI Chat: system text keeps its role and its place, unless the slot says that later system text goes out as the
 * user's. A schema is told in a system message, because the format field says no more than that JSON is wanted
 * (assembler page, sections 8 and 9.2).
 */
import { requestCacheKey } from '../build/cache-key.ts';
import { allMessages } from '../build/content.ts';
import { finish } from '../build/finish.ts';
import { lateSystemAsUser } from '../build/late-system.ts';
import { METADATA_SEGMENT, readSettings, type Settings } from '../build/metadata.ts';
import { prepare } from '../build/prepare.ts';
import { formatInstruction, withFormatMessage } from '../build/response-format.ts';
import { own, type Owned } from '../build/traced.ts';
import type { BuildRequest, BuildTool, BuiltRequest } from '../build/types.ts';
import { collectWarnings } from '../build/warn.ts';
import type { JsonObject } from '../../../shared/model/index.ts';
import { chatMessages, type ChatMessage } from './messages.ts';

const PROTOCOL = 'openai-chat-v1';

type ChatTool = {
  readonly type: 'function';
  readonly function: { readonly name: string; readonly description?: string; readonly parameters?: JsonObject };
};

/** The fields that this adapter writes itself, but for the output limit and the tool choice. */
export type ChatBody = {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly stream?: true;
  readonly stream_options?: { readonly include_usage: true };
  readonly response_format?: { readonly type: 'json_object' };
  readonly prompt_cache_key?: string;
  readonly tools?: readonly Owned<ChatTool>[];
};

const toolOf = ({ name, description, jsonSchema, segment }: BuildTool): Owned<ChatTool> =>
  own(
    {
      type: 'function',
      function: {
        name,
        ...(description === undefined ? {} : { description }),
        ...(jsonSchema === undefined ? {} : { parameters: jsonSchema }),
      },
    },
    segment,
  );

function bodyOf(request: BuildRequest, settings: Settings, cacheKey: string | null): ChatBody {
  const { model, tools, responseFormat, options } = request;
  const given = allMessages(request);
  const placed = settings.lateSystemAsUser === true ? lateSystemAsUser(given) : given;
  const messages = withFormatMessage(placed, formatInstruction(request, placed));
  return {
    model,
    messages: chatMessages(messages, request),
    ...(options.stream ? { stream: true, stream_options: { include_usage: true } } : {}),
    ...(responseFormat === null ? {} : { response_format: { type: 'json_object' } }),
    ...(cacheKey === null ? {} : { prompt_cache_key: cacheKey }),
    ...(tools.length === 0 ? {} : { tools: tools.map(toolOf) }),
  };
}

/** A request as the body of `/chat/completions`. Throws BuildError. */
export function buildChat(request: BuildRequest): BuiltRequest {
  const { warn, warnings } = collectWarnings();
  const clean = prepare(request);
  const settings = readSettings(PROTOCOL, clean, warn);
  const { fields, sampling, limitField, outputLimit, toolChoice } = settings;
  const { tools, ...base } = bodyOf(clean, settings, requestCacheKey(PROTOCOL, clean, settings.promptCacheKey, warn));
  const { tools: metadataTools, ...rest } = fields;
  const sent = tools ?? (metadataTools === undefined ? undefined : own(metadataTools, METADATA_SEGMENT));
  return finish(
    PROTOCOL,
    clean,
    {
      ...base,
      ...rest,
      ...sampling,
      ...(outputLimit === null ? {} : { [limitField]: outputLimit }),
      ...(sent === undefined ? {} : { tools: sent }),
      ...(toolChoice === undefined ? {} : { tool_choice: toolChoice }),
    },
    warnings,
  );
}
