// @vitest-environment jsdom
/** The views of a call on the fixture engine. The editors are stood in for: they draw on a canvas that jsdom lacks. */
import { act, type ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { LensError } from '../../shared/error.ts';
import { errorText } from '../../shared/language/index.ts';
import { COMMANDS, runCommand } from '../app/commands.ts';
import { actions, useLens } from '../app/store.ts';
import { forgetAnswers } from '../app/use-engine.ts';
import { engine } from '../engine-client.ts';
import { createFixture, installFixture, type Fixture, type FixtureOptions } from '../test-support/fixture-client.ts';
import { fixtureSession } from '../test-support/fixture-data.ts';
import { until } from '../test-support/wait.ts';
import { CacheView } from './cache/CacheView.tsx';
import { DiffView } from './diff/DiffView.tsx';
import { LayoutView } from './layout/LayoutView.tsx';
import { LedgerView } from './ledger/LedgerView.tsx';
import { TurnContextView } from './turn-context/TurnContextView.tsx';
import { WireView } from './wire/WireView.tsx';

vi.mock('../ui/monaco/TextDiff.tsx', () => ({
  TextDiff: (props: { left: string; right: string; rightLine: number | null }) => (
    <div data-testid="text-diff" data-line={props.rightLine}>
      {props.right}
    </div>
  ),
}));
vi.mock('recharts', async (load) => ({ ...(await load<object>()), ResponsiveContainer: () => null }));
vi.mock('../ui/monaco/CodeText.tsx', () => ({
  CodeText: (props: { text: string }) => <pre data-testid="code-text">{props.text}</pre>,
}));

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
globalThis.ResizeObserver ??= class {
  observe = () => undefined;
  unobserve = () => undefined;
  disconnect = () => undefined;
} as unknown as typeof ResizeObserver;
for (const [name, size] of [
  ['clientHeight', 900],
  ['offsetHeight', 900],
  ['offsetWidth', 800],
  ['clientWidth', 800],
] as const)
  Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => size });
HTMLElement.prototype.scrollIntoView = () => undefined;

let root: Root;
let place: HTMLElement;

const all = (selector: string): readonly HTMLElement[] => [...place.querySelectorAll<HTMLElement>(selector)];
const text = (selector: string): string => all(selector)[0]?.textContent ?? '';
/** React draws at the end of each act, so waiting goes in short ones. */
async function settled(check: () => boolean, what = String(check)): Promise<void> {
  for (let i = 0; !check(); i++) {
    if (i > 300) throw new Error(`Waited in vain for ${what}`);
    await act(() => new Promise((resolve) => setTimeout(resolve, 5)));
  }
}
const seen = (selector: string) => settled(() => all(selector).length > 0, selector);
const click = (element: HTMLElement | undefined) => act(async () => element?.click());

/** Opens the fixture, chooses a turn and draws a view. */
async function show(view: ReactNode, turn: number, options: FixtureOptions = {}, fixture?: Fixture): Promise<void> {
  installFixture(fixture ?? createFixture({ sessions: [fixtureSession('harbor-7c1e09aa', 4)], ...options }));
  await actions.openPath('/home/author/covel.db');
  await until(() => useLens.getState().callId !== null);
  actions.selectTurnIndex(turn);
  await until(() => useLens.getState().calls.get(useLens.getState().callId ?? '')?.turnIndex === turn);
  actions.setLanguage('en');
  await act(async () => root.render(view));
}

beforeEach(() => {
  place = document.createElement('div');
  document.body.append(place);
  root = createRoot(place);
});
afterEach(async () => {
  await act(async () => root.unmount());
  place.remove();
  actions.reset();
  forgetAnswers();
  engine.close();
});

describe('layout', () => {
  const names = (): readonly string[] =>
    all('[role=row] .segments-segment')
      .slice(1)
      .map((cell) => cell.textContent);
  const chosen = (): string => text('[aria-selected=true] .segments-segment');
  const step = (id: string) => act(async () => void runCommand(COMMANDS.find((one) => one.id === id) ?? null));

  test('lists the segments, folded, and shows the owner of the first difference', async () => {
    await show(<LayoutView />, 3);
    await seen('[data-line]');
    expect(names()).toEqual([
      '▸3 tools',
      'Framework preamble',
      'Runtime body',
      'world-lore',
      'character-notes',
      'Summary',
      '▸history, 12 messages',
      'character-fields',
      'world-dimensions',
      'memory',
      'Player',
      'After the history',
    ]);
    expect(chosen()).toBe('character-fields');
    expect(text('[data-testid=verdict] h2')).toContain('Prefix held');
    await seen('.inspector mark');
    expect(text('.inspector mark')).toBe('"might":3');
  });

  test('one place divides shared from new', async () => {
    await show(<LayoutView />, 3);
    await seen('[data-line]');
    const states = all('[data-line] .segments-prefix').map((cell) => cell.textContent);
    expect(states).toEqual([...Array(7).fill('shared'), 'first difference', ...Array(4).fill('new')]);
  });

  test('keys step through the segments and a run opens with Enter', async () => {
    await show(<LayoutView />, 3);
    await seen('[data-line]');
    await step('line.previous');
    expect(chosen()).toBe('▸history, 12 messages');
    await act(async () => {
      place
        .querySelector('[role=treegrid]')
        ?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
    });
    expect(names()).toHaveLength(24);
    await step('line.next');
    expect(chosen()).toBe('history, assistant');
  });

  test('a chosen segment stays chosen in the next turn', async () => {
    await show(<LayoutView />, 3);
    await seen('[data-line]');
    await click(all('[data-line]').find((row) => row.textContent.startsWith('memory')));
    await act(async () => actions.stepTurn(1));
    await settled(() => place.querySelector('[aria-busy=true]') === null);
    expect(chosen()).toBe('memory');
  });

  test('the first call of a runtime has no verdict and no prefix', async () => {
    await show(<LayoutView />, 1);
    await seen('[data-line]');
    expect(text('[data-testid=verdict] h2')).toBe('First call of narrator');
    expect(all('[data-line] .segments-prefix').every((cell) => cell.textContent === '—')).toBe(true);
  });

  const cache = (): readonly string[] => all('[data-line] .segments-cache').map((cell) => cell.textContent);

  test('the cache state of every segment, prediction beside the bill', async () => {
    await show(<LayoutView />, 3);
    await seen('[data-line]');
    expect(cache()).toEqual([...Array(6).fill('read'), 'mixed', ...Array(5).fill('uncached')]);
    expect(text('[data-testid=predicted]')).toBe('Predictedread 4,313written 120uncached 777counted');
    expect(text('[data-testid=billed]')).toBe('Billedread 3,712written 1,198uncached 300billed');
    expect(all('.strip-predicted i').map((part) => part.className)).toEqual([
      'strip-read',
      'strip-write',
      'strip-uncached',
    ]);
    await click(all('[data-line]').find((row) => row.textContent.startsWith('character-notes')));
    expect(text('.inspector dl')).toContain('read, predicted');
    expect(text('.inspector dl')).toContain('3,803 tokens before it (estimated), the minimum of 1,024 is reached');
  });

  test('a prediction that is on its way is a quiet sign, and comes without a change of place', async () => {
    const fixture = createFixture({ sessions: [fixtureSession('harbor-7c1e09aa', 4)], pending: true });
    await show(<LayoutView />, 3, {}, fixture);
    await seen('[data-line]');
    expect(cache()).toEqual(Array(12).fill('…'));
    expect(text('.strip-foretold')).toBe('Predicted…');
    const before = chosen();
    const busy = new Set<string | null>();
    const watcher = new MutationObserver(() =>
      busy.add(place.querySelector('.layout-pane')!.getAttribute('aria-busy')),
    );
    watcher.observe(place, { attributes: true, childList: true, subtree: true });
    await act(async () => {
      await actions.start();
      fixture.simulated('harbor-7c1e09aa');
    });
    await seen('[data-testid=predicted]');
    watcher.disconnect();
    expect(cache()[0]).toBe('read');
    expect(chosen()).toBe(before);
    expect([...busy]).toEqual(['false']);
  });

  test('without a rule there is no prediction, and the bar is what the text shares', async () => {
    await show(<LayoutView />, 3);
    await seen('[data-line]');
    await act(async () => actions.selectCall('c3-3-0-0'));
    await settled(() => cache().every((state) => state === '—') && cache().length > 0);
    expect(text('.strip-legend')).toContain('No prediction');
    expect(all('.strip-state i').map((part) => part.className)).toEqual(['strip-shared', 'strip-new']);
  });

  test('an error says what it is', async () => {
    const error: LensError = { code: 'payload-unreadable', message: '', hint: '', values: {} };
    await show(<LayoutView />, 2, { fail: ({ method }) => (method === 'call.get' ? error : null) });
    await seen('[role=alert]');
    expect(text('[role=alert]')).toContain(errorText('en', error).message);
  });
});

describe('prefix diff', () => {
  test('says where the requests part and places the texts there', async () => {
    await show(<DiffView />, 3);
    await seen('[data-testid=text-diff]');
    expect(text('[data-testid=verdict] h2')).toBe('First difference: character-fields, message 15 (user), offset 48');
    expect(text('[data-testid=verdict]')).toContain('3 segments changed, 0 added, 0 removed.');
    const shown = all('[data-testid=text-diff]')[0]!;
    const line = shown.textContent.split('\n')[Number(shown.dataset['line']) - 1];
    expect(line).toContain('"might":3');
  });

  test('a first call has nothing to compare with', async () => {
    await show(<DiffView />, 1);
    await seen('.ui-empty');
    expect(text('.ui-empty-title')).toBe('Nothing to compare with');
  });

  test('the default baseline is marked, another can be chosen', async () => {
    await show(<DiffView />, 3);
    await seen('select');
    await settled(() => all('option').length > 1);
    expect(text('option')).toBe('default: turn 2 · step 0');
    const other = all('option')[1] as HTMLOptionElement;
    const select = all('select')[0] as HTMLSelectElement;
    await act(async () => {
      select.value = other.value;
      select.dispatchEvent(new Event('change', { bubbles: true }));
    });
    expect(useLens.getState().baselineId).toBe(other.value);
  });
});

describe('turn context', () => {
  test('blocks with what became of them', async () => {
    await show(<TurnContextView />, 3);
    await seen('.context-block');
    expect(all('.context-block h3 .context-state').map((state) => state.textContent.trim())).toEqual([
      '~ changed',
      '~ changed',
      '= same',
    ]);
    expect(text('.context-counts')).toBe('Since turn 2: 2 changed, 0 new, 0 gone, 1 the same.');
    expect(text('.context-changes del')).toBe('4');
    expect(text('.context-changes ins')).toBe('3');
  });

  test('changes can be put away, blocks closed', async () => {
    await show(<TurnContextView />, 3);
    await seen('.context-block');
    const [changes, close] = all('.context-tools button');
    await click(changes);
    expect(all('ins, del')).toHaveLength(0);
    await click(close);
    expect(all('.context-block h3 button').map((button) => button.getAttribute('aria-expanded'))).toEqual([
      'false',
      'false',
      'false',
    ]);
  });
});

describe('wire', () => {
  test('body, attempt, reply and usage', async () => {
    await show(<WireView />, 3);
    await seen('[data-testid=code-text]');
    expect(text('[role=tab][aria-selected=true]')).toContain('HTTP 1');
    expect(text('[data-testid=code-text]')).toContain('\n  "max_tokens": 8192');
    expect(all('.reply-usage td').map((cell) => cell.textContent)).toHaveLength(4);
    await click(all('[role=tab]')[1]);
    expect(text('[data-testid=code-text]')).toBe('{\n  "messages": []\n}');
  });

  test('what was not reported is unknown', async () => {
    await show(<WireView />, 3);
    await seen('[data-testid=code-text]');
    const guide = [...useLens.getState().calls.values()].find((row) => row.turnIndex === 3 && row.usage === null);
    await act(async () => actions.selectCall(guide?.id ?? ''));
    await settled(() => text('.reply-usage td') === 'unknown');
    expect(all('.reply-usage td').map((cell) => cell.textContent)).toEqual(Array(4).fill('unknown'));
    expect(text('.reply-usage caption')).not.toContain('billed');
  });
});

describe('ledger', () => {
  const cells = (row: number): readonly string[] =>
    [...(all('.ledger-table tbody tr')[row]?.children ?? [])].map((cell) => cell.textContent);
  const fact = (name: string): string => {
    const term = all('.ledger-pane dt').find((one) => one.textContent === name);
    return term?.nextElementSibling?.textContent ?? '';
  };

  test('summaries, live and vanished, with what is not known', async () => {
    await show(<LedgerView />, 4);
    await seen('.ledger-table');
    expect(text('.ledger-counts')).toContain('2 live summaries, 3 vanished · 6 messages replaced by 2,180 tokens');
    expect(cells(0)).toEqual([
      'turns 1–2',
      '4',
      '1,240',
      'unknown',
      '2 summaries',
      'unknown',
      'turn 3',
      'narrator, turn 4',
    ]);
    expect(cells(3)).toEqual(['turn 2vanished', '2', 'unknown', 'unknown', 'messages', 'no', 'turn 3', '—']);
    expect(cells(4)).toEqual([
      'turns unknownvanished',
      'unknown',
      '940',
      'unknown',
      'unknown',
      'unknown',
      'unknown',
      '—',
    ]);
  });

  test('a bar covers its turns to scale; what vanished stands below; a text without turns has no bar', async () => {
    await show(<LedgerView />, 4);
    await seen('.ledger-bar');
    expect(
      all('.ledger-bar').map((bar) => [bar.style.left, bar.style.width, bar.style.getPropertyValue('--lane')]),
    ).toEqual([
      ['0%', '50%', '0'],
      ['50%', '25%', '0'],
      ['0%', '25%', '1'],
      ['25%', '25%', '1'],
    ]);
    expect(all('.ledger-marks [aria-label]').map((mark) => mark.getAttribute('aria-label'))).toEqual([
      'Summary written in turn 3',
      'Summary written in turn 4',
      'Summary written in turn 2',
      'Messages pruned in turn 3',
      'Messages pruned in turn 4',
    ]);
  });

  test('bar and row choose together; the text of what is gone is said to be gone', async () => {
    await show(<LedgerView />, 4);
    await seen('.ledger-pane');
    expect(text('.ledger-pane h2')).toBe('Summary of turn 3');
    await click(all('.ledger-bar')[3]);
    expect(text('.ledger-on button span')).toBe('turn 2');
    expect(text('.ledger-pane')).toContain('Its text is gone');
    expect(fact('State')).toBe('vanished: merged into the summary of turns 1–2');
    await click(all('.ledger-table th button')[0]);
    expect(text('.ledger-pane .long-text')).toBe('What happened in turns 1 to 2.');
    expect(fact('Budget')).toContain('unknown: the window of that time is not recorded');
  });

  test('the messages that it replaced are asked for when they are opened', async () => {
    await show(<LedgerView />, 4);
    await seen('.ledger-replaced button');
    expect(all('.ledger-replaced li')).toHaveLength(0);
    await click(all('.ledger-replaced button')[0]);
    await seen('.ledger-replaced li');
    expect(text('.ledger-replaced button')).toContain('2 messages it replaced');
    expect(all('.ledger-speaker').map((one) => one.textContent)).toEqual(['turn 3 · Player', 'turn 3 · narrator']);
  });

  test('a call that broke is a way to its difference', async () => {
    await show(<LedgerView />, 3);
    await seen('.ledger-call');
    await click(all('.ledger-table .ledger-call')[0]);
    const { view, callId, calls } = useLens.getState();
    expect([view, calls.get(callId ?? '')?.turnIndex]).toEqual(['diff', 4]);
  });

  test('prunings and tool groups', async () => {
    await show(<LedgerView />, 4);
    await seen('.ledger-losses');
    expect(all('.ledger-losses li').map((line) => line.textContent)).toEqual([
      'narrator, turn 32 messages left out',
      'guide, turn 4number of messages unknown · no call of it was recorded afterwards',
      'narrator, turn 4get-characterresults omitted · 410 → 38 tokens, estimated',
    ]);
  });

  test('an empty ledger says so, section by section', async () => {
    await show(<LedgerView />, 2, { sessions: [fixtureSession('harbor-7c1e09aa', 3)] });
    await seen('.ledger');
    expect(text('.ledger-counts')).toContain('Nothing was compacted');
    expect(all('.ledger-table, .ledger-pane, .ledger-bar')).toHaveLength(0);
    expect(all('.ledger-losses p')).toHaveLength(3);
  });
});

describe('cache', () => {
  const card = (n: number): string => all('.cache-card')[n]?.textContent ?? '';
  const cells = (row: HTMLElement | undefined): readonly string[] =>
    [...(row?.children ?? [])].map((cell) => cell.textContent.replaceAll('\u202f', ' '));
  const lines = () => all('.cache-causes [data-line]');
  const press = (key: string) =>
    act(async () => {
      place
        .querySelector('[role=treegrid]')
        ?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
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
    await act(async () => root.render(<div />));
    await act(async () => root.render(<CacheView />));
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

  test('one turn only, no calls, an error, and the figures of another session', async () => {
    await show(<CacheView />, 1, { sessions: [fixtureSession('harbor-7c1e09aa', 1)] });
    await seen('.cache');
    expect(text('.cache-none')).toContain('There is one turn only');
    expect(all('.cache-causes')).toHaveLength(0);
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
