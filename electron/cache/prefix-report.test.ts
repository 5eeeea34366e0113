import { describe, expect, test } from 'vitest';
import { createPrefixReport, type PrefixEntry } from './prefix-report.ts';

type Row = { readonly turn: string; readonly payload: unknown; readonly session?: string };

function report(measure: 'lens' | 'covel', rows: readonly Row[], show = false) {
  const made = createPrefixReport(measure, { show });
  rows.forEach(({ turn, payload, session = 's' }, n) => {
    const bytes =
      payload === null ? null : Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload));
    made.add({ sessionId: session, turnId: turn, id: `call-${n}`, payload: bytes });
  });
  return made;
}
const entry = (measure: 'lens' | 'covel', ...rows: Row[]): PrefixEntry => {
  const [first] = report(measure, rows).entries();
  if (!first) throw new Error('no entry');
  return first;
};

const call = (body: object, more: object = {}) => ({
  runtimeId: 'narrator',
  providerRequests: [{ protocol: 'openai-chat-v1', body, statusCode: 200 }],
  ...more,
});
const chat = (...texts: string[]) => call({ messages: texts.map((content) => ({ role: 'user', content })) });
const pairs = (measure: 'lens' | 'covel', a: object, b: object) =>
  entry(measure, { turn: 'A', payload: a }, { turn: 'B', payload: b }).pairs;

describe('both measures', () => {
  test.each(['lens', 'covel'] as const)('%s: keys in the order of the contract', (measure) => {
    const one = entry(measure, { turn: 'A', payload: chat('a') }, { turn: 'B', payload: chat('b') });
    expect(Object.keys(one)).toEqual([
      'sessionId',
      'runtimeId',
      'turns',
      'calls',
      'totalChars',
      'firstRequestChars',
      'pairs',
    ]);
    expect(Object.keys(one.pairs[0] ?? {})).toEqual([
      'size',
      'tokens',
      'shared',
      'sharedTokens',
      'firstDifference',
      'offset',
      'was',
      'now',
    ]);
  });

  test.each(['lens', 'covel'] as const)('%s: special labels have offset 0 and no texts', (measure) => {
    const same = pairs(measure, chat('a'), chat('a'))[0];
    expect(same).toMatchObject({ firstDifference: '(identical)', offset: 0 });
    expect(Object.keys(same ?? {})).not.toContain('was');
    expect(pairs(measure, chat('a', 'b'), chat('a'))[0]).toMatchObject({
      firstDifference: '(request ends earlier)',
      offset: 0,
    });
  });

  test.each(['lens', 'covel'] as const)('%s: where the earlier request had ended', (measure) => {
    expect(pairs(measure, chat('a'), chat('a', 'b'))[0]).toMatchObject({
      firstDifference: 'message 2 (user)',
      offset: 0,
      was: '(no such part)',
    });
  });

  test.each(['lens', 'covel'] as const)('%s: only the first row of a turn is compared', (measure) => {
    const rows = [
      { turn: 'A', payload: chat('a') },
      { turn: 'A', payload: chat('a', 'b') },
      { turn: 'B', payload: chat('a') },
    ];
    expect(entry(measure, ...rows)).toMatchObject({ turns: 2, pairs: [{ firstDifference: '(identical)' }] });
    expect(entry(measure, ...rows).firstRequestChars).toHaveLength(2);
  });

  test.each(['lens', 'covel'] as const)('%s: sessions apart, runtimes by first appearance', (measure) => {
    const guide = { ...chat('g'), runtimeId: 'guide' };
    const rows = [
      { session: 's', turn: 'A', payload: chat('a') },
      { session: 's', turn: 'A', payload: guide },
      { session: 't', turn: 'A', payload: guide },
    ];
    const entries = report(measure, rows).entries();
    expect(entries.map(({ sessionId, runtimeId }) => [sessionId, runtimeId])).toEqual([
      ['s', 'narrator'],
      ['s', 'guide'],
      ['t', 'guide'],
    ]);
  });

  test.each(['lens', 'covel'] as const)('%s: rows that cannot be read are flagged and left out', (measure) => {
    const made = report(measure, [
      { turn: 'A', payload: null },
      { turn: 'A', payload: '{' },
      { turn: 'A', payload: '[1]' },
      { turn: 'A', payload: chat('a') },
    ]);
    expect(made.flagged()).toBe(3);
    expect(made.entries()).toMatchObject([{ turns: 1, calls: 1 }]);
  });

  test.each(['lens', 'covel'] as const)('%s: show names the two calls', (measure) => {
    const made = report(
      measure,
      [
        { turn: 'A', payload: chat('a') },
        { turn: 'B', payload: chat('b') },
      ],
      true,
    );
    expect(made.entries()[0]?.pairs[0]).toMatchObject({ a: 'call-0', b: 'call-1' });
  });
});

describe('lens', () => {
  test('a retry counts with its call, its characters are counted', () => {
    const retry = { ...chat('a'), attempt: 1 };
    const one = entry(
      'lens',
      { turn: 'A', payload: chat('a') },
      { turn: 'A', payload: retry },
      { turn: 'A', payload: chat('a') },
    );
    expect(one).toMatchObject({
      turns: 1,
      calls: 2,
      totalChars: 3 * JSON.stringify({ role: 'user', content: 'a' }).length,
    });
  });

  test('two protocols share nothing', () => {
    const gemini = call({}, { providerRequests: [{ protocol: 'google-generative-ai-v1', body: { contents: [] } }] });
    expect(pairs('lens', chat('a'), gemini)[0]).toMatchObject({
      firstDifference: '(other protocol)',
      shared: 0,
      offset: 0,
    });
  });

  test('the request that was answered is measured', () => {
    const failed = { protocol: 'openai-chat-v1', body: { messages: ['long message that failed'] }, statusCode: 500 };
    const one = call(
      {},
      { providerRequests: [failed, { protocol: 'openai-chat-v1', body: { messages: [] }, statusCode: 200 }] },
    );
    expect(entry('lens', { turn: 'A', payload: one }).firstRequestChars).toEqual([0]);
  });

  test('a concealed request has no size', () => {
    expect(entry('lens', { turn: 'A', payload: { runtimeId: 'narrator' } })).toMatchObject({
      firstRequestChars: [null],
      totalChars: 0,
    });
  });

  test('tokens are estimated of the whole', () => {
    expect(pairs('lens', chat('雾雾'), chat('雾雾'))[0]).toMatchObject({ size: 30, tokens: 9, sharedTokens: 9 });
  });
});

describe('covel', () => {
  const parts = (payload: object) => entry('covel', { turn: 'A', payload }).totalChars;
  const first = (a: object, b: object) => pairs('covel', a, b)[0]?.firstDifference;

  test('a message with a text content is that text alone', () => {
    expect(parts(chat('abc'))).toBe(3);
    expect(
      first(
        call({ messages: [{ role: 'user', content: 'a' }] }),
        call({ messages: [{ role: 'system', content: 'a' }] }),
      ),
    ).toBe('(identical)');
  });

  test('any other message is its JSON', () => {
    const message = { role: 'user', content: [{ type: 'text', text: 'a' }] };
    expect(parts(call({ messages: [message] }))).toBe(JSON.stringify(message).length);
  });

  test('a marker is text', () => {
    const block = (mark: object) => call({ system: [{ type: 'text', text: 'a', ...mark }], messages: [] });
    expect(first(block({}), block({ cache_control: { type: 'ephemeral' } }))).toBe('system block 1');
  });

  test('labels', () => {
    const none = call({ messages: [] });
    expect(first(none, call({ tools: [{ name: 'roll' }] }))).toBe('tool 1 (roll)');
    expect(first(none, call({ tools: [{ function: { name: 'roll' } }] }))).toBe('tool 1 (roll)');
    expect(first(none, call({ tools: [{ functionDeclarations: [] }], contents: [] }))).toBe('tool 1 (?)');
    expect(first(none, call({ system: 'a' }))).toBe('system');
    expect(first(none, call({ instructions: 'a' }))).toBe('instructions');
    expect(first(none, call({ input: [{ type: 'function_call' }] }))).toBe('message 1 (function_call)');
  });

  test('Gemini’s system instruction is not counted', () => {
    expect(parts(call({ contents: [], systemInstruction: { parts: [{ text: 'abc' }] } }))).toBe(0);
  });

  test('the first body counts, also when it failed', () => {
    const requests = [
      { statusCode: 529 },
      { body: { messages: [{ content: 'first' }] }, statusCode: 500 },
      { body: { messages: [] }, statusCode: 200 },
    ];
    expect(parts(call({}, { providerRequests: requests }))).toBe(5);
  });

  test('without a body the kernel view', () => {
    const kernel = { tools: [], messages: [{ role: 'user', content: 'abc' }] };
    expect(parts({ runtimeId: 'narrator', ...kernel })).toBe(3);
  });

  test('a field that the body lacks is the payload’s', () => {
    const tool = { name: 'roll' };
    expect(parts(call({ messages: [] }, { tools: [tool], messages: [{ content: 'not counted' }] }))).toBe(
      JSON.stringify(tool).length,
    );
    expect(parts(call({ tools: [] }, { tools: [tool], messages: [{ content: 'abc' }] }))).toBe(3);
  });

  test('every row is a call', () => {
    const rows = [
      { turn: 'A', payload: chat('ab') },
      { turn: 'A', payload: { ...chat('ab'), attempt: 1 } },
    ];
    expect(entry('covel', ...rows)).toMatchObject({ calls: 2, totalChars: 4 });
  });

  test('offset, texts and tokens', () => {
    const long = 'x'.repeat(100);
    expect(pairs('covel', chat(`雾${long}a${long}`), chat(`雾${long}b${long}`))).toEqual([
      {
        size: 202,
        tokens: 51,
        shared: 101,
        sharedTokens: 26,
        firstDifference: 'message 1 (user)',
        offset: 101,
        was: `${'x'.repeat(40)}a${'x'.repeat(79)}`,
        now: `${'x'.repeat(40)}b${'x'.repeat(79)}`,
      },
    ]);
  });
});
