/**
 * A terminal is a grid of cells: a CJK character or an emoji takes two, a combining mark none. Columns only line up
 * when cells are counted, not characters.
 */
import { printable, type Paint } from './io.ts';

const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f], // Hangul Jamo, leading
  [0x2e80, 0x303e], // CJK radicals to CJK punctuation
  [0x3041, 0x33ff], // kana to CJK compatibility
  [0x3400, 0x4dbf],
  [0x4e00, 0xa4cf], // unified ideographs, Yi
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3], // Hangul syllables
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f], // vertical and small forms
  [0xff01, 0xff60], // full-width forms
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f], // pictographs
  [0x1f900, 0x1f9ff],
  [0x20000, 0x3fffd], // later ideographs
];

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const INVISIBLE = /^[\p{Mark}\p{Default_Ignorable_Code_Point}\p{Control}]+$/u;
const EMOJI = /^(?:\p{Emoji_Presentation}|\p{Emoji}\ufe0f)/u;

function cellsOf(grapheme: string): number {
  const code = grapheme.codePointAt(0) ?? 0;
  if (code >= 0x20 && code < 0x300 && grapheme.length === 1) return 1;
  if (INVISIBLE.test(grapheme)) return 0;
  if (EMOJI.test(grapheme)) return 2;
  return WIDE.some(([from, to]) => code >= from && code <= to) ? 2 : 1;
}

/** Cells of a terminal that the text takes. */
export function cells(text: string): number {
  let sum = 0;
  for (const { segment } of graphemes.segment(text)) sum += cellsOf(segment);
  return sum;
}

/** At most `width` cells, with an ellipsis where something was cut. A grapheme is never split. */
export function cut(text: string, width: number): string {
  // Only as much as can matter is looked at: a text may be of any length.
  const head = text.slice(0, width * 8 + 8);
  if (head.length === text.length && cells(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const { segment } of graphemes.segment(head)) {
    const size = cellsOf(segment);
    if (used + size > width - 1) break;
    kept += segment;
    used += size;
  }
  return `${kept}…`;
}

export type Column = {
  readonly head: string;
  /** Numbers stand right. */
  readonly align?: 'right';
  /** Cells; longer texts are cut. */
  readonly max?: number;
};

export type Table = { readonly head: string; readonly rows: readonly string[] };

const GAP = '  ';

/** Aligned lines, one per row. Cells are made printable here. */
export function layOut(columns: readonly Column[], rows: readonly (readonly string[])[], paint: Paint): Table {
  const texts = rows.map((row) =>
    columns.map(({ max }, index) => {
      const text = printable(row[index] ?? '');
      return max === undefined ? text : cut(text, max);
    }),
  );
  const widths = columns.map(({ head }, index) =>
    Math.max(cells(head), ...texts.map((row) => cells(row[index] ?? ''))),
  );
  const line = (row: readonly string[]): string =>
    columns
      .map(({ align }, index) => {
        const text = row[index] ?? '';
        const space = ' '.repeat((widths[index] ?? 0) - cells(text));
        return align === 'right' ? space + text : text + space;
      })
      .join(GAP)
      .trimEnd();
  return { head: paint('dim', line(columns.map(({ head }) => head))), rows: texts.map(line) };
}

export const lines = ({ head, rows }: Table): string => [head, ...rows].join('\n');

const THOUSANDS = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const TENTHS = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** What is not known is a dash, never a zero. */
export const UNKNOWN = '–';
export const number = (value: number | null): string => (value === null ? UNKNOWN : THOUSANDS.format(value));
export const seconds = (ms: number | null): string => (ms === null ? UNKNOWN : TENTHS.format(ms / 1000));
/** A share of 1 in per cent, without its sign. Less than all of it is never shown as 100. */
export const percent = (share: number): string => TENTHS.format(share < 1 ? Math.min(share * 100, 99.9) : share * 100);

/** Money, with at least two significant digits: `$1.12`, `$0.0123`, `$0.00034`. */
export function dollars(usd: number | null): string {
  if (usd === null) return UNKNOWN;
  const digits = usd === 0 || usd >= 0.1 ? 2 : usd >= 0.001 ? 4 : Math.min(6, 1 - Math.floor(Math.log10(usd)));
  if (usd > 0 && usd < 5e-7) return '<$0.000001';
  return `$${usd.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;
}
