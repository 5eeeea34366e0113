/** The ledger of the session that never was: a merge of two summaries, one vanished text without a row, two prunings. */
import type { LedgerMessage } from '../../shared/api.ts';
import type { Ledger, LedgerSummary } from '../../shared/model/index.ts';
import { estimated, turnIndex } from '../../shared/units.ts';
import type { FixtureSession } from './fixture-data.ts';

const idsOf = (from: number, to: number): readonly string[] =>
  Array.from({ length: (to - from + 1) * 2 }, (_, i) => `m${from * 2 + i}`);

function summary(key: string, from: number, to: number, rest: Partial<LedgerSummary> = {}): LedgerSummary {
  const messageIds = idsOf(from, to);
  return {
    key,
    id: key.split('@')[0] ?? key,
    turnRange: [`t${from}`, `t${to}`],
    turns: [turnIndex(from), turnIndex(to)],
    messageIds,
    messages: messageIds.length,
    tokens: estimated(940),
    budget: null,
    mergedFrom: 0,
    replaces: [],
    replacedBy: null,
    truncated: false,
    createdAt: '2026-10-12T08:53:59.240Z',
    live: true,
    madeIn: turnIndex(to + 1),
    saved: estimated(2960),
    focusSections: ['Key events'],
    content: `What happened in turns ${from} to ${to}.`,
    broke: [],
    ...rest,
  };
}

export function fixtureLedger({ row, turns, calls }: FixtureSession): Ledger {
  const callOf = (turn: number) => {
    const found = calls.find((call) => call.turnIndex === turn && call.runtimeId === 'narrator');
    return { callId: found?.id ?? '', runtimeId: 'narrator', turnIndex: turnIndex(turn) };
  };
  const isShort = turns.length < 4;
  return {
    sessionId: row.id,
    turns: turns.length,
    summaries: isShort
      ? []
      : [
          summary('a', 1, 2, {
            key: 'a@e3',
            mergedFrom: 2,
            replaces: ['a@e1', 'b@e2'],
            truncated: null,
            tokens: estimated(1240),
            broke: [callOf(4)],
          }),
          summary('c@e3', 3, 3, { truncated: null }),
          summary('a@e1', 1, 1, { live: false, replacedBy: 'a@e3', broke: [callOf(2)] }),
          summary('b@e2', 2, 2, { live: false, replacedBy: 'a@e3', content: null, tokens: null }),
          summary('text@c1@0', 1, 1, {
            id: null,
            live: false,
            turnRange: [null, null],
            turns: [null, null],
            messageIds: null,
            messages: null,
            mergedFrom: null,
            truncated: null,
            createdAt: null,
            madeIn: null,
            saved: null,
          }),
        ],
    pruned: isShort
      ? []
      : [
          { ...callOf(3), messages: 2, turnId: 't3', createdAt: '2026-10-12T09:01:52.656Z' },
          {
            callId: null,
            runtimeId: 'guide',
            messages: null,
            turnId: 't4',
            turnIndex: turnIndex(4),
            createdAt: '2026-10-12T09:11:52.656Z',
          },
        ],
    toolGroups: isShort
      ? []
      : [{ ...callOf(4), kind: 'omitted', tools: ['get-character'], before: estimated(410), after: estimated(38) }],
    decay: [],
  };
}

export const fixtureMessages = (ids: readonly string[]): readonly LedgerMessage[] =>
  ids.map((id, i) => ({
    id,
    turnIndex: turnIndex(Math.floor(Number(id.slice(1)) / 2)),
    role: i % 2 === 0 ? 'user' : 'assistant',
    sourceType: i % 2 === 0 ? 'player' : 'runtime',
    runtime: i % 2 === 0 ? null : 'narrator',
    picture: false,
    text: i % 2 === 0 ? `I walk on (${id}).` : `The fog closes behind you (${id}).`,
  }));
