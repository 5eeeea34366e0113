/** Sentences that several causes share. Texts are quoted on one line and cut, because a sentence must stay one. */
import type { Segment, SegmentKind, Sentence } from '../../shared/model/index.ts';
import { say } from '../../shared/language/types.ts';
import type { Tokens } from '../../shared/units.ts';
import { segmentRow } from '../adapters/index.ts';
import type { Facts } from './facts.ts';
import { locate } from './locate.ts';

/** What a rule found: the evidence for its cause, and what to do about it (null: nothing). */
export type Finding = { readonly evidence: readonly Sentence[]; readonly advice: Sentence | null };

/** A cause in the table: the first rule that finds evidence names the cause. */
export type CauseTest = (facts: Facts) => Finding | null;

const QUOTED = 60;

/** At most 60 units on one line; cut texts end in `…`. */
export function quote(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > QUOTED ? `${line.slice(0, QUOTED).toWellFormed()}…` : line.toWellFormed();
}

/** Several names as one value of a sentence, one a line; each language joins them in its own way. */
export const listOf = (names: readonly string[]): string =>
  names.map((name) => name.replaceAll(/\s+/g, ' ')).join('\n');

export const tokensOf = (segment: Segment): Tokens => segmentRow(segment).tokens.value;

export const named = (segment: Segment): { readonly kind: SegmentKind; readonly label: string } => ({
  kind: segment.kind,
  label: segment.origin.label,
});

/** Where the requests part, in words: the same offset as the divergence, in the string of the body. */
export function whereItParts(facts: Facts): readonly Sentence[] {
  const { parting } = facts;
  if (!parting?.partB) return [];
  const offset = locate(parting.partB, facts.b.body, parting.offset)?.offset ?? 0;
  const place = { part: parting.partB.label, offset };
  if (parting.gone) return [say('evidence.where-gone', { ...place, ...named(parting.gone) })];
  const owner = parting.holder;
  const isNamed = owner !== null && owner.kind !== 'unknown';
  return [isNamed ? say('evidence.where', { ...place, ...named(owner) }) : say('evidence.where-unnamed', place)];
}

/** What became of one segment between the two requests. */
export function standingOf(facts: Facts, segment: Segment): Sentence {
  const partner = facts.changes.partner(segment);
  switch (facts.changes.standing(segment)) {
    case 'added':
      return say('evidence.segment-added', { ...named(segment), tokens: tokensOf(segment) });
    case 'removed':
      return say('evidence.segment-removed', { ...named(segment), tokens: tokensOf(segment) });
    case 'modified': {
      const [was, now] = facts.b.segments.includes(segment)
        ? [partner ?? segment, segment]
        : [segment, partner ?? segment];
      return tokensOf(was) === tokensOf(now)
        ? say('evidence.segment-modified-alike', { ...named(now), tokens: tokensOf(now) })
        : say('evidence.segment-modified', { ...named(now), was: tokensOf(was), now: tokensOf(now) });
    }
    case 'equal':
    case 'moved':
      return say('evidence.segment-moved', named(segment));
  }
}

/** The settings that differ, for evidence. */
export const optionSentences = (facts: Facts): readonly Sentence[] =>
  facts.options.map(({ field, was, now }) =>
    say('evidence.option', { field, was: quote(was ?? '–'), now: quote(now ?? '–') }),
  );
