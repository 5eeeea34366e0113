/** What holds for every session, whatever its requests, marks, clocks and providers. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tokens, turnIndex } from '../../../shared/units.ts';
import { cacheRuleFor, granularityOf, minimumOf, parseCacheRules } from '../rules.ts';
import { simulateSession } from './simulate.ts';
import { call, many, request } from './testing/session.ts';
import type { RequestBlocks, SimCall, SimResult } from './types.ts';

const rules = parseCacheRules(JSON.parse(readFileSync('resources/cache-rules.json', 'utf8')));
const RUNS = { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 300) };
const PATIENCE_MS = 60_000;

const ENDPOINTS = [
  { provider: 'a', protocol: 'anthropic-messages-v1', model: 'claude-opus-4-8' },
  { provider: 'a', protocol: 'anthropic-messages-v1', model: 'claude-opus-5-5' },
  { provider: 'o', protocol: 'openai-chat-v1', model: 'gpt-5.1' },
  { provider: 'o', protocol: 'openai-responses-v1', model: 'gpt-5.6' },
  { provider: 'g', protocol: 'google-generative-ai-v1', model: 'gemini-2.5-flash' },
  { provider: 'd', protocol: 'openai-chat-v1', model: 'deepseek-chat' },
  { provider: 'q', protocol: 'openai-chat-v1', model: 'qwen3-max' },
  { provider: 'x', protocol: 'openai-chat-v1', model: 'grok-4' },
  { provider: 'k', protocol: 'openai-chat-v1', model: 'kimi-k3' },
] as const;
type Endpoint = (typeof ENDPOINTS)[number];

/** Requests of one conversation: they begin alike, go on for a while, and some leave it. */
const anyRequest: fc.Arbitrary<RequestBlocks> = fc
  .record({
    tools: fc.constantFrom('a:400', 'a:400', 'b:400'),
    setting: fc.constantFrom(null, null, null, null, 'set x'),
    system: fc.constantFrom('s:1500', 's:1500', 's:1500 t:300', 's:200'),
    systemMark: fc.constantFrom('', '*', '*1h'),
    length: fc.nat({ max: 6 }),
    marked: fc.uniqueArray(fc.nat({ max: 6 }), { maxLength: 5 }),
    ttl: fc.constantFrom('*', '*', '*1h', '**1h'),
    context: fc.constantFrom(null, 'x:90', 'y:90', `${many('z', 22, 10)}`),
    auto: fc.constantFrom(null, null, null, 'auto'),
  })
  .map(({ tools, setting, system, systemMark, length, marked, ttl, context, auto }) => {
    const said = Array.from({ length }, (_, n) => {
      const mark = marked.includes(n) ? ttl : '';
      return n % 2 === 0 ? `user p${n}:130${mark}` : `assistant r${n}:250 q${n}:700${mark}`;
    });
    const head = [`tools ${tools}`, `system ${system}${systemMark}`];
    const tail = [...(context === null ? [] : [`user ${context}${marked.includes(6) ? ttl : ''}`]), auto];
    const lines = [...head, setting, ...said, ...tail].filter((line) => line !== null);
    return length === 0 && auto === 'auto' && context === null ? request() : request(...lines);
  });

/** A call at a whole number of seconds, so that many begin at once; the next one within or beyond every short lifetime. */
const anyCall = fc.record({
  gap: fc.constantFrom(0, 0, 1, 20, 290, 301),
  duration: fc.constantFrom(0, 500, 5000, null),
  blocks: anyRequest,
  endpoint: fc.constantFrom(0, 0, 0, 1),
  runtime: fc.constantFrom('narrator', 'guide'),
  isAnswered: fc.constantFrom(true, true, true, false),
  bill: fc.constantFrom(null, null, 0.8, 1.3),
  /** How much of the first block that differs is equal all the same. */
  alike: fc.constantFrom(0, 0.5),
  hasClock: fc.constantFrom(true, true, true, false),
});
type Drawn = typeof anyCall extends fc.Arbitrary<infer T> ? T : never;

function sessionOf(drawn: readonly Drawn[], endpoints: readonly Endpoint[]): readonly SimCall[] {
  let seconds = 0;
  const before = new Map<string, SimCall>();
  return drawn.map((one, n) => {
    seconds += one.gap;
    const previous = before.get(one.runtime);
    const size = (one.blocks.ends.chars.at(-1) ?? 0) / 4;
    const made = call(one.hasClock ? seconds : null, one.blocks, {
      ...endpoints[one.endpoint],
      id: `c${n}`,
      runtimeId: one.runtime,
      turnIndex: turnIndex(1),
      previousId: previous?.id ?? null,
      ...(previous && { shared: sharedTokens(previous.blocks, one.blocks, one.alike) }),
      durationMs: one.duration,
      answered: one.isAnswered,
      billedInput: one.bill === null ? null : tokens(Math.round(size * one.bill)),
    });
    before.set(one.runtime, made);
    return made;
  });
}

function sharedTokens(a: RequestBlocks, b: RequestBlocks, alike: number): number {
  const found = b.prefixes.findIndex((prefix, i) => prefix !== a.prefixes[i]);
  const count = found < 0 ? b.prefixes.length : found;
  const tokensTo = (i: number): number => (b.ends.chars[i] ?? 0) / 4;
  const start = tokensTo(count - 1);
  const next = count < a.prefixes.length && count < b.prefixes.length ? tokensTo(count) - start : 0;
  return start + Math.floor(next * alike);
}

/** Sessions of up to 14 calls to two models. */
const sessions = (one: fc.Arbitrary<Drawn>): fc.Arbitrary<readonly SimCall[]> =>
  fc
    .tuple(
      fc.array(one, { minLength: 1, maxLength: 14 }),
      fc.tuple(fc.constantFrom(...ENDPOINTS), fc.constantFrom(...ENDPOINTS)),
    )
    .map(([drawn, endpoints]) => sessionOf(drawn, endpoints));
const anySession = sessions(anyCall);
/** All with a clock, and many that begin at once. */
const clocked = sessions(
  fc
    .tuple(anyCall, fc.constantFrom(true, true, false))
    .map(([one, isAtOnce]) => ({ ...one, hasClock: true, gap: isAtOnce ? 0 : one.gap })),
);

const inputOf = (one: SimCall): number => one.billedInput ?? (one.blocks.ends.chars.at(-1) ?? 0) / 4;
const figuresOf = (results: readonly SimResult[]): ReadonlyMap<string, unknown> =>
  new Map(
    results.map(({ id, prediction }) => [
      id,
      prediction && [prediction.read, prediction.write, prediction.uncached, prediction.writes],
    ]),
  );

describe('predictions', () => {
  test(
    'are disjoint, never negative, and add up to the input',
    () => {
      let reads = 0;
      let predicted = 0;
      fc.assert(
        fc.property(anySession, (session) => {
          for (const [n, { id, prediction, tokensAt }] of simulateSession(session, rules).entries()) {
            const one = session[n] as SimCall;
            expect(id).toBe(one.id);
            expect(tokensAt.toSorted((a, b) => a - b)).toEqual(tokensAt);
            expect(tokensAt.at(-1) ?? inputOf(one)).toBe(inputOf(one));
            expect(prediction === null).toBe(!one.answered);
            if (!prediction) continue;
            const { read, write, uncached, writes } = prediction;
            predicted++;
            if (read > 0) reads++;
            for (const part of [read, write, uncached, ...Object.values(writes)]) {
              expect(Number.isInteger(part) && part >= 0).toBe(true);
            }
            expect(read + write + uncached).toBe(inputOf(one));
            expect(Object.values(writes).reduce<number>((sum, part) => sum + part, 0)).toBe(write);
          }
        }),
        RUNS,
      );
      expect(reads).toBeGreaterThan(predicted / 5);
    },
    PATIENCE_MS,
  );

  test(
    'of a request that is repeated at once: it reads all that its marks allow',
    () => {
      fc.assert(
        fc.property(clocked, (session) => {
          const last = { ...(session.at(-1) as SimCall), answered: true, billedInput: null };
          const end = Math.max(...session.map((one) => (one.startedAt ?? 0) + (one.durationMs ?? 0)));
          const calls = [...session.slice(0, -1), last, { ...last, id: 'again', startedAt: end + 1 }];
          const again = simulateSession(calls, rules).at(-1);
          const repeated = { ...(session.at(-1) as SimCall), startedAt: end + 1 };
          expect(again?.prediction?.read).toBeGreaterThanOrEqual(
            readableOf(repeated, again?.tokensAt ?? new Uint32Array()),
          );
        }),
        RUNS,
      );
    },
    PATIENCE_MS,
  );

  test(
    'do not change when another model is called in between',
    () => {
      fc.assert(
        fc.property(anySession, anyRequest, fc.nat(), (session, blocks, place) => {
          const at = place % (session.length + 1);
          const other = call((session[at]?.startedAt ?? 0) / 1000, blocks, {
            id: 'other',
            provider: 'a',
            model: 'claude-haiku-4-5',
            runtimeId: 'other',
          });
          // Without a clock a call has the time of the one before it, so the other one must not bring a time of its own.
          const added = session[at]?.startedAt == null ? { ...other, startedAt: null } : other;
          const withIt = figuresOf(simulateSession(session.toSpliced(at, 0, added), rules));
          for (const [id, figures] of figuresOf(simulateSession(session, rules)))
            expect(withIt.get(id)).toEqual(figures);
        }),
        RUNS,
      );
    },
    PATIENCE_MS,
  );

  test(
    'do not depend on the order in which calls of one instant are given',
    () => {
      let moved = 0;
      fc.assert(
        fc.property(clocked, fc.infiniteStream(fc.nat()), (session, picks) => {
          const shuffled = [...Map.groupBy(session, (one) => one.startedAt).values()].flatMap((group) =>
            group
              .map((one) => ({ one, pick: picks.next().value ?? 0 }))
              .toSorted((a, b) => a.pick - b.pick)
              .map(({ one }) => one),
          );
          if (shuffled.some((one, n) => one !== session[n])) moved++;
          const [given, other] = [session, shuffled].map((calls) => figuresOf(simulateSession(calls, rules)));
          for (const [id, figures] of given ?? []) expect([id, other?.get(id)]).toEqual([id, figures]);
        }),
        RUNS,
      );
      expect(moved).toBeGreaterThan(RUNS.numRuns / 2);
    },
    PATIENCE_MS,
  );
});

/** Tokens that a repetition must read, by the rule's own words. */
function readableOf({ protocol, provider, model, blocks }: SimCall, tokensAt: Uint32Array): number {
  const rule = cacheRuleFor(rules, {
    protocol: protocol as 'openai-chat-v1',
    provider,
    model,
    hasMarks: blocks.marks.length > 0,
  });
  if (!rule) return 0;
  const whole = tokensAt.at(-1) ?? 0;
  const isLong = (size: number): boolean => size >= (minimumOf(rule, model) ?? 0);
  if (rule.mechanism === 'explicit+auto' || rule.mechanism === 'explicit') {
    const all = [...blocks.marks.map(({ block: at }) => at), ...(blocks.automatic ? [tokensAt.length - 1] : [])];
    return Math.max(0, ...all.map((at) => tokensAt[at] ?? 0).filter(isLong));
  }
  const step = granularityOf(rule) ?? 1;
  const stepped = Math.floor(whole / step) * step;
  return isLong(stepped) ? stepped : 0;
}
