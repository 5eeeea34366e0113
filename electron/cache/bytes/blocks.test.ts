import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sizeOf } from '../../../shared/tokens.ts';
import { PROTOCOLS, type JsonObject, type Protocol } from '../../../shared/model/index.ts';
import { cacheRuleFor, parseCacheRules, type CacheRule } from '../rules.ts';
import { sizeAt, type RequestBlocks } from '../simulate/types.ts';
import { randomBody } from '../testing/random.ts';
import { slowBlocks, type SlowBlock } from '../testing/slow-blocks.ts';
import { createBlockReader, type BlockReader } from './blocks.ts';
import type { CallKey } from './key-bytes.ts';
import type { Fields } from './layout.ts';
import { bodyText } from './testing/json-texts.ts';
import { createCallTracker } from './tracker.ts';

const rules = parseCacheRules(JSON.parse(readFileSync('resources/cache-rules.json', 'utf8')));
const newReader = (): BlockReader =>
  createBlockReader({ rules, digest: (bytes) => createHash('sha1').update(bytes).digest('base64') });

const MODELS: Readonly<Record<Protocol, string>> = {
  'anthropic-messages-v1': 'claude-opus-4-8',
  'openai-chat-v1': 'gpt-5.6',
  'openai-responses-v1': 'gpt-5.6',
  'google-generative-ai-v1': 'gemini-2.5-pro',
};
const ruleOf = (protocol: Protocol, model = MODELS[protocol]): CacheRule | null =>
  cacheRuleFor(rules, { protocol, model, provider: null, hasMarks: false });

const payloadOf = (protocol: string, json: string): Buffer =>
  Buffer.from(`{"runtimeId":"r","providerRequests":[{"protocol":"${protocol}","body":${json},"statusCode":200}]}`);

type Request = { readonly protocol: Protocol; readonly json: string };
/** Models under whose rules a read may end anywhere, so that long blocks are cut. */
const TO_THE_TOKEN = {
  'openai-chat-v1': 'gpt-5.1',
  'openai-responses-v1': 'gpt-5.1',
  'google-generative-ai-v1': 'gemini-2.5-pro',
  'anthropic-messages-v1': 'kimi-k3',
} as const;

/** Blocks of requests that come one after another in one runtime, so that each is read with the help of the one before. */
function blocksOfChain(
  requests: readonly Request[],
  reader = newReader(),
  ruleFor: (protocol: Protocol) => CacheRule | null = ruleOf,
): readonly RequestBlocks[] {
  const tracker = createCallTracker();
  return requests.map(({ protocol, json }, n) => {
    let blocks: RequestBlocks | null = null;
    const read = (key: CallKey, body: Fields | null): void => {
      blocks = reader.blocksOf(key, body, ruleFor(protocol));
    };
    tracker.track({ id: String(n), turnId: String(n), payload: payloadOf(protocol, json), isOwned: true, read });
    if (!blocks) throw new Error('unreadable');
    return blocks;
  });
}

const only = (body: JsonObject, protocol: Protocol = 'anthropic-messages-v1'): RequestBlocks =>
  blocksOfChain([{ protocol, json: JSON.stringify(body) }])[0] as RequestBlocks;
const pair = (a: JsonObject, b: JsonObject, protocol: Protocol = 'anthropic-messages-v1'): number => {
  const [left, right] = blocksOfChain([a, b].map((body) => ({ protocol, json: JSON.stringify(body) })));
  return sharedBlocks(left as RequestBlocks, right as RequestBlocks);
};
const sharedBlocks = (a: RequestBlocks, b: RequestBlocks): number => {
  const at = b.prefixes.findIndex((number, i) => number !== a.prefixes[i]);
  return at < 0 ? b.prefixes.length : at;
};

const text = (value: string, mark?: JsonObject): JsonObject => ({
  type: 'text',
  text: value,
  ...(mark && { cache_control: mark }),
});
const MARK = { type: 'ephemeral' };
const user = (...content: readonly JsonObject[]): JsonObject => ({ role: 'user', content });
const TOOLS = [{ name: 'a' }, { name: 'b' }];

describe('what a block is', () => {
  test('a tool, a system block, a content block', () => {
    const blocks = only({ tools: TOOLS, system: [text('s')], messages: [user(text('1'), text('2')), user(text('3'))] });
    expect(blocks.prefixes).toHaveLength(6);
    expect(Array.from(blocks.messageStarts)).toEqual([3, 5, 6]);
  });

  test('a message whose content is no list is one block', () => {
    const blocks = only({ messages: [{ role: 'user', content: 'x' }, user(text('y'))] });
    expect(Array.from(blocks.messageStarts)).toEqual([0, 1, 2]);
  });

  test('a message that goes on shares what it had; two messages are not one', () => {
    const one = { messages: [user(text('1'), text('2'))] };
    expect(pair({ messages: [user(text('1'))] }, one)).toBe(1);
    expect(pair({ messages: [user(text('1')), user(text('2'))] }, one)).toBe(1);
  });

  test('the role belongs to a block wherever it stands', () => {
    const said = (role: string) => ({ messages: [{ content: [text('1'), text('2')], role }] });
    expect(pair(said('user'), said('assistant'))).toBe(0);
    expect(pair({ messages: [user(text('1'))] }, { messages: [{ role: 'assistant', content: [text('1')] }] })).toBe(0);
  });

  test('tool calls of a Chat message belong to its last block', () => {
    const said = (id: string) => ({
      messages: [{ role: 'assistant', content: [text('1'), text('2')], tool_calls: [{ id }] }],
    });
    expect(pair(said('x'), said('y'), 'openai-chat-v1')).toBe(1);
  });

  test('a tool is no message with the same text', () => {
    expect(pair({ tools: [{ name: 'a' }] }, { messages: [{ name: 'a' }] })).toBe(0);
  });

  test('Gemini’s parts', () => {
    const said = (...texts: readonly string[]): JsonObject => ({
      systemInstruction: { parts: [{ text: 's' }] },
      contents: [{ role: 'user', parts: texts.map((one) => ({ text: one })) }],
    });
    expect(Array.from(only(said('1', '2'), 'google-generative-ai-v1').messageStarts)).toEqual([1, 3]);
    expect(pair(said('1', '2'), said('1', '3'), 'google-generative-ai-v1')).toBe(2);
  });
});

describe('marks', () => {
  test('on tools, system and contents, with their lifetimes', () => {
    const blocks = only({
      tools: [{ name: 'a' }, { name: 'b', cache_control: MARK }],
      system: [text('s', { type: 'ephemeral', ttl: '1h' }), text('t')],
      messages: [user(text('1'), text('2', MARK)), { role: 'user', content: 'x', cache_control: MARK }],
    });
    expect(blocks.marks).toEqual([
      { block: 1, ttl: null },
      { block: 2, ttl: '1h' },
      { block: 5, ttl: null },
      { block: 6, ttl: null },
    ]);
  });

  test('inside a tool result the block counts; data of a call is no mark, nor is null', () => {
    const result = { type: 'tool_result', tool_use_id: 'x', content: [text('r', MARK)] };
    const call = { type: 'tool_use', input: { cache_control: MARK } };
    const blocks = only({
      messages: [user(text('1'), result), user(call), user({ ...text('2'), cache_control: null })],
    });
    expect(blocks.marks).toEqual([{ block: 1, ttl: null }]);
  });

  test('they move without a block changing', () => {
    const body = (at: number): JsonObject => ({
      messages: [0, 1, 2].map((n) => user(text(String(n), n === at ? MARK : undefined))),
    });
    const [a, b] = blocksOfChain(
      [body(0), body(2)].map((json) => ({ protocol: 'anthropic-messages-v1', json: JSON.stringify(json) })),
    );
    expect(b?.prefixes).toEqual(a?.prefixes);
    expect([a?.marks, b?.marks]).toEqual([[{ block: 0, ttl: null }], [{ block: 2, ttl: null }]]);
  });

  test('of the body itself, and OpenAI’s options that marks inherit', () => {
    expect(only({ messages: [], cache_control: { type: 'ephemeral', ttl: '1h' } }).automatic).toEqual({ ttl: '1h' });
    const part = { type: 'text', text: 'x', prompt_cache_breakpoint: { mode: 'explicit' } };
    const body = { messages: [user(part)], prompt_cache_options: { mode: 'explicit', ttl: '12h' } };
    expect(only(body, 'openai-responses-v1')).toMatchObject({ automatic: { ttl: '12h' }, explicitOnly: true });
    expect(only(body, 'openai-chat-v1').marks).toEqual([{ block: 0, ttl: '12h' }]);
    expect(only({ messages: [], prompt_cache_retention: '24h' }, 'openai-chat-v1').automatic).toEqual({ ttl: '24h' });
  });
});

describe('long blocks', () => {
  const long = (end: string): JsonObject => ({
    messages: [{ role: 'user', content: `${'a lamp in the fog, '.repeat(100)}${end}` }],
  });
  const [a, b] = blocksOfChain(
    [long('x'), long('y')].map((body) => ({ protocol: 'openai-chat-v1', json: JSON.stringify(body) })),
    newReader(),
    (protocol) => ruleOf(protocol, 'gpt-5.1'),
  ) as [RequestBlocks, RequestBlocks];

  test('are cut where a read may end inside them, and share what they begin with', () => {
    expect(Array.from(a.messageStarts)).toEqual([0, 6]);
    expect(sharedBlocks(a, b)).toBe(5);
    expect([...a.ends.chars]).toEqual([384, 768, 1152, 1536, 1920, 1929]);
  });

  test('stay whole under the rules that count blocks', () => {
    expect(only(long('x'), 'openai-chat-v1').prefixes).toHaveLength(1);
    const [qwen] = blocksOfChain(
      [{ protocol: 'openai-chat-v1', json: JSON.stringify(long('x')) }],
      newReader(),
      (protocol) => ruleOf(protocol, 'qwen3-max'),
    );
    expect(qwen?.prefixes).toHaveLength(1);
  });
});

describe('settings that a rule counts', () => {
  const base: JsonObject = { tools: TOOLS, system: [text('s')], messages: [user(text('1')), user(text('2'))] };
  test.each([
    ['tool_choice drops the messages', { tool_choice: { type: 'any' } }, 3],
    ['thinking drops the messages', { thinking: { type: 'enabled' } }, 3],
    ['speed drops system and messages', { speed: 'fast' }, 2],
    ['a sampling value drops nothing', { temperature: 1 }, 5],
    ['a tool drops all', { tools: [{ name: 'c' }, ...TOOLS] }, 0],
    ['a picture drops the messages', { messages: [user(text('1')), user({ type: 'image', source: {} })] }, 3],
  ] as const)('%s', (_, change, shared) => {
    expect(pair(base, { ...base, ...change })).toBe(shared);
    expect(pair({ ...base, ...change }, base)).toBe(Math.min(shared, 5));
  });

  test('their bytes may differ where their values do not', () => {
    const json = (choice: string): string =>
      `{"system":"s","tool_choice":${choice},"messages":[{"role":"user","content":"x"}]}`;
    const [a, b] = blocksOfChain(
      ['{"type":"any"}', ' { "type" : "any" }'].map((choice) => ({
        protocol: 'anthropic-messages-v1',
        json: json(choice),
      })),
    );
    expect(b?.prefixes).toEqual(a?.prefixes);
  });

  test('another order of the tiers', () => {
    const rule = ruleOf('anthropic-messages-v1', 'minimax-m3');
    expect(rule?.renderOrder?.[0]).toBe('system');
    const [a, b] = blocksOfChain(
      [base, { ...base, tools: [{ name: 'c' }] }].map((body) => ({
        protocol: 'anthropic-messages-v1',
        json: JSON.stringify(body),
      })),
      newReader(),
      () => rule,
    );
    expect(sharedBlocks(a as RequestBlocks, b as RequestBlocks)).toBe(1);
    expect(Array.from(a?.messageStarts ?? [])).toEqual([3, 4, 5]);
    expect(Array.from(b?.messageStarts ?? [])).toEqual([2, 3, 4]);
  });
});

const RUNS = { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 200) };
const PATIENCE_MS = 60_000;

function withOneUnitChanged(json: string, pick: number): string {
  const place = pick % json.length;
  // Half a character that was left over becomes what UTF-8 makes of it.
  const changed = Buffer.from(`${json.slice(0, place)}x${json.slice(place + 1)}`).toString('utf8');
  try {
    const body: unknown = JSON.parse(changed);
    return typeof body === 'object' ? changed : json;
  } catch {
    return json;
  }
}

/** The same body with long texts. */
const lengthened = (json: string): string =>
  JSON.stringify(JSON.parse(Buffer.from(json).toString('utf8')), (_, value: unknown) =>
    typeof value === 'string' && value.length > 6 ? value.repeat(150) : value,
  );

/** Chains of requests of one protocol, each an edit of one before or another body. */
const anyChain: fc.Arbitrary<readonly Request[]> = fc.constantFrom(...PROTOCOLS).chain((protocol) =>
  fc
    .tuple(
      fc.oneof(
        randomBody[protocol].map((body) => JSON.stringify(body)),
        bodyText(protocol, true).map(({ json }) => json),
      ),
      fc.array(fc.tuple(fc.constantFrom('edit', 'cut', 'grow', 'other', 'settings'), fc.nat(), randomBody[protocol]), {
        maxLength: 5,
      }),
      fc.boolean(),
    )
    .map(([first, steps, isLong]) => {
      const chain = [first];
      for (const [kind, pick, other] of steps) {
        const body = JSON.parse(chain[pick % chain.length] as string) as Record<string, unknown>;
        const list = body['messages'] ?? body['input'] ?? body['contents'];
        const added = other['messages'] ?? other['input'] ?? other['contents'];
        if (kind === 'other') chain.push(JSON.stringify(other));
        else if (kind === 'edit') chain.push(withOneUnitChanged(JSON.stringify(body), pick));
        else if (kind === 'settings') chain.push(JSON.stringify({ ...body, tool_choice: { n: pick % 2 } }));
        else if (kind === 'cut' && Array.isArray(list)) {
          list.splice(pick % Math.max(1, list.length), 1);
          chain.push(JSON.stringify(body));
        } else if (kind === 'grow' && Array.isArray(list) && Array.isArray(added)) {
          list.push(...(added as unknown[]));
          chain.push(JSON.stringify(body));
        }
      }
      return chain.map((json) => ({ protocol, json: isLong ? lengthened(json) : json }));
    }),
);

describe.each([
  ['whole blocks', MODELS, false],
  ['long blocks cut', TO_THE_TOKEN, true],
] as const)('against the definition on parsed JSON, %s', (_, models, isFine) => {
  const ruleFor = (protocol: Protocol): CacheRule | null => ruleOf(protocol, models[protocol]);
  const isCut = (protocol: Protocol): boolean => isFine || protocol === 'google-generative-ai-v1';

  test(
    'two prefixes have one number exactly when their texts and settings are the same',
    () => {
      let equal = 0;
      fc.assert(
        fc.property(anyChain, (chain) => {
          const blocks = blocksOfChain(chain, newReader(), ruleFor);
          const slow = chain.map(({ protocol, json }) =>
            slowBlocks(protocol, JSON.parse(json) as JsonObject, ruleFor(protocol), isCut(protocol)),
          );
          const textOf = new Map<number, string>();
          const numberOf = new Map<string, number>();
          for (const [n, { prefixes, ends, marks, messageStarts }] of blocks.entries()) {
            const wanted = slow[n] as readonly SlowBlock[];
            expect(prefixes).toHaveLength(wanted.length);
            let whole = '';
            for (const [i, { key, text: own }] of wanted.entries()) {
              const number = prefixes[i] as number;
              if (textOf.has(number)) equal++;
              expect(textOf.get(number) ?? key).toBe(key);
              expect(numberOf.get(key) ?? number).toBe(number);
              textOf.set(number, key);
              numberOf.set(key, number);
              whole += own;
              expect(sizeAt(ends, i)).toEqual(sizeOf(whole));
            }
            expect(marks).toEqual(wanted.flatMap(({ marks: ttls }, block) => ttls.map((ttl) => ({ block, ttl }))));
            expect(Array.from(messageStarts)).toEqual([
              ...wanted.flatMap(({ opens }, i) => (opens ? [i] : [])),
              wanted.length,
            ]);
          }
        }),
        RUNS,
      );
      expect(equal).toBeGreaterThan(RUNS.numRuns);
    },
    PATIENCE_MS,
  );

  test(
    'what is lent changes nothing',
    () => {
      fc.assert(
        fc.property(anyChain, (chain) => {
          const reader = newReader();
          const lent = blocksOfChain(chain, reader, ruleFor);
          const alone = chain.map((request) => blocksOfChain([request], reader, ruleFor)[0]);
          expect(lent).toEqual(alone);
        }),
        RUNS,
      );
    },
    PATIENCE_MS,
  );
});
