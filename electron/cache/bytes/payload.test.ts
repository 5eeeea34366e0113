import { describe, expect, test } from 'vitest';
import { chosenRequest, scanPayload, type CallScan } from './payload.ts';

const bytesOf = (value: unknown): Buffer => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
function scan(value: unknown): CallScan {
  const found = scanPayload(bytesOf(value));
  if (found.kind !== 'call') throw new Error(found.reason);
  return found;
}
const textAt = (value: unknown, range: { start: number; end: number } | null): string | null =>
  range && bytesOf(value).toString('utf8', range.start, range.end);

const sent = (fields: object) => ({ schemaVersion: 1, protocol: 'openai-chat-v1', ...fields });
const payload = {
  flowId: 'f',
  providerRequests: [
    sent({
      body: { messages: [] },
      statusCode: 529,
      provider: 'a',
      complete: false,
      omittedFieldCount: 2,
      startedAt: 's',
      durationMs: 12.5,
    }),
    {
      schemaVersion: 2,
      bodyRef: 0,
      failed: true,
      transportAttempt: 1,
      logicalAttempt: 2,
      transportRetryReason: 'http-429',
    },
  ],
  defaults: { toolChoice: 'required' },
  maxOutputTokens: 8192,
  runtimeId: 'world-init/dimension-tracker',
  pluginId: 'world-init',
  slot: 'story',
  model: 'm',
  provider: 'p',
  messages: [{ role: 'user', content: '雾' }],
  tools: [],
  attempt: 1,
  startedAt: '2026-11-30T08:00:00.120Z',
  queueWaitMs: 0,
  streaming: true,
  seq: 4,
};

describe('facts', () => {
  test('of a whole payload', () => {
    expect(scan(payload)).toMatchObject({
      kind: 'call',
      runtimeId: 'world-init/dimension-tracker',
      pluginId: 'world-init',
      slot: 'story',
      model: 'm',
      provider: 'p',
      attempt: 1,
      startedAt: '2026-11-30T08:00:00.120Z',
      streaming: true,
      queueWaitMs: 0,
      maxOutputTokens: 8192,
      emitted: 4,
    });
  });

  test('ranges point at the values', () => {
    const found = scan(payload);
    expect(textAt(payload, found.messages)).toBe('[{"role":"user","content":"雾"}]');
    expect(textAt(payload, found.tools)).toBe('[]');
    expect(textAt(payload, found.defaults)).toBe('{"toolChoice":"required"}');
    expect(textAt(payload, found.requests[0]?.body ?? null)).toBe('{"messages":[]}');
  });

  test('of a request', () => {
    expect(scan(payload).requests[0]).toMatchObject({
      index: 0,
      provider: 'a',
      protocol: 'openai-chat-v1',
      complete: false,
      omittedFields: 2,
      startedAt: 's',
      durationMs: 12.5,
      statusCode: 529,
      failed: false,
      sameBodyAs: null,
    });
  });

  test('a repeated body is that of the earlier request', () => {
    const [first, second] = scan(payload).requests;
    expect(second).toMatchObject({
      sameBodyAs: 0,
      failed: true,
      transportAttempt: 1,
      logicalAttempt: 2,
      retryReason: 'http-429',
    });
    expect(second?.body).toEqual(first?.body);
  });

  test.each([
    ['itself', [{ bodyRef: 0 }], 0],
    ['a later request', [{ bodyRef: 1 }, sent({ body: {} })], 0],
    ['a request without a body', [{}, { bodyRef: 0 }], 1],
    ['a request that refers itself', [sent({ body: {} }), { bodyRef: 0 }, { bodyRef: 1 }], 2],
    ['a negative index', [sent({ body: {} }), { bodyRef: -1 }], 1],
    ['a fraction', [sent({ body: {} }), { bodyRef: 0.5 }], 1],
    ['a text', [sent({ body: {} }), { bodyRef: '0' }], 1],
  ])('a reference to %s is no body', (_, providerRequests, index) => {
    expect(scan({ providerRequests }).requests[index]).toMatchObject({ body: null, sameBodyAs: null });
  });

  test('everything may be missing', () => {
    expect(scan({})).toEqual({
      kind: 'call',
      runtimeId: null,
      pluginId: null,
      slot: null,
      model: null,
      provider: null,
      attempt: 0,
      startedAt: null,
      streaming: false,
      queueWaitMs: null,
      maxOutputTokens: null,
      emitted: null,
      defaults: null,
      requests: [],
      messages: null,
      tools: null,
    });
  });

  test.each([
    ['runtimeId', 7],
    ['model', { a: 1 }],
    ['queueWaitMs', '3'],
    ['messages', { role: 'user' }],
    ['tools', 'none'],
    ['startedAt', 12],
    ['seq', true],
  ])('a wrong type is null: %s', (key, value) => {
    const name = key === 'seq' ? 'emitted' : key;
    expect(scan({ [key]: value })[name as keyof CallScan]).toBeNull();
  });

  test.each([[-1], [1.5], ['1'], [null], [true]])('an attempt of %s is 0', (attempt) => {
    expect(scan({ attempt }).attempt).toBe(0);
  });

  test('a null is a missing value', () => {
    expect(scan({ defaults: null, provider: null, messages: null })).toMatchObject({
      defaults: null,
      provider: null,
      messages: null,
    });
  });

  test.each([[7], ['x'], [null], [[1]]])('a body of %s is none', (body) => {
    expect(scan({ providerRequests: [sent({ body })] }).requests[0]?.body).toBeNull();
  });

  test('requests that are no objects keep their place', () => {
    expect(scan({ providerRequests: [null, sent({ body: {} })] }).requests.map(({ body }) => body !== null)).toEqual([
      false,
      true,
    ]);
  });

  test('providerRequests that is no list is none', () => {
    expect(scan({ providerRequests: { body: {} } }).requests).toEqual([]);
  });
});

describe('shapes', () => {
  test('spaces and any order of keys', () => {
    expect(scan(' { "seq" : 1 ,\n"runtimeId":"r" , "messages" : [ ] } ')).toMatchObject({ emitted: 1, runtimeId: 'r' });
  });

  test('of keys that stand twice the last one counts', () => {
    expect(scan('{"model":"a","model":"b","slot":"s","slot":null}')).toMatchObject({ model: 'b', slot: null });
  });

  test('data nested under `data` wins over flat fields and keeps the others', () => {
    const nested = {
      runtimeId: 'flat',
      slot: 's',
      data: { runtimeId: 'nested', providerRequests: [sent({ body: {} })], messages: [] },
    };
    expect(scan(nested)).toMatchObject({ runtimeId: 'nested', slot: 's', messages: expect.anything() as unknown });
    expect(scan(nested).requests).toHaveLength(1);
  });

  test('nested data that is no object is left alone', () => {
    expect(scan({ runtimeId: 'flat', data: [1] }).runtimeId).toBe('flat');
  });
});

describe('unreadable', () => {
  test.each([
    [null, 'null'],
    ['', 'invalid-json'],
    ['{"a":1', 'invalid-json'],
    ['{"a":1}}', 'invalid-json'],
    ['{"messages":[{]}', 'invalid-json'],
    ['{"providerRequests":[{"body":{"a":}}]}', 'invalid-json'],
    ['not json', 'invalid-json'],
    ['[1]', 'not-an-object'],
    ['"x"', 'not-an-object'],
    ['null', 'not-an-object'],
    ['12 ', 'not-an-object'],
  ])('%j: %s', (text, reason) => {
    expect(scanPayload(text === null ? null : Buffer.from(text))).toEqual({ kind: 'unreadable', reason });
  });

  test('10,000 levels deep is read', () => {
    const deep = `{"messages":[${'['.repeat(10_000)}${']'.repeat(10_000)}],"seq":3}`;
    expect(scan(deep).emitted).toBe(3);
  });
});

describe('the chosen request', () => {
  const choose = (...providerRequests: object[]) => chosenRequest(scan({ providerRequests }))?.index ?? null;
  const body = {};

  test.each([
    ['the answered one before a failed one', [sent({ body, statusCode: 200 }), sent({ body, statusCode: 500 })], 0],
    ['the last answered one', [sent({ body, statusCode: 200 }), sent({ body, statusCode: 201 })], 1],
    ['the answered repetition', [sent({ body, statusCode: 429 }), { bodyRef: 0, statusCode: 200 }], 1],
    ['the last one when none was answered', [sent({ body, statusCode: 500 }), sent({ body, failed: true })], 1],
    ['one with a body, though another was answered', [sent({ body, statusCode: 500 }), { statusCode: 200 }], 0],
    ['none without a body', [{ statusCode: 200 }], null],
    ['none without requests', [], null],
  ])('is %s', (_, requests, index) => {
    expect(choose(...requests)).toBe(index);
  });
});
