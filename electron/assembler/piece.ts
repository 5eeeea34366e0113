/**
 * Segments come first, strings after: a text is the texts of its segments joined. White space between two segments
 * belongs to the one before it, so that the segments cover the text exactly once.
 */
import type { Role, SegmentKind, Volatility } from '../../shared/model/index.ts';
import { stripSentinels } from './data/escape.ts';
import type { AssembledSegment, LlmMessage, SegmentedMessage, SegmentedText } from './types.ts';

/** How long a segment of a kind keeps its text, where the kind alone tells it. */
const VOLATILITY: Readonly<Partial<Record<SegmentKind, Volatility>>> = {
  'framework-preamble': 'stable',
  'runtime-body': 'stable',
  events: 'stable',
  activation: 'stable',
  'world-lore': 'session',
  lore: 'session',
  summary: 'session',
  'turn-context': 'turn',
  pictures: 'turn',
};

export type PieceOptions = Partial<Omit<AssembledSegment, 'kind' | 'role' | 'label' | 'text'>>;

/** A segment of outside text: sentinels in it are removed here, in the one place that every text passes. */
export const piece = (
  kind: SegmentKind,
  role: Role,
  label: string,
  text: string,
  options: PieceOptions = {},
): AssembledSegment => ({
  kind,
  role,
  plugin: null,
  runtime: null,
  label,
  turnId: null,
  volatility: VOLATILITY[kind] ?? null,
  position: null,
  ...options,
  text: stripSentinels(text),
});

export const isBlank = (text: string): boolean => text.trim() === '';

/** The segments with `separator` behind each but the last. Blank segments are left out with their separator. */
export function joined(segments: readonly AssembledSegment[], separator: string): readonly AssembledSegment[] {
  const filled = segments.filter((segment) => !isBlank(segment.text));
  return filled.map((segment, i) => (i === filled.length - 1 ? segment : behind(segment, separator)));
}

const behind = (segment: AssembledSegment, tail: string): AssembledSegment => ({
  ...segment,
  text: segment.text + tail,
});

/** The same segments with `tail` behind the last. */
export const withTail = (segments: readonly AssembledSegment[], tail: string): readonly AssembledSegment[] =>
  tail === '' ? segments : segments.map((segment, i) => (i === segments.length - 1 ? behind(segment, tail) : segment));

export const textOf = (segments: readonly AssembledSegment[]): string =>
  segments.map((segment) => segment.text).join('');

export const segmentedText = (segments: readonly AssembledSegment[]): SegmentedText => ({
  text: textOf(segments),
  segments,
});

/** A message whose content is the text of its segments. */
export const messageOf = (
  segments: readonly [AssembledSegment, ...(readonly AssembledSegment[])],
  name?: string,
): SegmentedMessage => ({
  message: {
    role: segments[0].role,
    content: textOf(segments),
    ...(name === undefined ? {} : { name }),
  },
  segments,
});

/** All text of a message in order: its string, or its text parts. */
export const messageText = ({ content }: LlmMessage): string =>
  typeof content === 'string' ? content : content.map((part) => (part.type === 'text' ? part.text : '')).join('');
