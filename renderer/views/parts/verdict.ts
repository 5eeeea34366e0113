/**
 * Most turns of a healthy session differ from the turn before, and only in their turn context, behind the whole
 * history: that costs what it must. So a verdict does not ask whether two requests differ, but whether the
 * difference came earlier than it had to.
 */
import type { Comparison } from '../../../shared/api.ts';
import type { CauseKind } from '../../../shared/model/index.ts';

/** `missed`: the text held, and a rule of the cache (or the provider) lost it all the same. */
export type Tone = 'broken' | 'held' | 'missed' | 'first';

/** Causes with which everything that could be shared was shared. */
const HELD: ReadonlySet<CauseKind> = new Set(['identical', 'append-only', 'shortened', 'turn-context', 'marker-only']);

/** Causes that are only named when the text itself held. */
const MISSED: ReadonlySet<CauseKind> = new Set([
  'ttl-elapsed',
  'below-minimum',
  'lookback-exceeded',
  'no-matching-breakpoint',
  'provider-miss',
]);

/** `first`: there is nothing to compare with. */
export function toneOf(comparison: Comparison | null): Tone {
  if (!comparison) return 'first';
  const { kind } = comparison.cause;
  return HELD.has(kind) ? 'held' : MISSED.has(kind) ? 'missed' : 'broken';
}

/** The sign before a verdict; the colour of its edge says the same. */
export const SIGN: Readonly<Record<Tone, string>> = { broken: '✕', held: '✓', missed: '!', first: '○' };

export type ChangeCounts = { readonly modified: number; readonly added: number; readonly removed: number };

/** How many segments were changed (or moved), added and removed. */
export function countChanges(comparison: Comparison): ChangeCounts {
  const of = (...kinds: readonly string[]): number =>
    comparison.changed.filter((change) => kinds.includes(change.change)).length;
  return { modified: of('modified', 'moved'), added: of('added'), removed: of('removed') };
}
