/**
 * `system` is one string, or blocks that end where the assembler set a cache boundary. What follows the last boundary
 * changes from turn to turn and never carries a mark (assembler page, section 9.1.1). A developer message is treated as a
 * system message everywhere: the API knows one kind of instruction, and the leading ones belong here.
 */
import { textOf } from '../build/content.ts';
import { SENTINEL, withoutSentinels } from '../build/sentinels.ts';
import { isEmpty, join, plain, split, trimEnd, type Traced } from '../build/traced.ts';
import type { BuildMessage } from '../build/types.ts';
import type { TextBlock } from './blocks.ts';
import { MARK, marksOf } from './boundaries.ts';

export type SystemField = Traced | readonly TextBlock[];

const BLANK_LINE = '\n\n';
const isBlank = (text: Traced): boolean => plain(text).trim() === '';

/**
 * The system field; null when there is nothing to say. `isExplicit`: cache boundaries are used. `instruction`: what is
 * said about the form of the reply; it joins the open end, or is one more block without a mark.
 */
export function systemField(
  leading: readonly BuildMessage[],
  isExplicit: boolean,
  instruction: Traced | null,
): SystemField | null {
  const texts = leading.map((message) => textOf(message.content)).filter((text) => !isEmpty(text));
  const whole = join(texts, BLANK_LINE);
  const cut = isExplicit ? split(whole, SENTINEL) : [];
  const added = instruction === null ? [] : [instruction];
  if (cut.length < 2) {
    const text = withoutSentinels(whole);
    const said = join([...(isBlank(text) ? [] : [text]), ...added], BLANK_LINE);
    return isEmpty(said) ? null : said;
  }
  const closed = cut.slice(0, -1).map(trimEnd);
  const open = cut.slice(-1).map(trimEnd);
  const isThere = (text: Traced): boolean => !isEmpty(text);
  const cacheable = closed.filter(isThere);
  const tail = join([...open.filter(isThere), ...added], BLANK_LINE);
  const marks = marksOf(cacheable.length);
  const blocks = [
    ...cacheable.map((text, i): TextBlock => ({
      type: 'text',
      text,
      ...(marks.has(i) ? { cache_control: MARK } : {}),
    })),
    ...(isEmpty(tail) ? [] : [{ type: 'text', text: tail } as const]),
  ];
  return blocks.length === 0 ? null : blocks;
}
