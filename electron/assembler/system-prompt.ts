/**
 * The system prompt has seven parts. Four of them end on a cache boundary, because what stands before it stays the
 * same for longer than what follows (seed 1, section 5; assembler page, 2.1):
 *
 *   preamble ▌ body ▌ world lore, stable and session segments ▌ lore before, events and staged activation, lore after ▌
 *   turn segments that asked to stand before the history
 */
import { CACHE_SENTINEL } from './data/escape.ts';
import { isBlank, joined, segmentedText, textOf, withTail } from './piece.ts';
import type { AssembledSegment, SegmentedText } from './types.ts';

/** Segments of each part, in order; the texts are joined by what the part says below. */
export type SystemParts = {
  readonly preamble: readonly AssembledSegment[];
  readonly body: readonly AssembledSegment[];
  readonly lasting: readonly AssembledSegment[];
  readonly loreBefore: readonly AssembledSegment[];
  readonly session: readonly AssembledSegment[];
  readonly loreAfter: readonly AssembledSegment[];
  readonly tail: readonly AssembledSegment[];
};

export const BLANK_LINE = '\n\n';

const PARTS = [
  { part: 'preamble', separator: BLANK_LINE, isBoundary: true },
  { part: 'body', separator: BLANK_LINE, isBoundary: true },
  { part: 'lasting', separator: BLANK_LINE, isBoundary: true },
  { part: 'loreBefore', separator: BLANK_LINE, isBoundary: false },
  { part: 'session', separator: '\n', isBoundary: false },
  { part: 'loreAfter', separator: BLANK_LINE, isBoundary: true },
  { part: 'tail', separator: BLANK_LINE, isBoundary: false },
] as const satisfies readonly { part: keyof SystemParts; separator: string; isBoundary: boolean }[];

/**
 * The system prompt with its segments. An empty part gives no text, no separator and no sentinel; a sentinel is glued
 * to the end of its part, the blank line between two parts follows it. At most four sentinels.
 */
export function serializeSystemPrompt(parts: SystemParts, injectCacheBreakpoints: boolean): SegmentedText {
  const filled = PARTS.flatMap(({ part, separator, isBoundary }) => {
    const segments = joined(parts[part], separator);
    if (isBlank(textOf(segments))) return [];
    return [isBoundary && injectCacheBreakpoints ? withTail(segments, CACHE_SENTINEL) : segments];
  });
  return segmentedText(
    filled.flatMap((segments, i) => (i === filled.length - 1 ? segments : withTail(segments, BLANK_LINE))),
  );
}

/** Preamble and its sentinel: what no hook can remove. Empty without a preamble. */
export const frameworkHead = (preamble: string, injectCacheBreakpoints: boolean): string =>
  isBlank(preamble) ? '' : preamble + (injectCacheBreakpoints ? CACHE_SENTINEL : '');

/** The pieces between the sentinels of a system prompt, right-trimmed, without empty ones. */
export const splitAtSentinels = (systemPrompt: string): readonly string[] =>
  systemPrompt
    .split(CACHE_SENTINEL)
    .map((text) => text.trimEnd())
    .filter((text) => text !== '');
