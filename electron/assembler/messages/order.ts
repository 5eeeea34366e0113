/**
 * The messages stand in one fixed order, which keeps everything before the turn context the same from turn to turn
 * (seed 1, section 2; assembler page, 2.3).
 */
import { joined, messageOf, withTail } from '../piece.ts';
import { BLANK_LINE } from '../system-prompt.ts';
import type { AssembledSegment, SegmentedMessage } from '../types.ts';
import { insertAtDepth, type DepthInsertion } from './depth.ts';

export type MessageParts = {
  readonly beforeHistory: readonly SegmentedMessage[];
  readonly history: readonly SegmentedMessage[];
  readonly player: SegmentedMessage;
  /** Story of this run and its cue. */
  readonly story: readonly SegmentedMessage[];
  /** In declaration order: lore by depth and order first, then extension segments. */
  readonly depth: readonly DepthInsertion<SegmentedMessage>[];
  readonly turnContext: SegmentedMessage | null;
  readonly pictures: SegmentedMessage | null;
  readonly afterHistory: readonly SegmentedMessage[];
};

export type OrderedMessages = {
  readonly messages: readonly SegmentedMessage[];
  /** User messages of the current turn: the player's, the pictures, and every one behind the player's. */
  readonly currentTurnUserMessages: number;
};

/** Data blocks joined by single line breaks, a blank line, turn segments joined by blank lines; null for neither. */
export function turnContextMessage(
  blocks: readonly AssembledSegment[],
  turnSegments: readonly AssembledSegment[],
): SegmentedMessage | null {
  const data = joined(blocks, '\n');
  const extensions = joined(turnSegments, BLANK_LINE);
  const [first, ...rest] = [...(extensions.length > 0 ? withTail(data, BLANK_LINE) : data), ...extensions];
  return first ? messageOf([first, ...rest]) : null;
}

export function orderMessages(parts: MessageParts): OrderedMessages {
  const { player, turnContext, pictures, afterHistory } = parts;
  const base = insertAtDepth([...parts.beforeHistory, ...parts.history, player, ...parts.story], parts.depth);
  const at = base.indexOf(player);
  const behind = [...base.slice(at + 1), ...afterHistory];
  return {
    messages: [
      ...base.slice(0, at),
      ...(turnContext ? [turnContext] : []),
      ...(pictures ? [pictures] : []),
      player,
      ...behind,
    ],
    currentTurnUserMessages: 1 + (pictures ? 1 : 0) + behind.filter(({ message }) => message.role === 'user').length,
  };
}
