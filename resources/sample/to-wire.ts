/**
 * From the kernel view to the bodies of four protocols, for the sample alone: leading system text, late system
 * text, tool calls and results, pictures, Anthropic's four cache marks (seed 1, sections 2 and 5).
 */
import type { Tool } from './prompts.ts';

export const SENTINEL = '\ue000COVEL_CACHE_BREAK\ue000';

export type KernelPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly image: string; readonly mediaType: string };
export type KernelMessage = {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | readonly KernelPart[];
  readonly toolCallId?: string;
  readonly toolCalls?: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
};
export type Request = {
  readonly model: string;
  readonly messages: readonly KernelMessage[];
  readonly tools: readonly Tool[];
  readonly toolChoice: 'required' | 'auto' | { readonly name: string };
  readonly streaming: boolean;
  readonly maxOutputTokens: number;
};

type Body = Readonly<Record<string, unknown>>;
type Block = Record<string, unknown>;

const strip = (text: string): string => text.replaceAll(SENTINEL, '');
const wrap = (text: string): string => `<system-instruction>\n${strip(text)}\n</system-instruction>`;
const plain = (content: KernelMessage['content']): string =>
  typeof content === 'string' ? content : content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');

function split(
  messages: readonly KernelMessage[],
): readonly [leading: readonly KernelMessage[], rest: readonly KernelMessage[]] {
  const at = messages.findIndex((message) => message.role !== 'system');
  return at < 0 ? [messages, []] : [messages.slice(0, at), messages.slice(at)];
}

function anthropic({ model, messages, tools, toolChoice, streaming, maxOutputTokens }: Request): Body {
  const [leading, rest] = split(messages);
  const pieces = leading
    .map((message) => plain(message.content))
    .join('\n\n')
    .split(SENTINEL);
  const system: Block[] = pieces
    .map((piece) => ({ type: 'text', text: piece.trim() }))
    .filter((block) => block['text'] !== '');
  const cacheable = pieces.slice(0, -1).filter((piece) => piece.trim() !== '').length;
  const mark = { type: 'ephemeral' };
  for (const at of new Set([0, cacheable - 1]))
    if (system[at] && at >= 0) system[at] = { ...system[at], cache_control: mark };
  const out: { role: string; content: Block[] }[] = [];
  let historyEnd = -1;
  for (const message of rest) {
    if (message.role === 'system') {
      if (historyEnd < 0) historyEnd = out.length - 1;
      out.push({ role: 'user', content: [{ type: 'text', text: wrap(plain(message.content)) }] });
    } else if (message.role === 'tool') {
      const block = { type: 'tool_result', tool_use_id: message.toolCallId, content: plain(message.content) };
      const last = out.at(-1);
      if (last?.content[0]?.['type'] === 'tool_result') last.content.push(block);
      else out.push({ role: 'user', content: [block] });
    } else {
      const blocks: Block[] = (
        typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content
      )
        .filter((part) => part.type !== 'text' || part.text !== '')
        .map((part) =>
          part.type === 'text'
            ? { type: 'text', text: part.text }
            : {
                type: 'image',
                source: {
                  type: 'base64',
                  media_type: (part as { mediaType: string }).mediaType,
                  data: (part as { image: string }).image,
                },
              },
        );
      for (const call of message.toolCalls ?? [])
        blocks.push({ type: 'tool_use', id: call.id, name: call.name, input: JSON.parse(call.arguments) as unknown });
      out.push({ role: message.role, content: blocks });
    }
  }
  for (const at of new Set([historyEnd, out.length - 1])) {
    const content = out[at]?.content;
    const block = content?.at(-1);
    if (content && block) content[content.length - 1] = { ...block, cache_control: mark };
  }
  return {
    model,
    max_tokens: maxOutputTokens,
    ...(streaming ? { stream: true } : {}),
    system,
    messages: out,
    tools: tools.map(({ name, description, jsonSchema }) => ({ name, description, input_schema: jsonSchema })),
    ...(toolChoice === 'auto'
      ? {}
      : { tool_choice: toolChoice === 'required' ? { type: 'any' } : { type: 'tool', name: toolChoice.name } }),
  };
}

function chat({ model, messages, tools, toolChoice, streaming }: Request): Body {
  return {
    model,
    messages: messages.map((message) => ({
      role: message.role,
      content: strip(plain(message.content)),
      ...(message.toolCalls
        ? {
            tool_calls: message.toolCalls.map((call) => ({
              id: call.id,
              type: 'function',
              function: { name: call.name, arguments: call.arguments },
            })),
          }
        : {}),
      ...(message.toolCallId ? { tool_call_id: message.toolCallId } : {}),
    })),
    ...(streaming ? { stream: true, stream_options: { include_usage: true } } : {}),
    tools: tools.map(({ name, description, jsonSchema }) => ({
      type: 'function',
      function: { name, description, parameters: jsonSchema },
    })),
    tool_choice: typeof toolChoice === 'string' ? toolChoice : { type: 'function', function: toolChoice },
  };
}

function responses({ model, messages, tools, toolChoice, streaming, maxOutputTokens }: Request): Body {
  const input: unknown[] = [];
  for (const message of messages) {
    if (message.role === 'tool')
      input.push({ type: 'function_call_output', call_id: message.toolCallId, output: plain(message.content) });
    else {
      const text = strip(plain(message.content));
      if (text !== '' || !message.toolCalls) input.push({ role: message.role, content: text });
      for (const call of message.toolCalls ?? [])
        input.push({ type: 'function_call', call_id: call.id, name: call.name, arguments: call.arguments });
    }
  }
  return {
    model,
    max_output_tokens: maxOutputTokens,
    store: false,
    ...(streaming ? { stream: true } : {}),
    input,
    tools: tools.map(({ name, description, jsonSchema }) => ({
      type: 'function',
      name,
      description,
      parameters: jsonSchema,
      strict: false,
    })),
    tool_choice: typeof toolChoice === 'string' ? toolChoice : { type: 'function', name: toolChoice.name },
  };
}

type GeminiContent = { role: 'user' | 'model'; parts: Block[] };

function gemini({ messages, tools, toolChoice, maxOutputTokens }: Request): Body {
  const [leading, rest] = split(messages);
  const contents: GeminiContent[] = [];
  const isPure = (content: GeminiContent | undefined): boolean =>
    content?.parts.every((part) => 'text' in part) ?? false;
  const push = (role: GeminiContent['role'], parts: Block[]): void => {
    const last = contents.at(-1);
    if (last?.role === role && isPure(last) && parts.every((part) => 'text' in part)) last.parts.push(...parts);
    else contents.push({ role, parts });
  };
  const names = new Map<string, string>();
  for (const message of rest) {
    const text = strip(plain(message.content));
    if (message.role === 'system') push('user', [{ text: wrap(text) }]);
    else if (message.role === 'tool') {
      const response = {
        functionResponse: { name: names.get(message.toolCallId ?? '') ?? '?', response: JSON.parse(text) as unknown },
      };
      const last = contents.at(-1);
      if (last?.parts[0]?.['functionResponse']) last.parts.push(response);
      else contents.push({ role: 'user', parts: [response] });
    } else {
      const calls = (message.toolCalls ?? []).map((call) => {
        names.set(call.id, call.name);
        return { functionCall: { name: call.name, args: JSON.parse(call.arguments) as unknown } };
      });
      const parts: Block[] = [...(text === '' ? [] : [{ text }]), ...calls];
      if (calls.length > 0) contents.push({ role: 'model', parts });
      else push(message.role === 'assistant' ? 'model' : 'user', parts);
    }
  }
  return {
    contents,
    systemInstruction: { parts: leading.map((message) => ({ text: strip(plain(message.content)) })) },
    generationConfig: { maxOutputTokens },
    tools: [
      {
        functionDeclarations: tools.map(({ name, description, jsonSchema }) => ({
          name,
          description,
          parametersJsonSchema: jsonSchema,
        })),
      },
    ],
    toolConfig: {
      functionCallingConfig:
        toolChoice === 'auto'
          ? { mode: 'AUTO' }
          : toolChoice === 'required'
            ? { mode: 'ANY' }
            : { mode: 'ANY', allowedFunctionNames: [toolChoice.name] },
    },
  };
}

export const TO_WIRE = {
  'anthropic-messages-v1': anthropic,
  'openai-chat-v1': chat,
  'openai-responses-v1': responses,
  'google-generative-ai-v1': gemini,
} as const satisfies Record<string, (request: Request) => Body>;
export type SampleProtocol = keyof typeof TO_WIRE;
