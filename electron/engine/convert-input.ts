/**
 * The JSON input of `convert`: a prompt, the runtime's wishes, and what the slot says about the endpoint. Every field
 * may be left out or be null unless a rule needs it; a field that we do not know is refused, because it would not be
 * sent.
 */
import { z } from 'zod';
import type { Json, JsonObject } from '../../shared/model/index.ts';

/** Deeper JSON is no request that any provider takes, and the writer of JSON would not get to its end. */
const MAX_DEPTH = 200;

export function isTooDeep(value: Json): boolean {
  const stack: { readonly value: Json; readonly depth: number }[] = [{ value, depth: 1 }];
  for (let here = stack.pop(); here !== undefined; here = stack.pop()) {
    if (typeof here.value !== 'object' || here.value === null) continue;
    if (here.depth > MAX_DEPTH) return true;
    for (const member of Object.values(here.value)) stack.push({ value: member, depth: here.depth + 1 });
  }
  return false;
}

const TOO_DEEP = `Invalid input: nested more than ${MAX_DEPTH} levels deep`;
const json = z.custom<Json>().refine((value) => !isTooDeep(value), TOO_DEEP);
const object = z
  .custom<JsonObject>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'Invalid input: expected object',
  )
  .refine((value) => !isTooDeep(value), TOO_DEEP);

const text = z.string();
const filled = text.min(1, 'Invalid input: must not be empty');
const maybe = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? undefined);
const or = <T extends z.ZodType>(schema: T, fallback: z.output<T>) =>
  schema.nullish().transform((value) => value ?? fallback);
/** null is as good as an empty object. */
const orEmpty = <T extends z.ZodType>(schema: T) => z.preprocess((value) => value ?? {}, schema);
const orNull = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? null);

const part = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text }),
  z.strictObject({ type: z.literal('image'), image: filled, mediaType: maybe(text) }),
]);

const message = z.strictObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
  content: orNull(
    z.union([text, z.array(part)], 'Invalid input: expected a text, parts of type text or image, or null'),
  ),
  name: maybe(text),
  toolCalls: maybe(z.array(z.strictObject({ id: filled, name: filled, arguments: text }))),
  toolCallId: maybe(filled),
  reasoningContent: maybe(text),
  providerContinuation: maybe(z.strictObject({ protocol: text, model: text, baseUrl: text, blocks: z.array(json) })),
});

const number = maybe(z.number());

export const ConvertInput = z.strictObject({
  model: filled,
  systemPrompt: or(text, ''),
  messages: or(z.array(message), []),
  tools: or(z.array(z.strictObject({ name: filled, description: maybe(text), jsonSchema: maybe(object) })), []),
  toolChoice: orNull(
    z.union(
      [z.literal('required'), z.strictObject({ name: filled })],
      'Invalid input: expected "required", {"name": …} or null',
    ),
  ),
  reasoning: orNull(z.literal(false, 'Invalid input: expected false or null')),
  maxOutputTokens: orNull(z.int().positive()),
  responseFormat: orNull(z.strictObject({ schema: object })),
  parameterOverrides: orEmpty(
    z.strictObject({
      temperature: number,
      topP: number,
      topK: number,
      maxOutputTokens: number,
      frequencyPenalty: number,
      presencePenalty: number,
      reasoningEffort: maybe(text),
      toolChoice: maybe(json),
      tool_choice: maybe(json),
    }),
  ),
  metadata: or(object, {}),
  options: orEmpty(
    z.strictObject({
      // Left out is none; null is the protocol's own (assembler page, section 12.5).
      cacheStrategy: z
        .enum(['anthropic-explicit', 'auto-prefix', 'none'])
        .nullable()
        .optional()
        .transform((value) => (value === undefined ? 'none' : value)),
      lateSystemAsUser: orNull(z.boolean()),
      promptCacheKey: orNull(z.boolean()),
      baseUrl: orNull(text),
      sessionId: orNull(text),
      runtimeId: orNull(text),
      stream: or(z.boolean(), false),
      imageInput: or(z.boolean(), true),
    }),
  ),
});
export type ConvertInput = z.output<typeof ConvertInput>;
type InputMessage = ConvertInput['messages'][number];

/** A message that no protocol can carry, by field; null where there is none. A result without its call is the protocol's to judge. */
export function conversationFault(messages: readonly InputMessage[]): { field: string; detail: string } | null {
  for (const [i, { role, toolCalls = [], toolCallId }] of messages.entries()) {
    const at = (field: string): string => `messages[${i}].${field}`;
    if (toolCalls.length > 0 && role !== 'assistant') {
      return { field: at('toolCalls'), detail: 'only an assistant message calls tools' };
    }
    if (role === 'tool' && toolCallId === undefined) {
      return { field: at('toolCallId'), detail: 'a tool result names the id of its call' };
    }
    if (role !== 'tool' && toolCallId !== undefined) {
      return { field: at('toolCallId'), detail: 'only a tool result names the id of a call' };
    }
    for (const [n, { arguments: written }] of toolCalls.entries()) {
      if (isDeepJson(written)) {
        return { field: at(`toolCalls[${n}].arguments`), detail: 'the arguments are nested too deeply' };
      }
    }
  }
  return null;
}

/** What is no JSON text at all is not refused: each protocol has its rule for it (assembler page, section 9). */
function isDeepJson(written: string): boolean {
  try {
    return isTooDeep(JSON.parse(written) as Json);
  } catch {
    return false;
  }
}
