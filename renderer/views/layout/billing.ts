/**
 * A provider reports how many input tokens it read from its cache, wrote to it and charged in full. The buckets
 * are disjoint; a bucket that was not reported is unknown, which is not the same as zero.
 */
import type { Comparison } from '../../../shared/api.ts';
import type { Usage } from '../../../shared/model/index.ts';
import type { Tier } from '../../../shared/units.ts';

export type BarPart = {
  readonly name: 'read' | 'write' | 'uncached' | 'shared' | 'new';
  readonly tokens: number;
  /** Of the whole bar, from 0 to 1. */
  readonly share: number;
};
export type Bar = { readonly tier: Tier; readonly total: number; readonly parts: readonly BarPart[] };

const barOf = (tier: Tier, parts: readonly (readonly [BarPart['name'], number])[]): Bar | null => {
  const total = parts.reduce((sum, [, tokens]) => sum + tokens, 0);
  if (total <= 0) return null;
  return {
    tier,
    total,
    parts: parts.flatMap(([name, tokens]) => (tokens > 0 ? [{ name, tokens, share: tokens / total }] : [])),
  };
};

/** Billed input in the order of the cache (read, written, uncached); null when no input was reported. */
export function billedBar(usage: Usage | null): Bar | null {
  if (!usage) return null;
  return barOf('billed', [
    ['read', usage.read ?? 0],
    ['write', usage.write ?? 0],
    ['uncached', usage.uncached ?? 0],
  ]);
}

/**
 * Estimated shared and new part against the baseline; null without one. The figures are those of the comparison, as in
 * the verdict; the bar is divided at `cutTokens` of `total`, where the strip above it is.
 */
export function sharedBar(comparison: Comparison | null, cutTokens: number, total: number): Bar | null {
  if (!comparison || total <= 0) return null;
  const size = comparison.size.tokens.value;
  const shared = Math.min(size, comparison.shared.tokens.value);
  const cut = Math.min(total, cutTokens) / total;
  const parts: readonly BarPart[] = [
    { name: 'shared', tokens: shared, share: cut },
    { name: 'new', tokens: size - shared, share: 1 - cut },
  ];
  return { tier: 'estimated', total: size, parts: parts.filter((part) => part.tokens > 0 || part.share > 0) };
}
