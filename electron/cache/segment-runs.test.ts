import { expect, test } from 'vitest';
import { nameSegments, parseBody } from '../adapters/index.ts';
import type { JsonObject, Protocol } from '../../shared/model/index.ts';
import { turnIndex } from '../../shared/units.ts';
import { keyText } from './key-text.ts';
import { segmentRuns } from './segment-runs.ts';
import type { CallSide } from './types.ts';

const sideOf = (protocol: Protocol, body: JsonObject): CallSide => {
  const prompt = parseBody(protocol, body);
  const evidence = {
    kernel: null,
    turnId: 't',
    runtimeId: 'narrator',
    pluginId: 'narrator',
    playerText: 'go',
    rows: [],
  };
  const segments = nameSegments(prompt, evidence);
  return { id: 'c', protocol, model: 'm', provider: 'p', body, prompt, segments, turnIndex: turnIndex(1) };
};

const BODIES: readonly (readonly [Protocol, JsonObject])[] = [
  [
    'anthropic-messages-v1',
    {
      system: [
        { type: 'text', text: 'Line "one"\nline two', cache_control: { type: 'ephemeral' } },
        { type: 'text', text: 'B' },
      ],
      tools: [{ name: 'roll', description: 'Rolls "dice".', input_schema: { type: 'object' } }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Say "hi"' }] }],
    },
  ],
  [
    'openai-chat-v1',
    {
      messages: [
        { role: 'system', content: 'S' },
        { role: 'user', content: '敲门\n' },
      ],
      tools: [],
    },
  ],
  [
    'google-generative-ai-v1',
    { systemInstruction: { parts: [{ text: 'S' }] }, contents: [{ role: 'user', parts: [{ text: 'go' }] }] },
  ],
];

test.each(BODIES)('%s: every text of a segment is found where the key text has it', (protocol, body) => {
  const side = sideOf(protocol, body);
  const text = keyText(protocol, body)
    .parts.map((part) => part.text)
    .join('');
  const runs = segmentRuns(side);
  let found = 0;
  for (const segment of side.segments) {
    const own = runs.get(segment.id) ?? [];
    expect(own).toHaveLength(segment.texts.length);
    segment.texts.forEach((at, i) => {
      const { start, end } = own[i] as (typeof own)[number];
      const there = text.slice(start, end);
      expect([at.text, JSON.stringify(at.text).slice(1, -1)]).toContain(there);
      found++;
    });
  }
  expect(found).toBeGreaterThan(1);
});

test('a response schema stands outside the key text', () => {
  const side = sideOf('openai-chat-v1', {
    messages: [{ role: 'user', content: 'go' }],
    response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { description: 'the whole answer' } } },
  });
  const outside = side.segments.filter(({ kind }) => kind === 'response-format');
  expect(outside.length).toBeGreaterThan(0);
  for (const { id } of outside) expect(segmentRuns(side).get(id)).toEqual([]);
});
