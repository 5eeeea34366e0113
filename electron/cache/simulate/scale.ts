/**
 * Where a block ends in tokens is estimated from its text. What was billed is exact: the whole input of this call, and
 * the place where an earlier request ended, or its last mark stood, if this request begins with the same. Between such
 * places the estimate is stretched so that it adds up.
 */
import { prefixTokens, type TextSize } from '../../../shared/tokens.ts';
import type { Tier } from '../../../shared/units.ts';
import { sizeAt, type SimCall } from './types.ts';

export type Scale = {
  /** Tokens at the end of each block; whole numbers that never fall. */
  readonly tokensAt: Uint32Array;
  readonly total: number;
  readonly tier: Tier;
  /** Tokens at a place inside the request. */
  at(size: TextSize): number;
};

/** A place known from a bill: the end of a block, and its tokens. */
export type Pin = { readonly block: number; readonly tokens: number };

/** A pin that is further from the estimate than this speaks of something else, such as a read of another prefix. */
const BELIEVED = 0.35;
const BELIEVED_TOKENS = 64;

/** Whether a billed number can be what was estimated. */
export const isNear = (billed: number, guess: number): boolean =>
  Math.abs(billed - guess) <= Math.max(BELIEVED_TOKENS, BELIEVED * guess);

const weightOf = ({ chars, cjk }: TextSize): number => cjk + (chars - cjk) / 4;

/** @param pins in the order of their blocks */
export function scaleOf({ blocks, billedInput, countedInput }: SimCall, pins: readonly Pin[]): Scale {
  const { ends } = blocks;
  const last = ends.chars.length - 1;
  const tokensBy = (at: (size: TextSize) => number): Uint32Array => {
    const counts = new Uint32Array(ends.chars.length);
    for (let i = 0; i < counts.length; i++) counts[i] = at(sizeAt(ends, i));
    return counts;
  };
  const total = billedInput ?? countedInput;
  if (total === null || last < 0) {
    const tokensAt = tokensBy(prefixTokens);
    return { tokensAt, total: total ?? tokensAt.at(-1) ?? 0, tier: 'estimated', at: prefixTokens };
  }

  const whole = weightOf(sizeAt(ends, last));
  const weights = [0];
  const tokens = [0];
  for (const { block, tokens: measured } of pins) {
    const weight = weightOf(sizeAt(ends, block));
    const isBetween = weight < whole && measured > (tokens.at(-1) as number) && measured < total;
    if (!isBetween || !isNear(measured, (weight / whole) * total)) continue;
    weights.push(weight);
    tokens.push(measured);
  }
  weights.push(whole);
  tokens.push(total);

  let piece = 0;
  const placed = (size: TextSize): number => {
    const at = weightOf(size);
    while (piece > 0 && at < (weights[piece] as number)) piece--;
    while (piece < weights.length - 2 && at > (weights[piece + 1] as number)) piece++;
    const [from, to] = [weights[piece] as number, weights[piece + 1] as number];
    const [low, high] = [tokens[piece] as number, tokens[piece + 1] as number];
    return to <= from ? high : Math.round(low + ((at - from) / (to - from)) * (high - low));
  };
  return { tokensAt: tokensBy(placed), total, tier: billedInput === null ? 'counted' : 'estimated', at: placed };
}
