/**
 * A prediction and a bill can both be right and yet differ. The field knows three reasons: an entry that somebody else
 * left in a shared cache, another way of counting tokens, and blocks to which the provider rounds.
 */
import type { ErrorSource } from '../../shared/model/index.ts';
import type { Tier } from '../../shared/units.ts';

/** Beyond this share of the larger number a difference is no matter of how tokens were counted. */
const COUNTING_ERROR = 0.25;

export type Difference = {
  /** Tokens read, as predicted and as billed. */
  readonly predicted: number;
  readonly billed: number;
  /** How the predicted positions were counted. */
  readonly tier: Tier;
  /** Steps in which the provider caches; null: not known. */
  readonly granularity: number | null;
  /** Nothing was sent before that this request could have read. */
  readonly isFirst: boolean;
  /** Smallest prefix that is cached; null: not known. */
  readonly minimum?: number | null;
  /** Tokens equal to an earlier request, where the provider also keeps blocks whose places are not published. */
  readonly equal?: number | null;
};

/** Which of the known reasons can make a right prediction and a right bill differ; empty where they do not. */
export function errorSourcesOf(difference: Difference): readonly ErrorSource[] {
  const { predicted, billed, tier, granularity, isFirst, minimum = null, equal = null } = difference;
  if (predicted === billed) return [];
  // Nothing of ours was there to be read: no way of counting makes something of it.
  if (isFirst && predicted === 0) return ['shared-cache'];
  const apart = Math.abs(billed - predicted);
  const larger = Math.max(billed, predicted);
  const isNear = apart <= larger * COUNTING_ERROR;
  const isAtMinimum = minimum !== null && apart === larger && Math.abs(larger - minimum) <= minimum * COUNTING_ERROR;
  if (equal !== null && billed > predicted && billed <= equal) return ['block-rounding'];
  return [
    ...(billed > predicted ? (['shared-cache'] as const) : []),
    ...(tier === 'estimated' && (isNear || isAtMinimum) ? (['tokenizer'] as const) : []),
    ...(granularity !== null && granularity > 1 && apart < granularity ? (['block-rounding'] as const) : []),
  ];
}
