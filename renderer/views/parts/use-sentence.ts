/** Sentences about the domain (causes, kinds, advice) stand in shared/language, since the command line says them too. */
import { useMemo } from 'react';
import { joinSentences, labelText, partText, sentence } from '../../../shared/language/index.ts';
import type { SegmentKind, Sentence } from '../../../shared/model/index.ts';
import { useLanguage } from '../../app/language/index.ts';
import { nameOf } from './names.ts';

export type Say = {
  /** A sentence with its values. */
  say(given: Sentence): string;
  /** A sentence without values, by its key. */
  word(key: string): string;
  kind(kind: SegmentKind): string;
  segment(kind: SegmentKind, label: string): string;
  /** Short name of a segment. */
  label(label: string, kind?: SegmentKind): string;
  /** A part of the request, as `message 7 (user)`. */
  part(part: string): string;
  /** Whole sentences one after the other. */
  join(sentences: readonly string[]): string;
  /** What stands between two sentences that follow each other: a blank or nothing. */
  between(before: string, after: string): string;
};

/** Domain sentences in the language on screen. */
export function useSentence(): Say {
  const language = useLanguage();
  return useMemo(() => {
    const say = (given: Sentence): string => sentence(language, given);
    const word = (key: string): string => say({ key, values: {} });
    const kind = (name: SegmentKind): string => word(`kind.${name}`);
    const label = (name: string, of?: SegmentKind): string => labelText(language, name, of);
    return {
      say,
      word,
      kind,
      segment: (of, name) => nameOf(of, label(name, of), kind(of)),
      label,
      part: (part) => partText(language, part),
      join: (sentences) => joinSentences(language, sentences),
      between: (before, after) =>
        joinSentences(language, [before, after]).slice(before.length, -after.length || undefined),
    };
  }, [language]);
}
