/** One line a case: events and rows of a few letters, and what the ledger says of them. */
import { describe, expect, test } from 'vitest';
import type { LedgerEvent, SummaryRow } from '../../sources/covel-db/types.ts';
import type { HistoryRow, Ledger, LedgerSummary, TurnRow } from '../../../shared/model/index.ts';
import { turnIndex } from '../../../shared/units.ts';
import { buildLedger, type Break, type CallPlace, type LedgerFacts, type Sighting } from './ledger.ts';

const at = (n: number): string => `2026-10-12T08:${String(n).padStart(2, '0')}:00.000Z`;

const turns = Array.from({ length: 12 }, (_, i) => ({
  turnId: `t${i + 1}`,
  index: turnIndex(i + 1),
  startedAt: at(i + 1),
})) as unknown as readonly TurnRow[];

const row = (id: string, from: number, to: number, content = `text of ${id}`): SummaryRow => ({
  id,
  turnRange: [`t${from}`, `t${to}`],
  content,
  focusSections: ['Events'],
  createdAt: at(to),
});

/** Saved in turn `n`, ending with turn `end`. */
const compacted = (n: number, end: number, payload: object): LedgerEvent => ({
  id: `e${n}`,
  type: 'context.compacted',
  turnId: `t${end}`,
  createdAt: at(n),
  payload,
});
const event = (n: number, end: number, ids: readonly string[], messages: number, merged = 0, rest: object = {}) =>
  compacted(n, end, {
    summaryId: ids.at(-1),
    summaryIds: ids,
    messagesCompacted: messages,
    tokenSavings: 100,
    focusSections: ['Events'],
    summariesMerged: merged,
    summaryTokens: 40,
    summaryTruncated: false,
    ...rest,
  });

/** Two messages a turn. */
const history = (by: Readonly<Record<number, string>>): readonly HistoryRow[] =>
  turns.flatMap(({ turnId, index }) =>
    ['player', 'runtime'].map((sourceType) => ({
      id: `${turnId}-${sourceType}`,
      turnId,
      turnIndex: index,
      sourceType,
      plugin: null,
      runtime: null,
      role: 'user',
      content: '',
      picture: false,
      compactedBy: by[index] ?? null,
    })),
  );

const sighting = (turn: number, ...envelopes: number[]): Sighting => ({
  callId: `c${turn}`,
  runtimeId: 'narrator',
  turnIndex: turnIndex(turn),
  startedAt: at(turn),
  envelopes,
});
const seen = (...texts: readonly string[]) => texts.map((content) => ({ content, sections: ['Events'] }));

const ledger = (facts: Partial<LedgerFacts>): Ledger =>
  buildLedger({
    sessionId: 's',
    turns,
    summaries: [],
    events: [],
    history: history({}),
    envelopes: [],
    sightings: [],
    breaks: [],
    calls: [],
    toolGroups: [],
    ...facts,
  });

const brief = ({ id, live, turns: [from, to], messages, mergedFrom, content }: LedgerSummary) =>
  `${id ?? '?'} ${live ? 'live' : 'gone'} ${from ?? '?'}-${to ?? '?'} ${messages ?? '?'} ${mergedFrom ?? '?'} ${content ?? '?'}`;
const briefs = (facts: Partial<LedgerFacts>): readonly string[] => ledger(facts).summaries.map(brief);

describe('summaries', () => {
  const by = { 1: 'a', 2: 'a', 3: 'a', 4: 'c' };
  test.each<readonly [string, Partial<LedgerFacts>, readonly string[]]>([
    ['nothing', {}, []],
    [
      'a row with its event',
      { summaries: [row('a', 1, 2)], events: [event(4, 2, ['a'], 4)], history: history({ 1: 'a', 2: 'a' }) },
      ['a live 1-2 4 0 text of a'],
    ],
    [
      'a row without event: what only an event tells is unknown',
      { summaries: [row('a', 1, 2)], history: history({ 1: 'a', 2: 'a' }) },
      ['a live 1-2 4 ? text of a'],
    ],
    ['a row that no message names covers none', { summaries: [row('a', 1, 2)] }, ['a live 1-2 0 ? text of a']],
    ['an event without row', { events: [event(4, 2, ['a'], 4)] }, ['a gone ?-2 4 0 ?']],
    [
      'an event without row, its text in a prompt',
      { events: [event(4, 2, ['a'], 4)], envelopes: seen('old'), sightings: [sighting(5, 0)] },
      ['a gone ?-2 4 0 old'],
    ],
    [
      'a merge keeps the id of the oldest; its parts vanish with their messages',
      {
        summaries: [row('a', 1, 3, 'all'), row('c', 4, 4)],
        events: [event(4, 2, ['a'], 4), event(6, 3, ['b'], 2), event(8, 4, ['a', 'c'], 2, 2)],
        history: history(by),
        envelopes: seen('first', 'second', 'all', 'text of c'),
        sightings: [sighting(5, 0), sighting(7, 0, 1), sighting(9, 2, 3)],
      },
      ['a live 1-3 6 2 all', 'c live 4-4 2 0 text of c', 'a gone 1-2 4 0 first', 'b gone 3-3 2 0 second'],
    ],
    [
      'a merge alone',
      {
        summaries: [row('a', 1, 3, 'all')],
        events: [event(4, 2, ['a'], 4), event(6, 3, ['b'], 2), event(8, 3, ['a'], 0, 2)],
        history: history({ 1: 'a', 2: 'a', 3: 'a' }),
      },
      ['a live 1-3 6 2 all', 'a gone 1-2 4 0 ?', 'b gone 3-3 2 0 ?'],
    ],
    [
      'counts that do not add up divide nothing',
      {
        summaries: [row('a', 1, 3, 'all')],
        events: [event(4, 2, ['a'], 5), event(6, 3, ['b'], 2), event(8, 3, ['a'], 0, 2)],
        history: history({ 1: 'a', 2: 'a', 3: 'a' }),
      },
      ['a live 1-3 6 2 all', 'a gone ?-2 5 0 ?', 'b gone ?-3 2 0 ?'],
    ],
    [
      'a merge of summaries whose events were swept',
      { summaries: [row('a', 1, 3, 'all'), row('c', 4, 4)], events: [event(8, 4, ['a', 'c'], 2, 2)] },
      ['a live 1-3 0 2 all', 'c live 4-4 0 0 text of c'],
    ],
    [
      'a text that nothing accounts for',
      {
        summaries: [row('a', 1, 2)],
        envelopes: seen('text of a', 'lost'),
        sightings: [sighting(5, 0), sighting(6, 1)],
      },
      ['a live 1-2 0 ? text of a', '? gone ?-? ? ? lost'],
    ],
    [
      'a text with its middle cut out is no other text',
      {
        summaries: [row('a', 1, 2, 'x'.repeat(50) + 'y'.repeat(400) + 'z'.repeat(50))],
        envelopes: seen('x'.repeat(50) + '[cut]' + 'z'.repeat(50)),
        sightings: [sighting(5, 0)],
      },
      [`a live 1-2 0 ? ${'x'.repeat(50)}${'y'.repeat(400)}${'z'.repeat(50)}`],
    ],
    ['an event that cannot be read', { events: [{ ...event(4, 2, ['a'], 4), payload: null }] }, []],
    ['an event without counts', { events: [compacted(4, 2, { summaryId: 'a' })] }, ['a gone ?-2 ? 0 ?']],
    [
      'two texts without place, told apart by the size that the event gives',
      {
        events: [event(4, 2, ['a'], 4, 0, { summaryTokens: 2 }), event(6, 3, ['b'], 2, 0, { summaryTokens: 3 })],
        envelopes: seen('twelve chars'),
        sightings: [sighting(7, 0)],
      },
      ['a gone ?-2 4 0 ?', 'b gone ?-3 2 0 twelve chars'],
    ],
    [
      'two that the size does not tell apart: the text stands for itself',
      {
        events: [event(4, 2, ['a'], 4, 0, { summaryTokens: 3 }), event(6, 3, ['b'], 2, 0, { summaryTokens: 3 })],
        envelopes: seen('twelve chars'),
        sightings: [sighting(7, 0)],
      },
      ['a gone ?-2 4 0 ?', 'b gone ?-3 2 0 ?', '? gone ?-? ? ? twelve chars'],
    ],
    [
      'a row of an old file, whose messages are not marked',
      {
        summaries: [row('a', 1, 2)],
        history: history({}).map(({ compactedBy: _compactedBy, ...rest }) => rest),
      },
      ['a live 1-2 ? ? text of a'],
    ],
  ])('%s', (_, facts, expected) => expect(briefs(facts)).toEqual(expected));

  const truncated = (ids: readonly string[], merged: number, summaryTruncated: unknown) =>
    ledger({ events: [event(4, 2, ids, 4, merged, { summaryTruncated })] }).summaries.map((one) => one.truncated);
  test.each([
    ['not cut', ['a'], 0, false, [false]],
    ['cut', ['a'], 0, true, [true]],
    ['one of two, nobody says which', ['a', 'c'], 1, true, [null, null]],
    ['none of two', ['a', 'c'], 1, false, [false, false]],
    ['not said', ['a'], 0, undefined, [null]],
  ] as const)('%s', (_, ids, merged, flag, expected) => expect(truncated(ids, merged, flag)).toEqual(expected));

  test('keys tell versions of one id apart, and say what replaced what', () => {
    const { summaries } = ledger({
      summaries: [row('a', 1, 3, 'all')],
      events: [event(4, 2, ['a'], 4), event(6, 3, ['b'], 2), event(8, 3, ['a'], 0, 2)],
    });
    expect(summaries.map(({ key, replaces, replacedBy }) => [key, replaces, replacedBy])).toEqual([
      ['a@e8', ['a@e4', 'b@e6'], null],
      ['a@e4', [], 'a@e8'],
      ['b@e6', [], 'a@e8'],
    ]);
  });

  test('a merge under an id that no event knows replaced others than those that events know', () => {
    const { summaries } = ledger({
      summaries: [row('a', 1, 2, 'all'), row('c', 3, 3), row('d', 4, 4)],
      events: [event(6, 3, ['c'], 2), event(8, 4, ['a', 'd'], 2, 2)],
    });
    expect(summaries.map(({ id, mergedFrom, replaces, replacedBy }) => [id, mergedFrom, replaces, replacedBy])).toEqual(
      [
        ['a', 2, [], null],
        ['c', 0, [], null],
        ['d', 0, [], null],
      ],
    );
  });

  test('size of the text where there is one, else Covel’s estimate; the budget is never guessed', () => {
    const { summaries } = ledger({
      summaries: [row('a', 1, 2, 'twelve chars')],
      events: [event(4, 2, ['a'], 4), event(6, 3, ['b'], 2)],
    });
    expect(summaries.map(({ tokens, budget, madeIn, saved }) => [tokens, budget, madeIn, saved?.value])).toEqual([
      [{ value: 3, tier: 'estimated' }, null, 4, 100],
      [{ value: 40, tier: 'estimated' }, null, 6, 100],
    ]);
  });
});

describe('calls that broke', () => {
  const call = (turn: number, runtimeId = 'narrator'): Break['call'] => ({
    callId: `${runtimeId}${turn}`,
    runtimeId,
    turnIndex: turnIndex(turn),
  });
  test('the first of each runtime', () => {
    const { summaries } = ledger({
      summaries: [row('a', 1, 2), row('b', 3, 4)],
      envelopes: seen('text of a', 'text of b'),
      sightings: [sighting(5, 0), sighting(7, 0, 1)],
      breaks: [
        { call: call(5), envelopes: [0] },
        { call: call(6, 'guide'), envelopes: [0] },
        { call: call(7), envelopes: [0, 1] },
      ],
    });
    expect(summaries.map(({ broke }) => broke.map(({ callId }) => callId))).toEqual([
      ['narrator5', 'guide6'],
      ['narrator7'],
    ]);
  });
});

describe('prunings', () => {
  const cut = (payload: unknown): LedgerEvent => ({
    id: 'p',
    type: 'context.pruned',
    turnId: 't5',
    createdAt: at(5),
    payload,
  });
  const place = (callId: string, emitted: number | null, startedAt: string | null = null): CallPlace => ({
    callId,
    turnId: 't5',
    runtimeId: 'narrator',
    startedAt,
    emitted,
  });
  const payload = { runtimeId: 'narrator', prunedMessageCount: 3, seq: 4 };
  const found = (event: LedgerEvent, ...calls: CallPlace[]) =>
    ledger({ events: [event], calls }).pruned.map(({ callId, messages }) => [callId, messages]);

  test.each<readonly [string, unknown, readonly CallPlace[], readonly unknown[]]>([
    ['the call that follows', payload, [place('c1', 2), place('c2', 5), place('c3', 9)], ['c2', 3]],
    ['no call follows', payload, [place('c1', 2)], [null, 3]],
    ['no call at all', payload, [], [null, 3]],
    ['another runtime', payload, [{ ...place('g', 5), runtimeId: 'guide' }], [null, 3]],
    ['another turn', payload, [{ ...place('c9', 5), turnId: 't6' }], [null, 3]],
    [
      'by time where nothing is counted',
      { ...payload, seq: undefined },
      [place('c1', 2, at(4)), place('c2', 5, at(5))],
      ['c2', 3],
    ],
    ['a call without time', { ...payload, seq: undefined }, [place('c1', 2)], [null, 3]],
    ['unreadable', null, [place('c1', 5)], [null, null]],
  ])('%s', (_, given, calls, expected) => expect(found(cut(given), ...calls)).toEqual([expected]));
});
