/** Assembler page, section 8.2; slots page, sections 2.3 and 2.4. */
import { describe, expect, test } from 'vitest';
import type { JsonObject, Protocol } from '../../../shared/model/index.ts';
import { requestOf, type Given } from '../fixtures/build-request.ts';
import { readSettings } from './metadata.ts';
import { BuildError } from './types.ts';
import { collectWarnings } from './warn.ts';

const CHAT = 'openai-chat-v1';
const RESPONSES = 'openai-responses-v1';
const ANTHROPIC = 'anthropic-messages-v1';
const GEMINI = 'google-generative-ai-v1';
const ALL = [CHAT, RESPONSES, ANTHROPIC, GEMINI] as const;

const read = (protocol: Protocol, metadata: JsonObject, given: Given = {}) => {
  const { warn, warnings } = collectWarnings();
  const settings = readSettings(protocol, requestOf({ model: 'house', metadata, ...given }), warn);
  return { ...settings, warnings: warnings.map(({ code, message }) => `${code}: ${message}`) };
};
const refused = (protocol: Protocol, metadata: JsonObject, given: Given = {}): string => {
  try {
    read(protocol, metadata, given);
  } catch (thrown) {
    if (thrown instanceof BuildError) return thrown.field;
  }
  return 'nothing';
};

describe('free metadata', () => {
  test.each(ALL)('%s: what is the adapter’s own is not set from outside', (protocol) => {
    const own = {
      model: 'x', messages: [], input: [], system: 'x', instructions: 'x', contents: [], systemInstruction: {},
      stream: true, stream_options: {}, max_tokens: 1, max_completion_tokens: 1, max_output_tokens: 1,
      response_format: {}, text: {}, tools: [], reasoning_effort: 'x',
    }; // prettier-ignore
    const { fields, warnings } = read(protocol, own);
    // What is no field of the protocol itself goes out as written; Gemini takes few fields at all.
    const kept = {
      [CHAT]: ['input', 'system', 'instructions', 'contents', 'systemInstruction', 'text', 'tools', 'reasoning_effort'],
      [RESPONSES]: ['system', 'contents', 'systemInstruction'],
      [ANTHROPIC]: ['input', 'instructions', 'contents', 'systemInstruction'],
      [GEMINI]: [],
    }[protocol];
    for (const key of ['model', 'stream', 'max_tokens', 'response_format']) {
      expect(Object.keys(fields)).not.toContain(key);
      expect(warnings.some((one) => one.includes(`metadata.${key} `))).toBe(true);
    }
    expect(new Set(Object.keys(fields))).toEqual(new Set(kept));
  });
  test.each(ALL)('%s: our own names are read and not sent', (protocol) => {
    const ours = {
      parameterOverrides: {}, providerOptions: {}, lateSystemAsUser: true, embeddingFormat: 'openai', imageWire: 'x',
      speechWire: 'x', transcriptionWire: 'x', musicWire: 'x', reasoningEffort: '', extraBody: {},
    }; // prettier-ignore
    expect(read(protocol, ours)).toMatchObject({ fields: {}, warnings: [], lateSystemAsUser: true });
  });
  test('other fields go out as written', () => {
    const metadata = { top_k: 40, prompt_cache_key: 'mine', include: ['x'], store: true, user: 'u', seed: 1.5 };
    expect(read(CHAT, metadata).fields).toEqual(metadata);
    expect(read(RESPONSES, metadata).fields).toEqual(metadata);
  });
  test('Gemini’s body has few places', () => {
    const metadata = {
      cachedContent: 'c',
      safetySettings: [],
      labels: { a: 'b' },
      seed: 3,
      odd: 1,
      generationConfig: {
        topK: 1,
        maxOutputTokens: 5,
        responseMimeType: 'x',
        responseSchema: {},
        responseJsonSchema: {},
      },
    };
    const { fields, warnings } = read(GEMINI, metadata);
    expect(fields).toEqual({
      cachedContent: 'c',
      safetySettings: [],
      labels: { a: 'b' },
      generationConfig: { topK: 1, seed: 3 },
    });
    expect(warnings).toHaveLength(5);
  });
});

test('what is no table is not read, and that is said', () => {
  const { fields, warnings } = read(GEMINI, {
    generationConfig: 'x',
    parameterOverrides: [1],
    providerOptions: { [GEMINI]: 'x' },
  });
  expect(fields).toEqual({});
  expect(warnings).toHaveLength(3);
  expect(read(CHAT, { providerOptions: 7, parameterOverrides: null }).warnings).toHaveLength(1);
});

describe('options by name', () => {
  const table = {
    reasoningSummary: 'concise', parallelToolCalls: false, store: true, user: 'u', seed: 7, promptCacheKey: true,
    lateSystemAsUser: true, thinking: { type: 'enabled', budgetTokens: 2048 }, thinkingConfig: { thinkingBudget: -1, includeThoughts: true },
    cachedContent: 'c', extraBody: { odd: 1 },
  }; // prettier-ignore
  test.each<[Protocol, JsonObject, string[]]>([
    [
      CHAT,
      { parallel_tool_calls: false, store: true, user: 'u', seed: 7, odd: 1 },
      ['reasoningSummary', 'thinking', 'thinkingConfig', 'cachedContent'],
    ],
    [
      RESPONSES,
      { reasoning: { summary: 'concise' }, parallel_tool_calls: false, store: true, user: 'u', odd: 1 },
      ['seed', 'thinking', 'thinkingConfig', 'cachedContent'],
    ],
    [
      ANTHROPIC,
      { thinking: { type: 'enabled', budget_tokens: 2048 }, odd: 1 },
      ['reasoningSummary', 'parallelToolCalls', 'store', 'user', 'seed', 'thinkingConfig', 'cachedContent'],
    ],
    [
      GEMINI,
      {
        generationConfig: { seed: 7, thinkingConfig: { thinkingBudget: -1, includeThoughts: true } },
        cachedContent: 'c',
        odd: 1,
      },
      ['reasoningSummary', 'parallelToolCalls', 'store', 'user', 'thinking'],
    ],
  ])('%s', (protocol, fields, unsupported) => {
    const settings = read(protocol, { providerOptions: { [protocol]: table } });
    expect(settings.fields).toEqual(fields);
    expect([settings.lateSystemAsUser, settings.promptCacheKey]).toEqual([true, true]);
    expect(settings.warnings.map((one) => /does not take (\w+)/.exec(one)?.[1])).toEqual(unsupported);
  });
  test('the provider’s table lies over the protocol’s; others are not even looked at', () => {
    const providerOptions = {
      openai: { seed: 2 },
      [CHAT]: { seed: 1, user: 'u' },
      [RESPONSES]: { seed: 'bad' },
      anthropic: 5,
    };
    expect(read(CHAT, { seed: 0, providerOptions }).fields).toEqual({ seed: 2, user: 'u' });
    expect(read(CHAT, { providerOptions }, { options: { baseUrl: 'https://relay.example/v1' } }).fields).toEqual({
      seed: 1,
      user: 'u',
    });
  });
  test('an option that nobody knows is said', () =>
    expect(read(CHAT, { providerOptions: { [CHAT]: { odd: 1 } } }).warnings).toEqual([
      `unknown-option: metadata.providerOptions.${CHAT}.odd is no known option and is not sent.`,
    ]));
  test('the request’s own options win', () =>
    expect(
      read(
        CHAT,
        { lateSystemAsUser: true, promptCacheKey: true },
        { options: { lateSystemAsUser: false, promptCacheKey: false } },
      ),
    ).toMatchObject({
      lateSystemAsUser: false,
      promptCacheKey: false,
    }));
  test.each<[Protocol, string, JsonObject]>([
    [CHAT, 'seed', { seed: 'x' }],
    [CHAT, 'seed', { seed: 1.5 }],
    [CHAT, 'store', { store: 'yes' }],
    [CHAT, 'parallelToolCalls', { parallelToolCalls: 1 }],
    [CHAT, 'reasoningEffort', { reasoningEffort: 3 }],
    [RESPONSES, 'reasoningSummary', { reasoningSummary: 'long' }],
    [ANTHROPIC, 'thinking', { thinking: { type: 'enabled', budgetTokens: 1023 } }],
    [ANTHROPIC, 'thinking', { thinking: true }],
    [GEMINI, 'thinkingConfig', { thinkingConfig: { thinkingBudget: -2 } }],
    [GEMINI, 'thinkingConfig', { thinkingConfig: { thinkingLevel: 'max' } }],
    [GEMINI, 'thinkingConfig', { thinkingConfig: { thinkingLevel: 'low', thinkingBudget: 1 } }],
    [GEMINI, 'cachedContent', { cachedContent: 1 }],
    [CHAT, 'extraBody', { extraBody: 'x' }],
  ])('%s: %s of a wrong type is a fault, %j', (protocol, name, options) =>
    expect(refused(protocol, { providerOptions: { [protocol]: options } })).toBe(
      `metadata.providerOptions.${protocol}.${name}`,
    ),
  );
  // Every name that the slots page protects, section 2.3.
  const guarded = `model messages input system stream stream_options tools tool_choice response_format text
    parameterOverrides max_tokens max_completion_tokens max_output_tokens embeddingFormat providerOptions
    reasoningEffort contents systemInstruction generationConfig`.split(/\s+/);
  test.each(ALL)('%s: extraBody sets any field but the adapter’s own, and that is said', (protocol) => {
    const own = Object.fromEntries(guarded.map((key) => [key, { temperature: 1 }]));
    const { fields, warnings, sampling } = read(protocol, { extraBody: { top_k: 1, ...own, min_p: 0.1 } });
    expect(fields).toEqual({ top_k: 1, min_p: 0.1 });
    expect(sampling).toEqual({});
    expect(warnings.map((one) => /cannot set (\w+)/.exec(one)?.[1])).toEqual(guarded);
  });
});

describe('parameters', () => {
  const parameterOverrides = { temperature: 0.7, topP: 0.9, topK: 40, frequencyPenalty: 0.5, presencePenalty: -0.5 };
  test.each<[Protocol, JsonObject, string[]]>([
    [CHAT, { temperature: 0.7, top_p: 0.9, frequency_penalty: 0.5, presence_penalty: -0.5 }, ['topK']],
    [RESPONSES, { temperature: 0.7, top_p: 0.9 }, ['topK', 'frequencyPenalty', 'presencePenalty']],
    [ANTHROPIC, { temperature: 0.7, top_p: 0.9, top_k: 40 }, ['frequencyPenalty', 'presencePenalty']],
    [GEMINI, { temperature: 0.7, topP: 0.9, topK: 40, frequencyPenalty: 0.5, presencePenalty: -0.5 }, []],
  ])('%s', (protocol, sampling, missing) => {
    const settings = read(protocol, {}, { parameterOverrides });
    expect(settings.sampling).toEqual(sampling);
    expect(settings.warnings.map((one) => /has no (\w+)/.exec(one)?.[1])).toEqual(missing);
  });
  test('Gemini 2.5 takes no penalties', () => {
    const settings = read(GEMINI, {}, { model: 'gemini-2.5-pro', parameterOverrides });
    expect(settings.sampling).toEqual({ temperature: 0.7, topP: 0.9, topK: 40 });
    expect(settings.warnings).toHaveLength(2);
  });
  test('the request’s own lie over the metadata’s; only numbers are taken', () => {
    const metadata = { parameterOverrides: { temperature: 0.1, topP: 0.5, topK: '3', odd: 1, maxOutputTokens: 100 } };
    const settings = read(CHAT, metadata, { parameterOverrides: { temperature: 0.2 }, maxOutputTokens: 9 });
    expect(settings.sampling).toEqual({ temperature: 0.2, top_p: 0.5 });
    expect([settings.outputOverride, settings.outputLimit]).toEqual([100, 100]);
    expect(settings.warnings).toEqual([
      'override-type: metadata.parameterOverrides.topK is no number and is not sent.',
    ]);
    expect(read(CHAT, {}, { maxOutputTokens: 9 })).toMatchObject({ outputOverride: null, outputLimit: 9 });
    expect(read(CHAT, {})).toMatchObject({ outputOverride: null, outputLimit: null });
  });
  test.each([
    ['temperature', [0, 2], [-0.1, 2.1, Number.NaN, Infinity]],
    ['topP', [0, 1], [-0.1, 1.1]],
    ['topK', [0, 500], [-1, 1.5]],
    ['maxOutputTokens', [1], [0, -1, 1.5]],
    ['frequencyPenalty', [-2, 2], [-2.1, 2.1]],
    ['presencePenalty', [-2, 2], [-2.1, 2.1]],
  ])('%s has a range', (name, fits, faults) => {
    for (const value of fits) expect(refused(GEMINI, {}, { parameterOverrides: { [name]: value } })).toBe('nothing');
    for (const value of faults) {
      expect(refused(GEMINI, {}, { parameterOverrides: { [name]: value } })).toBe(`parameterOverrides.${name}`);
      expect(refused(GEMINI, { parameterOverrides: { [name]: value } })).toBe(`metadata.parameterOverrides.${name}`);
    }
  });
  test('the request’s own limit has one too', () =>
    expect(refused(CHAT, {}, { maxOutputTokens: 0 })).toBe('maxOutputTokens'));
});
