/**
 * A prompt as a body of the Anthropic Messages API (assembler page, section 9.1). Caching is by explicit marks: tools,
 * then system, then messages, and what a mark ends must be the same bytes next time.
 */
import type { Json, JsonObject } from '../../../shared/model/index.ts';
import { requestCacheKey } from '../build/cache-key.ts';
import { allMessages } from '../build/content.ts';
import { finish } from '../build/finish.ts';
import { splitLeading } from '../build/late-system.ts';
import { readSettings } from '../build/metadata.ts';
import { prepare } from '../build/prepare.ts';
import { formatInstruction } from '../build/response-format.ts';
import { own, type Owned } from '../build/traced.ts';
import type { BuildRequest, BuildTool, BuiltRequest } from '../build/types.ts';
import { collectWarnings } from '../build/warn.ts';
import { PROTOCOL, wireMessages, type WireMessage } from './messages.ts';
import { nativeFields } from './native.ts';
import { systemField, type SystemField } from './system.ts';

/** The API wants an object's schema here; another one is passed on as it is. */
type ObjectSchema = JsonObject & { readonly type: 'object' };
export type WireTool = { readonly name: string; readonly description?: string; readonly input_schema: ObjectSchema };

/** The fields that are ours to set, in the SDK's names. `Native`: blocks of earlier replies. */
export type AnthropicBody<Native = Json> = {
  readonly model: string;
  readonly max_tokens: number;
  readonly system?: SystemField;
  readonly messages: readonly WireMessage<Native>[];
  readonly tools?: readonly Owned<WireTool>[];
  readonly stream?: true;
};

/** Output limit of a request that names none, and the most that is asked for without an override. */
const DEFAULT_MAX_TOKENS = 16_384;

const wireTool = ({ name, description, jsonSchema, segment }: BuildTool): Owned<WireTool> =>
  own(
    {
      name,
      ...(description === undefined ? {} : { description }),
      input_schema: (jsonSchema ?? { type: 'object', properties: {} }) as ObjectSchema,
    },
    segment,
  );

/** Body, URL, headers and source map. Throws `BuildError`; the request is not changed. */
export function buildAnthropic(given: BuildRequest): BuiltRequest {
  const { warn, warnings } = collectWarnings();
  const request = prepare(given, true);
  const { model, tools, maxOutputTokens, options } = request;
  const settings = readSettings(PROTOCOL, request, warn);
  requestCacheKey(PROTOCOL, request, settings.promptCacheKey, warn);
  const isExplicit = (options.cacheStrategy ?? 'anthropic-explicit') === 'anthropic-explicit';
  const { leading, rest } = splitLeading(allMessages(request));
  const system = systemField(leading, isExplicit, formatInstruction(request, leading));
  if (settings.outputOverride === null && (maxOutputTokens ?? 0) > DEFAULT_MAX_TOKENS) {
    warn('output-limit', `Without an override at most ${DEFAULT_MAX_TOKENS} output tokens are asked for.`);
  }
  const body: AnthropicBody = {
    model,
    max_tokens: settings.outputOverride ?? Math.min(maxOutputTokens ?? DEFAULT_MAX_TOKENS, DEFAULT_MAX_TOKENS),
    ...(system === null ? {} : { system }),
    messages: wireMessages(rest, request, isExplicit),
    ...(tools.length === 0 ? {} : { tools: tools.map(wireTool) }),
    ...(options.stream ? { stream: true } : {}),
  };
  const { toolChoice } = settings;
  const tree = {
    ...body,
    ...nativeFields(settings, warn),
    ...(toolChoice === undefined ? {} : { tool_choice: toolChoice }),
  };
  return finish(PROTOCOL, request, tree, warnings);
}
