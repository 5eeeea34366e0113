/**
 * Walks the calls of a session in the order in which its providers saw them, keeps what each provider would hold, and
 * says for every call what should have been read and written. Providers, models and rules have caches apart from each
 * other. Takes time by the number of blocks, whatever the number of calls.
 */
import { isProtocol, type Prediction } from '../../../shared/model/index.ts';
import { tokens, type Tokens } from '../../../shared/units.ts';
import { cacheRuleFor, minimumOf, type CacheRule, type CacheRules } from '../rules.ts';
import { inTimeOrder, type TimedCall } from './order.ts';
import { isNear, scaleOf, type Pin, type Scale } from './scale.ts';
import { strategyOf } from './strategies.ts';
import { createTable } from './table.ts';
import { NOTHING_LOST, type SimCall, type SimNote, type SimResult } from './types.ts';
import { whyOf } from './why.ts';
import type { Held, Outcome, Strategy, Work } from './work.ts';

/** A place that was billed, and when that call began. */
type Billed = { readonly tokens: number; readonly at: number | null };

/** The cache of one provider for one model by one rule. */
type Cache = Held & {
  /** By the number of a prefix. */
  readonly billed: Map<number, Billed>;
  readonly answered: Map<string, TimedCall>;
};

const newCache = (): Cache => ({
  entries: createTable(),
  seen: createTable(),
  inputs: new Map(),
  billed: new Map(),
  answered: new Map(),
});

/**
 * @param calls in the order in which they were recorded
 * @returns a result for each call, in the order given; its prediction is null where nobody answered, or no rule is known
 */
export function simulateSession(calls: readonly SimCall[], rules: CacheRules): readonly SimResult[] {
  const steps = simulationSteps(calls, rules);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The same call by call, so that ten thousand of them do not keep a thread from other work. */
export function* simulationSteps(
  calls: readonly SimCall[],
  rules: CacheRules,
): Generator<undefined, readonly SimResult[], undefined> {
  const ruleOf = ruleFinder(rules);
  const caches = new Map<string, Cache>();
  const results: SimResult[] = [];
  for (const timed of inTimeOrder(calls)) {
    const { call, index } = timed;
    const rule = ruleOf(call);
    const strategy = rule && strategyOf(rule);
    if (rule && strategy && call.answered) {
      const name = `${call.provider}\n${call.model}\n${rule.id}`;
      const cache = caches.get(name) ?? newCache();
      caches.set(name, cache);
      results[index] = predict(timed, rule, strategy, cache);
      cache.answered.set(call.id, timed);
    } else {
      results[index] = withoutPrediction(timed);
    }
    yield;
  }
  return results;
}

function withoutPrediction({ call, notes }: TimedCall): SimResult {
  return {
    id: call.id,
    prediction: null,
    lost: NOTHING_LOST,
    lifetimeS: null,
    tokensAt: scaleOf(call, []).tokensAt,
    notes: call.answered ? notes : [...notes, 'not-answered'],
  };
}

function predict(timed: TimedCall, rule: CacheRule, strategy: Strategy, cache: Cache): SimResult {
  const { call, at, readyAt } = timed;
  const notes = new Set<SimNote>(timed.notes);
  const scale = scaleOf(call, pinsOf(timed, cache));
  const minimum = minimumOf(rule, call.model);
  const before = call.previousId === null ? undefined : cache.answered.get(call.previousId);
  // One that began in the same instant can be walked before or behind this one.
  const previous = before && (before.at === null || at === null || before.at < at) ? before : null;
  const work: Work = { call, at, readyAt, rule, held: cache, scale, minimum, previous, notes };
  const outcome = strategy(work);
  const sum = Object.values(outcome.writes).reduce((all, one) => all + one, 0);
  if (minimum === null && (outcome.read > 0 || sum > 0)) notes.add('minimum-unknown');
  pinBill(timed, cache, scale, outcome);
  const prediction: Prediction = {
    rule: rule.id,
    read: tokens(outcome.read),
    write: tokens(sum),
    uncached: tokens(scale.total - outcome.read - sum),
    writes: outcome.writes as Readonly<Record<string, Tokens>>,
    tier: scale.tier,
    why: whyOf(work, outcome),
  };
  const { lost, lifetimeS } = outcome;
  return { id: call.id, prediction, lost, lifetimeS, tokensAt: scale.tokensAt, notes: [...notes] };
}

/** Rules are chosen by a handful of names that come again with every call. */
function ruleFinder(rules: CacheRules): (call: SimCall) => CacheRule | null {
  const known = new Map<string, CacheRule | null>();
  return ({ protocol, model, provider, blocks }) => {
    const hasMarks = blocks.marks.length > 0;
    const name = `${protocol}\n${model}\n${provider}\n${hasMarks}`;
    const there = known.get(name);
    if (there !== undefined) return there;
    const found = cacheRuleFor(rules, { protocol: isProtocol(protocol) ? protocol : null, model, provider, hasMarks });
    known.set(name, found);
    return found;
  };
}

/** Ends of this call's blocks that an earlier bill has measured; they only fit a call that was billed itself. */
function pinsOf({ call, at }: TimedCall, { billed }: Cache): readonly Pin[] {
  const pins: Pin[] = [];
  const { prefixes } = call.blocks;
  if (call.billedInput === null || billed.size === 0) return pins;
  for (let block = 0; block < prefixes.length; block++) {
    const there = billed.get(prefixes[block] as number);
    if (there && (there.at === null || at === null || there.at < at)) pins.push({ block, tokens: there.tokens });
  }
  return pins;
}

/** What this call's bill tells about places inside later ones: its end, and where its last mark stands. */
function pinBill({ call, at }: TimedCall, { billed }: Cache, scale: Scale, { coveredTo }: Outcome): void {
  const { blocks, billedInput, usage } = call;
  const pin = (block: number, count: number): void => {
    const prefix = blocks.prefixes[block];
    if (prefix !== undefined && count > 0 && !billed.has(prefix)) billed.set(prefix, { tokens: count, at });
  };
  if (billedInput === null) return;
  pin(blocks.prefixes.length - 1, billedInput);
  if (coveredTo === null || usage?.read == null || usage.write === null) return;
  const cached = usage.read + usage.write;
  if (isNear(cached, scale.tokensAt[coveredTo] as number)) pin(coveredTo, cached);
}
