/**
 * The trace has no call id: inside one turn and runtime, in the order in which the emitter counted, a reply
 * closes the last open call with the same attempt (storage page, section 3).
 */
export type PairingCall = {
  readonly id: string;
  readonly emitted: number | null;
  readonly createdAt: string;
  readonly attempt: number;
};
export type PairingReply = Omit<PairingCall, 'id'>;

/**
 * Pairs the calls and replies of one turn and runtime, given in write order. Where a counter is missing (old
 * rows) the write time decides, a call before a reply of the same instant. A call without a reply is left out.
 */
export function pairReplies<R extends PairingReply>(
  calls: readonly PairingCall[],
  replies: readonly R[],
): ReadonlyMap<string, R> {
  const counted = [...calls, ...replies].every((event) => event.emitted !== null);
  const events = [
    ...calls.map((call) => ({ call, reply: null, at: call })),
    ...replies.map((reply) => ({ call: null, reply, at: reply })),
  ];
  events.sort((a, b) =>
    counted
      ? (a.at.emitted ?? 0) - (b.at.emitted ?? 0)
      : a.at.createdAt < b.at.createdAt
        ? -1
        : +(a.at.createdAt > b.at.createdAt),
  );
  const open: PairingCall[] = [];
  const pairs = new Map<string, R>();
  for (const { call, reply } of events) {
    if (call) open.push(call);
    else if (reply) {
      const at = open.findLastIndex((candidate) => candidate.attempt === reply.attempt);
      const [closed] = at < 0 ? [] : open.splice(at, 1);
      if (closed) pairs.set(closed.id, reply);
    }
  }
  return pairs;
}
