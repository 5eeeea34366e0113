/**
 * One answer in the four protocols' own words, whole and as a stream, written from the providers' documented shapes (the
 * contract test lets the official clients read them). For tests; the texts are invented.
 */
import { createHash } from 'node:crypto';
import type { Json, JsonObject, Protocol } from '../../../../shared/model/index.ts';
import { field } from '../../json.ts';
import type { ReplyOptions } from '../types.ts';

export type AnswerCall = { readonly id: string; readonly name: string; readonly args: JsonObject };
export type Answer = {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly AnswerCall[];
  readonly end: 'stop' | 'length';
  readonly tokens: {
    readonly uncached: number;
    readonly read: number;
    readonly write: number;
    readonly output: number;
  };
};

export const SAMPLE: Answer = {
  text: 'The tide turns at nine. 潮水在九点转向。🌊',
  reasoning: 'The player asks for the tide.\nA short answer will do.',
  calls: [
    { id: 'call_a', name: 'set-tide', args: { level: 'low', hours: 6 } },
    { id: 'call_b', name: 'note', args: { text: '九点 "low" tide' } },
  ],
  end: 'stop',
  tokens: { uncached: 30, read: 60, write: 10, output: 20 },
};

export const MODELS: Readonly<Record<Protocol, string>> = {
  'anthropic-messages-v1': 'claude-sonnet-4-5',
  'openai-chat-v1': 'gpt-5.4-mini',
  'openai-responses-v1': 'gpt-5.4-mini',
  'google-generative-ai-v1': 'gemini-2.5-flash',
};

export const optionsFor = (protocol: Protocol, more: Partial<ReplyOptions> = {}): ReplyOptions => ({
  model: MODELS[protocol],
  baseUrl: null,
  requestBody: '{"model":"m"}',
  sha256Hex: (text) => createHash('sha256').update(text).digest('hex'),
  usageRule: null,
  ...more,
});

const whole = (answer: Answer): number => answer.tokens.uncached + answer.tokens.read + answer.tokens.write;

const anthropicUsage = ({ tokens }: Answer): JsonObject => ({
  input_tokens: tokens.uncached,
  cache_read_input_tokens: tokens.read,
  cache_creation_input_tokens: tokens.write,
  cache_creation: { ephemeral_5m_input_tokens: tokens.write, ephemeral_1h_input_tokens: 0 },
  output_tokens: tokens.output,
});
const chatUsage = (answer: Answer): JsonObject => ({
  prompt_tokens: whole(answer),
  completion_tokens: answer.tokens.output,
  total_tokens: whole(answer) + answer.tokens.output,
  prompt_tokens_details: { cached_tokens: answer.tokens.read, cache_write_tokens: answer.tokens.write },
  completion_tokens_details: { reasoning_tokens: 0 },
});
const responsesUsage = (answer: Answer): JsonObject => ({
  input_tokens: whole(answer),
  input_tokens_details: { cached_tokens: answer.tokens.read, cache_write_tokens: answer.tokens.write },
  output_tokens: answer.tokens.output,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: whole(answer) + answer.tokens.output,
});
const geminiUsage = (answer: Answer): JsonObject => ({
  promptTokenCount: whole(answer),
  cachedContentTokenCount: answer.tokens.read,
  candidatesTokenCount: answer.tokens.output,
  totalTokenCount: whole(answer) + answer.tokens.output,
});

function anthropicBody(answer: Answer): JsonObject {
  const { text, reasoning, calls, end } = answer;
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: MODELS['anthropic-messages-v1'],
    content: [
      ...(reasoning === '' ? [] : [{ type: 'thinking', thinking: reasoning, signature: 'c2ln' }]),
      ...(text === '' ? [] : [{ type: 'text', text, citations: null }]),
      ...calls.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: args })),
    ],
    stop_reason: end === 'length' ? 'max_tokens' : calls.length > 0 ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: anthropicUsage(answer),
  };
}

const chatFinish = ({ calls, end }: Answer): string =>
  end === 'length' ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop';

const chatCall = ({ id, name, args }: AnswerCall): JsonObject => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(args) },
});

const chatBody = (answer: Answer): JsonObject => ({
  id: 'chatcmpl_1',
  object: 'chat.completion',
  created: 1,
  model: MODELS['openai-chat-v1'],
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: answer.text === '' ? null : answer.text,
        refusal: null,
        ...(answer.reasoning === '' ? {} : { reasoning_content: answer.reasoning }),
        ...(answer.calls.length === 0 ? {} : { tool_calls: answer.calls.map(chatCall) }),
      },
      finish_reason: chatFinish(answer),
      logprobs: null,
    },
  ],
  usage: chatUsage(answer),
});

function responsesOutput({ text, reasoning, calls, end }: Answer): readonly JsonObject[] {
  const status = end === 'length' ? 'incomplete' : 'completed';
  return [
    ...(reasoning === ''
      ? []
      : [
          {
            type: 'reasoning',
            id: 'rs_1',
            summary: [{ type: 'summary_text', text: reasoning }],
            encrypted_content: 'ZW5j',
          },
        ]),
    ...(text === ''
      ? []
      : [
          {
            type: 'message',
            id: 'item_1',
            role: 'assistant',
            status,
            content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
          },
        ]),
    ...calls.map(({ id, name, args }, i) => ({
      type: 'function_call',
      id: `fc_${i}`,
      call_id: id,
      name,
      arguments: JSON.stringify(args),
      status: 'completed',
    })),
  ];
}

const responsesBody = (answer: Answer): JsonObject => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  model: MODELS['openai-responses-v1'],
  status: answer.end === 'length' ? 'incomplete' : 'completed',
  error: null,
  incomplete_details: answer.end === 'length' ? { reason: 'max_output_tokens' } : null,
  output: responsesOutput(answer),
  parallel_tool_calls: true,
  tools: [],
  usage: responsesUsage(answer),
});

const geminiParts = ({ text, reasoning, calls }: Answer): readonly JsonObject[] => [
  ...(reasoning === '' ? [] : [{ text: reasoning, thought: true }]),
  ...(text === '' ? [] : [{ text }]),
  ...calls.map(({ id, name, args }, i) => ({
    functionCall: { id, name, args },
    ...(i === 0 ? { thoughtSignature: 'c2ln' } : {}),
  })),
];

const geminiFinish = ({ end }: Answer): string => (end === 'length' ? 'MAX_TOKENS' : 'STOP');

const geminiBody = (answer: Answer): JsonObject => ({
  candidates: [
    { content: { role: 'model', parts: geminiParts(answer) }, finishReason: geminiFinish(answer), index: 0 },
  ],
  usageMetadata: geminiUsage(answer),
  modelVersion: MODELS['google-generative-ai-v1'],
  responseId: 'gem_1',
});

const BODIES: Readonly<Record<Protocol, (answer: Answer) => JsonObject>> = {
  'anthropic-messages-v1': anthropicBody,
  'openai-chat-v1': chatBody,
  'openai-responses-v1': responsesBody,
  'google-generative-ai-v1': geminiBody,
};

export const bodyOf = (protocol: Protocol, answer: Answer): JsonObject => BODIES[protocol](answer);

/** Cuts a text into the pieces in which a stream sends it; they join to the text. */
export type Cut = (text: string) => readonly string[];
/** In pieces of `n` UTF-16 units, surrogate pairs included. */
export const cutEvery =
  (n: number): Cut =>
  (text) =>
    Array.from({ length: Math.ceil(text.length / n) }, (_, i) => text.slice(i * n, (i + 1) * n));

function anthropicEvents(answer: Answer, cut: Cut): readonly JsonObject[] {
  const body = anthropicBody(answer);
  const events: JsonObject[] = [
    {
      type: 'message_start',
      message: { ...body, content: [], stop_reason: null, usage: { ...anthropicUsage(answer), output_tokens: 1 } },
    },
    { type: 'ping' },
  ];
  for (const [index, block] of (body['content'] as readonly JsonObject[]).entries()) {
    const delta = (value: JsonObject): number => events.push({ type: 'content_block_delta', index, delta: value });
    const empty = { text: '', thinking: '', input: {}, signature: '' };
    const start = Object.fromEntries(
      Object.entries(block).map(([key, value]) => [key, key in empty ? empty[key as keyof typeof empty] : value]),
    );
    events.push({ type: 'content_block_start', index, content_block: start });
    if (block['type'] === 'text') {
      for (const text of cut(answer.text)) delta({ type: 'text_delta', text });
    } else if (block['type'] === 'thinking') {
      for (const thinking of cut(answer.reasoning)) delta({ type: 'thinking_delta', thinking });
      delta({ type: 'signature_delta', signature: block['signature'] as string });
    } else {
      const text = JSON.stringify(block['input']);
      for (const partial_json of text === '{}' ? [''] : cut(text)) delta({ type: 'input_json_delta', partial_json });
    }
    events.push({ type: 'content_block_stop', index });
  }
  events.push({
    type: 'message_delta',
    delta: { stop_reason: body['stop_reason'] as string, stop_sequence: null },
    usage: { output_tokens: answer.tokens.output },
  });
  events.push({ type: 'message_stop' });
  return events;
}

function chatEvents(answer: Answer, cut: Cut): readonly JsonObject[] {
  const chunk = (choices: readonly Json[], more: JsonObject = {}): JsonObject => ({
    id: 'chatcmpl_1',
    object: 'chat.completion.chunk',
    created: 1,
    model: MODELS['openai-chat-v1'],
    choices,
    ...more,
  });
  const delta = (value: JsonObject, finish: string | null = null): JsonObject =>
    chunk([{ index: 0, delta: value, finish_reason: finish }], { usage: null });
  return [
    delta({ role: 'assistant', content: '' }),
    ...cut(answer.reasoning).map((reasoning_content) => delta({ reasoning_content })),
    ...cut(answer.text).map((content) => delta({ content })),
    ...answer.calls.flatMap(({ id, name, args }, index) => [
      delta({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
      ...cut(JSON.stringify(args)).map((text) => delta({ tool_calls: [{ index, function: { arguments: text } }] })),
    ]),
    delta({}, chatFinish(answer)),
    chunk([], { usage: chatUsage(answer) }),
  ];
}

function responsesEvents(answer: Answer, cut: Cut): readonly JsonObject[] {
  const body = responsesBody(answer);
  const events: JsonObject[] = [];
  const add = (type: string, more: JsonObject): number =>
    events.push({ type, sequence_number: events.length, ...more });
  const created = { ...body, status: 'in_progress', output: [], usage: null, incomplete_details: null };
  add('response.created', { response: created });
  add('response.in_progress', { response: created });
  for (const [output_index, item] of responsesOutput(answer).entries()) {
    const item_id = item['id'] as string;
    const at = { output_index, item_id };
    if (item['type'] === 'reasoning') {
      add('response.output_item.added', { output_index, item: { ...item, summary: [] } });
      const part = { ...at, summary_index: 0 };
      add('response.reasoning_summary_part.added', { ...part, part: { type: 'summary_text', text: '' } });
      for (const delta of cut(answer.reasoning)) add('response.reasoning_summary_text.delta', { ...part, delta });
      add('response.reasoning_summary_text.done', { ...part, text: answer.reasoning });
    } else if (item['type'] === 'message') {
      add('response.output_item.added', { output_index, item: { ...item, status: 'in_progress', content: [] } });
      const part = { ...at, content_index: 0 };
      add('response.content_part.added', { ...part, part: { type: 'output_text', text: '', annotations: [] } });
      for (const delta of cut(answer.text)) add('response.output_text.delta', { ...part, delta, logprobs: [] });
      add('response.output_text.done', { ...part, text: answer.text, logprobs: [] });
      add('response.content_part.done', { ...part, part: { type: 'output_text', text: answer.text, annotations: [] } });
    } else {
      const text = item['arguments'] as string;
      add('response.output_item.added', { output_index, item: { ...item, status: 'in_progress', arguments: '' } });
      for (const delta of cut(text)) add('response.function_call_arguments.delta', { ...at, delta });
      add('response.function_call_arguments.done', { ...at, name: item['name'] as string, arguments: text });
    }
    add('response.output_item.done', { output_index, item });
  }
  add(answer.end === 'length' ? 'response.incomplete' : 'response.completed', { response: body });
  return events;
}

function geminiEvents(answer: Answer, cut: Cut): readonly JsonObject[] {
  const chunk = (parts: readonly JsonObject[], finish: JsonObject = {}): JsonObject => ({
    candidates: [{ content: { role: 'model', parts }, index: 0, ...finish }],
    usageMetadata: { promptTokenCount: whole(answer), totalTokenCount: whole(answer) },
    modelVersion: MODELS['google-generative-ai-v1'],
    responseId: 'gem_1',
  });
  const pieces = geminiParts(answer).flatMap((part) =>
    typeof part['text'] === 'string' ? cut(part['text']).map((text) => ({ ...part, text })) : [part],
  );
  return [
    ...pieces.map((part) => chunk([part])),
    { ...chunk([{ text: '' }], { finishReason: geminiFinish(answer) }), usageMetadata: geminiUsage(answer) },
  ];
}

const EVENTS: Readonly<Record<Protocol, (answer: Answer, cut: Cut) => readonly JsonObject[]>> = {
  'anthropic-messages-v1': anthropicEvents,
  'openai-chat-v1': chatEvents,
  'openai-responses-v1': responsesEvents,
  'google-generative-ai-v1': geminiEvents,
};

export const eventsOf = (protocol: Protocol, answer: Answer, cut: Cut = cutEvery(7)): readonly JsonObject[] =>
  EVENTS[protocol](answer, cut);

/** The events as server-sent events; OpenAI's protocol ends with `[DONE]`. */
export function sseOf(protocol: Protocol, events: readonly Json[], newline: string = '\n'): string {
  const named = protocol === 'anthropic-messages-v1' || protocol === 'openai-responses-v1';
  const lines = events.map((event) => {
    const type = field(event, 'type');
    return `${named && typeof type === 'string' ? `event: ${type}${newline}` : ''}data: ${JSON.stringify(event)}${newline}${newline}`;
  });
  return lines.join('') + (protocol === 'openai-chat-v1' ? `data: [DONE]${newline}${newline}` : '');
}
