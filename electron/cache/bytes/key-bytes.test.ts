import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sizeOf } from '../../../shared/tokens.ts';
import { PROTOCOLS } from '../../../shared/model/index.ts';
import { CACHE_BREAK, KERNEL_ORDER } from '../key-order.ts';
import { textOf } from './canonical.ts';
import { callKey, labelOf, pathOf, sharedPrefix, type CallKey } from './key-bytes.ts';
import { layOut, type Layout } from './layout.ts';
import { scanPayload } from './payload.ts';
import { bodyText, fieldsText, type Written } from './testing/json-texts.ts';
import { slowKey, slowShared, type SlowPart } from './testing/slow-key.ts';
import { createCallTracker } from './tracker.ts';

type Case = { readonly protocol: string | null; readonly json: string };

const payloadOf = ({ protocol, json }: Case): Buffer =>
  Buffer.from(
    protocol === null
      ? `{"runtimeId":"r",${json.trim().slice(1)}`
      : `{"providerRequests":[{"protocol":"${protocol}","body":${json},"statusCode":200}],"runtimeId":"r","messages":[]}`,
  );

const keyOf = (request: Case, like?: CallKey): CallKey | null => {
  const bytes = payloadOf(request);
  return callKey(bytes, scanPayload(bytes), like);
};

const fastParts = (key: CallKey): SlowPart[] =>
  key.parts.map((part) => ({ label: labelOf(part), path: pathOf(part), text: textOf(part, part.form) }));

const slowParts = ({ protocol, json }: Case): SlowPart[] =>
  slowKey(protocol, JSON.parse(Buffer.from(json).toString('utf8')) as object);

const kernel = (isNoisy: boolean): fc.Arbitrary<Case> =>
  fieldsText(KERNEL_ORDER, isNoisy)
    .filter(({ json }) => isKernelView(JSON.parse(json) as object))
    .map(({ json }) => ({ protocol: null, json }));
const wire = (isNoisy: boolean): fc.Arbitrary<Case> =>
  fc
    .constantFrom(...PROTOCOLS, 'other-v1')
    .chain((protocol) => bodyText(protocol, isNoisy).map(({ json }: Written) => ({ protocol, json })));
const anyCase = fc.oneof(wire(false), wire(true), kernel(false), kernel(true));
/** Two requests of one protocol; half of the time the later one is the earlier with a character changed or text cut out. */
const anyPair = fc
  .tuple(anyCase, anyCase, fc.nat(), fc.nat({ max: 8 }), fc.constantFrom('x', '雾', '😁', '\\ud83d', '\\n', ''))
  .map(([a, b, at, length, text]): readonly [Case, Case] => {
    const place = at % Math.max(1, a.json.length);
    const changed = { protocol: a.protocol, json: a.json.slice(0, place) + text + a.json.slice(place + length) };
    return [a, isReadable(changed) ? changed : { ...b }];
  });

/** The kernel view is two arrays; anything else in their place is not read. */
const isKernelView = ({ messages, tools = [] }: { messages?: unknown; tools?: unknown }): boolean =>
  Array.isArray(messages) && (tools === null || Array.isArray(tools));

function isReadable({ protocol, json }: Case): boolean {
  try {
    const body = JSON.parse(Buffer.from(json).toString('utf8')) as { messages?: unknown; tools?: unknown } | null;
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
    return protocol !== null || isKernelView(body);
  } catch {
    return false;
  }
}

const RUNS = { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 300) };

describe('the key on bytes is the key by its definition', () => {
  test('for bodies of every protocol and kernel views, however they are written', () => {
    fc.assert(
      fc.property(anyCase, (request) => {
        const key = keyOf(request);
        const slow = slowParts(request);
        expect(key && fastParts(key)).toEqual(slow);
        expect(key?.size).toEqual(sizeOf(slow.map(({ text }) => text).join('')));
        for (const part of key?.parts ?? []) expect(part.size).toEqual(sizeOf(textOf(part, part.form)));
      }),
      RUNS,
    );
  });

  test('an earlier key that lends changes nothing', () => {
    fc.assert(
      fc.property(anyPair, ([a, b]) => {
        const lent = keyOf(b, keyOf(a) ?? undefined);
        const own = keyOf(b);
        expect(lent && { parts: fastParts(lent), sizes: lent.parts.map(({ size }) => size) }).toEqual(
          own && { parts: fastParts(own), sizes: own.parts.map(({ size }) => size) },
        );
      }),
      RUNS,
    );
  });

  test('a guide changes nothing', () => {
    const places = (layout: Layout | string) =>
      typeof layout === 'string'
        ? layout
        : {
            fields: rangesOf(layout.fields),
            requests: layout.requests.map(({ fields, body }) => ({
              fields: rangesOf(fields),
              body: body && { start: body.start, end: body.end, fields: rangesOf(body.fields) },
            })),
          };
    const rangesOf = (fields: Layout['fields']) =>
      [...fields].map(([key, { start, end, bounds }]) => ({ key, start, end, bounds }));
    fc.assert(
      fc.property(anyPair, ([a, b]) => {
        const guide = layOut(payloadOf(a));
        if (typeof guide === 'string') throw new Error(guide);
        expect(places(layOut(payloadOf(b), [guide]))).toEqual(places(layOut(payloadOf(b))));
      }),
      RUNS,
    );
  });
});

describe('the shared prefix on bytes is that of the texts', () => {
  const expected = (a: Case, b: Case) => {
    const { kind, shared, first, was, now } = slowShared(slowParts(a), slowParts(b));
    const size = sizeOf(
      slowParts(b)
        .map(({ text }) => text)
        .join(''),
    );
    return { kind, size, shared: sizeOf(shared), first, was, now };
  };

  test('for two keys of one protocol', () => {
    fc.assert(
      fc.property(
        anyPair.filter(([a, b]) => a.protocol === b.protocol),
        ([a, b]) => {
          const [left, right] = [keyOf(a), keyOf(b)];
          if (!left || !right) throw new Error('unreadable');
          expect(sharedPrefix(left, right)).toEqual(expected(a, b));
        },
      ),
      RUNS,
    );
  });

  test('in a tracker, where bytes, places and sizes are lent', () => {
    fc.assert(
      fc.property(
        anyPair.filter(([a, b]) => a.protocol === b.protocol),
        fc.boolean(),
        ([a, b], isOwned) => {
          const tracker = createCallTracker();
          tracker.track({ id: 'a', turnId: '1', payload: payloadOf(a), isOwned });
          const call = tracker.track({ id: 'b', turnId: '2', payload: payloadOf(b), isOwned });
          expect(call.prefix).toEqual(expected(a, b));
        },
      ),
      RUNS,
    );
  });

  test('of a request and itself is all of it, and it is symmetric', () => {
    fc.assert(
      fc.property(anyPair, ([a, b]) => {
        const [left, right] = [keyOf(a), keyOf(b)];
        if (!left || !right || left.protocol !== right.protocol) return;
        expect(sharedPrefix(left, left)).toMatchObject({ kind: 'identical', shared: left.size });
        expect(sharedPrefix(left, right).shared).toEqual(sharedPrefix(right, left).shared);
      }),
      RUNS,
    );
  });
});

const anthropic = (body: object): Case => ({ protocol: 'anthropic-messages-v1', json: JSON.stringify(body) });
const user = (text: string) => ({ role: 'user', content: text });
const pair = (a: object, b: object) => {
  const [left, right] = [keyOf(anthropic(a)), keyOf(anthropic(b))];
  if (!left || !right) throw new Error('unreadable');
  return sharedPrefix(left, right);
};

describe('first difference', () => {
  test.each([
    ['two astral characters that share their high surrogate', '😀', '😁', 27],
    ['two that do not', '😀', '𠀀', 26],
    ['characters that share their first byte', '雾', '零', 26],
    ['an escape against another', 'a\n', 'a\t', 28],
    ['the end of a text', 'ab', 'abc', 28],
  ])('in a message, its JSON: %s', (_, a, b, offset) => {
    expect(pair({ messages: [user(a)] }, { messages: [user(b)] }).first?.offset).toBe(offset);
  });

  test.each([
    ['two astral characters that share their high surrogate', 'x😀', 'x😁', 2],
    ['an escape against another', 'a\n', 'a\t', 1],
    ['an escape against a letter', 'a\n', 'an', 1],
    ['a backslash before a letter', 'a\\n', 'a\n', 1],
    ['a lone surrogate against a pair', 'a\ud83d', 'a\ud83d\ude00', 2],
    ['two lone surrogates', 'a\ud83d', 'a\ud83e', 1],
    ['one text begins with the other', 'ab', 'abc', 2],
  ])('in a system text, unescaped: %s', (_, a, b, offset) => {
    expect(pair({ system: a }, { system: b }).first).toMatchObject({
      offset,
      path: '/system',
      label: 'system block 1',
    });
  });

  test('texts around it are 40 units before to 80 after', () => {
    const text = '\n'.repeat(100);
    const shared = pair({ system: `${text}a${text}` }, { system: `${text}b${text}` });
    expect(shared).toMatchObject({
      was: `${'\n'.repeat(40)}a${'\n'.repeat(79)}`,
      now: `${'\n'.repeat(40)}b${'\n'.repeat(79)}`,
    });
  });

  test('where the earlier request had ended', () => {
    const shared = pair({ messages: [user('a')] }, { messages: [user('a'), user('b')] });
    expect(shared).toMatchObject({
      kind: 'differs',
      was: null,
      now: JSON.stringify(user('b')),
      first: { part: 1, offset: 0 },
    });
  });

  test('where the later request ends', () => {
    expect(pair({ messages: [user('a'), user('b')] }, { messages: [user('a')] })).toMatchObject({
      kind: 'request-ends-earlier',
      first: null,
    });
  });

  test('a marker that moved is no difference', () => {
    const mark = { cache_control: { type: 'ephemeral' } };
    expect(
      pair({ messages: [{ ...user('a'), ...mark }, user('b')] }, { messages: [user('a'), { ...mark, ...user('b') }] })
        .kind,
    ).toBe('identical');
  });
});

describe('requests that are recorded differently', () => {
  const body = (text: string) => ({ messages: [{ role: 'user', content: [{ type: 'text', text }] }] });
  const payload = (request: object | null, messages: object[]) =>
    Buffer.from(JSON.stringify({ ...(request && { providerRequests: [request] }), messages }));
  const key = (bytes: Buffer): CallKey => {
    const made = callKey(bytes, scanPayload(bytes));
    if (!made) throw new Error('unreadable');
    return made;
  };
  const system = (text: string) => ({ role: 'system', content: text });

  test('one without a body: both by the kernel view', () => {
    const a = key(payload({ protocol: 'anthropic-messages-v1', body: body('x') }, [system('S'), user('one')]));
    const b = key(payload(null, [system(`S${CACHE_BREAK}`), user('two')]));
    expect(sharedPrefix(a, b)).toMatchObject({
      kind: 'differs',
      first: { label: 'message 2 (user)', path: '/messages/1' },
    });
  });

  test('two protocols share nothing', () => {
    const a = key(payload({ protocol: 'anthropic-messages-v1', body: body('x') }, []));
    const b = key(payload({ protocol: 'openai-chat-v1', body: body('x') }, []));
    expect(sharedPrefix(a, b)).toMatchObject({
      kind: 'other-protocol',
      shared: { chars: 0 },
      first: null,
      size: b.size,
    });
  });

  test('a body without its protocol is told by its fields', () => {
    expect(key(payload({ body: { contents: [] } }, [])).protocol).toBe('google-generative-ai-v1');
  });

  test('neither body nor kernel view', () => {
    const bytes = Buffer.from('{"runtimeId":"r"}');
    expect(callKey(bytes, scanPayload(bytes))).toBeNull();
  });

  test('a part with an escape that is none is malformed', () => {
    const bytes = Buffer.from('{"messages":[{"role":"user","content":"\\x"}]}');
    expect(callKey(bytes, scanPayload(bytes))).toBeNull();
  });

  test('bytes that are no UTF-8 read as replacement characters', () => {
    const bytes = Buffer.concat([
      Buffer.from('{"messages":["'),
      Buffer.from([0xff, 0xed, 0xa0, 0x80]),
      Buffer.from('"]}'),
    ]);
    const text = JSON.stringify((JSON.parse(bytes.toString('utf8')) as { messages: string[] }).messages[0]);
    expect(fastParts(key(bytes)).map((part) => part.text)).toEqual([text]);
  });

  test.each([
    ['as JSON.stringify writes it', ''],
    ['with spaces', ' '],
  ])('10,000 levels deep, %s', (_, gap) => {
    const deep = '[' + gap.repeat(1) + '['.repeat(9999) + ']'.repeat(10_000);
    const bytes = Buffer.from(`{"messages":[{"role":"user","content":${deep}}]}`);
    expect(key(bytes).parts[0]?.size.chars).toBeGreaterThan(20_000);
  });

  test('100,000 messages', () => {
    const many = payload(
      null,
      Array.from({ length: 100_000 }, (_, n) => user(String(n))),
    );
    expect(key(many).parts.at(-1)).toMatchObject({ number: 100_000, index: 99_999 });
  });
});
