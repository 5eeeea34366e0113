/**
 * The invariant of the source map, on bodies of any shape: every character of every text has exactly one segment, in
 * cache key order, and nothing throws. And its limits: very deep, very long and very wide bodies.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PROTOCOLS, type HistoryRow, type Json, type Segment, type WirePrompt } from '../../shared/model/index.ts';
import { coverFaults } from './fixtures/cover.ts';
import { json, row } from './fixtures/scene.ts';
import { parseKernel, SENTINEL } from './kernel/parse.ts';
import type { NamingEvidence } from './naming/evidence.ts';
import { nameSegments } from './naming/name.ts';
import { parseBody } from './parse.ts';
import { segmentRow } from './segment.ts';
import { bodyTexts, kernelTexts } from './texts.ts';

const textsOf = (segments: readonly Segment[]) => segments.flatMap((segment) => segment.texts);
const partTexts = (prompt: WirePrompt) => [
  ...prompt.tools.flatMap((tool) => tool.texts),
  ...prompt.messages.flatMap((message) => message.parts.flatMap((part) => part.texts)),
  ...prompt.responseFormat,
];
const noEvidence: NamingEvidence = {
  kernel: null,
  turnId: 't1',
  runtimeId: null,
  pluginId: null,
  playerText: null,
  rows: [],
};

const pieces = [
  '[RUNTIME]\na\n\n[COMPLETION]\nb',
  SENTINEL,
  '\n\n',
  '<memory-blocks>\nm\n</memory-blocks>',
  '<world-lore>\nx\n</world-lore>',
  '<open>\n',
  '[World Rule: A]\n',
  '【世界规则：盐】\n',
  '<compacted_history>\n',
  '</compacted_history>\n',
  '<response-format>{}</response-format>',
  '<system-instruction>\n',
  '\n</system-instruction>',
  '[retry 1] ',
  'Go.',
  '雾',
  '😀',
  '\ud800',
  '\0',
  ' ',
];
const text = fc.array(fc.constantFrom(...pieces), { maxLength: 6 }).map((some) => some.join(''));
const keys = [
  'type',
  'role',
  'content',
  'text',
  'parts',
  'input',
  'arguments',
  'args',
  'output',
  'response',
  'id',
  'name',
  'thought',
  'tool_calls',
  'toolCalls',
  'function',
  'function_call',
  'functionCall',
  'functionResponse',
  'functionDeclarations',
  'tool_call_id',
  'toolCallId',
  'tool_use_id',
  'call_id',
  'cache_control',
  'prompt_cache_breakpoint',
  'reasoning_content',
  'reasoning',
  'reasoningContent',
  'providerContinuation',
  'inlineData',
  'source',
  'image',
  'refusal',
  '__proto__',
  'a/b~c',
  '',
];
const words = [
  'system',
  'developer',
  'user',
  'assistant',
  'model',
  'tool',
  'text',
  'input_text',
  'thinking',
  'tool_use',
  'tool_result',
  'image',
  'message',
  'function_call',
  'function_call_output',
  'reasoning',
  'function',
  'json_schema',
  'image_url',
  'media',
  'refusal',
];
const { value } = fc.letrec<{ value: unknown; object: unknown }>((tie) => ({
  object: fc.array(fc.tuple(fc.constantFrom(...keys), tie('value')), { maxLength: 5 }).map((entries) => {
    const made: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
    for (const [key, member] of entries) made[key] = member;
    return made;
  }),
  value: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    text,
    fc.constantFrom(...words),
    fc.constantFrom(null, true, 0, 1.5),
    fc.array(tie('value'), { maxLength: 4 }),
    tie('object'),
    tie('object'),
  ),
}));
const message = fc.record(
  {
    role: fc.constantFrom('system', 'user', 'assistant', 'model', 'tool'),
    content: fc.oneof(
      text,
      fc.array(fc.record({ type: fc.constantFrom('text', 'image', 'tool_use'), text }), { maxLength: 3 }),
      value,
    ),
    parts: fc.array(fc.record({ text }), { maxLength: 3 }),
    tool_calls: value,
    name: value,
  },
  { requiredKeys: ['role'] },
);
const list = fc.oneof({ weight: 4, arbitrary: fc.array(message, { maxLength: 8 }) }, { weight: 1, arbitrary: value });
const body = fc.record(
  {
    tools: value,
    system: value,
    instructions: value,
    systemInstruction: value,
    messages: list,
    input: list,
    contents: list,
    response_format: value,
    text: fc.record({ format: value }),
    generationConfig: fc.record({ responseJsonSchema: value }),
    cache_control: value,
  },
  { requiredKeys: [] },
);
const evidences = fc
  .record({
    kernel: fc.option(list),
    playerText: fc.option(text),
    rows: fc.array(fc.tuple(fc.nat(3), text, fc.boolean())),
  })
  .map(({ kernel, playerText, rows }): NamingEvidence => ({
    ...noEvidence,
    kernel: kernel === null ? null : { messages: json(kernel) },
    playerText,
    rows: rows.map(([turn, content, user]): HistoryRow => row(turn, user ? 'user' : 'assistant', content)),
  }));

describe('every character has exactly one segment', () => {
  test('of any body in any protocol, with any evidence', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(body, evidences, fc.constantFrom(...PROTOCOLS), (raw, evidence, protocol) => {
        const own: Json = json(raw);
        const prompt = parseBody(protocol, own);
        const texts = bodyTexts(protocol, own);
        expect(coverFaults(texts, partTexts(prompt))).toEqual([]);
        const segments = nameSegments(prompt, evidence);
        expect(coverFaults(texts, textsOf(segments))).toEqual([]);
        const chars = segments.reduce((sum, segment) => sum + segmentRow(segment).chars, 0);
        expect(chars).toBe(texts.reduce((sum, one) => sum + one.text.length, 0));
        for (const segment of segments) expect(segment.kind === 'unknown').toBe(segment.proof === 'none');
      }),
      { numRuns: 1500 },
    );
  });

  test('of any kernel view', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(list, value, evidences, (messages, tools, evidence) => {
        const kernel = { messages: json(messages ?? null), tools: json(tools ?? null) };
        const segments = nameSegments(parseKernel(kernel), evidence);
        expect(coverFaults(kernelTexts(kernel), textsOf(segments))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  test('segments stand in the order of the cache key', () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 8 }), evidences, (messages, evidence) => {
        const prompt = parseBody(
          'openai-chat-v1',
          json({ messages, tools: [{ name: 'a' }], response_format: { x: 'y' } }),
        );
        const segments = nameSegments(prompt, evidence);
        const order = segments.map((segment) => segment.message).slice(1, -1) as number[];
        expect(order).toEqual(order.toSorted((a, b) => a - b));
        expect([segments[0]?.kind, segments.at(-1)?.kind]).toEqual(['tool', 'response-format']);
      }),
    );
  });
});

describe('limits', () => {
  const nested = (depth: number): Json => JSON.parse(`${'{"a":['.repeat(depth)}"x"${']}'.repeat(depth)}`) as Json;

  test('10,000 levels deep, at every place', { timeout: 60_000 }, () => {
    const deep = nested(5000);
    for (const protocol of PROTOCOLS) {
      for (const own of [
        { tools: [deep], system: deep, messages: [deep, { role: 'user', content: deep }] },
        { tools: deep, instructions: deep, input: [{ type: 'function_call', arguments: deep }, deep] },
        { systemInstruction: deep, contents: [{ parts: [{ functionCall: { args: deep } }] }, deep] },
        {
          messages: deep,
          contents: deep,
          input: deep,
          generationConfig: { responseJsonSchema: deep },
          response_format: deep,
        },
      ]) {
        const segments = nameSegments(parseBody(protocol, own), { ...noEvidence, kernel: { messages: deep } });
        expect(coverFaults(bodyTexts(protocol, own), textsOf(segments))).toEqual([]);
        expect(segments.map(segmentRow)).toHaveLength(segments.length);
      }
    }
  });

  test('2,000 messages of 1 MB in under 300 ms, four times as many in proportion', { timeout: 60_000 }, () => {
    const make = (count: number) => {
      const messages = Array.from({ length: count }, (_, i) => ({
        role: i % 2 === 0 ? 'user' : 'assistant',
        content: `${i} ${'雾里的 lamp '.repeat(50)}`,
      }));
      const rows = messages.map(({ role, content }, i) => row(Math.floor(i / 2), role, content));
      const all = [{ role: 'system', content: `[RUNTIME]${SENTINEL}\n\nBody.${SENTINEL}` }, ...messages];
      const own = json({ messages: all.map((one) => ({ ...one, content: one.content.replaceAll(SENTINEL, '') })) });
      const evidence = { ...noEvidence, kernel: { messages: json(all) }, rows };
      return () => nameSegments(parseBody('openai-chat-v1', own), evidence);
    };
    const time = (run: () => readonly Segment[]): number => {
      const times = [1, 2, 3].map(() => {
        const start = performance.now();
        run();
        return performance.now() - start;
      });
      return Math.min(...times);
    };
    expect(make(2000)()).toHaveLength(2002);
    const small = time(make(2000));
    const large = time(make(8000));
    expect(small).toBeLessThan(300);
    expect(large).toBeLessThan(1200);
  });

  test(
    'tens of thousands of blocks, strings, tags, sentinels and spaces: linear, so seconds at most',
    { timeout: 60_000 },
    () => {
      const count = 50_000;
      const bodies: readonly Json[] = [
        { messages: [{ role: 'user', content: Array.from({ length: count }, () => 'x') }] },
        { messages: [{ role: 'user', content: { many: Array.from({ length: count }, () => 'x') } }] },
        {
          messages: [
            { role: 'system', content: '<a>\n</a>\n'.repeat(count) },
            { role: 'user', content: 'Go.' },
          ],
        },
        {
          messages: [
            { role: 'system', content: '<a>\n<b>\n'.repeat(count) },
            { role: 'user', content: 'Go.' },
          ],
        },
        { messages: [{ role: 'user', content: '<compacted_history>\n'.repeat(count) }] },
        {
          messages: [
            { role: 'system', content: `a ${' '.repeat(count)}b` },
            { role: 'user', content: 'Go.' },
          ],
        },
        {
          messages: [
            { role: 'system', content: `[World Rule: a]\nb\n${'['.repeat(count)}` },
            { role: 'user', content: ' '.repeat(count) },
          ],
        },
      ];
      const kernel = json([
        { role: 'system', content: `a${SENTINEL}`.repeat(10_000) },
        { role: 'user', content: 'Go.' },
      ]);
      const start = performance.now();
      for (const own of bodies) {
        for (const evidence of [noEvidence, { ...noEvidence, kernel: { messages: kernel } }]) {
          const segments = nameSegments(parseBody('openai-chat-v1', own), evidence);
          expect(textsOf(segments).length).toBeGreaterThan(0);
        }
      }
      expect(performance.now() - start).toBeLessThan(10_000);
    },
  );
});
