import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { sentence } from '../../../shared/language/index.ts';
import { turnIndex } from '../../../shared/units.ts';
import { parseCacheRules } from '../rules.ts';
import { simulateSession } from './simulate.ts';
import { billed, call, many, request, type CallFields } from './testing/session.ts';
import type { RequestBlocks, SimCall, SimResult } from './types.ts';

const rules = parseCacheRules(JSON.parse(readFileSync('resources/cache-rules.json', 'utf8')));
const simulate = (...calls: readonly SimCall[]): readonly SimResult[] => simulateSession(calls, rules);
/** `read + write + uncached` of each call. */
const figures = (...calls: readonly SimCall[]): readonly string[] =>
  simulate(...calls).map(({ prediction: p }) => (p ? `${p.read} + ${p.write} + ${p.uncached}` : 'none'));
const last = (...calls: readonly SimCall[]): SimResult => simulate(...calls).at(-1) as SimResult;

const OPENAI = { provider: 'openai', protocol: 'openai-chat-v1', model: 'gpt-5.1' } as const;
const BREAKPOINTS = { ...OPENAI, model: 'gpt-5.6' } as const;
const GEMINI = { provider: 'google', protocol: 'google-generative-ai-v1', model: 'gemini-2.5-flash' } as const;
const DEEPSEEK = { provider: 'deepseek', protocol: 'openai-chat-v1', model: 'deepseek-chat' } as const;
const KIMI = { provider: 'moonshot', protocol: 'openai-chat-v1', model: 'kimi-k3' } as const;
const XAI = { provider: 'xai', protocol: 'openai-chat-v1', model: 'grok-4' } as const;
const QWEN = { provider: 'dashscope', protocol: 'openai-chat-v1', model: 'qwen3-max' } as const;

describe('marks (Anthropic)', () => {
  const base = ['tools T', 'system S:2000*'];
  const a = request(...base, 'user 1*');
  const grown = request(...base, 'user 1', 'assistant 2', 'user 3*');

  test.each<[string, readonly SimCall[], string]>([
    [
      'the first request writes up to its last mark',
      [call(0, request(...base, 'user 1', 'user 2:30'))],
      '0 + 3000 + 1030',
    ],
    ['the same again reads it all', [call(0, a), call(9, a)], '4000 + 0 + 0'],
    ['growth reads what was, and writes what is new', [call(0, a), call(9, grown)], '4000 + 2000 + 0'],
    [
      'a changed message leaves the mark before it',
      [call(0, a), call(9, request(...base, 'user x*'))],
      '3000 + 1000 + 0',
    ],
    ['alive at 300 s', [call(0, a), call(300, a)], '4000 + 0 + 0'],
    ['dead after 300 s', [call(0, a), call(300.001, a)], '0 + 4000 + 0'],
    ['a read begins its life anew', [call(0, a), call(299, a), call(598, a)], '4000 + 0 + 0'],
    [
      'an hour where the mark says so',
      [call(0, request('system S:2000*1h')), call(3600, request('system S:2000*1h'))],
      '2000 + 0 + 0',
    ],
    ['no mark, no cache', [call(0, request('system S:9000')), call(1, request('system S:9000'))], '0 + 0 + 9000'],
    [
      'a mark for the whole request',
      [call(0, request('system S:2000', 'user 1', 'auto')), call(1, request('system S:2000', 'user 1', 'auto'))],
      '3000 + 0 + 0',
    ],
    [
      'below the minimum nothing is read or written',
      [call(0, request('system S:1023*')), call(1, request('system S:1023*'))],
      '0 + 0 + 1023',
    ],
    ['at the minimum it is', [call(0, request('system S:1024*')), call(1, request('system S:1024*'))], '1024 + 0 + 0'],
    [
      'two marks on one block are one',
      [call(0, request('system S:2000**1h')), call(3000, request('system S:2000**1h'))],
      '2000 + 0 + 0',
    ],
    ['a parallel request reads nothing', [call(0, a), call(0.5, a)], '0 + 4000 + 0'],
    ['two that begin at once read nothing', [call(0, a, { durationMs: null }), call(0, a)], '0 + 4000 + 0'],
    ['without a duration it counts as ready', [call(0, a, { durationMs: null }), call(0.001, a)], '4000 + 0 + 0'],
    ['another model has a cache of its own', [call(0, a), call(9, a, { model: 'claude-sonnet-4-5' })], '0 + 4000 + 0'],
    ['another provider too', [call(0, a), call(9, a, { provider: 'q' })], '0 + 4000 + 0'],
    ['who is not answered writes nothing', [call(0, a, { answered: false }), call(9, a)], '0 + 4000 + 0'],
    [
      'a setting of the messages leaves tools and system',
      [call(0, a), call(9, request(...base, 'set any', 'user 1*'))],
      '3000 + 1000 + 0',
    ],
    [
      'another tool leaves nothing',
      [call(0, a), call(9, request('tools X', 'system S:2000*', 'user 1*'))],
      '0 + 4000 + 0',
    ],
    [
      'only the latest four marks count',
      [call(0, request('tools A:2000*', 'user B* C* D* E*')), call(9, request('tools A:2000*'))],
      '0 + 2000 + 0',
    ],
  ])('%s', (_, calls, expected) => {
    expect(figures(...calls).at(-1)).toBe(expected);
  });

  test('an hour’s marks come first in the split, and stretches pay for the longest mark that covers them', () => {
    const both = request('tools T:2000*1h', 'system S:3000*1h', 'user U:500*');
    expect(last(call(0, both)).prediction?.writes).toEqual({ '1h': 5000, '5m': 500 });
    const grown = request('tools T:2000*1h', 'system S:3000*1h', 'user U:500', 'user V:700*');
    expect(last(call(0, both), call(1000, grown)).prediction).toMatchObject({ read: 5000, writes: { '5m': 1200 } });
    const reversed = request('tools T:2000*', 'system S:3000*1h');
    expect(last(call(0, reversed)).prediction?.writes).toEqual({ '1h': 5000 });
  });

  test('a mark looks back 20 blocks, itself the first', () => {
    const first = request('system S:2000*');
    const further = (n: number): RequestBlocks => request('system S:2000', `user ${many('b', n - 1, 100)} last:100*`);
    expect(last(call(0, first), call(9, further(19))).prediction).toMatchObject({ read: 2000, write: 1900 });
    const lost = last(call(0, first), call(9, further(20)));
    expect(lost.prediction).toMatchObject({ read: 0, write: 4000 });
    expect(lost.lost.beyondLookback).toEqual({ tokens: 2000, blocks: 21, limit: 20 });
  });

  test('what was lost, by its reason', () => {
    expect(last(call(0, a), call(301, a))).toMatchObject({
      lost: { expired: { tokens: 4000, ageS: 301, lifetimeS: 300 } },
      lifetimeS: 300,
    });
    expect(last(call(0, request('system S:900*')), call(9, request('system S:900*'))).lost.tooShort).toEqual({
      tokens: 900,
      minimum: 1024,
    });
    expect(
      last(call(0, request('system S:900*', 'user 1')), call(9, request('system S:900*', 'user 2'))).lost.tooShort
        ?.tokens,
    ).toBe(900);
    const plain = request('system S:2000*', 'user 1', 'assistant 2');
    expect(
      last(call(0, plain), call(9, request('system S:2000*', 'user 1', 'assistant 2', 'user 3*'))).lost.unmarked,
    ).toEqual({ tokens: 4000 });
    const one = call(0, a);
    const parallel = last(one, call(0.5, a));
    expect(parallel).toMatchObject({ lost: { notReady: { tokens: 4000, callId: one.id } }, notes: ['overlap'] });
    expect(last(call(0, a), call(9, a)).lost).toEqual({
      expired: null,
      tooShort: null,
      beyondLookback: null,
      unmarked: null,
      notReady: null,
    });
  });

  test('models whose minimum is not known say so', () => {
    const fields = { model: 'claude-opus-5-5' };
    expect(last(call(0, a, fields), call(9, a, fields)).notes).toEqual(['minimum-unknown']);
  });

  test('Qwen’s marks; without any its own cache holds', () => {
    const marked = request('system S:2000*', 'user 1');
    expect(last(call(0, marked, QWEN), call(9, marked, QWEN)).prediction).toMatchObject({
      rule: 'qwen-explicit',
      read: 2000,
    });
    const plain = request('system S:2000', 'user 1');
    expect(last(call(0, plain, QWEN), call(9, plain, QWEN)).prediction).toMatchObject({
      rule: 'qwen-implicit',
      read: 3000,
    });
  });
});

describe('the longest prefix (OpenAI before 5.6, Gemini, …)', () => {
  const alike = (fields: CallFields, system: number, rest = 'user 2'): readonly SimCall[] => [
    call(0, request(`system S:${system}`, 'user 1'), fields),
    call(9, request(`system S:${system}`, rest), fields),
  ];
  test.each<[string, readonly SimCall[], string]>([
    ['1,023 equal tokens are too short', alike(OPENAI, 1023), '0 + 0 + 2023'],
    ['1,024 are enough', alike(OPENAI, 1024), '1024 + 0 + 1000'],
    ['127 more give nothing', alike(OPENAI, 1151), '1024 + 0 + 1127'],
    ['128 more a step', alike(OPENAI, 1152), '1152 + 0 + 1000'],
    ['the same again, down to a step', alike(OPENAI, 1100, 'user 1'), '2048 + 0 + 52'],
    ['Gemini 2.5 from 2,048', alike(GEMINI, 2047), '0 + 0 + 3047'],
    ['Gemini 2.5 at 2,048, to the token', alike(GEMINI, 2050), '2050 + 0 + 1000'],
    ['Gemini 3.1 from 4,096', alike({ ...GEMINI, model: 'gemini-3.1-pro' }, 4000), '0 + 0 + 5000'],
    ['xAI in steps of 128', alike(XAI, 300), '256 + 0 + 1044'],
    ['Kimi in steps of 256, and bills writes', alike(KIMI, 600), '512 + 1024 + 64'],
  ])('%s', (_, calls, expected) => {
    expect(figures(...calls).at(-1)).toBe(expected);
  });

  test('equal text inside the next block counts, when the request before holds the most', () => {
    const one = call(0, request('system S:1100', 'user 1:900'), OPENAI);
    const two = request('system S:1100', 'user 2:900');
    expect(last(one, call(9, two, { ...OPENAI, previousId: one.id, shared: 1500 })).prediction?.read).toBe(1408);
    expect(last(one, call(9, two, { ...OPENAI, previousId: null, shared: 1500 })).prediction?.read).toBe(1024);
    const late = call(0.5, two, { ...OPENAI, previousId: one.id, shared: 1500 });
    expect(last(one, late).prediction?.read).toBe(0);
  });

  test('a setting that differs is no equal text', () => {
    const one = call(0, request('system S:1100', 'user 1:900'), OPENAI);
    const two = call(9, request('set x', 'system S:1100', 'user 1:900'), {
      ...OPENAI,
      previousId: one.id,
      shared: 2000,
    });
    expect(last(one, two).prediction?.read).toBe(0);
  });

  test('an older request counts as well as the last', () => {
    const [a, b] = [request('system S:2000', 'user 1'), request('system X:2000')];
    expect(figures(call(0, a, OPENAI), call(9, b, OPENAI), call(18, a, OPENAI)).at(-1)).toBe('2944 + 0 + 56');
  });

  test('OpenAI keeps entries for a day; where nobody says how long, they are taken to live', () => {
    const a = request('system S:4096');
    const day = 86_400;
    expect(last(call(0, a, OPENAI), call(day, a, OPENAI)).prediction?.read).toBe(4096);
    const dead = last(call(0, a, OPENAI), call(day + 1, a, OPENAI));
    expect(dead).toMatchObject({ prediction: { read: 0 }, lost: { expired: { tokens: 4096, lifetimeS: day } } });
    expect(last(call(0, a, GEMINI), call(9 * day, a, GEMINI))).toMatchObject({
      prediction: { read: 4096 },
      notes: ['lifetime-unknown'],
    });
  });
});

describe('breakpoints (OpenAI from 5.6 on)', () => {
  const first = request('system S:2000', 'user 1:777');
  test.each<[string, readonly RequestBlocks[], string]>([
    ['the end of the newest message is one', [first], '0 + 2777 + 0'],
    [
      'it is read where the next request goes on',
      [first, request('system S:2000', 'user 1:777', 'user 2')],
      '2777 + 1000 + 0',
    ],
    ['to the token, without rounding', [first, first], '2777 + 0 + 0'],
    ['no shorter prefix without a breakpoint', [first, request('system S:2000', 'user x:777')], '0 + 2777 + 0'],
    ['a mark is one', [request('system S:2000*', 'user 1'), request('system S:2000*', 'user x')], '2000 + 1000 + 0'],
    [
      'of five marks the latest three and the end',
      [request('user A:2000* B* C* D*', 'user e'), request('user A:2000', 'user x')],
      '0 + 3000 + 0',
    ],
    [
      'no limit of blocks',
      [request('system S:2000*'), request('system S:2000', `user ${many('b', 60, 10)}`)],
      '2000 + 600 + 0',
    ],
    ['from 1,024 on', [request('system S:1023'), request('system S:1023')], '0 + 0 + 1023'],
  ])('%s', (_, requests, expected) => {
    expect(figures(...requests.map((blocks, n) => call(9 * n, blocks, BREAKPOINTS))).at(-1)).toBe(expected);
  });

  test('equal text without a breakpoint is told', () => {
    const lost = last(call(0, first, BREAKPOINTS), call(9, request('system S:2000', 'user x'), BREAKPOINTS)).lost;
    expect(lost.unmarked).toEqual({ tokens: 2000 });
  });

  test('explicit marks alone; none, no cache', () => {
    const only = (blocks: RequestBlocks): RequestBlocks => ({ ...blocks, explicitOnly: true });
    const none = only(request('system S:2000', 'user 1'));
    expect(figures(call(0, none, BREAKPOINTS), call(9, none, BREAKPOINTS)).at(-1)).toBe('0 + 0 + 3000');
    const marked = only(request('user A:2000* B* C* D*', 'user e'));
    expect(figures(call(0, marked, BREAKPOINTS), call(9, marked, BREAKPOINTS)).at(-1)).toBe('5000 + 0 + 1000');
  });

  test('writes are billed by lifetime, half an hour unless said', () => {
    expect(last(call(0, first, BREAKPOINTS)).prediction?.writes).toEqual({ '30m': 2777 });
    const long = request('system S:2000', 'user 1:777', 'auto 12h');
    const fields = { ...BREAKPOINTS, protocol: 'openai-responses-v1' };
    expect(last(call(0, long, fields), call(40_000, long, fields)).prediction?.read).toBe(2777);
    expect(last(call(0, first, BREAKPOINTS), call(1801, first, BREAKPOINTS)).prediction?.read).toBe(0);
  });
});

describe('whole units (DeepSeek)', () => {
  const A = 'system A:2000';
  const ask = (seconds: number, ...lines: readonly string[]): SimCall => call(seconds, request(...lines), DEEPSEEK);
  test('A+B, then A+C misses, then A+D reads A', () => {
    expect(figures(ask(0, A, 'user B'), ask(9, A, 'user C'), ask(18, A, 'user D'))).toEqual([
      '0 + 0 + 3000',
      '0 + 0 + 3000',
      '2000 + 0 + 1000',
    ]);
  });

  test('the end of the input is a unit, and the end of the output', () => {
    const one = ask(0, A, 'user B:500');
    expect(last(one, ask(9, A, 'user B:500', 'user C')).prediction?.read).toBe(2500);
    expect(last(one, ask(9, A, 'user B:500', 'assistant r:70', 'tool C')).prediction?.read).toBe(2570);
  });

  test('of calls at once none knows from another what was an answer', () => {
    const first = ask(0, A, 'user B:500');
    const goesOn = ask(9, A, 'user B:500', 'assistant r:70', 'tool C');
    const answerLast = { ...ask(9, A, 'user B:500', 'assistant r:70'), runtimeId: 'other' };
    const reads = (...calls: readonly SimCall[]) => simulate(first, ...calls).map(({ prediction }) => prediction?.read);
    expect(reads(goesOn, answerLast)).toEqual([0, 2570, 2500]);
    expect(reads(answerLast, goesOn)).toEqual([0, 2500, 2570]);

    const alike = [ask(0, A, 'user B'), ask(0, A, 'user C')];
    const asks = ask(9, A);
    const longer = { ...ask(9, A, 'assistant r:70', 'user D'), runtimeId: 'other' };
    for (const calls of [
      [asks, longer],
      [longer, asks],
    ]) {
      const results = simulate(...alike, ...calls);
      expect(results[calls.indexOf(longer) + 2]?.prediction?.read).toBe(2000);
    }
  });

  test('where two of three part is known when those two were answered, whatever the third does', () => {
    const slow = { ...ask(0, A, 'user B'), durationMs: 5000 };
    const near = { ...ask(1, A, 'user B', 'user C'), durationMs: 0 };
    const far = { ...ask(1, A, 'user D'), durationMs: 0, runtimeId: 'other' };
    for (const two of [
      [near, far],
      [far, near],
    ])
      expect(last(slow, ...two, ask(2, A, 'user B')).prediction?.read).toBe(2000);
  });

  test('a miss says what was equal, and that more may be read', () => {
    const miss = last(ask(0, A, 'user B'), ask(9, A, 'user C'));
    expect(miss).toMatchObject({ lost: { unmarked: { tokens: 2000 } }, notes: ['units-unknown'] });
  });
});

describe('clocks', () => {
  const a = request('system S:2000*');
  test('none: the order given, alive, and said so', () => {
    const result = last(call(null, a), call(null, a));
    expect(result).toMatchObject({ prediction: { read: 2000 }, notes: ['no-clock'] });
  });

  test('a call without one comes after the call before it', () => {
    const [one, two] = [request('system S:2000*'), request('system X:2000*')];
    const results = simulate(call(0, one), call(null, two), call(9, two), call(-9, one, { runtimeId: 'other' }));
    expect(results.map(({ prediction }) => prediction?.read)).toEqual([2000, 0, 2000, 0]);
  });

  test('calls side by side stand in the order of their ends, and are walked by their starts', () => {
    const short = request('system S:2000*', 'user 1*');
    const results = simulate(call(5, short), call(0, a));
    expect(results.map(({ prediction, notes }) => [prediction?.read, ...notes])).toEqual([[2000], [0]]);
  });

  test('of calls that begin at once the one that was answered first is walked first', () => {
    const ask = (seconds: number, line: string, durationMs: number): SimCall =>
      call(seconds, request('system A:2000', line), { ...DEEPSEEK, durationMs });
    const atOnce = [ask(0, 'user B', 5000), ask(0, 'user C', 0), ask(0, 'user D', 0)];
    for (const order of [atOnce, atOnce.toReversed()])
      expect(last(...order, ask(1, 'user E', 0)).prediction?.read).toBe(2000);
  });

  test('running backwards from one turn to the next is noted, and the order of the turns stays', () => {
    const results = simulate(
      call(100, a),
      call(50, a, { turnIndex: turnIndex(2) }),
      call(60, a, { turnIndex: turnIndex(3) }),
    );
    expect(results[1]).toMatchObject({ prediction: { read: 2000 }, notes: ['clock-backwards'] });
    expect(results[2]?.notes).toContain('clock-backwards');
  });
});

describe('positions', () => {
  const a = request('system S:2000*', 'user 1*');
  test('what was billed is the sum; what is inside is estimated', () => {
    const { prediction } = last(call(0, a, billed(6000)), call(9, request('system S:2000*', 'user x*'), billed(6000)));
    expect(prediction).toMatchObject({ read: 4000, write: 2000, uncached: 0, tier: 'estimated' });
  });

  test('else the count, else the estimate', () => {
    const counted = call(0, a, { countedInput: billed(1500).billedInput });
    expect(last(counted).prediction).toMatchObject({ write: 1500, tier: 'counted' });
    expect(last(call(0, a)).prediction).toMatchObject({ write: 3000, tier: 'estimated' });
  });

  test('the end of an earlier request stands where its bill says', () => {
    const grown = request('system S:2000*', 'user 1', 'user 2*');
    expect(last(call(0, a, billed(4000)), call(9, grown, billed(4700))).prediction).toMatchObject({
      read: 4000,
      write: 700,
    });
  });

  test('so does its last mark: read and written tokens end there', () => {
    const one = request('system S:2000*', 'user 1');
    const bill = { ...billed(3000), usage: { read: billed(0).billedInput, write: billed(2200).billedInput } };
    const two = call(9, request('system S:2000*', 'user 2:4000'), billed(6000));
    expect(last(call(0, one, bill), two).prediction?.read).toBe(2200);
    const odd = { ...billed(3000), usage: { ...bill.usage, write: billed(900).billedInput } };
    expect(last(call(0, one, odd), two).prediction?.read).toBe(2000);
  });

  test('positions end with the whole, and never fall', () => {
    const { tokensAt } = last(
      call(0, a, billed(4000)),
      call(9, request('system S:2000*', 'user 1', 'user 2 3 4*'), billed(4100)),
    );
    expect(tokensAt.at(-1)).toBe(4100);
    expect(tokensAt.toSorted((x, y) => x - y)).toEqual(tokensAt);
  });
});

describe('no prediction', () => {
  test.each<[string, CallFields]>([
    ['for an unknown model', { model: 'my-model' }],
    ['without a model', { model: null }],
    ['for an unknown protocol', { protocol: 'other-v1' }],
    ['for the kernel view', { protocol: null }],
    ['for who was not answered', { answered: false }],
  ])('%s', (_, fields) => {
    const result = last(call(0, request('system S:2000*')), call(9, request('system S:2000*'), fields));
    expect(result).toMatchObject({ prediction: null, tokensAt: Uint32Array.of(2000), lifetimeS: null });
  });

  test('a request without any text', () => {
    expect(last(call(0, request())).prediction).toMatchObject({ read: 0, write: 0, uncached: 0 });
  });
});

test('why, in words', () => {
  const a = request('system S:2000*');
  const b = last(
    call(0, a, { turnIndex: turnIndex(3) }),
    call(42, request('system S:2000', 'user 1*'), { turnIndex: turnIndex(4) }),
  );
  const say = (result: SimResult, language: 'en' | 'zh'): readonly string[] =>
    (result.prediction?.why ?? []).map((why) => sentence(language, why));
  expect(say(b, 'en')).toEqual([
    'Reads 2,000 tokens that turn 3 left in the cache 42 s earlier.',
    'Writes 1,000 tokens, kept for 5m.',
  ]);
  expect(say(b, 'zh')[0]).toBe('读取第 3 回合在 42 秒前留在缓存里的 2,000 个 token。');
  expect(say(last(call(0, a), call(400, a)), 'en')).toEqual([
    'Reads nothing, although an earlier request begins alike.',
    'Writes 2,000 tokens, kept for 5m.',
    'An entry of 2,000 tokens was 400 s old, but lives 300 s.',
  ]);
});
