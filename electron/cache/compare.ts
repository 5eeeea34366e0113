/** Two requests side by side: how much of the later one the earlier one left in a cache, and why not more. */
import type { Cause, Divergence, KeyPart, SegmentChange } from '../../shared/model/index.ts';
import { NO_TEXT, type TextSize } from '../../shared/tokens.ts';
import { chars } from '../../shared/units.ts';
import { causeOf } from './cause.ts';
import { gatherFacts, type Facts } from './facts.ts';
import { locate } from './locate.ts';
import { named } from './say.ts';
import { around } from './shared-prefix.ts';
import type { Between, CallSide } from './types.ts';

export type CallComparison = {
  /** Size of the later request. */
  readonly size: TextSize;
  readonly shared: TextSize;
  /** Shared characters / all characters of the later request; 1 for an empty one. */
  readonly share: number;
  /** null when the later request begins with all of the earlier one, or the earlier one with all of it. */
  readonly divergence: Divergence | null;
  readonly cause: Cause;
  readonly changed: readonly SegmentChange[];
};

/**
 * Compares the later request `b` with its baseline `a`. Requests of two protocols (or a wire body and a kernel
 * view) share nothing.
 * @param between what happened to the history after `a` and before `b`
 */
export function compareCalls(a: CallSide, b: CallSide, between: Between): CallComparison {
  const facts = gatherFacts(a, b, between);
  const { size } = facts.prefix;
  const comparable = a.protocol === b.protocol;
  const shared = comparable ? facts.prefix.shared : NO_TEXT;
  return {
    size,
    shared,
    share: size.chars === 0 ? 1 : shared.chars / size.chars,
    divergence: comparable ? divergenceOf(facts) : beginningOf(facts),
    cause: causeOf(facts),
    changed: facts.changes.list,
  };
}

function divergenceOf(facts: Facts): Divergence | null {
  const { parting } = facts;
  if (!parting?.partB) return null;
  return {
    part: parting.partB.label,
    ...placeOf(parting.partB, facts.b, parting.offset),
    segment: parting.holder?.id ?? null,
    gone: parting.gone && named(parting.gone),
    was: parting.partA ? around(parting.partA.text, parting.offset) : null,
    now: around(parting.partB.text, parting.offset),
  };
}

/** Two protocols part before the first character. */
function beginningOf(facts: Facts): Divergence | null {
  const part = facts.keyB.parts[0];
  if (!part) return null;
  return {
    part: part.label,
    ...placeOf(part, facts.b, 0),
    segment: facts.b.segments[0]?.id ?? null,
    gone: null,
    was: around(facts.keyA.parts[0]?.text ?? '', 0),
    now: around(part.text, 0),
  };
}

const placeOf = (part: KeyPart, side: CallSide, offset: number): Pick<Divergence, 'path' | 'offset'> =>
  locate(part, side.body, chars(offset)) ?? { path: part.path, offset: chars(0) };
