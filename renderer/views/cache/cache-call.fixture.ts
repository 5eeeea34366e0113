/** A call in the cache overview with nothing known of it but its place; for tests. */
import type { CacheCall } from '../../../shared/model/index.ts';
import { tokens, turnIndex } from '../../../shared/units.ts';

/** `turn` from 1; the id is `c<turn>` unless it is given. */
export const cacheCall = (turn: number, rest: Partial<CacheCall> = {}): CacheCall => ({
  id: `c${turn}`,
  turnId: `t${turn}`,
  turnIndex: turnIndex(turn),
  runtimeId: 'narrator',
  step: 0,
  attempt: 0,
  startedAt: null,
  provider: 'anthropic',
  protocol: 'anthropic-messages-v1',
  model: 'm',
  input: null,
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
  cause: null,
  wasted: tokens(0),
  wastedCost: null,
  notes: [],
  ...rest,
});

export const usageOf = (read: number | null, uncached: number | null, write: number | null = null) => ({
  read: read === null ? null : tokens(read),
  uncached: uncached === null ? null : tokens(uncached),
  write: write === null ? null : tokens(write),
  output: tokens(10),
});
