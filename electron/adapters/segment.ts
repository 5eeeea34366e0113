/**
 * A segment owns ranges of texts, never a copy of the request. Its own text and its size are read from those ranges.
 * What only parts it from its neighbours (blank lines, cache sentinels, the wrapper of a late system message) is covered
 * by it, but is no text of its own.
 */
import { estimateTokens } from '../../shared/tokens.ts';
import { chars, estimated } from '../../shared/units.ts';
import type { Json, Segment, SegmentRow, Text, TurnBlock } from '../../shared/model/index.ts';
import { SENTINEL } from './kernel/parse.ts';
import { WRAPPER_CLOSE, WRAPPER_OPEN } from './parts.ts';

/** Joined as they stand; texts of different places in the body are put on lines of their own. */
function joined(texts: readonly Text[]): string {
  const pieces: string[] = [];
  let before: Text | undefined;
  for (const text of texts) {
    if (before !== undefined && (before.path !== text.path || before.end !== text.start)) pieces.push('\n');
    pieces.push(text.text);
    before = text;
  }
  return pieces.join('');
}

/** JSON text; null where the value is nested too deeply for the JSON writer. */
function writeJson(value: Json, indent: number): string | null {
  try {
    return JSON.stringify(value, null, indent);
  } catch {
    return null;
  }
}

/** The text of a segment for reading: a tool is its indented JSON, all else its texts without the blank lines before. */
export function segmentText(segment: Segment): string {
  const json = segment.definition === undefined ? null : writeJson(segment.definition, 2);
  if (json !== null) return json;
  const text = joined(segment.texts);
  return standsBehind(segment) ? text.trimStart() : text;
}

/** Whether another segment stands before it in the same string. */
const standsBehind = ({ texts }: Segment): boolean => (texts[0]?.start ?? 0) > 0;

/**
 * The text of a segment for comparing it with that of another request. System texts are joined into strings, so their
 * edges depend on what stands beside them; a message of the conversation is itself to the last blank.
 */
export function comparedText(segment: Segment): string {
  const text = segmentText(segment);
  const isJoined = segment.role === 'system' || segment.kind === 'summary';
  if (!isJoined || segment.definition !== undefined) return text;
  const head = !standsBehind(segment) && text.startsWith(WRAPPER_OPEN) ? WRAPPER_OPEN.length : 0;
  const tail = text.endsWith(WRAPPER_CLOSE) ? WRAPPER_CLOSE.length : 0;
  return text
    .slice(head, text.length - tail)
    .replaceAll(SENTINEL, '')
    .trim();
}

/** What the estimate of a segment is made from: compact JSON of a tool, the text of all else. */
function sizedText(segment: Segment): string {
  const json = segment.definition === undefined ? null : writeJson(segment.definition, 0);
  return json ?? joined(segment.texts);
}

/** A segment as it is listed. `chars`: sum of its spans in UTF-16 units. Tokens: Covel's estimate. */
export function segmentRow(segment: Segment): SegmentRow {
  const { id, kind, role, origin, volatility, proof, texts } = segment;
  return {
    id,
    kind,
    role,
    origin,
    volatility,
    proof,
    chars: chars(texts.reduce((sum, text) => sum + text.end - text.start, 0)),
    tokens: estimated(estimateTokens(sizedText(segment))),
    spans: texts.map(({ path, start, end }) => ({ path, start, end })),
  };
}

/** The blocks of the turn context in order; whether one changed is for the caller to find out. */
export function turnBlocks(segments: readonly Segment[]): readonly TurnBlock[] {
  return segments
    .filter((segment) => segment.kind === 'turn-context')
    .map((segment) => {
      const row = segmentRow(segment);
      return {
        segment: segment.id,
        tag: segment.proof === 'tag' ? segment.origin.label : null,
        chars: row.chars,
        tokens: row.tokens,
        changedSincePreviousTurn: null,
      };
    });
}
