/** The Anthropic rows of table 12.5 and section 9.1, one line each; the body's type against the official SDK's. */
import type { MessageCreateParamsBase } from '@anthropic-ai/sdk/resources/messages/messages';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../shared/model/index.ts';
import type { Sent } from '../fixtures/sdk.ts';
import type { BuildMessage, ParameterOverrides } from '../build/types.ts';
import {
  A,
  C,
  call,
  D,
  image,
  OPTIONS,
  PIXEL,
  reply,
  requestOf,
  S,
  T,
  text,
  tool,
  U,
  type Given,
} from '../fixtures/build-request.ts';
import { SENTINEL } from '../kernel/parse.ts';
import { buildAnthropic, type AnthropicBody } from './build.ts';

/** Fails to compile when a field of ours is none of the SDK's, or of another type. */
export const asSdkBody = (body: Sent<AnthropicBody<never>>): MessageCreateParamsBase => body;
export const asSdkField = (field: keyof AnthropicBody): keyof MessageCreateParamsBase => field;

const s = SENTINEL;
const build = (given: Given) => buildAnthropic(requestOf(given));
const body = (given: Given): JsonObject => build(given).body;
const system = (prompt: string, given: Given = {}) => body({ system: prompt, ...given })['system'];
const messages = (...all: readonly BuildMessage[]) => body({ messages: all })['messages'];
const codes = (given: Given) => build(given).warnings.map(({ code }) => code);
const plain = { options: { cacheStrategy: 'none' } } as const;
const MARK = { type: 'ephemeral' };
const block = (words: string) => ({ type: 'text', text: words });
const marked = (words: string) => ({ ...block(words), cache_control: MARK });

describe('system', () => {
  test.each([
    ['three sentinels', `a${s}\n\nb${s}\n\nc${s}`, [marked('a'), block('\n\nb'), marked('\n\nc')]],
    [
      'six sentinels and a tail',
      `a${s}b${s}c${s}d${s}e${s}f${s}tail`,
      [marked('a'), block('b'), block('c'), block('d'), block('e'), marked('f'), block('tail')],
    ],
    ['one sentinel and a tail', `first${s}second-and-tail`, [marked('first'), block('second-and-tail')]],
    ['one piece', `only${s}`, [marked('only')]],
    ['blank pieces are dropped, ends trimmed', `a \n${s} \n${s}b${s}  `, [marked('a'), marked('b')]],
    ['no sentinel', 'plain words', 'plain words'],
    ['nothing', '', undefined],
    ['sentinels alone', `${s}${s}`, undefined],
  ])('%s', (_, prompt, expected) => expect(system(prompt)).toEqual(expected));

  test.each([['auto-prefix'], ['none']] as const)('another strategy, %s: one string, no sentinel', (cacheStrategy) =>
    expect(system(`a${s}\n\nb${s}`, { options: { cacheStrategy } })).toBe('a\n\nb'),
  );
  test('explicit is what Anthropic does where nothing is said', () =>
    expect(system(`a${s}`)).toEqual(system(`a${s}`, { options: { cacheStrategy: 'anthropic-explicit' } })));
  test('leading system and developer messages join by blank lines; the open end carries no mark', () =>
    expect(system(`a${s}`, { messages: [S('turn'), D('rules'), U('go')] })).toEqual([
      marked('a'),
      block('\n\nturn\n\nrules'),
    ]));
  test('empty messages leave no blank lines', () =>
    expect(system('a', { messages: [S(''), S('b'), U('go')] })).toBe('a\n\nb'));

  const responseFormat = { schema: { type: 'object' }, segment: 'format' } as const;
  const rule = 'Answer with JSON only.\n<response-format>{"type":"object"}</response-format>';
  test.each([
    ['a string', 'words', `words\n\n${rule}`],
    ['an open end', `a${s}tail`, [marked('a'), block(`tail\n\n${rule}`)]],
    ['a sentinel', `a${s}b${s}`, [marked('a'), marked('b'), block(rule)]],
    ['nothing', '', rule],
  ])('a response schema behind %s', (_, prompt, expected) =>
    expect(system(prompt, { responseFormat })).toEqual(expected),
  );
  test('a schema that is there already is not said twice', () =>
    expect(system(`a${s}${rule}`, { responseFormat })).toEqual([marked('a'), block(rule)]));
});

describe('messages', () => {
  test.each<[string, readonly BuildMessage[], unknown]>([
    ['texts are block arrays', [U('a')], [{ role: 'user', content: [marked('a')] }]],
    [
      'neighbours stay apart',
      [U('a'), U('b')],
      [
        { role: 'user', content: [block('a')] },
        { role: 'user', content: [marked('b')] },
      ],
    ],
    [
      'a message without any block is left out',
      [U('a'), A(''), U([]), C(null), U('b')],
      [
        { role: 'user', content: [block('a')] },
        { role: 'user', content: [marked('b')] },
      ],
    ],
    [
      'late system text is wrapped in its place, without sentinel',
      [U('a'), S(`x${s}`), U('b')],
      [
        { role: 'user', content: [marked('a')] },
        { role: 'user', content: [block('<system-instruction>\nx\n</system-instruction>')] },
        { role: 'user', content: [marked('b')] },
      ],
    ],
    [
      'so is a late developer message, in parts too',
      [U('a'), D([text('x'), text('y')])],
      [
        { role: 'user', content: [marked('a')] },
        {
          role: 'user',
          content: [block('<system-instruction>\n'), block('x'), block('y'), marked('\n</system-instruction>')],
        },
      ],
    ],
    ['an empty late system message is none', [U('a'), S('')], [{ role: 'user', content: [marked('a')] }]],
    [
      'an opener stands before a first message that is not the user’s',
      [A('a')],
      [
        { role: 'user', content: [block('Earlier turns are left out.')] },
        { role: 'assistant', content: [marked('a')] },
      ],
    ],
    [
      'results of parallel calls are one user message; text before the calls',
      [U('a'), C('b', call('1'), call('2')), T('1', 'x'), T('2', ''), U('c')],
      [
        { role: 'user', content: [block('a')] },
        {
          role: 'assistant',
          content: [
            block('b'),
            { type: 'tool_use', id: '1', name: 'roll', input: { sides: 6 } },
            { type: 'tool_use', id: '2', name: 'roll', input: { sides: 6 } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: '1', content: 'x' },
            { type: 'tool_result', tool_use_id: '2', content: '' },
          ],
        },
        { role: 'user', content: [marked('c')] },
      ],
    ],
  ])('%s', (_, given, expected) => expect(messages(...given)).toEqual(expected));

  test.each([
    ['{"a":[1]}', { a: [1] }],
    ['', {}],
    [' ', {}],
    ['{"a":', { raw: '{"a":' }],
    ['[1]', { raw: '[1]' }],
    ['null', { raw: 'null' }],
  ])('arguments %j', (args, input) =>
    expect(messages(U('a'), C(null, call('1', 'roll', args)))).toMatchObject([{}, { content: [{ input }] }]),
  );

  test('without cache boundaries a text stays a string', () =>
    expect(
      body({ ...plain, messages: [A('a'), U('b'), S('c'), C(null, call('1')), U([text('d')]), U('')] })['messages'],
    ).toEqual([
      { role: 'user', content: 'Earlier turns are left out.' },
      { role: 'assistant', content: 'a' },
      { role: 'user', content: 'b' },
      { role: 'user', content: '<system-instruction>\nc\n</system-instruction>' },
      { role: 'assistant', content: [{ type: 'tool_use', id: '1', name: 'roll', input: { sides: 6 } }] },
      { role: 'user', content: [block('d')] },
    ]));

  const urls = [image('https://x.example/a.png'), image(PIXEL), image(`data:image/webp;base64,${PIXEL}`)];
  const sources = [
    { type: 'url', url: 'https://x.example/a.png' },
    { type: 'base64', media_type: 'image/png', data: PIXEL },
    { type: 'base64', media_type: 'image/webp', data: PIXEL },
  ];
  test('pictures by URL, bare base64 and data URL', () =>
    expect(body({ ...plain, messages: [U(urls)] })['messages']).toEqual([
      { role: 'user', content: sources.map((source) => ({ type: 'image', source })) },
    ]));
  test('a model that reads text only gets the word for a picture', () =>
    expect(body({ options: { imageInput: false }, messages: [U([text('a'), image()])] })['messages']).toEqual([
      { role: 'user', content: [block('a'), marked('[image]')] },
    ]));
  test('a tool result is text, also where it holds a picture', () =>
    expect(
      messages(U('a'), C(null, call('1')), { role: 'tool', toolCallId: '1', content: [text('x'), image()] }),
    ).toMatchObject([{}, {}, { content: [{ content: 'x\n[image]' }] }]));
});

describe('an earlier reply', () => {
  const native = [
    { type: 'thinking', thinking: 'hm', signature: 'abc' },
    { type: 'redacted_thinking', data: 'xyz' },
    { type: 'text', text: 'I roll.' },
    { type: 'tool_use', id: '1', name: 'roll', input: { sides: 20 } },
  ];
  const said = (extra: Partial<BuildMessage>): readonly BuildMessage[] => [
    U('a'),
    { ...C('I roll.', call('1')), ...extra },
    T('1', '17'),
  ];
  const own = reply('anthropic-messages-v1', native);
  const second = (all: readonly BuildMessage[], given: Given = {}) =>
    (body({ messages: all, ...given })['messages'] as readonly JsonObject[])[1]?.['content'];
  const rebuilt = [block('I roll.'), { type: 'tool_use', id: '1', name: 'roll', input: { sides: 6 } }];

  test.each<[string, Partial<BuildMessage>, Given, unknown]>([
    ['goes back as it came', own, {}, native],
    [
      'a slash at the end of the URL is no other URL',
      own,
      { options: { baseUrl: 'https://api.anthropic.com/' } },
      native,
    ],
    ['not to another base URL', own, { options: { baseUrl: 'https://gw.example/anthropic' } }, rebuilt],
    ['not to another model', own, { model: 'claude-opus-4-8' }, rebuilt],
    ['not from another protocol', reply('openai-responses-v1', native), {}, rebuilt],
    [
      'marks of its own are taken off',
      reply('anthropic-messages-v1', [{ ...native[2], cache_control: MARK }, native[3] ?? null]),
      {},
      [native[2], native[3]],
    ],
  ])('%s', (_, extra, given, expected) => expect(second(said(extra), given)).toEqual(expected));

  test('its blocks belong to the message and to its calls', () => {
    const spans = build({ messages: said({ ...own, reasoningContent: undefined as never }) }).map;
    const at = (path: string) => spans.filter((span) => span.path === path).map(({ segment }) => segment);
    expect(at('/messages/1/content/0/thinking')).toEqual(['of I roll.']);
    expect(at('/messages/1/content/2/text')).toEqual(['of I roll.']);
    expect(at('/messages/1/content/3/id')).toEqual(['call 1']);
    expect(at('/messages/2/content/0/content')).toEqual(['of 17']);
  });
});

describe('tools and tool choice', () => {
  const roll = tool('roll', { type: 'object', properties: { sides: { type: 'number' } } });
  test('input_schema; a missing one is an empty object', () =>
    expect(body({ tools: [roll, { name: 'look', segment: 't' }] })['tools']).toEqual([
      { name: 'roll', description: 'Does roll.', input_schema: roll.jsonSchema },
      { name: 'look', input_schema: { type: 'object', properties: {} } },
    ]));
  test('no tools, no fields', () => expect(Object.keys(body({}))).toEqual(['model', 'max_tokens', 'messages']));

  const on = { thinking: { type: 'adaptive' } };
  test.each<[string, Given, unknown]>([
    ['none declared', {}, undefined],
    ['required', { toolChoice: 'required' }, { type: 'any' }],
    ['named', { toolChoice: { name: 'roll' } }, { type: 'tool', name: 'roll' }],
    ['required while thinking', { toolChoice: 'required', metadata: on }, { type: 'auto' }],
    ['a model that refuses', { toolChoice: 'required', model: 'claude-opus-5.5' }, { type: 'auto' }],
    ['another such model', { toolChoice: { name: 'roll' }, model: 'claude-mythos-5-1' }, { type: 'auto' }],
    ['what was set wins', { toolChoice: 'required', metadata: { tool_choice: { type: 'none' } } }, { type: 'none' }],
    [
      'a refusing model keeps the rest',
      { model: 'claude-sonnet-5-5', metadata: { tool_choice: { type: 'any', disable_parallel_tool_use: true } } },
      { type: 'auto', disable_parallel_tool_use: true },
    ],
  ])('%s', (_, given, expected) => expect(body({ tools: [roll], ...given })['tool_choice']).toEqual(expected));
});

describe('limits, thinking and sampling', () => {
  test.each<[string, Given, number]>([
    ['capacity 8,192', { maxOutputTokens: 8192 }, 8192],
    ['capacity 262,144', { maxOutputTokens: 262_144 }, 16_384],
    ['none', {}, 16_384],
    ['an override replaces it', { maxOutputTokens: 8192, parameterOverrides: { maxOutputTokens: 40_000 } }, 40_000],
  ])('max_tokens: %s', (_, given, expected) => expect(body(given)['max_tokens']).toBe(expected));
  test('a limit that is not sent is said', () => expect(codes({ maxOutputTokens: 262_144 })).toEqual(['output-limit']));

  const all: ParameterOverrides = { temperature: 0.7, topP: 0.9, topK: 40 };
  const on = { thinking: { type: 'enabled', budget_tokens: 2048 } };
  test.each<[string, Given, JsonObject]>([
    ['all', { parameterOverrides: all }, { temperature: 0.7, top_p: 0.9, top_k: 40 }],
    ['none of the newest', { model: 'claude-sonnet-5', parameterOverrides: all }, {}],
    ['none of opus-4-8', { model: 'claude-opus-4-8', parameterOverrides: all }, {}],
    ['none of opus-4.7', { model: 'anthropic/claude-opus-4.7', parameterOverrides: all }, {}],
    ['thinking, top_p 0.9', { metadata: on, parameterOverrides: all }, { ...on }],
    ['thinking, top_p 0.95', { metadata: on, parameterOverrides: { ...all, topP: 0.95 } }, { ...on, top_p: 0.95 }],
    ['from metadata too', { model: 'claude-fable-5', metadata: { temperature: 1 } }, {}],
    ['no runtime wish over a setting', { reasoning: false, metadata: on }, { ...on }],
    ['the runtime wants none', { reasoning: false }, { thinking: { type: 'disabled' } }],
    [
      'adaptive with effort',
      { model: 'claude-opus-5', parameterOverrides: { reasoningEffort: 'high', temperature: 1 } },
      { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'high' } },
    ],
    [
      'disabled takes the effort away',
      { metadata: { thinking: { type: 'disabled' }, output_config: { effort: 'low', format: 'x' } } },
      { thinking: { type: 'disabled' }, output_config: { format: 'x' } },
    ],
    [
      'disabled, and nothing left of output_config',
      { metadata: { thinking: { type: 'disabled' }, output_config: { effort: 'low' } } },
      { thinking: { type: 'disabled' } },
    ],
  ])('%s', (_, given, expected) => {
    const { model: _model, max_tokens: _limit, messages: _messages, ...rest } = body(given);
    expect(rest).toEqual(expected);
  });
  test('what is left out is said', () => {
    expect(codes({ metadata: on, parameterOverrides: all })).toEqual(Array(3).fill('unsupported-parameter'));
    expect(codes({ parameterOverrides: { frequencyPenalty: 1 } })).toEqual(['unsupported-parameter']);
    expect(codes({ options: { promptCacheKey: true } })).toEqual(['cache-key']);
    expect(codes({})).toEqual([]);
  });
});

describe('address, headers, stream', () => {
  test.each([
    [null, 'https://api.anthropic.com/v1/messages'],
    ['https://api.anthropic.com/v1/', 'https://api.anthropic.com/v1/messages'],
    ['https://gw.example/anthropic', 'https://gw.example/anthropic/v1/messages'],
  ])('%s', (baseUrl, url) => expect(build({ options: { baseUrl } }).url).toBe(url));
  test('the key has its own header, and no bearer', () =>
    expect(build({}).headers).toEqual({
      'content-type': 'application/json',
      'x-api-key': '…',
      'anthropic-version': '2023-06-01',
    }));
  test('stream', () =>
    expect([body({})['stream'], body({ options: { stream: true } })['stream']]).toEqual([undefined, true]));
  test('an opener without words is none', () =>
    expect(body({ messages: [A('a')], options: { texts: { ...OPTIONS.texts, opener: '' } } })['messages']).toHaveLength(
      1,
    ));
});
