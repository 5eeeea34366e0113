import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isMessageKey, sentence } from '../../shared/language/index.ts';
import {
  CAUSE_KINDS,
  type Cause,
  type CauseKind,
  type Prediction,
  type Protocol,
  type Usage,
} from '../../shared/model/index.ts';
import { tokens } from '../../shared/units.ts';
import { KEPT } from './cause-table.ts';
import { parseCacheRules, shortestLifetimeOf, type CacheRule } from './rules.ts';
import { NOTHING_LOST, type Lost, type SimResult } from './simulate/types.ts';
import { verdictOf, type VerdictRule } from './verdict.ts';
import { readsToPayBack } from './verdict-advice.ts';

const RULES = parseCacheRules(
  JSON.parse(readFileSync(new URL('../../resources/cache-rules.json', import.meta.url), 'utf8')),
);
const known = (id: string, protocol: Protocol, model: string): VerdictRule => {
  const rule: CacheRule | undefined = RULES.rules.find((one) => one.id === id);
  if (!rule) throw new Error(`no rule ${id}`);
  return { rule, protocol, model, at: new Date('2026-11-30T12:00:00Z'), shortestLifetimeS: shortestLifetimeOf(RULES) };
};
const CLAUDE = known('anthropic', 'anthropic-messages-v1', 'claude-opus-5');
const SOL = known('openai-5.6+', 'openai-responses-v1', 'gpt-6-sol');
const SOL_CHAT = known('openai-5.6+', 'openai-chat-v1', 'gpt-6-sol');
const MINI = known('openai-pre-5.6', 'openai-chat-v1', 'gpt-5.4-mini');
const KIMI = known('kimi', 'openai-chat-v1', 'kimi-k3');
const DEEPSEEK = known('deepseek', 'openai-chat-v1', 'deepseek-chat');

const t = tokens;
const content = (kind: CauseKind): Cause => ({
  kind,
  evidence: [{ key: 'evidence.identical', values: { chars: 9 } }],
  advice: null,
});
const predict = (read: number, write: number, uncached: number): Prediction => ({
  rule: 'anthropic',
  read: t(read),
  write: t(write),
  uncached: t(uncached),
  writes: {},
  tier: 'estimated',
  why: [],
});
const sim = (prediction: Prediction | null, lost: Partial<Lost> = {}): SimResult => ({
  id: 'c',
  prediction,
  lost: { ...NOTHING_LOST, ...lost },
  lifetimeS: null,
  tokensAt: new Uint32Array(),
  notes: [],
});
const bill = (uncached: number | null, read: number | null, write: number | null): Usage => ({
  uncached: uncached === null ? null : t(uncached),
  read: read === null ? null : t(read),
  write: write === null ? null : t(write),
  output: t(1),
});
const expired = { tokens: t(8000), ageS: 400, lifetimeS: 300 };
const tooShort = { tokens: t(900), minimum: t(1024) };
const beyondLookback = { tokens: t(8000), blocks: 25, limit: 20 };
const unmarked = { tokens: t(8000) };
const notReady = { tokens: t(8000), callId: 'c7' };

const GREW = content('append-only');
const TURN = content('turn-context');

/** A prediction that reads 8,000 tokens from an entry of which only the age is known. */
const doubtful = (ageS: number | null): Prediction => ({
  ...predict(8000, 0, 500),
  why: [
    ageS === null
      ? { key: 'predict.read-any-age', values: { tokens: 8000, turn: 1 } }
      : { key: 'predict.read', values: { tokens: 8000, turn: 1, age: ageS } },
    { key: 'predict.lifetime-unknown', values: {} },
  ],
});

const unmeasured = (read: number): Prediction => ({
  ...predict(read, 0, 8500 - read),
  why: [
    { key: 'predict.read', values: { tokens: read, turn: 1, age: 60 } },
    { key: 'predict.minimum-unknown', values: {} },
  ],
});

type Call = { readonly sim: SimResult; readonly billed: Usage | null; readonly reusable?: number };
/** All 8,500 tokens were paid, as written or as plain input, and the rules say why. */
const rewritten = (lost: Partial<Lost>): Call => ({
  sim: sim(predict(0, 8000, 500), lost),
  billed: bill(500, 0, 8000),
});
const paid = (lost: Partial<Lost>): Call => ({ sim: sim(predict(0, 0, 8500), lost), billed: bill(8500, 0, 0) });
/** The rules say that 8,000 tokens were read. */
const expected = (billed: Usage | null, lost: Partial<Lost> = {}): Call => ({
  sim: sim(predict(8000, 0, 500), lost),
  billed,
});
const unbilled = (call: Call): Call => ({ ...call, billed: null });
const aged = (ageS: number, lifetimeS = 300, count = 8000): Partial<Lost> => ({
  expired: { tokens: t(count), ageS, lifetimeS },
});

type Case = readonly [
  what: string,
  content: Cause | null,
  call: Call,
  known: VerdictRule | null,
  kind: CauseKind,
  wasted: number,
  /** Keys without their group, before the evidence of the content. */
  evidence: readonly string[],
  advice: string | null,
];
const CASES: readonly Case[] = [
  ['growth that was read', GREW, expected(bill(500, 8000, 0)), CLAUDE, 'append-only', 0, [], null],
  ['a loss within the tolerance', GREW, expected(bill(600, 7900, 0)), CLAUDE, 'append-only', 0, [], null],
  ['the normal next turn', TURN, expected(bill(500, 8010, 0)), CLAUDE, 'turn-context', 0, [], null],
  ['growth that is proven', null, expected(bill(500, 8000, 0)), CLAUDE, 'append-only', 0, [], null],
  ['content before any rule', content('lore-activation'), paid({ expired }), CLAUDE, 'lore-activation', 8000, [], null],
  ['a setting before any rule', content('options'), paid({ expired }), CLAUDE, 'options', 8000, [], null],
  ['a time that was over', GREW, rewritten({ expired }), CLAUDE, 'ttl-elapsed', 8000, ['ttl-elapsed'], 'ttl-pays-back'],
  ['no bill', GREW, unbilled(paid({ expired })), CLAUDE, 'ttl-elapsed', 8000, ['ttl-elapsed'], 'ttl-pays-back'],
  ['over for any lifetime', GREW, paid(aged(4000)), CLAUDE, 'ttl-elapsed', 8000, ['ttl-elapsed'], 'ttl-elapsed'],
  ['no rule for the advice', GREW, paid({ expired }), null, 'ttl-elapsed', 8000, ['ttl-elapsed'], 'ttl-elapsed'],
  ['hours', GREW, paid(aged(90_000, 86_400)), MINI, 'ttl-elapsed', 7936, ['ttl-elapsed-hours'], 'ttl-elapsed'],
  ['unknown factors', GREW, paid(aged(400)), KIMI, 'ttl-elapsed', 7936, ['ttl-elapsed'], 'ttl-longer'],
  [
    'a prefix below the minimum',
    GREW,
    { sim: sim(predict(0, 0, 1000), { tooShort }), billed: bill(1000, 0, 0), reusable: 900 },
    CLAUDE,
    'below-minimum',
    900,
    ['below-minimum'],
    'below-minimum',
  ],
  [
    'too many blocks',
    GREW,
    rewritten({ beyondLookback }),
    CLAUDE,
    'lookback-exceeded',
    8000,
    ['lookback-exceeded'],
    'lookback-exceeded',
  ],
  [
    'no breakpoint at the end of what stays',
    TURN,
    rewritten({ unmarked }),
    SOL,
    'no-matching-breakpoint',
    8000,
    ['no-matching-breakpoint'],
    'no-matching-breakpoint',
  ],
  [
    'no whole unit of DeepSeek',
    TURN,
    paid({ unmarked }),
    DEEPSEEK,
    'no-matching-breakpoint',
    8000,
    ['no-matching-breakpoint'],
    'no-matching-unit',
  ],
  ['two at once', GREW, rewritten({ notReady }), CLAUDE, 'no-matching-breakpoint', 8000, ['not-ready'], 'not-ready'],
  [
    'two calls at once beside an expiry',
    GREW,
    rewritten({ expired, notReady }),
    CLAUDE,
    'ttl-elapsed',
    8000,
    ['ttl-elapsed', 'not-ready'],
    'ttl-pays-back',
  ],
  [
    'a provider that found nothing',
    GREW,
    expected(bill(8500, 0, 0)),
    MINI,
    'provider-miss',
    7936,
    ['provider-miss'],
    'provider-miss-key',
  ],
  [
    'less found',
    GREW,
    expected(bill(4500, 4000, 0)),
    CLAUDE,
    'provider-miss',
    4000,
    ['provider-miss'],
    'provider-miss',
  ],
  [
    'a short entry beside what the provider did not find',
    GREW,
    expected(bill(8500, 0, 0), { tooShort }),
    CLAUDE,
    'provider-miss',
    8000,
    ['provider-miss'],
    'provider-miss',
  ],
  [
    'an expiry around which nearly all could be read',
    GREW,
    expected(bill(4500, 4000, 0), aged(400, 300, 8050)),
    CLAUDE,
    'provider-miss',
    4000,
    ['provider-miss'],
    'provider-miss',
  ],
  [
    'an expiry that explains most of what no breakpoint ended',
    GREW,
    rewritten({ ...aged(400, 300, 7000), unmarked }),
    CLAUDE,
    'ttl-elapsed',
    8000,
    ['ttl-elapsed'],
    'ttl-pays-back',
  ],
  // 8,000 tokens are 62 whole blocks of 128 and a rest that no cache ever held.
  ['what is beyond the last block', GREW, expected(bill(692, 7808, 0)), MINI, 'append-only', 0, [], null],
  ['an estimate that is a little off', GREW, expected(bill(850, 7650, 0)), CLAUDE, 'append-only', 0, [], null],
  [
    'more than that',
    GREW,
    expected(bill(950, 7550, 0)),
    CLAUDE,
    'provider-miss',
    450,
    ['provider-miss'],
    'provider-miss',
  ],
  [
    'a young entry of unknown lifetime',
    GREW,
    { sim: sim(doubtful(60)), billed: bill(8500, 0, null) },
    DEEPSEEK,
    'provider-miss',
    8000,
    ['provider-miss'],
    'provider-miss',
  ],
  [
    'an old entry of unknown lifetime',
    GREW,
    { sim: sim(doubtful(300)), billed: bill(8500, 0, null) },
    DEEPSEEK,
    'unknown',
    8000,
    ['loss-unknown-lifetime'],
    null,
  ],
  [
    'an entry of unknown age',
    GREW,
    { sim: sim(doubtful(null)), billed: bill(8500, 0, null) },
    DEEPSEEK,
    'unknown',
    8000,
    ['loss-unknown-age'],
    null,
  ],
  [
    'few tokens, and a minimum that is not known',
    GREW,
    { sim: sim(unmeasured(577)), billed: bill(8500, 0, 0) },
    CLAUDE,
    'unknown',
    8000,
    ['loss-unknown-minimum'],
    null,
  ],
  [
    'more tokens than any minimum that is known',
    GREW,
    { sim: sim(unmeasured(8000)), billed: bill(8500, 0, 0) },
    CLAUDE,
    'provider-miss',
    8000,
    ['provider-miss'],
    'provider-miss',
  ],
  [
    'a clock that ran backwards',
    GREW,
    { sim: { ...sim(predict(8000, 0, 500)), notes: ['clock-backwards'] }, billed: bill(500, 0, 8000) },
    CLAUDE,
    'unknown',
    8000,
    ['loss-unknown-age'],
    null,
  ],
  ['no rule', GREW, { sim: sim(null), billed: bill(8500, 0, null) }, null, 'unknown', 8000, ['loss-no-rule'], null],
  [
    'a loss that no rule explains',
    GREW,
    { sim: sim(predict(2000, 0, 6500)), billed: bill(6500, 2000, 0) },
    CLAUDE,
    'unknown',
    6000,
    ['loss-unexplained'],
    null,
  ],
  ['neither bill nor prediction', GREW, { sim: sim(null), billed: null }, null, 'append-only', 0, [], null],
  [
    'a bill without reads, and no prediction',
    content('system-text'),
    { sim: sim(null), billed: bill(8500, null, null) },
    null,
    'system-text',
    0,
    [],
    null,
  ],
  [
    'a bill without reads: the prediction counts',
    content('system-text'),
    { sim: sim(predict(1000, 0, 7500)), billed: bill(8500, null, null) },
    null,
    'system-text',
    7000,
    [],
    null,
  ],
  [
    'a request shorter than what could be read',
    content('window-slid'),
    { sim: sim(predict(1000, 0, 2000)), billed: bill(2000, 1000, 0) },
    CLAUDE,
    'window-slid',
    2000,
    [],
    null,
  ],
  [
    'more read than was left',
    GREW,
    { ...paid({ tooShort }), billed: bill(300, 8200, 0) },
    CLAUDE,
    'append-only',
    0,
    [],
    null,
  ],
];

describe('verdicts', () => {
  test.each(CASES)('%s', (_, cause, { reusable = 8000, ...call }, rule, kind, wasted, evidence, advice) => {
    const verdict = verdictOf({ content: cause, ...call, reusable: t(reusable), tolerance: 128, known: rule });
    expect([verdict.cause.kind, verdict.wasted]).toEqual([kind, wasted]);
    const beside = [
      // What the prediction did not know stands behind the miss that it speaks of.
      ...(kind === 'provider-miss' ? (call.sim.prediction?.why ?? []).slice(1).map(({ key }) => key) : []),
      ...(cause?.evidence.map(({ key }) => key) ?? []),
    ];
    expect(verdict.cause.evidence.map(({ key }) => key)).toEqual([
      ...evidence.map((key) => `evidence.${key}`),
      ...beside,
    ]);
    expect(verdict.cause.advice?.key ?? null).toBe(advice && `advice.${advice}`);
    for (const said of [...verdict.cause.evidence, ...(verdict.cause.advice ? [verdict.cause.advice] : [])]) {
      for (const language of ['en', 'zh'] as const) {
        expect(sentence(language, said)).not.toMatch(/[{}…]|NaN|undefined|Infinity/);
      }
    }
  });

  test('say their numbers', () => {
    const said = (lost: Partial<Lost>, rule: VerdictRule): readonly string[] => {
      const { cause } = verdictOf({
        content: GREW,
        sim: sim(predict(0, 8000, 500), lost),
        billed: null,
        reusable: t(8000),
        tolerance: 128,
        known: rule,
      });
      return [cause.evidence[0], cause.advice].flatMap((one) => (one ? [sentence('en', one)] : []));
    };
    expect(said({ expired }, CLAUDE)).toEqual([
      'The entry of 8,000 tokens was 6.7 minutes old; it lives 5 minutes.',
      'A lifetime of 1h would have covered this pause. Writing costs 2 times the input price; it pays back from 1 such read on.',
    ]);
    expect(said({ expired: { ...expired, ageS: 300.4 } }, CLAUDE)[0]).toContain(
      'was 5.1 minutes old; it lives 5 minutes.',
    );
    expect(said({ expired: { ...expired, ageS: 7000, lifetimeS: 1800 } }, SOL)[1]).toBe(
      'A lifetime of 12h would have covered this pause. Writing costs 2.5 times the input price; it pays back from 2 such reads on.',
    );
    expect(said({ expired: { ...expired, ageS: 7000, lifetimeS: 1800 } }, SOL_CHAT)[1]).toContain('Expected');
    expect(said({ beyondLookback }, CLAUDE)[0]).toBe(
      'The entry of 8,000 tokens lies 25 blocks before the mark; the provider looks back 20.',
    );
    expect(said({ tooShort }, CLAUDE)[0]).toBe('The common prefix has 900 tokens; this model caches from 1,024 on.');
  });

  test('a kept prefix without loss wastes nothing, and no verdict wastes more than it paid', () => {
    const count = fc.nat(20_000);
    const some = fc.option(count, { nil: null });
    fc.assert(
      fc.property(
        fc.constantFrom(...CAUSE_KINDS),
        count,
        count,
        count,
        some,
        some,
        count,
        (kind, a, b, c, read, rest, reusable) => {
          const prediction = predict(a, b, c);
          const billed = read === null && rest === null ? null : bill(rest, read, 0);
          const verdict = verdictOf({
            content: content(kind),
            sim: sim(prediction, { expired, unmarked }),
            billed,
            reusable: t(reusable),
            tolerance: 128,
          });
          const paidRead = billed?.read ?? a;
          const input = billed?.uncached != null ? billed.uncached + (billed.read ?? 0) : a + b + c;
          expect(verdict.wasted).toBeGreaterThanOrEqual(0);
          expect(verdict.wasted).toBeLessThanOrEqual(Math.max(0, Math.min(reusable, input) - paidRead));
          expect(KEPT.includes(kind) || verdict.cause.kind === kind).toBe(true);
          expect(KEPT.includes(verdict.cause.kind) && verdict.wasted > 0).toBe(false);
        },
      ),
    );
  });
});

test('without a body no rule is missing: there is nothing to try one on', () => {
  const { cause, wasted } = verdictOf({
    content: TURN,
    sim: sim(null),
    billed: bill(8500, 0, null),
    reusable: t(8000),
    tolerance: 128,
    hasBody: false,
  });
  expect([cause.kind, cause.evidence[0]?.key, wasted]).toEqual(['unknown', 'evidence.loss-no-body', 8000]);
});

describe('a longer lifetime', () => {
  test.each([
    ['Anthropic, 1h for 5m', 1.25, 2, 0.1, 1],
    ['OpenAI, 12h for 30m', 1.25, 2.5, 0.1, 2],
    ['just on the edge', 1, 1.9, 0.1, 1],
    ['a cheap one', 1.25, 1.25, 0.1, 1],
    ['reads as dear as writes', 1, 2, 1, null],
    ['an unknown factor', 1.25, null, 0.1, null],
    ['an unknown read factor', 1.25, 2, null, null],
  ])('%s', (_, short, long, read, reads) => expect(readsToPayBack(short, long, read)).toBe(reads));
  test('costs no more from then on, and more before', () => {
    const factor = fc.integer({ min: 1, max: 40 }).map((n) => n / 20);
    fc.assert(
      fc.property(factor, factor, factor, (read, more, evenMore) => {
        const [short, long] = [read + more, read + more + evenMore];
        const reads = readsToPayBack(short, long, read) ?? 0;
        const saves = (n: number): number => short + n * short - (long + n * read);
        expect(saves(reads)).toBeGreaterThanOrEqual(-1e-6);
        expect(reads === 1 || saves(reads - 1) < 0).toBe(true);
      }),
    );
  });
});

test('every cause says in one line what to do', () => {
  for (const kind of CAUSE_KINDS) {
    const key = `todo.${kind}`;
    expect(isMessageKey(key)).toBe(true);
    for (const language of ['en', 'zh'] as const)
      expect(sentence(language, { key, values: {} }).length).toBeLessThan(100);
  }
});
