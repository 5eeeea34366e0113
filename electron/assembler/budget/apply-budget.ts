/**
 * A cut moves the start of the history, and everything behind it misses the cache. So a cut takes whole steps of 30 % of
 * the limit: it lands near 70 % and stays where it is until the history has grown by another step (seed 1, section 5).
 */
import type { Estimator, LlmMessage } from '../types.ts';
import { messageTokens } from './estimator.ts';
import type { BudgetOptions } from './options.ts';
import { callOwners } from './tool-groups.ts';

const ENVELOPE_START = '<compacted_history>\n';

/** Is this the envelope of a summary of earlier turns? */
export const isCompactedHistory = (message: LlmMessage): boolean =>
  message.role === 'user' &&
  typeof message.content === 'string' &&
  message.content.trimStart().startsWith(ENVELOPE_START);

export type ApplyBudgetInput = {
  /** Text outside the messages that counts against the limit. */
  readonly system: string;
  readonly messages: readonly LlmMessage[];
  readonly budget: BudgetOptions;
  readonly estimate: Estimator;
  /** Text id `history.pruned-marker`. */
  readonly marker: string;
};

export type BudgetedMessages = {
  readonly messages: readonly LlmMessage[];
  /** System text and messages, the marker among them. */
  readonly totalTokens: number;
  /** Messages that were dropped; a marker of an earlier cut is not counted. */
  readonly prunedMessageCount: number;
  /** The limit is still exceeded, although all that may go is gone. */
  readonly overBudget: boolean;
  /** Indices of the messages that stayed, in order. When some went, `messages` begins with the marker before them. */
  readonly kept: readonly number[];
};

/**
 * Index of the first protected message: the n-th user message from the end (summaries are no turns) and the system
 * messages directly before it, which is how the turn context survives. Fewer user messages: everything is protected.
 */
function protectedStart(messages: readonly LlmMessage[], turns: number): number {
  if (turns === 0) return messages.length;
  const users = messages.flatMap((message, i) => (message.role === 'user' && !isCompactedHistory(message) ? [i] : []));
  let start = users.at(-turns) ?? 0;
  if (users.length < turns) return 0;
  while (messages[start - 1]?.role === 'system') start--;
  return start;
}

/** Indices that may be dropped: before the protected part, no summary, and no call or result bound to one that stays. */
function droppable(messages: readonly LlmMessage[], owners: readonly number[], start: number): readonly boolean[] {
  const bound = new Set(owners.filter((_, i) => i >= start));
  return messages.map((message, i) => i < start && !bound.has(owners[i] ?? i) && !isCompactedHistory(message));
}

/**
 * Drops the oldest messages until the rest fits, and puts one system message with the marker before what stayed. Where
 * all that may go is not enough, it goes all the same, even if it was less than the marker costs. Applied twice it
 * changes nothing.
 */
export function applyBudget({ system, messages, budget, estimate, marker }: ApplyBudgetInput): BudgetedMessages {
  const { capTokens: cap, protectLastUserTurns } = budget;
  const costs = messages.map((message) => messageTokens(message, estimate));
  const total = costs.reduce((sum, cost) => sum + cost, estimate(system));
  const unchanged = (overBudget: boolean): BudgetedMessages => ({
    messages,
    totalTokens: total,
    prunedMessageCount: 0,
    overBudget,
    kept: messages.map((_, i) => i),
  });
  if (total <= cap) return unchanged(false);

  const notice: LlmMessage = { role: 'system', content: marker };
  const noticeCost = messageTokens(notice, estimate);
  const step = Math.max(1, Math.floor((cap * 3) / 10));
  const toRemove = Math.ceil((total + noticeCost - cap) / step) * step;

  const owners = callOwners(messages);
  const start = protectedStart(messages, protectLastUserTurns);
  const may = droppable(messages, owners, start);
  const gone = new Set<number>();
  let removed = 0;
  const drop = (i: number): void => {
    if (gone.has(i)) return;
    gone.add(i);
    removed += costs[i] ?? 0;
  };
  const members = Map.groupBy(
    messages.map((_, i) => i).filter((i) => may[i]),
    (i) => owners[i] ?? i,
  );
  let cut = 0;
  for (; cut < start && removed < toRemove; cut++) {
    if (may[cut]) for (const member of members.get(owners[cut] ?? cut) ?? []) drop(member);
  }
  if (gone.size > 0) for (; may[cut] && messages[cut]?.role === 'tool'; cut++) drop(cut);
  if (gone.size === 0) return unchanged(true);

  const kept = messages.map((_, i) => i).filter((i) => !gone.has(i));
  const earlierMarkers = [...gone].filter((i) => messages[i]?.role === 'system' && messages[i].content === marker);
  const totalTokens = total - removed + noticeCost;
  return {
    messages: [notice, ...messages.filter((_, i) => !gone.has(i))],
    totalTokens,
    prunedMessageCount: gone.size - earlierMarkers.length,
    overBudget: totalTokens > cap,
    kept,
  };
}
