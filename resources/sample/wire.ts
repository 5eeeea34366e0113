/**
 * The bodies of the sample are made by the adapters themselves, and kept as Covel's trace keeps them: only the fields
 * that it observes stay, the others are counted (storage page, section 3).
 */
import { createHash } from 'node:crypto';
import { buildRequest } from '../../electron/adapters/build.ts';
import { trace } from '../../electron/adapters/build/traced.ts';
import type { BuildMessage } from '../../electron/adapters/build/types.ts';
import { UNSET, UNSET_OPTIONS } from '../../electron/adapters/build/unset.ts';
import type { JsonObject, Protocol } from '../../shared/model/index.ts';
import type { Tool } from './prompts.ts';

export type KernelPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly image: string; readonly mediaType: string };
export type KernelMessage = {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | readonly KernelPart[];
  readonly toolCallId?: string;
  readonly toolCalls?: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
};

export type SampleRequest = {
  readonly model: string;
  readonly messages: readonly KernelMessage[];
  readonly tools: readonly Tool[];
  readonly toolChoice: 'required' | 'auto' | { readonly name: string };
  /** The runtime asks for no reasoning. */
  readonly isPlain: boolean;
  readonly streaming: boolean;
  readonly maxOutputTokens: number;
  readonly sessionId: string;
  readonly runtimeId: string;
  readonly texts: { readonly opener: string; readonly responseFormat: string };
};

const BASE_URLS: Readonly<Record<string, string>> = { deepseek: 'https://api.deepseek.com' };

/** Top-level fields that the trace does not keep. */
const UNOBSERVED: ReadonlySet<string> = new Set(['prompt_cache_key', 'include']);

const SAMPLE = 'sample';

const buildMessage = ({ content, toolCalls, ...rest }: KernelMessage): BuildMessage => ({
  ...rest,
  content:
    typeof content === 'string'
      ? trace(content, SAMPLE)
      : content.map((part) =>
          part.type === 'text' ? { type: 'text', text: trace(part.text, SAMPLE) } : { ...part, segment: SAMPLE },
        ),
  ...(toolCalls === undefined ? {} : { toolCalls: toolCalls.map((call) => ({ ...call, segment: SAMPLE })) }),
});

/** The recorded body of a request, and how many of its fields were left out. */
export function recordedBody(
  protocol: Protocol,
  provider: string,
  request: SampleRequest,
): { readonly body: JsonObject; readonly omitted: number } {
  const { model, messages, tools, toolChoice, isPlain, streaming, maxOutputTokens, texts } = request;
  const { body } = buildRequest(protocol, {
    ...UNSET,
    model,
    system: trace('', null),
    messages: messages.map(buildMessage),
    tools: tools.map((tool) => ({ ...tool, jsonSchema: tool.jsonSchema as JsonObject, segment: SAMPLE })),
    toolChoice: toolChoice === 'auto' ? null : toolChoice,
    reasoning: isPlain ? false : null,
    maxOutputTokens,
    options: {
      ...UNSET_OPTIONS,
      baseUrl: BASE_URLS[provider] ?? null,
      sessionId: request.sessionId,
      runtimeId: request.runtimeId,
      stream: streaming,
      texts,
      sha256Hex: (text) => createHash('sha256').update(text).digest('hex'),
    },
  });
  const kept = Object.entries(body).filter(([key]) => !UNOBSERVED.has(key));
  return { body: Object.fromEntries(kept), omitted: Object.keys(body).length - kept.length };
}
