import { describe, expect, test } from 'vitest';
import { en } from '../../assembler/testing/texts.ts';
import { historyMessages } from '../../assembler/messages/history.ts';
import { messageText } from '../../assembler/piece.ts';
import type { MessageRow, SummaryRow } from '../../sources/covel-db/types.ts';
import { pastOf, projectionOf } from './past.ts';
import type { Entry } from './recorded.ts';

const time = (n: number): string => `2026-10-12T08:${String(n).padStart(2, '0')}:00.000Z`;
const row = (n: number, turn: number, who: 'player' | 'runtime', rest: Partial<MessageRow> = {}): MessageRow => ({
  id: `m${n}`,
  turnId: `t${turn}`,
  sourceType: who,
  plugin: who === 'runtime' ? 'narrator' : null,
  runtime: who === 'runtime' ? 'narrator' : null,
  role: who === 'runtime' ? 'assistant' : 'user',
  name: null,
  content: `${who} ${turn}`,
  ui: null,
  stage: null,
  createdAt: time(n),
  compactedBy: null,
  ...rest,
});
const rows = [1, 2, 3, 4].flatMap((turn) => [row(turn * 2, turn, 'player'), row(turn * 2 + 1, turn, 'runtime')]);
const summary = (id: string, at: number): SummaryRow => ({
  id,
  turnRange: ['t1', 't1'],
  content: `Before ${id}.`,
  focusSections: [],
  createdAt: time(at),
});
const tagged = rows.map((one) => (one.turnId === 't1' ? { ...one, compactedBy: 's1' } : one));
const texts = ({ rows: all }: ReturnType<typeof pastOf>): readonly string[] => all.map(({ content }) => content);

describe('the conversation when the call began', () => {
  test('rows of the turn itself and later rows are not there yet', () => {
    expect(texts(pastOf(rows, [], { turnId: 't3', start: time(7) }))).toEqual([
      'player 1',
      'runtime 1',
      'player 2',
      'runtime 2',
    ]);
  });
  test('a summary that was made later stands for nothing yet', () => {
    const before = pastOf(tagged, [summary('s1', 8)], { turnId: 't3', start: time(7) });
    expect(before.summaries).toEqual([]);
    expect(before.rows.every(({ compactedAtTurnId }) => compactedAtTurnId === undefined)).toBe(true);
  });
  test('one that was there does', () => {
    const after = pastOf(tagged, [summary('s1', 5)], { turnId: 't3', start: time(7) });
    expect(after.summaries.map(({ id }) => id)).toEqual(['s1']);
    expect(after.rows.filter(({ compactedAtTurnId }) => compactedAtTurnId === 's1')).toHaveLength(2);
  });
});

describe('the window, told by the recording', () => {
  const past = pastOf(tagged, [summary('s1', 5)], { turnId: 't5', start: time(30) });
  const sent = (from: number, withSummary: boolean): readonly Entry[] =>
    historyMessages(past.rows.slice(from), withSummary ? past.summaries : [], en).map(({ message }) => ({
      role: message.role,
      text: messageText(message),
      images: 0,
    }));
  test.each([
    ['everything', 0, true, null, 1],
    ['two turns', 4, false, 2, 0],
    ['one turn with summaries', 6, true, 1, 1],
    ['nothing', 8, false, 0, 0],
  ] as const)('%s', (_, from, withSummary, maxTurns, summaries) => {
    const found = projectionOf(past, sent(from, withSummary), 'guide', en);
    expect([found.maxTurns, found.summaries.length]).toEqual([maxTurns, summaries]);
    expect(historyMessages(found.history, found.summaries, en).map(({ message }) => messageText(message))).toEqual(
      sent(from, withSummary).map(({ text }) => text),
    );
  });
  test('a history that no window gives is the whole one', () => {
    const odd = [{ role: 'user', text: 'odd', images: 0 }] as const;
    expect(projectionOf(past, [...odd, ...odd, ...odd, ...odd, ...odd], 'guide', en).maxTurns).toBe(null);
  });
});
