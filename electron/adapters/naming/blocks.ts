/**
 * A data block opens with `<name>` at the start of a line and ends with the next `</name>`: what lies between is
 * escaped data, so it cannot close its own block (seed 1, section 4). The blank line between two blocks is written with
 * the second of them: it comes and goes with that one, so it belongs to it.
 */

/** A run of a text: one tag block with the white space before it, or what stands between blocks (`tag` null). */
export type Block = { readonly tag: string | null; readonly start: number; readonly end: number };

/** A lore entry: a bracketed heading on a line of its own, the white space before it, and what follows up to the next. */
export type Headed = { readonly label: string | null; readonly start: number; readonly end: number };

const OPEN = /^<([A-Za-z][\w-]*)>/gm;
const HEADING = /^(?:\[([^\]\n]{1,160})\]|【([^】\n]{1,160})】)[ \t]*$/gm;
/** Heading of a world rule in the languages that the assembler writes. */
const WORLD_RULE =
  /^(?:world[ -]?(?:rule|info|lore)s?|lore|世界规则|世界规律|世界书|世界设定|世界信息)(?:\s*[:：·—-]\s*|$)/i;

/** Where the white space before `end` begins, not before `from`. */
export function beforeSpace(text: string, from: number, end: number): number {
  let at = end;
  while (at > from && /\s/.test(text[at - 1] as string)) at--;
  return at;
}

/**
 * Splits a text into its blocks, in order; together they are the whole text. White space alone is never a block: it
 * belongs to the block behind it, at the end of the text to the last one.
 */
export function splitBlocks(text: string): readonly Block[] {
  const blocks: Block[] = [];
  const unclosed = new Set<string>();
  let done = 0;
  const between = (open: number): void => {
    const end = beforeSpace(text, done, open);
    if (end > done) blocks.push({ tag: null, start: done, end });
    done = end;
  };
  OPEN.lastIndex = 0;
  for (let open = OPEN.exec(text); open !== null; open = OPEN.exec(text)) {
    const tag = open[1] as string;
    const close = unclosed.has(tag) ? -1 : text.indexOf(`</${tag}>`, OPEN.lastIndex);
    if (close < 0) {
      unclosed.add(tag);
      continue;
    }
    between(open.index);
    const end = close + tag.length + 3;
    blocks.push({ tag, start: done, end });
    done = end;
    OPEN.lastIndex = end;
  }
  between(text.length);
  const last = blocks.pop() ?? { tag: null, start: 0 };
  return text === '' ? [] : [...blocks, { ...last, end: text.length }];
}

/**
 * Splits a text at its bracketed headings. `any`: every bracketed line is a heading (world info and nothing else
 * stands here); `rules`: only one that names itself a world rule.
 */
export function splitHeadings(text: string, headings: 'any' | 'rules'): readonly Headed[] {
  const found: Headed[] = [];
  let done = 0;
  let label: string | null = null;
  const close = (end: number): void => {
    if (end > done) found.push({ label, start: done, end });
    done = end;
  };
  for (const match of text.matchAll(HEADING)) {
    const inner = (match[1] ?? match[2] ?? '').trim();
    const rule = WORLD_RULE.exec(inner);
    if (headings === 'rules' && rule === null) continue;
    close(beforeSpace(text, done, match.index));
    label = inner.slice(rule?.[0].length ?? 0) || inner;
  }
  close(text.length);
  return found;
}

/** Where each summary of a text begins, with the white space before it; the first begins with the text. Empty when the text is no summary. */
export function summaryStarts(text: string, open: string): readonly number[] {
  if (!text.trimStart().startsWith(open)) return [];
  const starts = [0];
  const first = text.indexOf(open);
  for (let at = text.indexOf(`\n${open}`, first + open.length - 1); at >= 0; at = text.indexOf(`\n${open}`, at + 1)) {
    starts.push(beforeSpace(text, starts.at(-1) ?? 0, at));
  }
  return starts;
}
