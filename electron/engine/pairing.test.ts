import { expect, test } from 'vitest';
import { pairReplies, type PairingCall } from './pairing.ts';

type Event = readonly [kind: 'call' | 'reply', emitted: number | null, attempt: number, time?: number];

/** Pairs as `call's position → reply's position` in the given order of events. */
function pair(...events: Event[]): Record<number, number> {
  const at = (time: number): string => `2026-10-12T08:00:00.${String(time).padStart(3, '0')}Z`;
  const all = events.map(([kind, emitted, attempt, time], i) => ({
    kind,
    id: String(i),
    emitted,
    attempt,
    createdAt: at(time ?? i),
  }));
  const calls: PairingCall[] = all.filter((event) => event.kind === 'call');
  const pairs = pairReplies(
    calls,
    all.filter((event) => event.kind === 'reply'),
  );
  return Object.fromEntries([...pairs].map(([id, reply]) => [id, Number(reply.id)]));
}

test.each<[string, Event[], Record<number, number>]>([
  [
    'a call and its reply',
    [
      ['call', 1, 0],
      ['reply', 2, 0],
    ],
    { 0: 1 },
  ],
  [
    'two steps',
    [
      ['call', 1, 0],
      ['reply', 2, 0],
      ['call', 3, 0],
      ['reply', 4, 0],
    ],
    { 0: 1, 2: 3 },
  ],
  [
    'a retry',
    [
      ['call', 1, 0],
      ['reply', 2, 0],
      ['call', 3, 1],
      ['reply', 4, 1],
    ],
    { 0: 1, 2: 3 },
  ],
  [
    'a call that crashed leaves its place to the next',
    [
      ['call', 1, 0],
      ['call', 5, 0],
      ['reply', 6, 0],
    ],
    { 1: 2 },
  ],
  [
    'rows in another order than counted',
    [
      ['reply', 2, 0],
      ['call', 1, 0],
    ],
    { 1: 0 },
  ],
  ['a reply without a call', [['reply', 2, 0]], {}],
  [
    'a reply of another attempt',
    [
      ['call', 1, 0],
      ['reply', 2, 1],
    ],
    {},
  ],
  [
    'no counters: the write time decides, a call first',
    [
      ['reply', null, 0, 5],
      ['call', null, 0, 5],
    ],
    { 1: 0 },
  ],
])('%s', (_, events, expected) => {
  expect(pair(...events)).toEqual(expected);
});
