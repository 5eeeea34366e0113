// @vitest-environment jsdom
/** The views of a call on the fixture engine. The editors are stood in for: they draw on a canvas that jsdom lacks. */
import { act } from 'react';
import { describe, expect, test, vi } from 'vitest';
import type { LensError } from '../../shared/error.ts';
import { errorText } from '../../shared/language/index.ts';
import { COMMANDS, runCommand } from '../app/commands.ts';
import { actions, useLens } from '../app/store.ts';
import { createFixture } from '../test-support/fixture-client.ts';
import { fixtureSession } from '../test-support/fixture-data.ts';
import { all, click, find, seen, settled, show, stage, text, setStage } from '../test-support/view-stage.tsx';
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
vi.mock('../ui/monaco/CodeText.tsx', () => ({
  CodeText: (props: { text: string }) => <pre data-testid="code-text">{props.text}</pre>,
}));

setStage();

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
      find('[role=treegrid]')?.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }),
      );
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
    await settled(() => find('[aria-busy=true]') === null);
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
    const watcher = new MutationObserver(() => busy.add(find('.layout-pane')!.getAttribute('aria-busy')));
    watcher.observe(stage(), { attributes: true, childList: true, subtree: true });
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
