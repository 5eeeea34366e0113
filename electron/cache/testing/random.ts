/** Random bodies of every protocol, with what makes JSON and comparison hard: escapes, lone surrogates, marks. */
import fc from 'fast-check';
import type { Json, JsonObject, Protocol } from '../../../shared/model/index.ts';

const unit = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('a', 'b', ' ', '灯', '潮') },
  { weight: 2, arbitrary: fc.constantFrom('"', '\\', '\n', '\t', '\r', '\u0001', '\0', '/', '\u2028') },
  { weight: 2, arbitrary: fc.constantFrom('😀', '😁', '\ud83d', '\ude00') },
);

export const hardText = fc.array(unit, { maxLength: 12 }).map((units) => units.join(''));

const mark = fc.constantFrom<Json>({ type: 'ephemeral' }, { type: 'ephemeral', ttl: '1h' }, null);
const marked = (value: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> =>
  fc.tuple(value, fc.option(mark, { nil: undefined }), fc.boolean()).map(([object, control, first]) => {
    if (control === undefined) return object;
    return first ? { cache_control: control, ...object } : { ...object, cache_control: control };
  });

const block = marked(
  fc.oneof(
    hardText.map((text): JsonObject => ({ type: 'text', text })),
    fc.record({
      type: fc.constant('tool_use'),
      name: hardText,
      input: fc.dictionary(hardText, hardText, { maxKeys: 2 }),
    }),
    fc.record({ type: fc.constant('image'), n: fc.integer() }),
  ),
);
const message = fc.oneof(
  fc.record({ role: fc.constantFrom('system', 'user', 'assistant'), content: hardText }),
  fc.record({ role: fc.constantFrom('user', 'assistant'), content: fc.array(block, { maxLength: 3 }) }),
  fc.record({ type: fc.constant('function_call'), name: hardText, arguments: hardText }),
);
const tool = marked(
  fc.record({ name: hardText, description: hardText, input_schema: fc.constant<Json>({ type: 'object' }) }),
);
const messages = fc.array(message, { maxLength: 5 });
const tools = fc.array(tool, { maxLength: 3 });

export const randomBody: Readonly<Record<Protocol, fc.Arbitrary<JsonObject>>> = {
  'anthropic-messages-v1': fc.record({
    tools,
    system: fc.oneof(hardText, fc.array(block, { maxLength: 3 })),
    messages,
  }),
  'openai-chat-v1': fc.record({ tools, messages }, { requiredKeys: ['messages'] }),
  'openai-responses-v1': fc.record({ tools, instructions: hardText, input: messages }, { requiredKeys: ['input'] }),
  'google-generative-ai-v1': fc.record({
    tools: fc.tuple(fc.record({ functionDeclarations: tools })),
    systemInstruction: fc.record({ parts: fc.array(block, { maxLength: 2 }) }),
    contents: fc.array(
      fc.record({ role: fc.constantFrom('user', 'model'), parts: fc.array(block, { maxLength: 3 }) }),
      { maxLength: 4 },
    ),
  }),
};

/** The body with one unit of one of its strings replaced: two requests that share a long prefix. */
export function edited(body: JsonObject, pick: number): JsonObject {
  const text = JSON.stringify(body);
  const at = [...text.matchAll(/(?<=:")[^"\\]/g)].map((match) => match.index);
  const place = at[pick % Math.max(1, at.length)];
  if (place === undefined) return body;
  return JSON.parse(`${text.slice(0, place)}#${text.slice(place + 1)}`) as JsonObject;
}
