/**
 * What holds for every protocol before its adapter begins: no sentinel stays in anything that is sent, and a model
 * that reads text only gets a placeholder for each picture.
 */
import type { JsonObject } from '../../../shared/model/index.ts';
import { withoutImages } from './images.ts';
import { isText } from './content.ts';
import { jsonWithoutSentinels, stringWithoutSentinels, withoutSentinels } from './sentinels.ts';
import { splitLeading } from './late-system.ts';
import type { BuildMessage, BuildPart, BuildRequest } from './types.ts';

const cleanPart = (part: BuildPart): BuildPart =>
  part.type === 'text' ? { ...part, text: withoutSentinels(part.text) } : part;

function cleanMessage(message: BuildMessage, keepsText: boolean): BuildMessage {
  const { content, name, toolCalls, toolCallId, reasoningContent } = message;
  const text =
    keepsText || content === null ? content : isText(content) ? withoutSentinels(content) : content.map(cleanPart);
  return {
    ...message,
    content: text,
    ...(name === undefined ? {} : { name: stringWithoutSentinels(name) }),
    ...(toolCallId === undefined ? {} : { toolCallId: stringWithoutSentinels(toolCallId) }),
    ...(reasoningContent === undefined ? {} : { reasoningContent: withoutSentinels(reasoningContent) }),
    ...(toolCalls === undefined
      ? {}
      : {
          toolCalls: toolCalls.map((call) => ({
            ...call,
            id: stringWithoutSentinels(call.id),
            name: stringWithoutSentinels(call.name),
            arguments: stringWithoutSentinels(call.arguments),
          })),
        }),
  };
}

/**
 * The request without sentinels and, where the model reads text only, without pictures. `keepLeading`: the system
 * prompt and the leading system messages keep their sentinels, for the adapter that cuts there. Continuation blocks
 * stay as the provider wrote them. The given request is not changed.
 */
export function prepare(request: BuildRequest, keepLeading = false): BuildRequest {
  const { leading, rest } = splitLeading(request.messages);
  const images = (message: BuildMessage): BuildMessage =>
    request.options.imageInput ? message : withoutImages(message);
  const { responseFormat } = request;
  return {
    ...request,
    system: keepLeading ? request.system : withoutSentinels(request.system),
    messages: [
      ...leading.map((message) => images(cleanMessage(message, keepLeading))),
      ...rest.map((message) => images(cleanMessage(message, false))),
    ],
    tools: request.tools.map((tool) => ({
      ...tool,
      name: stringWithoutSentinels(tool.name),
      ...(tool.description === undefined ? {} : { description: stringWithoutSentinels(tool.description) }),
      ...(tool.jsonSchema === undefined ? {} : { jsonSchema: jsonWithoutSentinels(tool.jsonSchema) }),
    })),
    responseFormat: responseFormat && { ...responseFormat, schema: jsonWithoutSentinels(responseFormat.schema) },
    metadata: jsonWithoutSentinels<JsonObject>(request.metadata),
  };
}
