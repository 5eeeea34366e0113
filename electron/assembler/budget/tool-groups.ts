/**
 * A provider refuses a tool result without its call and a call without its results, so both stay or go together. A group
 * is an assistant message with calls, followed at once by one result for each call, in the order of the calls.
 */
import type { LlmMessage } from '../types.ts';

/** One call and what it gave: all that a group is known by. */
export type GroupCall = {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  readonly result: LlmMessage['content'];
};

/** A complete group. `start` is the index of the message with the calls, `end` the index after the last result. */
export type ToolGroup = {
  readonly start: number;
  readonly end: number;
  readonly calls: readonly GroupCall[];
};

/** The same text for the same calls with the same results, wherever they stand. */
export const groupKey = (calls: readonly GroupCall[]): string =>
  JSON.stringify(calls.map((call) => [call.id, call.name, call.arguments, call.result]));

function groupAt(messages: readonly LlmMessage[], start: number): ToolGroup | null {
  const head = messages[start];
  const asked = head?.role === 'assistant' ? (head.toolCalls ?? []) : [];
  if (asked.length === 0 || new Set(asked.map((call) => call.id)).size < asked.length) return null;
  const end = start + 1 + asked.length;
  const calls: GroupCall[] = [];
  for (const [n, { id, name, arguments: text }] of asked.entries()) {
    const answer = messages[start + 1 + n];
    if (answer?.role !== 'tool' || answer.toolCallId !== id) return null;
    calls.push({ id, name, arguments: text, result: answer.content });
  }
  return messages[end]?.role === 'tool' ? null : { start, end, calls };
}

/** All complete groups, oldest first. Calls with missing, surplus or disordered results form none. */
export function toolGroups(messages: readonly LlmMessage[]): readonly ToolGroup[] {
  return messages.map((_, start) => groupAt(messages, start)).filter((group) => group !== null);
}

/**
 * For every message the index of the message it must stay or go with: a tool result that of the newest call before it
 * with its id, everything else its own. Complete or not, what belongs together has the same index.
 */
export function callOwners(messages: readonly LlmMessage[]): readonly number[] {
  const asked = new Map<string, number>();
  return messages.map((message, index) => {
    for (const call of message.toolCalls ?? []) asked.set(call.id, index);
    if (message.role !== 'tool' || message.toolCallId === undefined) return index;
    return asked.get(message.toolCallId) ?? index;
  });
}
