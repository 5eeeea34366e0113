/** Table 12.6 and section 9.4, one line each; the body's type against the types of the official SDK. */
import type { Content, GenerationConfig, Tool } from '@google/genai';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../shared/model/index.ts';
import type { BuildMessage } from '../build/types.ts';
import { A, C, call, D, image, PIXEL, S, T, text, tool, U, wrapped, type Given } from '../fixtures/build-request.ts';
import type { Sent } from '../fixtures/sdk.ts';
import { SENTINEL } from '../kernel/parse.ts';
import type { GeminiBody } from './build.ts';
import { MODEL, build, body, contents, says, calls, answers, thrown } from './testing.ts';

/** What the REST method takes, in the SDK's types. */
type RestBody = {
  contents: Content[];
  systemInstruction?: Content;
  generationConfig?: GenerationConfig;
  tools?: Tool[];
};
/** Fails to compile when a field of ours is none of the SDK's, or of another type. */
export const asSdkBody = (body: Sent<GeminiBody<never>>): RestBody => body;

describe('system text', () => {
  test('leading system and developer messages are one part each, without sentinels', () =>
    expect(body({ system: `a${SENTINEL}\n\nb${SENTINEL}`, messages: [D('c'), S(''), U('go')] })).toMatchObject({
      systemInstruction: { parts: [{ text: 'a\n\nb' }, { text: 'c' }] },
      contents: [says('user', 'go')],
    }));
  test('system only', () =>
    expect(body({ messages: [S('a'), D('b')] })).toEqual({
      systemInstruction: { parts: [{ text: 'a' }, { text: 'b' }] },
      contents: [],
      generationConfig: {},
    }));
  test('no system text', () => expect(body({ messages: [U('a')] })).not.toHaveProperty('systemInstruction'));
  test.each([
    ['leading', [S([image()]), U('a')], 'messages[0].content'],
    ['late', [U('a'), S([text('b'), image()])], 'messages[1].content'],
  ])('a picture in %s system text is refused', (_, messages, field) => expect(thrown({ messages })).toBe(field));
});

describe('contents', () => {
  test.each<[string, readonly BuildMessage[], readonly unknown[]]>([
    ['late system, then the user', [A('z'), S('a'), U('b')], [says('model', 'z'), says('user', wrapped('a'), 'b')]],
    [
      'U U S S A A S',
      [U('a'), U('b'), S('c'), D('d'), A('e'), A('f'), S('g')],
      [says('user', 'a', 'b', wrapped('c'), wrapped('d')), says('model', 'e', 'f'), says('user', wrapped('g'))],
    ],
    ['parts of late system text become one', [U('a'), S([text('b'), text('c')])], [says('user', 'a', wrapped('b\nc'))]],
    ['empty late system text is none', [U('a'), S(''), A('b')], [says('user', 'a'), says('model', 'b')]],
    ['a message that says nothing is none', [U(''), A('a'), U([])], [says('model', 'a')]],
    [
      'call, result, system',
      [U('a'), C(null, call('1')), T('1', '{"ok":true}'), S('s')],
      [says('user', 'a'), calls('roll'), answers(['roll', { ok: true }]), says('user', wrapped('s'))],
    ],
    [
      'call, system, result, user',
      [U('a'), C(null, call('1')), S('s'), T('1', '{"ok":true}'), U('u')],
      [says('user', 'a'), calls('roll'), answers(['roll', { ok: true }]), says('user', wrapped('s'), 'u')],
    ],
    [
      'system text between two results waits for both',
      [U('a'), C(null, call('1'), call('2', 'look')), T('1', 'x'), S('s'), T('2', 'y'), U('u')],
      [
        says('user', 'a'),
        calls('roll', 'look'),
        answers(['roll', { result: 'x' }], ['look', { result: 'y' }]),
        says('user', wrapped('s'), 'u'),
      ],
    ],
    [
      'system text whose call is never answered is not lost',
      [U('a'), C(null, call('1')), S('s')],
      [says('user', 'a'), calls('roll'), says('user', wrapped('s'))],
    ],
    [
      'two messages with calls stay two contents',
      [U('a'), C(null, call('1')), C(null, call('2', 'look'))],
      [says('user', 'a'), calls('roll'), calls('look')],
    ],
    [
      'text and call are one content, and no text joins it',
      [A('z'), C('b', call('1')), T('1', '{}'), A('c')],
      [
        says('model', 'z'),
        { role: 'model', parts: [{ text: 'b' }, ...calls('roll').parts] },
        answers(['roll', {}]),
        says('model', 'c'),
      ],
    ],
    [
      'results stand in the order of the calls',
      [U('a'), C(null, call('1'), call('2', 'look')), T('2', '{"b":2}'), T('1', '{"a":1}')],
      [says('user', 'a'), calls('roll', 'look'), answers(['roll', { a: 1 }], ['look', { b: 2 }])],
    ],
    [
      'a result that is no object is the text it is',
      [U('a'), C(null, call('1'), call('2'), call('3')), T('1', '17'), T('2', '[1]'), T('3', '')],
      [
        says('user', 'a'),
        calls('roll', 'roll', 'roll'),
        answers(['roll', { result: '17' }], ['roll', { result: '[1]' }], ['roll', { result: '' }]),
      ],
    ],
    [
      'contents with pictures do not merge',
      [U('a'), U([text('b'), image()]), U('c')],
      [
        says('user', 'a'),
        { role: 'user', parts: [{ text: 'b' }, { inlineData: { mimeType: 'image/png', data: PIXEL } }] },
        says('user', 'c'),
      ],
    ],
    [
      'an id may come again once it is answered',
      [C(null, call('1')), T('1', '{}'), C(null, call('1', 'look')), T('1', '{}')],
      [calls('roll'), answers(['roll', {}]), calls('look'), answers(['look', {}])],
    ],
  ])('%s', (_, messages, expected) => expect(contents(...messages)).toEqual(expected));

  test('lateSystemAsUser false: all system text first, nothing merges', () =>
    expect(
      body({
        system: 'a',
        messages: [U('b'), U('c'), S('d'), A('e'), S(''), A('f'), U('g')],
        options: { lateSystemAsUser: false },
      }),
    ).toMatchObject({
      systemInstruction: { parts: [{ text: 'a' }, { text: 'd' }] },
      contents: [says('user', 'b'), says('user', 'c'), says('model', 'e'), says('model', 'f'), says('user', 'g')],
    }));
  test('lateSystemAsUser true is the same as unset; metadata says it too', () => {
    const messages = [U('a'), S('b')];
    expect(body({ messages, options: { lateSystemAsUser: true } })).toEqual(body({ messages }));
    expect(body({ messages, metadata: { lateSystemAsUser: false } })).toEqual(
      body({ messages, options: { lateSystemAsUser: false } }),
    );
  });
  test('what came before stays the same when a turn is added', () => {
    const before = [U('a'), A('b'), S('t1'), U('c')];
    const first = contents(...before.slice(0, 2)) as readonly Json[];
    expect((contents(...before) as readonly Json[]).slice(0, 2)).toEqual(first);
  });

  test.each<[string, readonly BuildMessage[], string]>([
    ['a result of no call', [U('a'), T('1', '{}')], 'messages[1].toolCallId'],
    ['a second result', [C(null, call('1')), T('1', '{}'), T('1', '{}')], 'messages[2].toolCallId'],
    ['arguments that are no JSON', [C(null, call('1', 'roll', '{'))], 'messages[0].toolCalls[0].arguments'],
    ['arguments that are no object', [C(null, call('1', 'roll', '[]'))], 'messages[0].toolCalls[0].arguments'],
    ['a picture by URL', [U([image('https://x.example/a.png', 'image/png')])], 'messages[0].content'],
    [
      'a file without its type',
      [U([image('https://generativelanguage.googleapis.com/v1beta/files/abc')])],
      'messages[0].content',
    ],
  ])('%s is refused', (_, messages, field) => expect(thrown({ messages })).toBe(field));

  test('a file of Google’s own service goes by its URI', () =>
    expect(contents(U([image('https://generativelanguage.googleapis.com/v1beta/files/abc', 'image/png')]))).toEqual([
      {
        role: 'user',
        parts: [
          {
            fileData: {
              mimeType: 'image/png',
              fileUri: 'https://generativelanguage.googleapis.com/v1beta/files/abc',
            },
          },
        ],
      },
    ]));
  test('a model that reads text only gets the word for a picture', () =>
    expect(body({ options: { imageInput: false }, messages: [U([text('a'), image()])] })['contents']).toEqual([
      says('user', 'a', '[image]'),
    ]));
});

describe('tools, choice, parameters', () => {
  const schema = { type: 'object', properties: { sides: { type: 'number' } } };
  test('one entry of declarations', () =>
    expect(body({ tools: [tool('roll', schema), { name: 'look', segment: 't' }] })['tools']).toEqual([
      {
        functionDeclarations: [
          { name: 'roll', description: 'Does roll.', parametersJsonSchema: schema },
          { name: 'look' },
        ],
      },
    ]));
  test('no tools, no fields', () =>
    expect(Object.keys(body({ messages: [U('a')] }))).toEqual(['contents', 'generationConfig']));

  const tools = [tool('roll')];
  test.each<[string, Given, Json]>([
    ['none declared', {}, { mode: 'AUTO' }],
    ['required', { toolChoice: 'required' }, { mode: 'ANY' }],
    ['named', { toolChoice: { name: 'roll' } }, { mode: 'ANY', allowedFunctionNames: ['roll'] }],
    [
      'what was set wins',
      { toolChoice: 'required', metadata: { toolConfig: { functionCallingConfig: { mode: 'NONE' } } } },
      { mode: 'NONE' },
    ],
  ])('tool choice: %s', (_, given, functionCallingConfig) =>
    expect(body({ tools, ...given })['toolConfig']).toEqual({ functionCallingConfig }),
  );

  test.each<[string, Given, Json]>([
    ['limit of the request', { maxOutputTokens: 8192 }, { maxOutputTokens: 8192 }],
    ['override', { maxOutputTokens: 8192, parameterOverrides: { maxOutputTokens: 100 } }, { maxOutputTokens: 100 }],
    [
      'sampling',
      { parameterOverrides: { temperature: 0.5, topP: 0.9, topK: 3 } },
      { temperature: 0.5, topP: 0.9, topK: 3 },
    ],
    ['penalties of 2.5', { parameterOverrides: { frequencyPenalty: 1, presencePenalty: 1 } }, {}],
    ['penalties of 2.5, streamed', { parameterOverrides: { frequencyPenalty: 1 }, options: { stream: true } }, {}],
    [
      'penalties from metadata',
      { metadata: { generationConfig: { frequencyPenalty: 1, candidateCount: 1 } } },
      { candidateCount: 1 },
    ],
    [
      'penalties of another model',
      { model: 'gemini-3-pro', parameterOverrides: { frequencyPenalty: 1, presencePenalty: 1 } },
      { frequencyPenalty: 1, presencePenalty: 1 },
    ],
    ['thinking off', { reasoning: false }, { thinkingConfig: { thinkingBudget: 0 } }],
    [
      'thinking as set',
      { reasoning: false, metadata: { generationConfig: { thinkingConfig: { thinkingBudget: 512 } } } },
      { thinkingConfig: { thinkingBudget: 512 } },
    ],
    [
      'a schema: const is an enum of one, on schema keywords only',
      {
        responseFormat: {
          segment: 'format',
          schema: {
            type: 'object',
            properties: { const: { const: 'x' }, list: { type: 'array', items: { const: 1 } } },
            default: { const: 'kept' },
          },
        },
      },
      {
        responseMimeType: 'application/json',
        responseJsonSchema: {
          type: 'object',
          properties: { const: { enum: ['x'] }, list: { type: 'array', items: { enum: [1] } } },
          default: { const: 'kept' },
        },
      },
    ],
  ])('generationConfig: %s', (_, given, expected) => expect(body(given)['generationConfig']).toEqual(expected));
  test.each<[string, Given]>([
    ['text', {}],
    ['object', { responseFormat: { schema: { type: 'object' }, segment: 'format' } }],
    ['stream', { options: { stream: true } }],
  ])('penalties of 2.5 are said to be dropped: %s', (_, given) =>
    expect(build({ ...given, parameterOverrides: { presencePenalty: 1 } }).warnings).toMatchObject([
      { code: 'unsupported-parameter' },
    ]),
  );

  test('cachedContent, safetySettings and labels from metadata', () => {
    const metadata = { cachedContent: 'cachedContents/a', safetySettings: [{ category: 'c' }], labels: { a: 'b' } };
    expect(body({ metadata })).toMatchObject(metadata);
  });
});

describe('address and headers', () => {
  const HOST = 'https://generativelanguage.googleapis.com/v1beta';
  test.each<[string, Given, string]>([
    ['text', {}, `${HOST}/models/${MODEL}:generateContent`],
    ['stream', { options: { stream: true } }, `${HOST}/models/${MODEL}:streamGenerateContent?alt=sse`],
    ['models/ is taken off', { model: `models/${MODEL}` }, `${HOST}/models/${MODEL}:generateContent`],
    [
      'a base URL',
      { options: { baseUrl: 'https://gw.example/g/' } },
      `https://gw.example/g/models/${MODEL}:generateContent`,
    ],
  ])('%s', (_, given, url) => expect(build(given).url).toBe(url));
  test.each(['a/b', 'a:b', '', 'models/'])('the id %j is refused', (model) => expect(thrown({ model })).toBe('model'));
  test('the key has its own header, and no bearer', () =>
    expect(build({}).headers).toEqual({ 'content-type': 'application/json', 'x-goog-api-key': '…' }));
  test('the body does not name the model', () => expect(body({})).not.toHaveProperty('model'));
});
