/**
 * A request that only grew can still read nothing: its entry was over, too short, out of reach, not where it is looked
 * for, or the provider just did not find it. A zero in the bill looks the same in every case, so the simulation tells
 * them apart; and a difference of content is always the cause before any of them.
 */
import { say } from '../../shared/language/types.ts';
import type { Cause, CauseKind, Prediction, Sentence, Usage } from '../../shared/model/index.ts';
import { tokens, type Tokens } from '../../shared/units.ts';
import { KEPT } from './cause-table.ts';
import { granularityOf } from './rules.ts';
import type { Finding } from './say.ts';
import type { Lost, SimNote, SimResult } from './simulate/types.ts';
import { advice, type VerdictRule } from './verdict-advice.ts';

export { errorSourcesOf, type Difference } from './error-sources.ts';
export type { VerdictRule } from './verdict-advice.ts';

export type VerdictInput = {
  /** What `compareCalls` says; null: it is proven that the request begins with all of the one before. */
  readonly content: Cause | null;
  readonly sim: Pick<SimResult, 'prediction' | 'lost' | 'notes'>;
  /** null: nothing was reported. */
  readonly billed: Usage | null;
  /** Tokens of the chain's request before that this request could have read. */
  readonly reusable: Tokens;
  /** A difference of this many tokens is none. */
  readonly tolerance: number;
  /** The rule of the call, and the protocol and model behind which it holds. */
  readonly known?: VerdictRule | null;
  /** The body that was sent is there to be predicted from. */
  readonly hasBody?: boolean;
};

export type Verdict = { readonly cause: Cause; readonly wasted: Tokens };

const GREW: Cause = { kind: 'append-only', evidence: [], advice: null };

/**
 * A partly read prefix that is short of the prediction by no more than this share of it: places inside a request are
 * estimated, and a provider that misses an entry misses much more of it.
 */
const COUNTING_ERROR = 0.05;

/**
 * The cause of what a call paid again, and how many tokens that were. A loss within the tolerance is none: then the
 * content's cause stays, and a request that only grew, is the same, or differs from its own turn's data on wasted
 * nothing. Without a bill and without a prediction nothing is known to be lost.
 */
export function verdictOf(given: VerdictInput): Verdict {
  const { content, sim, billed, reusable, tolerance, known = null, hasBody = true } = given;
  const cause = content ?? GREW;
  const predicted = sim.prediction;
  const read = billed?.read ?? predicted?.read ?? null;
  const input = inputOf(billed) ?? (predicted ? predicted.read + predicted.write + predicted.uncached : null);
  const lost = read === null ? 0 : Math.max(0, inBlocks(Math.min(reusable, input ?? reusable), known) - read);
  if (!KEPT.includes(cause.kind)) return { cause, wasted: tokens(lost) };
  if (read === null || lost <= tolerance + countingError(given)) return { cause, wasted: tokens(0) };
  const doubt = predicted && doubtOf(predicted, sim.notes, known);
  const rule = ruleCause({ lost: sim.lost, predicted, billed: billed?.read ?? null, doubt }, tolerance);
  const reached = { predicted: predicted?.read ?? null, billed: billed?.read ?? null, read, lost, hasBody };
  const said: Finding = rule
    ? { evidence: rule.evidence, advice: advice(rule.kind, sim.lost, known) }
    : { evidence: [unexplainedLoss(reached, doubt)], advice: null };
  // Evidence of the content says how far the prefix held.
  return {
    cause: { kind: rule?.kind ?? 'unknown', evidence: [...said.evidence, ...cause.evidence], advice: said.advice },
    wasted: tokens(lost),
  };
}

/** What is beyond the last whole block was never in the cache. */
function inBlocks(count: number, known: VerdictRule | null): number {
  const step = (known && granularityOf(known.rule)) ?? 1;
  return Math.floor(count / step) * step;
}

function countingError({ sim: { prediction }, billed }: VerdictInput): number {
  if (!prediction || prediction.tier === 'billed' || !billed?.read) return 0;
  const short = prediction.read - billed.read;
  return short > 0 && short <= prediction.read * COUNTING_ERROR ? short : 0;
}

function inputOf(usage: Usage | null): number | null {
  if (usage?.uncached == null) return null;
  return usage.uncached + (usage.read ?? 0) + (usage.write ?? 0);
}

type Reached = {
  readonly predicted: number | null;
  readonly billed: number | null;
  readonly read: number;
  readonly lost: number;
  readonly hasBody: boolean;
};

function unexplainedLoss({ predicted, billed, read, lost, hasBody }: Reached, doubt: Doubt | null): Sentence {
  if (!hasBody) return say('evidence.loss-no-body', { read, lost });
  if (predicted === null) return say('evidence.loss-no-rule', { read, lost });
  if (doubt && billed !== null && billed < predicted) return say(doubt, { predicted, billed });
  return say('evidence.loss-unexplained', { read, lost });
}

/** Why there may have been no entry to read from. */
type Doubt = 'evidence.loss-unknown-age' | 'evidence.loss-unknown-lifetime' | 'evidence.loss-unknown-minimum';

/**
 * null: the entry was there. Without a clock, or with one that ran backwards, its age is not known; where no lifetime is
 * known, it surely lives only while it is younger than the shortest that any provider has; where no minimum is known, it
 * was surely written only if it reaches the largest that the provider has for other models.
 */
function doubtOf({ why, read }: Prediction, notes: readonly SimNote[], known: VerdictRule | null): Doubt | null {
  const says = (key: string): boolean => why.some((reason) => reason.key === key);
  if (says('predict.read-any-age') || notes.includes('no-clock') || notes.includes('clock-backwards')) {
    return 'evidence.loss-unknown-age';
  }
  if (says('predict.lifetime-unknown')) {
    const age = why.find(({ key }) => key === 'predict.read')?.values['age'];
    if (typeof age !== 'number' || age >= (known?.shortestLifetimeS ?? 0)) return 'evidence.loss-unknown-lifetime';
  }
  const minima = known?.rule.minTokens.flatMap(({ tokens: count }) => count ?? []) ?? [];
  return says('predict.minimum-unknown') && read < Math.max(0, ...minima) ? 'evidence.loss-unknown-minimum' : null;
}

/** What a prediction that was not met did not know. */
const unknowns = ({ why }: Prediction): readonly Sentence[] =>
  why.filter(({ key }) => key === 'predict.lifetime-unknown' || key === 'predict.minimum-unknown');

type RuleKind = Extract<
  CauseKind,
  'ttl-elapsed' | 'below-minimum' | 'lookback-exceeded' | 'no-matching-breakpoint' | 'provider-miss'
>;
type RuleFacts = {
  readonly lost: Lost;
  readonly predicted: Prediction | null;
  readonly billed: number | null;
  readonly doubt: Doubt | null;
};
type RuleRow = {
  readonly kind: RuleKind;
  /** Tokens that would have been read but for this, and what proves it. */
  readonly find: (facts: RuleFacts) => { readonly reach: number; readonly evidence: readonly Sentence[] } | null;
};

/** In minutes, or in hours for lifetimes of hours; an age is rounded up, so that it never reads like its lifetime. */
function expiredSentence({ ageS, lifetimeS, tokens: count }: NonNullable<Lost['expired']>): Sentence {
  const isLong = lifetimeS >= 7200;
  const unit = isLong ? 3600 : 60;
  const age = Math.max(Math.ceil((ageS / unit) * 10), Math.floor((lifetimeS / unit) * 10) + 1) / 10;
  const lifetime = Math.round((lifetimeS / unit) * 10) / 10;
  return say(isLong ? 'evidence.ttl-elapsed-hours' : 'evidence.ttl-elapsed', { tokens: count, age, lifetime });
}

/** In the order in which they are asked. */
const RULE_CAUSES: readonly RuleRow[] = [
  {
    kind: 'ttl-elapsed',
    find: ({ lost: { expired } }) => expired && { reach: expired.tokens, evidence: [expiredSentence(expired)] },
  },
  {
    kind: 'below-minimum',
    find: ({ lost: { tooShort } }) =>
      tooShort && { reach: tooShort.tokens, evidence: [say('evidence.below-minimum', tooShort)] },
  },
  {
    kind: 'lookback-exceeded',
    find: ({ lost: { beyondLookback } }) =>
      beyondLookback && { reach: beyondLookback.tokens, evidence: [say('evidence.lookback-exceeded', beyondLookback)] },
  },
  {
    kind: 'no-matching-breakpoint',
    find: ({ lost: { unmarked } }) =>
      unmarked && { reach: unmarked.tokens, evidence: [say('evidence.no-matching-breakpoint', unmarked)] },
  },
  {
    // An entry that is still being written is none that could be read from.
    kind: 'no-matching-breakpoint',
    find: ({ lost: { notReady } }) => notReady && { reach: notReady.tokens, evidence: [] },
  },
  {
    kind: 'provider-miss',
    find: ({ predicted, billed, doubt }) =>
      predicted === null || billed === null || billed >= predicted.read || doubt !== null
        ? null
        : {
            reach: predicted.read,
            evidence: [say('evidence.provider-miss', { predicted: predicted.read, billed }), ...unknowns(predicted)],
          },
  },
];

/** A reason that explains less than this share of what the best one explains stands beside it. */
const MAIN_SHARE = 0.5;

/** The first reason in the table that explains the loss about as well as any; null: none explains any of it. */
function ruleCause(
  facts: RuleFacts,
  tolerance: number,
): { readonly kind: RuleKind; readonly evidence: readonly Sentence[] } | null {
  // What a rule cost is measured from what could be read in spite of it; the provider's part is what it left of that.
  const reached = Math.max(facts.predicted?.read ?? 0, facts.billed ?? 0);
  const found = RULE_CAUSES.flatMap(({ kind, find }) => {
    const one = find(facts);
    const gain = one ? one.reach - (kind === 'provider-miss' ? (facts.billed ?? 0) : reached) : 0;
    return one && gain > tolerance ? [{ kind, evidence: one.evidence, gain }] : [];
  });
  const most = Math.max(...found.map((one) => one.gain));
  const main = found.find((one) => one.gain >= most * MAIN_SHARE);
  if (!main) return null;
  const { notReady } = facts.lost;
  const beside = notReady ? [say('evidence.not-ready', { tokens: notReady.tokens, call: notReady.callId })] : [];
  return { kind: main.kind, evidence: [...main.evidence, ...beside] };
}
