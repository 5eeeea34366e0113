/** Sentences about the domain (causes, kinds, advice) stand in shared/language, since the command line says them too. */
import { useMemo } from 'react';
import { sentence } from '../../../shared/language/index.ts';
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
};

/** Domain sentences in the language on screen. */
export function useSentence(): Say {
  const language = useLanguage();
  return useMemo(() => {
    const say = (given: Sentence): string => sentence(language, given);
    const word = (key: string): string => say({ key, values: {} });
    const kind = (name: SegmentKind): string => word(`kind.${name}`);
    return { say, word, kind, segment: (name, label) => nameOf(name, label, kind(name)) };
  }, [language]);
}
