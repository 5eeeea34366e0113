/** A complete summary that is longer than its budget is cut and says so; a marker alone would tell the story nothing. */
import { headOf } from '../../assembler/budget/truncate.ts';
import type { Estimator } from '../../assembler/types.ts';
import { longestFitting } from './prefix.ts';

export type Cut = { readonly text: string; readonly truncated: boolean };

/**
 * The longest beginning of a text that fits with the marker on a line after it. Where the marker leaves no room for a
 * single character, the first `budget` characters. Surrogate pairs stay whole.
 * @param text not blank, without space at its ends
 * @param budget tokens, at least 1
 */
export function cutToBudget(text: string, budget: number, marker: string, estimate: Estimator): Cut {
  if (estimate(text) <= budget) return { text, truncated: false };
  const marked = (kept: number): string => `${beginning(text, kept)}\n${marker}`;
  const kept = longestFitting(text.length, (n) => n === 0 || estimate(marked(n)) <= budget);
  if (beginning(text, kept) !== '') return { text: marked(kept), truncated: true };
  return { text: beginning(text, budget) || String.fromCodePoint(text.codePointAt(0) ?? 0), truncated: true };
}

/** The first units of a text, without half a pair and without space at the end. */
const beginning = (text: string, units: number): string => headOf(text, units).trimEnd();
