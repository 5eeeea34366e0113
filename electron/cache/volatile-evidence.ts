/** A value that is new with every request is no cause of its own: it explains the change of the text it stands in. */
import { say } from '../../shared/language/types.ts';
import type { CauseKind, Sentence } from '../../shared/model/index.ts';
import type { Facts } from './facts.ts';
import { quote } from './say.ts';
import { volatileAt } from './volatile.ts';

/** Causes that say that one text changed where it stands. */
const TEXT_CHANGED: readonly CauseKind[] = [
  'tools-modified',
  'system-text',
  'template-variable',
  'lore-activation',
  'extension-segment',
  'turn-in-pre-history',
  'message-edited',
  'unknown',
];

/** At most one sentence: the value at which the requests part, where it is one that changes by itself. */
export function volatileSentences(kind: CauseKind, { parting }: Facts): readonly Sentence[] {
  if (!TEXT_CHANGED.includes(kind) || !parting?.partA || !parting.partB) return [];
  const found = volatileAt(parting.partA.text, parting.partB.text, parting.offset);
  return found ? [say(`evidence.volatile-${found.kind}`, { before: quote(found.was), after: quote(found.now) })] : [];
}
