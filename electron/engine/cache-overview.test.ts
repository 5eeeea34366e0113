import { expect, test } from 'vitest';
import type { CacheCall, CauseKind } from '../../shared/model/index.ts';
import { billed, tokens, turnIndex, usdMicros } from '../../shared/units.ts';
import { cacheOverview } from './cache-overview.ts';

let calls = 0;
function call(given: Partial<Omit<CacheCall, 'cause'>> & { readonly cause?: CauseKind }): CacheCall {
  const { cause, ...rest } = given;
  const id = `c${++calls}`;
  return {
    id,
    turnId: id,
    turnIndex: turnIndex(calls),
    runtimeId: 'narrator',
    step: 0,
    attempt: 0,
    startedAt: null,
    protocol: null,
    provider: 'p',
    model: 'm',
    input: billed(100),
    usage: null,
    usageProblems: [],
    prediction: null,
    holds: null,
    errorSources: [],
    cost: null,
    costTier: null,
    previousId: null,
    gapMs: null,
    lifetimeS: null,
    wasted: tokens(0),
    wastedCost: null,
    notes: [],
    ...rest,
    cause: cause ? { kind: cause, evidence: [], advice: null } : null,
  };
}
const usage = (uncached: number | null, read: number | null, write: number | null) => ({
  uncached: uncached === null ? null : tokens(uncached),
  read: read === null ? null : tokens(read),
  write: write === null ? null : tokens(write),
  output: tokens(1),
});
const of = (...list: readonly CacheCall[]) => cacheOverview('s', list, { rulesAsOf: 'r', pricesAsOf: 'p' });
const one = (...list: readonly CacheCall[]) => {
  const [row] = of(...list).runtimes;
  if (!row) throw new Error('no runtime');
  return row;
};

test('no calls', () => {
  expect(of()).toMatchObject({ calls: [], runtimes: [], causes: [], calibration: { calls: 0, matched: 0 } });
});

test.each<[string, readonly CacheCall[], Partial<ReturnType<typeof one>>]>([
  [
    'sums and rate',
    [call({ usage: usage(20, 70, 10) }), call({ usage: usage(100, 0, 0) })],
    { read: tokens(70), write: tokens(10), hitRate: 0.35 },
  ],
  ['writes that are not billed are none', [call({ usage: usage(50, 50, null) })], { write: null, hitRate: 0.5 }],
  [
    'unreported is not nothing',
    [call({ usage: usage(100, null, null) })],
    { read: null, hitRate: null, unreported: 1 },
  ],
  [
    'a read that was not reported counts as none in the rate, and the call is counted',
    [call({ usage: usage(100, null, null) }), call({ usage: usage(20, 80, null) })],
    { read: tokens(80), hitRate: 0.4, unreported: 1 },
  ],
  [
    'the input of a request that nobody answered was not billed',
    [call({}), call({ notes: [{ key: 'note.not-answered', values: {} }] })],
    { inputTokens: tokens(100) },
  ],
  [
    'a contradiction is in no sum',
    [call({ usage: usage(null, 5000, 1), usageProblems: ['over-total'] }), call({ usage: usage(50, 50, 0) })],
    { read: tokens(50), write: tokens(0), hitRate: 0.5 },
  ],
  [
    'a retry is no call of its own',
    [call({ turnId: 't', step: 1 }), call({ turnId: 't', step: 1, attempt: 1 }), call({ turnId: 't', step: 2 })],
    { calls: 2 },
  ],
  [
    'known and unknown cost',
    [call({ usage: usage(1, 1, 1), cost: usdMicros(5) }), call({ usage: usage(1, 1, 1) })],
    { cost: usdMicros(5), unpriced: 1 },
  ],
  ['a call that nobody answered is not unpriced', [call({})], { cost: null, unpriced: 0 }],
])('%s', (_, list, expected) => expect(one(...list)).toMatchObject(expected));

test('causes by wasted tokens; what keeps the prefix only where something was lost', () => {
  const { causes } = of(
    call({ cause: 'turn-context' }),
    call({ cause: 'lore-activation', wasted: tokens(10), wastedCost: usdMicros(3) }),
    call({ cause: 'ttl-elapsed', wasted: tokens(900), wastedCost: usdMicros(9) }),
    call({ cause: 'lore-activation', wasted: tokens(20), wastedCost: null }),
    call({ cause: 'model' }),
    call({ cause: 'lore-activation', runtimeId: 'guide', wasted: tokens(1), wastedCost: usdMicros(1) }),
  );
  expect(
    causes.map(({ kind, runtimeId, callIds, tokens: lost, cost }) => [kind, runtimeId, callIds.length, lost, cost]),
  ).toEqual([
    ['ttl-elapsed', 'narrator', 1, 900, 9],
    ['lore-activation', 'narrator', 2, 30, null],
    ['lore-activation', 'guide', 1, 1, 1],
    ['model', 'narrator', 1, 0, 0],
  ]);
});

test('time order: a call without a clock stays behind the one written before it', () => {
  const at = (second: number): string => new Date(second * 1000).toISOString();
  const list = [call({ startedAt: at(9) }), call({ startedAt: null }), call({ startedAt: at(3) })];
  expect(of(...list).calls).toEqual([list[2], list[0], list[1]]);
});

test('calibration counts what can be compared, by provider', () => {
  const found = of(call({ holds: true }), call({ holds: false, provider: 'q' }), call({ holds: null }));
  expect(found.calibration).toEqual({ calls: 2, matched: 1, toleranceTokens: 128 });
  expect(found.calibrationByProvider).toEqual([
    { provider: 'p', calls: 1, matched: 1, toleranceTokens: 128 },
    { provider: 'q', calls: 1, matched: 0, toleranceTokens: 128 },
  ]);
});
