import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PROTOCOLS, type JsonObject } from '../../shared/model/index.ts';
import { chars } from '../../shared/units.ts';
import { callKey, sharedPrefix } from './bytes/key-bytes.ts';
import { scanPayload } from './bytes/payload.ts';
import { valueAt } from './json-walk.ts';
import { keyText } from './key-text.ts';
import { locate } from './locate.ts';
import { commonLead, sharedPrefixOf } from './shared-prefix.ts';
import { edited, hardText, randomBody } from './testing/random.ts';
import { bodyOf, kernelOf, RECIPE } from './testing/requests.ts';

const SHORT = { ...RECIPE, history: RECIPE.history.slice(0, 1), tools: ['roll'] };

describe('parts in cache key order', () => {
  const LABELS = {
    'anthropic-messages-v1': [
      'tool 1 (roll)',
      'system block 1',
      'system block 2',
      'system block 3',
      'message 1 (user)',
      'message 2 (user)',
      'message 3 (user)',
    ],
    'openai-chat-v1': [
      'tool 1 (roll)',
      'message 1 (system)',
      'message 2 (user)',
      'message 3 (system)',
      'message 4 (user)',
    ],
    'openai-responses-v1': [
      'tool 1 (roll)',
      'message 1 (system)',
      'message 2 (user)',
      'message 3 (system)',
      'message 4 (user)',
    ],
    'google-generative-ai-v1': ['tool 1 (roll)', 'system block 1', 'message 1 (user)'],
  };
  test.each(PROTOCOLS)('%s', (protocol) => {
    const body = bodyOf(protocol, SHORT);
    const { parts } = keyText(protocol, body);
    expect(parts.map((part) => part.label)).toEqual(LABELS[protocol]);
    for (const part of parts) expect(valueAt(body, part.path)).toBeDefined();
    expect(JSON.stringify(parts)).not.toContain('cache_control');
  });

  test('the kernel view: the system prompt without sentinels, then messages', () => {
    const { parts } = keyText(null, kernelOf(SHORT));
    expect(parts.map((part) => part.label)).toEqual([
      'tool 1 (roll)',
      'system block 1',
      'message 2 (user)',
      'message 3 (system)',
      'message 4 (user)',
    ]);
    expect(parts[1]?.text).toContain('[RUNTIME]');
    expect(parts[1]?.text).not.toContain('COVEL_CACHE_BREAK');
  });

  const ODD: readonly (readonly [what: string, body: JsonObject, labels: readonly string[]])[] = [
    ['no fields', {}, []],
    ['null fields', { tools: null, system: null, messages: null }, []],
    ['a string for messages', { messages: 'hello' }, ['message 1 (?)']],
    [
      'numbers and nulls',
      { tools: [1], system: [null], messages: [null, 2] },
      ['tool 1 (?)', 'system block 1', 'message 1 (?)', 'message 2 (?)'],
    ],
  ];
  test.each(ODD)('%s', (_what, body, labels) => {
    expect(keyText('anthropic-messages-v1', body).parts.map((part) => part.label)).toEqual(labels);
  });

  test('a body nested 20,000 deep', () => {
    const deep = JSON.parse(`{"messages":[${'['.repeat(20_000)}"x"${']'.repeat(20_000)}]}`) as JsonObject;
    const key = keyText('openai-chat-v1', deep);
    expect(key.parts[0]?.text.length).toBe(40_003);
    expect(locate(key.parts[0]!, deep, chars(20_001))).toEqual({
      path: `/messages/0${'/0'.repeat(20_000)}`,
      offset: 0,
    });
  });
});

describe('shared prefix', () => {
  for (const protocol of PROTOCOLS) {
    test(`of a request with itself is all of it: ${protocol}`, () => {
      fc.assert(
        fc.property(randomBody[protocol], (body) => {
          const key = keyText(protocol, body);
          const found = sharedPrefixOf(key, key);
          expect(found).toEqual({ kind: 'identical', size: found.size, shared: found.size, first: null });
        }),
      );
    });

    test(`is symmetric, and never grows when shared text changes: ${protocol}`, () => {
      fc.assert(
        fc.property(randomBody[protocol], randomBody[protocol], fc.nat(), (x, y, pick) => {
          const [a, b] = [keyText(protocol, x), keyText(protocol, y)];
          const forth = sharedPrefixOf(a, b).shared;
          expect(sharedPrefixOf(b, a).shared).toEqual(forth);
          if (forth.chars === 0) return;
          let at = pick % forth.chars;
          const parts = b.parts.map((part) => {
            const here = at >= 0 && at < part.text.length;
            const text = here ? `${part.text.slice(0, at)}\u0007${part.text.slice(at + 1)}` : part.text;
            at -= part.text.length;
            return { ...part, text };
          });
          expect(sharedPrefixOf(a, { parts }).shared.chars).toBe(pick % forth.chars);
        }),
      );
    });

    test(`is the same on bytes: ${protocol}`, () => {
      const keyOf = (body: JsonObject) => {
        const bytes = Buffer.from(
          JSON.stringify({ providerRequests: [{ protocol, body, statusCode: 200 }], messages: [], attempt: 0 }),
        );
        return callKey(bytes, scanPayload(bytes))!;
      };
      fc.assert(
        fc.property(randomBody[protocol], fc.nat(), fc.boolean(), randomBody[protocol], (x, pick, near, other) => {
          // Bytes of UTF-8 cannot hold lone surrogates, so both sides read what JSON wrote.
          const a = JSON.parse(JSON.stringify(x)) as JsonObject;
          const b = near ? edited(a, pick) : (JSON.parse(JSON.stringify(other)) as JsonObject);
          const { was: _was, now: _now, ...onBytes } = sharedPrefix(keyOf(a), keyOf(b));
          expect(sharedPrefixOf(keyText(protocol, a), keyText(protocol, b))).toEqual(onBytes);
        }),
        { numRuns: 300 },
      );
    });
  }

  test('is the same on bytes: kernel view', () => {
    const kernels = [RECIPE, { ...RECIPE, player: 'Other words.' }, { ...RECIPE, lore: ['Bell'] }, SHORT].map(kernelOf);
    const keyOf = (kernel: object) => {
      const bytes = Buffer.from(JSON.stringify({ ...kernel, attempt: 0 }));
      return callKey(bytes, scanPayload(bytes))!;
    };
    for (const a of kernels) {
      for (const b of kernels) {
        const { was: _was, now: _now, ...onBytes } = sharedPrefix(keyOf(a), keyOf(b));
        expect(sharedPrefixOf(keyText(null, a), keyText(null, b))).toEqual(onBytes);
      }
    }
  });

  const key = (...texts: string[]) => ({
    parts: texts.map((text, i) => ({ label: `message ${i + 1} (user)`, path: `/messages/${i}`, text })),
  });
  const CASES: readonly (readonly [
    what: string,
    a: string[],
    b: string[],
    kind: string,
    shared: number,
    part: number | null,
    offset: number | null,
  ])[] = [
    ['both empty', [], [], 'identical', 0, null, null],
    ['a part more', ['ab'], ['ab', 'c'], 'differs', 2, 1, 0],
    ['a part less', ['ab', 'c'], ['ab'], 'request-ends-earlier', 2, null, null],
    ['within a part', ['ab', 'cde'], ['ab', 'cxe'], 'differs', 3, 1, 1],
    ['two emoji share their high surrogate', ['😀'], ['😁'], 'differs', 1, 0, 1],
    ['nothing', ['x'], ['y'], 'differs', 0, 0, 0],
  ];
  test.each(CASES)('%s', (_what, a, b, kind, shared, part, offset) => {
    const found = sharedPrefixOf(key(...a), key(...b));
    expect([found.kind, found.shared.chars, found.first?.part ?? null, found.first?.offset ?? null]).toEqual([
      kind,
      shared,
      part,
      offset,
    ]);
  });
});

describe('locate', () => {
  test('reaches every unit of every string, in order', () => {
    for (const protocol of PROTOCOLS) {
      fc.assert(
        fc.property(randomBody[protocol], (body) => {
          for (const part of keyText(protocol, body).parts) {
            const reached = new Map<string, number>();
            const order: string[] = [];
            for (let offset = 0; offset <= part.text.length; offset++) {
              const place = locate(part, body, chars(offset))!;
              const value = valueAt(body, place.path);
              if (typeof value !== 'string') continue;
              if (order.at(-1) !== place.path) order.push(place.path);
              // Each unit is reached before the next one, none is left out.
              const last = reached.get(place.path) ?? -1;
              if (place.offset !== last && place.offset !== last + 1) throw new Error(`${last} → ${place.offset}`);
              reached.set(place.path, place.offset);
            }
            expect(new Set(order).size).toBe(order.length);
            for (const path of order) expect(reached.get(path)).toBe((valueAt(body, path) as string).length);
          }
        }),
        { numRuns: 25 },
      );
    }
  });

  test('round trip: a unit of a string, escaped and found', () => {
    fc.assert(
      fc.property(hardText, hardText, fc.nat(), (before, text, pick) => {
        const body: JsonObject = {
          messages: [
            {
              role: 'user',
              content: [
                { type: 'text', text: before },
                { type: 'text', text },
              ],
            },
          ],
        };
        const part = keyText('anthropic-messages-v1', body).parts[0]!;
        const unit = pick % (text.length + 1);
        // Two texts that part at that unit: their key texts part where it is written.
        const changed = structuredClone(body) as { messages: { content: { text: string }[] }[] };
        changed.messages[0]!.content[1]!.text = `${text.slice(0, unit)}#${text.slice(unit)}`;
        const other = keyText('anthropic-messages-v1', changed).parts[0]!;
        const place = locate(part, body, chars(commonLead(part.text, other.text)));
        expect(place?.path).toBe('/messages/0/content/1/text');
        // A surrogate that loses its partner is written otherwise, one unit before.
        const splitsPair =
          unit > 0 && /[\ud800-\udbff]/.test(text[unit - 1] ?? '') && /[\udc00-\udfff]/.test(text[unit] ?? '');
        expect(place?.offset).toBe(splitsPair ? unit - 1 : unit);
      }),
      { numRuns: 1000 },
    );
  });

  const body: JsonObject = {
    messages: [{ role: 'user', n: 12, cache_control: { type: 'ephemeral' }, content: 'a\nb' }, { n: 1 }],
  };
  const [part, bare] = keyText('openai-chat-v1', body).parts;
  const PLACES: readonly (readonly [what: string, offset: number, path: string, at: number])[] = [
    ['the opening brace', 0, '/messages/0/role', 0],
    ['within the role', 11, '/messages/0/role', 2],
    ['a number', 20, '/messages/0/content', 0],
    ['behind an escape', part!.text.indexOf('\\n') + 2, '/messages/0/content', 2],
    ['within an escape', part!.text.indexOf('\\n') + 1, '/messages/0/content', 1],
    ['the closing quote', part!.text.length - 2, '/messages/0/content', 3],
    ['the closing brace', part!.text.length - 1, '/messages/0', 0],
  ];
  test.each(PLACES)('%s', (_what, offset, path, at) => {
    expect(locate(part!, body, chars(offset))).toEqual({ path, offset: at });
  });
  test('a part without strings is itself the place', () => {
    expect(locate(bare!, body, chars(5))).toEqual({ path: '/messages/1', offset: 0 });
  });
  test('a part of another body is nowhere', () => {
    expect(locate(part!, { messages: [{ role: 'user' }] }, chars(0))).toBeNull();
    expect(locate(part!, {}, chars(0))).toBeNull();
  });
  test('a system prompt of the kernel view, behind its sentinels', () => {
    const kernel = kernelOf(SHORT);
    const system = keyText(null, kernel).parts[1]!;
    const at = system.text.indexOf('harbour');
    const raw = (kernel.messages[0] as { content: string }).content;
    expect(locate(system, kernel, chars(at))).toEqual({ path: '/messages/0/content', offset: raw.indexOf('harbour') });
  });
});
