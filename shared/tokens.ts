/**
 * Covel estimates tokens from characters: about one token for a CJK character, about four other
 * UTF-16 units to a token (seed 1, section 5). Two roundings exist and both are kept, because both are
 * compared with Covel's own figures: the assembler's estimator rounds up and counts full-width forms as
 * CJK; the prefix measurement rounds to the nearest and does not.
 */
import { chars, tokens, type Chars, type Tokens } from './units.ts';

/** Is this UTF-16 unit CJK for the prefix measurement? */
export const isHan = (u: number): boolean =>
  (u >= 0x2e80 && u <= 0x9fff) || (u >= 0xac00 && u <= 0xd7af) || (u >= 0xf900 && u <= 0xfaff);
const isFullWidth = (u: number): boolean => u >= 0xff00 && u <= 0xffef;

/** Size of a text: all its UTF-16 units, and how many of them are CJK for the prefix measurement. */
export type TextSize = { readonly chars: Chars; readonly cjk: Chars };

export const NO_TEXT: TextSize = { chars: chars(0), cjk: chars(0) };

export const addSizes = (a: TextSize, b: TextSize): TextSize => ({
  chars: chars(a.chars + b.chars),
  cjk: chars(a.cjk + b.cjk),
});

export function sizeOf(text: string): TextSize {
  let cjk = 0;
  for (let i = 0; i < text.length; i++) if (isHan(text.charCodeAt(i))) cjk++;
  return { chars: chars(text.length), cjk: chars(cjk) };
}

/** Estimate of the prefix measurement: CJK units + the rest / 4, rounded to the nearest (seed 1, section 5). */
export function prefixTokens(size: TextSize): Tokens {
  return tokens(Math.round(size.cjk + (size.chars - size.cjk) / 4));
}

/** Estimate of the assembler: CJK and full-width units + ceil(the rest / 4). An empty text is 0. */
export function estimateTokens(text: string): Tokens {
  let wide = 0;
  for (let i = 0; i < text.length; i++) {
    const u = text.charCodeAt(i);
    if (isHan(u) || isFullWidth(u)) wide++;
  }
  return tokens(wide + Math.ceil((text.length - wide) / 4));
}
