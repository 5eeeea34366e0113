// @vitest-environment jsdom
/** The cache screen on the fixture engine. The chart is drawn by a browser alone; here its words are read. */
import { act } from 'react';
import { describe, expect, test, vi } from 'vitest';
import type { LensError } from '../../../shared/error.ts';
import { errorText } from '../../../shared/language/index.ts';
import { COMMANDS, runCommand } from '../../app/commands.ts';
import { actions, useLens } from '../../app/store.ts';
import { fixtureSession } from '../../test-support/fixture-data.ts';
import { all, click, draw, find, seen, show, text, setStage } from '../../test-support/view-stage.tsx';
import { CacheView } from './CacheView.tsx';

vi.mock('recharts', async (load) => ({ ...(await load<object>()), ResponsiveContainer: () => null }));

setStage();

describe('cache', () => {
  const card = (n: number): string => all('.cache-card')[n]?.textContent ?? '';
  const cells = (row: HTMLElement | undefined): readonly string[] =>
    [...(row?.children ?? [])].map((cell) => cell.textContent.replaceAll('\u202f', ' '));
  const lines = () => all('.cache-causes [data-line]');
  const press = (key: string) =>
    act(async () => {
      find('[role=treegrid]')?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    });
  const current = (): string => cells(all('.cache-causes [aria-selected=true]')[0])[0] ?? '';

  test('four figures, unknown prices beside them', async () => {
    await show(<CacheView />, 3);
    await seen('.cache-card');
    expect(card(0)).toContain('read / (uncached + read + write)');
    expect(card(0)).toMatch(/\d\d\.\d\u202f%/);
    expect(card(1)).toMatch(/\$0\.00\d\d of \$0\.1\d · 4 calls without a price$/);
    expect(card(2)).toContain('20 of 20');
    expect(card(3)).toContain('narrator');
  });

  test('causes are ranked; one that opens says what to do and lists its calls', async () => {
    await show(<CacheView />, 3);
    await seen('.cache-causes');
    expect(lines().map((line) => cells(line).slice(0, 3))).toEqual([
      ['▸ History window moved on', 'dimension-tracker', '3'],
      ['▸ Below the minimum', 'guide', '3'],
      ['▸ Extension segment changed', 'character-tracker', '3'],
    ]);
    expect(cells(lines()[1])[4]).toBe('–No price is known for this model');
    await click(lines()[2]);
    expect(text('.cache-cause-note')).toContain('declare it volatility: turn');
    expect(lines().map((line) => cells(line)[0])).toEqual([
      '▸ History window moved on',
      '▸ Below the minimum',
      '▾ Extension segment changed',
      'turn 2',
      'turn 3',
      'turn 4',
    ]);
  });

  test('by keys: down, open, to a call, and to its difference; back at the same place', async () => {
    await show(<CacheView />, 3);
    await seen('.cache-causes');
    await press('ArrowDown');
    await press('ArrowDown');
    expect(current()).toBe('▸ Extension segment changed');
    await press('Enter');
    await press('ArrowDown');
    expect(current()).toBe('turn 2');
    await press('ArrowUp');
    await press('ArrowDown');
    await act(async () => void runCommand(COMMANDS.find((one) => one.id === 'line.next') ?? null));
    expect(current()).toBe('turn 3');
    await press('Enter');
    const { view, callId, calls } = useLens.getState();
    expect([view, calls.get(callId ?? '')?.turnIndex, calls.get(callId ?? '')?.runtimeId]).toEqual([
      'diff',
      3,
      'char-creator/character-tracker',
    ]);
    await draw(<div />);
    await draw(<CacheView />);
    await seen('.cache-causes');
    expect(current()).toBe('turn 3');
  });

  test('the chart in words: the turn on screen, and every turn for those who do not see it', async () => {
    await show(<CacheView />, 3);
    await seen('.cache-chart-words');
    const turn = text('.cache-chart-words').replaceAll('\u202f', ' ');
    expect(turn).toMatch(
      /^Turn 3 · [\d,]+ sent, \d\d\.\d % shared · [\d,]+ read, [\d,]+ written, [\d,]+ uncached · bill of 1 call unknown · \$0\.0\d+ · 1 call without a price$/,
    );
    expect(all('.cache-chart li')).toHaveLength(4);
    await act(async () => actions.stepTurn(1));
    expect(text('.cache-chart-words')).toContain('Turn 4');
    await act(async () => actions.toggleChart());
    expect(all('.cache-chart')).toHaveLength(0);
    await act(async () => actions.toggleChart());
  });

  test('runtimes and their sum; what is not known is a dash that says why', async () => {
    await show(<CacheView />, 3);
    await seen('.cache-runtimes');
    const rows = all('.cache-runtimes tbody tr').map(cells);
    expect(rows.map((row) => row[0])).toEqual(['narrator', 'dimension-tracker', 'character-tracker', 'guide']);
    expect(rows[3]?.slice(8)).toEqual(Array(2).fill('–No price is known for this model'));
    expect(rows[3]?.[5]).toBe('–No rule is known for this model');
    const sum = cells(all('.cache-runtimes tfoot tr')[0]);
    const input = rows.reduce((all, row) => all + Number(row[3]?.replaceAll(',', '')), 0);
    expect(Number(sum[3]?.replaceAll(',', ''))).toBe(input);
    for (const row of [...rows.slice(0, 3), sum]) expect(row[8]).toMatch(/^\$\d+\.\d{5}$/);
  });

  test('the ruler is that of the chosen runtime, with its gaps in words', async () => {
    await show(<CacheView />, 24, { sessions: [fixtureSession('harbor-7c1e09aa', 24)] });
    await seen('.ruler-tick');
    expect(text('.cache-ruler figcaption')).toContain('Time between requests, narrator');
    expect(text('.ruler-words')).toContain('3 of 48 gaps were longer:');
    expect(all('.ruler-words .cache-link').map((link) => link.textContent.replaceAll('\u202f', ' '))).toEqual([
      'turn 9 after 12 min',
      'turn 20 after 2.1 h',
      'turn 22 after 6.9 min',
    ]);
    expect(all('.ruler-line .ruler-expired')).toHaveLength(3);
    expect(all('.ruler-cut')).toHaveLength(1);
    await click(all('.cache-runtimes tbody tr').find((row) => row.textContent.startsWith('dimension-tracker')));
    expect(text('.cache-ruler figcaption')).toContain('Time between requests, dimension-tracker');
    expect(text('.ruler-words')).toContain('No entry to read was met, or its lifetime is not known.');
    expect(all('.ruler-line .ruler-alive')).toHaveLength(0);
  });

  test('bills that contradict themselves are named; the calls that were not predicted right are a click away', async () => {
    await show(<CacheView />, 24, { sessions: [fixtureSession('harbor-7c1e09aa', 24)] });
    await seen('.cache-flagged');
    expect(text('.cache-flagged')).toContain('The usage of 1 call contradicts itself');
    expect(text('.cache-flagged button')).toBe(
      'dimension-tracker, turn 18: more tokens read and written than the input holds',
    );
    await click(all('.cache-card button')[0]);
    expect(all('.cache-providers tbody tr').map((row) => cells(row).slice(0, 3))).toEqual([
      ['anthropic', '46', '48'],
      ['deepseek', '21', '23'],
      ['openai', '45', '47'],
    ]);
    const misses = all('.cache-misses tbody tr').map(cells);
    expect(misses).toHaveLength(6);
    expect(misses[0]?.slice(3)).toEqual(['384', 'shared cache']);
    await click(all('.cache-misses tbody button')[0]);
    expect(useLens.getState().view).toBe('diff');
  });

  test('one turn only', async () => {
    await show(<CacheView />, 1, { sessions: [fixtureSession('harbor-7c1e09aa', 1)] });
    await seen('.cache');
    expect(text('.cache-none')).toContain('There is one turn only');
    expect(all('.cache-causes')).toHaveLength(0);
  });

  test('a session without calls says so', async () => {
    const empty = fixtureSession('quiet', 2, { prefix: 'q' });
    const sessions = [{ ...empty, calls: [] }, fixtureSession('harbor-7c1e09aa', 4)];
    await show(<CacheView />, 3, { sessions });
    await act(async () => actions.selectSession('quiet'));
    await seen('.ui-empty');
    expect(text('.ui-empty-title')).toBe('No calls in this session');
  });

  test('an error says what it is', async () => {
    const error: LensError = { code: 'engine-failed', message: '', hint: '', values: { detail: 'x' } };
    await show(<CacheView />, 2, { fail: ({ method }) => (method === 'cache.get' ? error : null) });
    await seen('[role=alert]');
    expect(text('[role=alert]')).toContain('The cache of this session cannot be explained');
    expect(text('[role=alert]')).toContain(errorText('en', error).message);
  });

  test('while it is on its way the calls are counted, and the session before is not shown', async () => {
    const sessions = [fixtureSession('fog', 2, { prefix: 'f' }), fixtureSession('harbor-7c1e09aa', 4)];
    await show(<CacheView />, 3, { sessions, delay: ({ method }) => (method === 'cache.get' ? 60 : 0) });
    expect(all('.cache')).toHaveLength(0);
    await seen('.cache');
    await act(async () => actions.selectSession('fog'));
    expect(all('.cache')).toHaveLength(0);
    await seen('.cache');
    expect(all('.cache-runtimes tbody tr')).toHaveLength(4);
  });
});
