/**
 * The framework's own sentences differ between versions of Covel. Where the request shows the sentence of its version,
 * that one is used, so that only what was assembled differently counts as a difference.
 */
import { fill } from '../../assembler/texts.ts';
import type { FrameworkTextId, FrameworkTexts, HistoryRecord } from '../../assembler/types.ts';
import { picturesOf } from '../../assembler/messages/picture-notes.ts';
import { insideOf, ofKind, plainText, unescapeXml, type Recorded } from './recorded.ts';

export type Sentences = Readonly<Partial<Record<FrameworkTextId, string>>>;

/** `base` with other sentences for some ids. */
export const withSentences = (base: FrameworkTexts, own: Sentences): FrameworkTexts => ({
  language: base.language,
  text: (id, values = {}) => {
    const sentence = own[id];
    return sentence === undefined ? base.text(id, values) : fill(sentence, values);
  },
});

const ENVELOPE_END = '</compacted_history>\n';

/** Braces of a recorded sentence are no placeholders: there is none of that name. */
function once<K extends FrameworkTextId>(id: K, sentence: string | null | undefined): Sentences {
  return sentence === null || sentence === undefined || sentence === '' ? {} : { [id]: sentence };
}

function loreHeading(recorded: Recorded): string | null {
  for (const segment of ofKind(recorded, 'lore', 'depth')) {
    const [line = ''] = plainText(segment).split('\n', 1);
    const { label } = segment.origin;
    const at = line.lastIndexOf(label);
    if (/^[[【]/.test(line) && at > 0) return `${line.slice(0, at)}{label}${line.slice(at + label.length)}`;
  }
  return null;
}

function pictureSentences(recorded: Recorded, history: readonly HistoryRecord[]): Sentences {
  const [segment] = ofKind(recorded, 'pictures');
  const [intro, first] = segment?.texts ?? [];
  if (!intro) return {};
  const caption = history
    .flatMap(picturesOf)
    .find((one) => one.caption !== '' && first?.text.includes(one.caption))?.caption;
  const line = first && caption ? first.text.replace(caption, '{caption}').replace('1', '{n}') : null;
  return { ...once('picture.intro', intro.text), ...once('picture.line-of', line) };
}

/** The catalogue and its instruction, the last paragraph of the block. */
export function catalogueOf(recorded: Recorded): { readonly text: string; readonly instruction: string } | null {
  const [segment] = ofKind(recorded, 'events');
  const inside = segment ? insideOf(plainText(segment), 'available-events')?.trim() : null;
  if (inside === null || inside === undefined) return null;
  const at = inside.lastIndexOf('\n\n');
  return at < 0 ? null : { text: unescapeXml(inside.slice(0, at)), instruction: inside.slice(at + 2) };
}

/** The sentences that the recorded request shows. `said`: the player had words in this turn. */
export function sentencesOf(recorded: Recorded, history: readonly HistoryRecord[], said: boolean): Sentences {
  const note = ofKind(recorded, 'summary')
    .map((segment) => plainText(segment).split(ENVELOPE_END)[1])
    .find((text) => text !== undefined);
  const cue = ofKind(recorded, 'story-cue')[0];
  const player = said ? undefined : ofKind(recorded, 'player')[0];
  return {
    ...once('note.summary', note),
    ...once('cue.story', cue && plainText(cue)),
    ...once('cue.turn', player && plainText(player)),
    ...once('cue.manual', player && plainText(player)),
    ...once('lore.heading', loreHeading(recorded)),
    ...once('events.instruction', catalogueOf(recorded)?.instruction),
    ...pictureSentences(recorded, history),
  };
}
