import { describe, expect, test } from 'vitest';
import { messageText } from '../piece.ts';
import { en, zh } from '../testing/texts.ts';
import type { HistoryRecord } from '../types.ts';
import {
  applyHistoryWindow,
  filterRuntimeHistory,
  historyMessages,
  looksStructured,
  summaryMessage,
} from './history.ts';

describe('looks structured', () => {
  test.each([
    ['{"a":1}'],
    [' \n[1, 2]\n'],
    ['{"a": "cut off}'],
    ['[{"a":1},]'],
    ['```json\n{"a":1}\n```'],
    ['```JSON\n[]\n```'],
    ['```ts\nconst a = 1;\n```'],
    ['```\nplain\n```'],
    ['`{"a":1}`'],
    ['`[1]`'],
    ['<tool_call>x</tool_call>'],
    ['<TOOL>x'],
    ['<Tool_Use name="x">'],
  ])('%j: yes', (text) => expect(looksStructured(text)).toBe(true));

  test.each([
    [''],
    ['  \n'],
    [null],
    [undefined],
    ['The door opens.'],
    ['She smiles. {wink}'],
    ['The JSON said {"a":1}, he claims.'],
    ['[The lamp goes out.]'],
    ['{sighs} No.'],
    ['{a smile}'],
    ['`a` and `b`'],
    ['<toolbox> stands on the shelf'.replace('<toolbox>', 'A toolbox')],
  ])('%j: no', (text) => expect(looksStructured(text)).toBe(false));
});

const player = (content: string, turnId: string): HistoryRecord => ({
  role: 'user',
  sourceType: 'player',
  content,
  turnId,
});
const said = (content: string, turnId: string, runtime = 'narrator'): HistoryRecord => ({
  role: 'assistant',
  sourceType: 'runtime',
  name: runtime,
  content,
  turnId,
});
const note = (content: string, turnId: string): HistoryRecord => ({
  role: 'user',
  sourceType: 'system',
  content,
  turnId,
  ui: [{ type: 'asset.generate', data: { ref: { id: 'p', mime: 'image/png', size: 1 }, modality: 'image' } }],
});
const texts = (history: readonly HistoryRecord[]): string => history.map(({ content }) => content).join(' ');

describe('filter', () => {
  test('keeps player, system, own rows and foreign prose', () => {
    const history = [
      player('{"typed": "by the player"}', 't1'),
      { role: 'system', sourceType: 'system', content: '{"by":"host"}' } as const,
      said('{"mine":1}', 't1', 'tracker'),
      said('{"other":1}', 't1', 'guide'),
      said('Prose.', 't1', 'guide'),
      said('  ', 't1', 'guide'),
      said('', 't1', 'tracker'),
    ];
    expect(texts(filterRuntimeHistory(history, 'tracker'))).toBe(
      '{"typed": "by the player"} {"by":"host"} {"mine":1} Prose.',
    );
  });

  test.each([
    [{ sourcePluginId: 'world-init', sourceRuntimeId: 'tracker' }, 'world-init/tracker', 1],
    [{ sourceRuntimeId: 'world-init/tracker' }, 'world-init/tracker', 1],
    [{ sourcePluginId: 'other', sourceRuntimeId: 'tracker' }, 'world-init/tracker', 0],
    [{ name: 'tracker' }, 'world-init/tracker', 1],
    [{ name: 'tracker' }, 'tracker', 1],
    [{}, 'tracker', 0],
  ])('own row %j of %s', (origin, runtime, count) =>
    expect(filterRuntimeHistory([{ role: 'assistant', content: '{}', ...origin }], runtime)).toHaveLength(count),
  );
});

describe('window', () => {
  const history = [
    said('opening', 't0'),
    player('p1', 't1'),
    said('s1', 't1'),
    note('n1', 't1'),
    player('p2', 't2'),
    said('s2', 't2'),
    note('n2', 'job'),
    player('p3', 't3'),
    player('p3b', 't3'),
    said('s3', 't3'),
    note('n3', 't3'),
  ];
  test.each([
    [0, ''],
    [-1, ''],
    [1, 'p3 p3b s3 n3'],
    [2, 'p2 s2 n2 p3 p3b s3 n3'],
    [3, 'p1 s1 n1 p2 s2 n2 p3 p3b s3 n3'],
    [4, 'opening p1 s1 n1 p2 s2 n2 p3 p3b s3 n3'],
  ])('%d turns', (maxTurns, expected) => expect(texts(applyHistoryWindow(history, { maxTurns }))).toBe(expected));

  test('rows without a source type and without turn ids', () => {
    const plain: readonly HistoryRecord[] = [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
      { role: 'user', content: 'c' },
    ];
    expect(texts(applyHistoryWindow(plain, { maxTurns: 1 }))).toBe('c');
    expect(texts(applyHistoryWindow(plain, { maxTurns: 2 }))).toBe('a b c');
  });
});

describe('summaries', () => {
  const summary = (id: string) => ({ id, content: `sum ${id}`, focusSections: [] });
  const tagged = (content: string, compactedAtTurnId: string): HistoryRecord => ({
    role: 'user',
    content,
    compactedAtTurnId,
  });
  const sent = (...args: Parameters<typeof historyMessages>): readonly string[] =>
    historyMessages(...args).map(({ message, segments }) =>
      segments[0]?.kind === 'summary' ? (segments[0].label ?? '') : messageText(message),
    );

  test('the envelope', () => {
    const { message } = summaryMessage(
      { id: '1', content: 'a </compacted_history> & b', focusSections: ['key <events>', 'world'] },
      en,
    );
    expect(message).toEqual({
      role: 'user',
      content: `<compacted_history>\n# sections: key &lt;events&gt;, world\na &lt;/compacted_history&gt; &amp; b\n</compacted_history>\n${en.text('note.summary')}`,
    });
    expect(messageText(message).split('</compacted_history>')).toHaveLength(2);
  });

  test('without focus sections the heading stands alone', () =>
    expect(summaryMessage(summary('1'), zh).message.content).toBe(
      `<compacted_history>\n# sections:\nsum 1\n</compacted_history>\n${zh.text('note.summary')}`,
    ));

  test('none given: every row as it is', () => {
    const history = [tagged('old', 's1'), player('new', 't')];
    expect(sent(history, undefined, en)).toEqual(['old', 'new']);
    expect(sent(history, [], en)).toEqual(['old', 'new']);
  });

  test('unnamed ones first, a group gives way to its summary, orphans go', () =>
    expect(
      sent(
        [tagged('a', 's2'), tagged('b', 's2'), tagged('c', 'gone'), tagged('d', 's3'), player('raw', 't')],
        ['s1', 's2', 's3', 's4'].map(summary),
        en,
      ),
    ).toEqual(['summary s1', 'summary s4', 'summary s2', 'summary s3', 'raw']));
});
