/** What to do about a loss that no text explains, with the numbers of the rule that holds for the call. */
import { say } from '../../shared/language/types.ts';
import type { CauseKind, Protocol, Sentence } from '../../shared/model/index.ts';
import { lifetimeOf, readFactorOf, type CacheRule, type Lifetime } from './rules.ts';
import type { Lost } from './simulate/types.ts';

export type VerdictRule = {
  readonly rule: CacheRule;
  readonly protocol: Protocol | null;
  readonly model: string | null;
  /** When the call began; null: not recorded. */
  readonly at: Date | null;
  /** `shortestLifetimeOf` the rules; left out: not known. */
  readonly shortestLifetimeS?: number | null;
};

/**
 * From how many reads on a longer lifetime costs no more than writing the same text anew with the shorter one each
 * time: long + n·read ≤ short + n·short. null: never, or a factor is not known.
 * @param read what a read token costs; all in input tokens
 */
export function readsToPayBack(short: number | null, long: number | null, read: number | null): number | null {
  if (short === null || long === null || read === null || short <= read) return null;
  return Math.max(1, Math.ceil((long - short) / (short - read) - 1e-9));
}

/** The shortest lifetime that would have covered an age, and from how many reads on it pays. */
export function longerLifetime(
  { rule, protocol, model, at }: VerdictRule,
  ageS: number,
  lifetimeS: number,
): { readonly lifetime: Lifetime; readonly reads: number | null } | null {
  const all = rule.ttl.flatMap(({ id }) => lifetimeOf(rule, id, protocol, model) ?? []);
  const inForce = all.find((one) => one.seconds === lifetimeS);
  const longer = all
    .filter((one) => one.seconds !== null && one.seconds >= ageS && one.seconds > lifetimeS && !one.isMaximum)
    .sort((a, b) => (a.seconds ?? 0) - (b.seconds ?? 0))[0];
  if (!longer) return null;
  const read = model === null ? null : readFactorOf(rule, model, at);
  return { lifetime: longer, reads: readsToPayBack(inForce?.writeX ?? null, longer.writeX, read) };
}

type Advise = (lost: Lost, known: VerdictRule | null) => Sentence | null;

const ADVICE: Readonly<Partial<Record<CauseKind, Advise>>> = {
  'ttl-elapsed': ({ expired }, known) => {
    const longer = expired && known && longerLifetime(known, expired.ageS, expired.lifetimeS);
    if (!longer) return say('advice.ttl-elapsed', {});
    const { lifetime, reads } = longer;
    if (reads === null || lifetime.writeX === null) return say('advice.ttl-longer', { ttl: lifetime.id });
    return say('advice.ttl-pays-back', { ttl: lifetime.id, times: lifetime.writeX, reads });
  },
  'below-minimum': ({ tooShort }) => say('advice.below-minimum', { minimum: tooShort?.minimum ?? 0 }),
  'lookback-exceeded': ({ beyondLookback }) => say('advice.lookback-exceeded', { limit: beyondLookback?.limit ?? 0 }),
  'no-matching-breakpoint': ({ unmarked, notReady }, known) => {
    if (!unmarked && notReady) return say('advice.not-ready', {});
    if (known?.rule.unit === 'whole_prefix_unit') return say('advice.no-matching-unit', {});
    return say('advice.no-matching-breakpoint', {});
  },
  'provider-miss': (_, known) => {
    const field = known?.rule.routingKey ?? known?.rule.routing?.responsesField ?? null;
    return field === null ? say('advice.provider-miss', {}) : say('advice.provider-miss-key', { field });
  },
};

export const advice = (kind: CauseKind, lost: Lost, known: VerdictRule | null): Sentence | null =>
  ADVICE[kind]?.(lost, known) ?? null;
