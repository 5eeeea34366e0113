/** The JSON of `convert` and of `assemble --protocol`: shape, segments, and what is refused under which name. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { PROTOCOLS, type Json, type JsonObject, type Protocol } from '../../shared/model/index.ts';
import { valueAt } from '../adapters/index.ts';
import { assembleJson } from './assemble.ts';
import { convertJson, readProtocol, type MapEntry } from './convert.ts';

const MODELS: Readonly<Record<Protocol, string>> = {
  'anthropic-messages-v1': 'claude-sonnet-4-6',
  'openai-chat-v1': 'gpt-4o',
  'openai-responses-v1': 'gpt-4o',
  'google-generative-ai-v1': 'gemini-2.5-pro',
};
const convert = (protocol: Protocol, input: JsonObject, language: 'en' | 'zh' = 'en') => {
  const result = convertJson(JSON.stringify({ model: MODELS[protocol], ...input }), protocol, 'resources', language);
  if (!result.ok) throw new Error(`${result.error.values['field']}: ${result.error.message}`);
  return result.value;
};
const refused = (input: string | JsonObject, protocol: Protocol = 'openai-chat-v1'): string => {
  const text = typeof input === 'string' ? input : JSON.stringify({ model: 'm', ...input });
  const result = convertJson(text, protocol, 'resources');
  return result.ok ? 'nothing' : `${result.error.code} ${result.error.values['field']}`;
};
/** The string at a pointer; empty where there is none. */
function at(body: Json, path: string): string {
  const here = valueAt(body, path);
  return typeof here === 'string' ? here : '';
}

const ALL_FIELDS: JsonObject = {
  systemPrompt: '[RUNTIME] r\ue000COVEL_CACHE_BREAK\ue000\n\nBody.\ue000COVEL_CACHE_BREAK\ue000',
  messages: [
    { role: 'user', content: 'old' },
    { role: 'assistant', content: 'told', reasoningContent: null },
    { role: 'system', content: '<runtime-inputs>a</runtime-inputs>' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'see' },
        { type: 'image', image: 'iVBORw0KGgoA', mediaType: null },
      ],
    },
    { role: 'assistant', content: null, toolCalls: [{ id: 'c1', name: 'roll', arguments: '{"n":1}' }] },
    { role: 'tool', content: '{"ok":true}', toolCallId: 'c1' },
  ],
  tools: [{ name: 'roll', description: 'Roll.', jsonSchema: { type: 'object', properties: {} } }],
  toolChoice: 'required',
  reasoning: false,
  maxOutputTokens: 8192,
  responseFormat: { schema: { title: 'T', type: 'object' } },
  parameterOverrides: { temperature: 0.5 },
  metadata: {},
  options: {
    cacheStrategy: 'anthropic-explicit',
    lateSystemAsUser: null,
    promptCacheKey: null,
    baseUrl: null,
    sessionId: 's-1',
    runtimeId: 'narrator',
    stream: true,
    imageInput: true,
  },
};

describe.each(PROTOCOLS)('%s', (protocol) => {
  const report = convert(protocol, ALL_FIELDS);
  test('every entry of the map names a segment, and their texts are those of the body', () => {
    const ids = new Set(report.segments.map(({ id }) => id));
    const text = ({ path, start, end }: MapEntry) => at(report.body, path).slice(start, end);
    for (const entry of report.map) {
      expect(ids).toContain(entry.segment);
      expect(text(entry)).toHaveLength(entry.end - entry.start);
      expect(entry.end).toBeGreaterThan(entry.start);
    }
    for (const row of report.segments) {
      const own = report.map.filter(({ segment }) => segment === row.id);
      expect(row.spans).toEqual(own.map(({ path, start, end }) => ({ path, start, end })));
      expect(row.chars).toBe(own.reduce((sum, { start, end }) => sum + end - start, 0));
    }
  });
  test('the segments are named by what the prompt itself proves', () =>
    expect(report.segments.map(({ kind }) => kind).toSorted()).toEqual([
      'framework-preamble',
      'history',
      'history',
      'player',
      'response-format',
      'runtime-body',
      'tool',
      'tool-call',
      'tool-result',
      'turn-context',
    ]));
  test('no key is anywhere', () => expect(Object.values(report.headers)).toContain('…'));
  test('nothing but a model is a request too', () => {
    const bare = convert(protocol, {});
    expect([bare.map, bare.segments, bare.warnings]).toEqual([[], [], []]);
  });
  test('null is as good as left out', () => {
    const nulls = Object.fromEntries(Object.keys(ALL_FIELDS).map((key) => [key, null]));
    expect(convert(protocol, nulls)).toEqual(convert(protocol, {}));
  });
});

describe('what the options do', () => {
  test('the key of session and runtime', () => {
    const { body } = convert('openai-chat-v1', { options: { sessionId: 's-1', runtimeId: 'narrator' } });
    expect(body['prompt_cache_key']).toBe(
      `covel-${createHash('sha256').update('s-1\nnarrator').digest('hex').slice(0, 32)}`,
    );
  });
  test.each([
    ['left out', {}, 'a'],
    ['none', { cacheStrategy: 'none' }, 'a'],
    [
      'explicit',
      { cacheStrategy: 'anthropic-explicit' },
      [{ type: 'text', text: 'a', cache_control: { type: 'ephemeral' } }],
    ],
    [
      'null, the protocol’s own',
      { cacheStrategy: null },
      [{ type: 'text', text: 'a', cache_control: { type: 'ephemeral' } }],
    ],
  ])('cache strategy %s', (_, options, system) =>
    expect(
      convert('anthropic-messages-v1', { systemPrompt: 'a\ue000COVEL_CACHE_BREAK\ue000', options }).body['system'],
    ).toEqual(system),
  );
  test('an adapter’s own words stand in the instruction language, in a segment of their own', () => {
    const input = { messages: [{ role: 'assistant', content: 'It begins.' }] };
    for (const language of ['en', 'zh'] as const) {
      const { map, segments, body } = convert('anthropic-messages-v1', input, language);
      expect(map[0]).toMatchObject({ path: '/messages/0/content', segment: 'opener' });
      expect(segments[0]).toMatchObject({ id: 'opener', kind: 'pre-history', role: 'user' });
      expect(at(body, '/messages/0/content')).toMatch(language === 'en' ? /^\(The/ : /^（/);
    }
  });
  test('a tool choice among the overrides', () => {
    const input = { tools: [{ name: 'roll' }], toolChoice: 'required', parameterOverrides: { toolChoice: 'none' } };
    expect(convert('openai-chat-v1', input).body['tool_choice']).toBe('none');
    expect(convert('anthropic-messages-v1', input).body['tool_choice']).toEqual({ type: 'none' });
  });
  test('warnings are sentences', () =>
    expect(convert('openai-responses-v1', { parameterOverrides: { topK: 3 } }).warnings).toEqual([
      'openai-responses-v1 has no topK; it is not sent.',
    ]));
});

describe('what is refused, by field', () => {
  const call = (more: JsonObject = {}) => ({
    role: 'assistant',
    toolCalls: [{ id: 'c', name: 'roll', arguments: '{}', ...more }],
  });
  test.each<[string, string | JsonObject]>([
    ['the input', '{'],
    ['the input', '[]'],
    ['model', '{}'],
    ['model', { model: '' }],
    ['model', { model: 7 }],
    ['odd', { odd: 1 }],
    ['systemPrompt', { systemPrompt: 7 }],
    ['messages', { messages: {} }],
    ['messages[0].role', { messages: [{ role: 'model', content: 'x' }] }],
    ['messages[0].content', { messages: [{ role: 'user', content: 7 }] }],
    [
      'messages[0].content[1].type',
      { messages: [{ role: 'user', content: [{ type: 'text', text: 'a' }, { type: 'file' }] }] },
    ],
    ['messages[0].content[0].text', { messages: [{ role: 'user', content: [{ type: 'text', text: 7 }] }] }],
    ['messages[0].content[0].odd', { messages: [{ role: 'user', content: [{ type: 'text', text: 'a', odd: 1 }] }] }],
    ['messages[0].content[0].image', { messages: [{ role: 'user', content: [{ type: 'image', image: '' }] }] }],
    ['messages[0].tool_calls', { messages: [{ role: 'assistant', content: '', tool_calls: [] }] }],
    ['messages[0].toolCalls[0].arguments', { messages: [call({ arguments: {} })] }],
    ['messages[0].toolCalls', { messages: [{ ...call(), role: 'user' }] }],
    ['messages[0].toolCallId', { messages: [{ role: 'tool', content: 'x' }] }],
    ['messages[0].toolCallId', { messages: [{ role: 'user', content: 'x', toolCallId: 'c' }] }],
    [
      'messages[0].providerContinuation.blocks',
      { messages: [{ role: 'assistant', providerContinuation: { protocol: 'p', model: 'm', baseUrl: 'b' } }] },
    ],
    ['tools[0].name', { tools: [{}] }],
    ['tools[0].jsonSchema', { tools: [{ name: 'a', jsonSchema: [] }] }],
    ['tools[0].parameters', { tools: [{ name: 'a', parameters: {} }] }],
    ['toolChoice', { toolChoice: 'auto' }],
    ['reasoning', { reasoning: true }],
    ['maxOutputTokens', { maxOutputTokens: 0 }],
    ['maxOutputTokens', { maxOutputTokens: '5' }],
    ['responseFormat.schema', { responseFormat: {} }],
    ['responseFormat.type', { responseFormat: { schema: {}, type: 'json' } }],
    ['parameterOverrides.temperature', { parameterOverrides: { temperature: '1' } }],
    ['parameterOverrides.temperature', { parameterOverrides: { temperature: 2.5 } }],
    ['parameterOverrides.top_p', { parameterOverrides: { top_p: 1 } }],
    ['metadata', { metadata: [] }],
    ['metadata.parameterOverrides.topP', { metadata: { parameterOverrides: { topP: 3 } } }],
    ['metadata.promptCacheKey', { metadata: { promptCacheKey: 'yes' } }],
    ['options.cacheStrategy', { options: { cacheStrategy: 'always' } }],
    ['options.lateSystemAsUser', { options: { lateSystemAsUser: 'yes' } }],
    ['options.stream', { options: { stream: 1 } }],
    ['options.baseURL', { options: { baseURL: 'https://a.example' } }],
    ['options.baseUrl', { options: { baseUrl: 'a.example' } }],
    ['options.baseUrl', { options: { baseUrl: 'http://a.example' } }],
    ['options.baseUrl', { options: { baseUrl: 'https://10.0.0.1' } }],
    ['options.baseUrl', { options: { baseUrl: 'https://me:secret@a.example' } }],
  ])('%s: %j', (field, input) => expect(refused(input)).toBe(`bad-input ${field}`));
  test('arguments that are no JSON: as they are, as an object with the text, or refused', () => {
    const input = JSON.stringify({ model: 'm', messages: [call({ arguments: '{"n":' })] });
    const sent = (protocol: Protocol) => {
      const result = convertJson(input, protocol, 'resources');
      return result.ok ? JSON.stringify(result.value.body) : `refused ${result.error.values['field']}`;
    };
    expect(sent('openai-chat-v1')).toContain(String.raw`"arguments":"{\"n\":"`);
    expect(sent('openai-responses-v1')).toContain(String.raw`"arguments":"{\"n\":"`);
    expect(sent('anthropic-messages-v1')).toContain(String.raw`"input":{"raw":"{\"n\":"}`);
    expect(sent('google-generative-ai-v1')).toBe('refused messages[0].toolCalls[0].arguments');
  });
  test('a result whose call is not there: only Gemini must name its tool', () => {
    const input = JSON.stringify({ model: 'm', messages: [{ role: 'tool', content: 'x', toolCallId: 'c' }] });
    expect(convertJson(input, 'openai-chat-v1', 'resources')).toMatchObject({ ok: true });
    expect(convertJson(input, 'anthropic-messages-v1', 'resources')).toMatchObject({ ok: true });
    expect(convertJson(input, 'google-generative-ai-v1', 'resources')).toMatchObject({ ok: false });
  });
  test('a model id that Gemini cannot carry', () =>
    expect(refused({ model: 'a b' }, 'google-generative-ai-v1')).toBe('bad-input model'));
  test('JSON of any depth', () => {
    const deep = `{"model":"m","tools":[{"name":"a","jsonSchema":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}]}`;
    expect(refused(deep)).toBe('bad-input tools[0].jsonSchema');
    const args = JSON.stringify({
      model: 'm',
      messages: [call({ arguments: '['.repeat(20_000) + ']'.repeat(20_000) })],
    });
    expect(refused(args, 'anthropic-messages-v1')).toBe('bad-input messages[0].toolCalls[0].arguments');
  });
  test('a password in a base URL is not repeated', () => {
    const result = convertJson(
      '{"model":"m","options":{"baseUrl":"https://me:secret@a.example"}}',
      'openai-chat-v1',
      'resources',
    );
    expect(JSON.stringify(result)).not.toContain('secret');
  });
  test.each([null, '', 'openai', 'constructor'])('protocol %s', (name) => {
    const result = readProtocol(name);
    expect(result.ok ? 'nothing' : result.error.values['field']).toBe('protocol');
  });
});

describe('assemble, with what a protocol sends of it', () => {
  const input = {
    promptTemplate: 'Body.',
    manifest: { name: 'narrator', pluginId: 'narrator', output: { schema: { type: 'object' } } },
    turnInput: { sessionId: 's-1', playerMessage: 'I look.', locale: 'zh-CN' },
    messageHistory: [
      { role: 'assistant', content: '开始。', turnId: 't0' },
      { role: 'user', content: '你好', turnId: 't1' },
      { role: 'assistant', content: '好', turnId: 't1' },
    ],
    promptSegments: [{ content: 'now', position: 'system', volatility: 'turn', providerPluginId: 'clock' }],
  };
  test.each(PROTOCOLS)('%s', async (protocol) => {
    const plain = await assembleJson(JSON.stringify(input), 'resources');
    const result = await assembleJson(JSON.stringify(input), 'resources', null, protocol);
    if (!plain.ok || !result.ok) throw new Error('refused');
    const { wire, segments, ...rest } = result.value;
    expect({ ...rest, segments: segments.slice(0, plain.value.segments.length) }).toEqual(plain.value);
    const known = new Map(segments.map((segment) => [segment.id, segment]));
    expect(known.size).toBe(segments.length);
    const sent = Map.groupBy(wire?.map ?? [], ({ segment }) => segment);
    for (const id of sent.keys()) expect(known.has(id)).toBe(true);
    for (const { id } of plain.value.segments) expect(sent.has(id)).toBe(true);
    const added = segments.slice(plain.value.segments.length);
    expect(added.map(({ kind }) => kind).toSorted()).toEqual(
      protocol === 'anthropic-messages-v1' ? ['pre-history', 'response-format'] : ['response-format'],
    );
    for (const { spans } of added) {
      for (const { path, start, end } of spans) {
        expect(at({ wire } as unknown as JsonObject, path).slice(start, end)).toHaveLength(end - start);
      }
    }
  });
  test('the sentences are in the session’s instruction language', async () => {
    const result = await assembleJson(JSON.stringify(input), 'resources', null, 'anthropic-messages-v1');
    expect(result.ok && JSON.stringify(result.value.wire?.body)).toContain('只回复 JSON');
  });
  test('pictures are placeholders: their bytes are read right before a call', async () => {
    const ui = [
      {
        type: 'asset.generate',
        data: {
          id: 'a',
          sessionId: 's-1',
          turnId: 't1',
          ref: { id: 'a', mime: 'image/png', size: 9 },
          modality: 'image',
          meta: { caption: 'A gate.' },
        },
      },
    ];
    const pictured = {
      ...input,
      pictureAttachments: 2,
      messageHistory: [
        ...input.messageHistory,
        { role: 'user', content: 'picture', sourceType: 'system', turnId: 't1', ui },
      ],
    };
    const result = await assembleJson(JSON.stringify(pictured), 'resources', null, 'openai-chat-v1');
    if (!result.ok) throw new Error(result.error.message);
    const sent = JSON.stringify(result.value.wire?.body);
    const isThere = result.value.segments.some(({ kind }) => kind === 'pictures');
    expect([isThere, sent.includes('[image]')]).toEqual([true, true]);
  });
});
