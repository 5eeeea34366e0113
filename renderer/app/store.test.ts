// @vitest-environment jsdom
import { afterEach, describe, expect, test } from 'vitest';
import type { LensError } from '../../shared/error.ts';
import { engine } from '../engine-client.ts';
import { createFixture, installFixture, type Fixture, type FixtureOptions } from '../test-support/fixture-client.ts';
import { fixtureSession, fixtureSource } from '../test-support/fixture-data.ts';
import { until } from '../test-support/wait.ts';
import { actions, useLens } from './store.ts';

const state = useLens.getState;
const chosen = () => state().calls.get(state().callId ?? '');
const error = (code: LensError['code']): LensError => ({ code, message: code, hint: '', values: {} });

async function start(options: FixtureOptions = {}): Promise<Fixture> {
  const fixture = createFixture({ openAtStart: '/a/covel.db', ...options });
  installFixture(fixture);
  await actions.start();
  return fixture;
}
const settled = () => until(() => state().callId !== null && state().indexing === null);

afterEach(() => {
  actions.reset();
  engine.close();
});

describe('opening', () => {
  test('shows the newest turn of the newest session that has turns, and its first call', async () => {
    await start({
      sessions: [fixtureSession('one', 3, { prefix: 'o' }), fixtureSession('two', 5), fixtureSession('empty', 0)],
    });
    await settled();
    expect(state()).toMatchObject({ sessionId: 'two', turnTotal: 5, turnId: 't5', status: { kind: 'ready' } });
    expect(chosen()).toMatchObject({ runtimeId: 'narrator', step: 0 });
  });

  test('a file that cannot be read leaves the window on Start and says why', async () => {
    await start({
      openAtStart: null,
      fail: ({ method }) => (method === 'source.open' ? error('not-a-database') : null),
    });
    await actions.openPath('/notes/notes.txt');
    expect(state()).toMatchObject({ status: { kind: 'start' }, source: null, openName: 'notes.txt' });
    expect(state().openError?.code).toBe('not-a-database');
  });

  test('a second file that cannot be read leaves the first one open', async () => {
    let broken = false;
    await start({ fail: ({ method }) => (broken && method === 'source.open' ? error('encrypted') : null) });
    await settled();
    broken = true;
    await actions.openPath('/b.db');
    expect(state()).toMatchObject({ status: { kind: 'ready' }, openError: null, turnId: 't24' });
    expect(state().notice).toMatchObject({ kind: 'error', error: { code: 'encrypted' } });
  });

  test('the answer to an older request to open is dropped', async () => {
    let first = true;
    await start({
      openAtStart: null,
      delay: ({ method }) => (method === 'source.open' && first ? ((first = false), 250) : 0),
    });
    const slow = actions.openPath('/slow.db');
    await actions.openPath('/quick.db');
    await settled();
    const before = state().source;
    await slow;
    expect(state().source).toBe(before);
    expect(state().openName).toBe('quick.db');
  });

  test('a dropped file is opened by its path', async () => {
    const fixture = await start({ openAtStart: null });
    await actions.openFile(new File(['x'], 'dropped.db'));
    expect(fixture.asked).toContainEqual({ method: 'source.open', arg: { path: '/dropped/dropped.db' } });
  });

  test('closing goes back to Start and lets go of the file', async () => {
    const fixture = await start();
    await settled();
    actions.closeSource();
    expect(state()).toMatchObject({ source: null, sessionId: null, turnId: null, callId: null, turnTotal: 0 });
    expect(fixture.asked.at(-1)).toEqual({ method: 'source.close', arg: { sourceId: 'source-1' } });
  });
});

describe('lists', () => {
  test('turns come in pages, the first and the last page first', async () => {
    const fixture = await start({ sessions: [fixtureSession('long', 1700)] });
    await until(() => state().turns.every((turn) => turn !== undefined) && state().turnTotal === 1700);
    const pages = fixture.asked.filter((one) => one.method === 'turns.list').map((one) => one.arg);
    expect(pages.map((page) => (page as { from: number }).from)).toEqual([0, 1500, 500, 1000]);
    expect(state().turns[1234]?.index).toBe(1235);
  });

  test('calls are filed under their turns in recorded order, whatever the chunks', async () => {
    const session = fixtureSession('chunks', 24);
    await start({ sessions: [session], chunk: 7 });
    await until(() => state().calls.size === session.calls.length);
    for (const turn of session.turns) {
      const expected = session.calls.filter((call) => call.turnId === turn.turnId).map((call) => call.id);
      expect(state().callsByTurn.get(turn.turnId) ?? []).toEqual(expected);
    }
  });

  test('a turn that is chosen before the index has come asks for its own calls', async () => {
    const fixture = await start({ delay: ({ method }) => (method === 'calls.index' ? 10_000 : 0) });
    await until(() => state().callId !== null);
    expect(fixture.asked).toContainEqual({
      method: 'turn.calls',
      arg: { sourceId: 'source-1', sessionId: 'harbor-7c1e09aa', turnId: 't24' },
    });
    expect(state().callsByTurn.get('t24')?.length).toBe(6);
  });

  test('another session cancels what is still coming', async () => {
    const fixture = await start({
      sessions: [fixtureSession('one', 30, { prefix: 'o' }), fixtureSession('two', 24)],
      delay: ({ method }) => (method === 'calls.index' ? 10_000 : 0),
    });
    await until(() => state().callId !== null);
    const before = fixture.cancelled.size;
    actions.selectSession('one');
    expect(fixture.cancelled.size).toBeGreaterThan(before);
    await until(() => state().turnTotal === 30 && state().callId !== null);
    expect([...state().calls.values()].every((call) => call.turnId === 'ot30')).toBe(true);
  });
});

describe('flagged rows', () => {
  const problems = [{ code: 'payload-null', message: 'x', row: 'trace_events/1' }];
  const asks = (fixture: Fixture): number => fixture.asked.filter((one) => one.method === 'source.problems').length;

  test('are looked for once a file, after the lists', async () => {
    const fixture = await start({
      sessions: [fixtureSession('one', 3, { prefix: 'o' }), fixtureSession('two', 5)],
      problems,
    });
    await until(() => state().problems !== null);
    expect(state().problems).toEqual(problems);
    const methods = fixture.asked.map((one) => one.method);
    expect(methods.indexOf('source.problems')).toBeGreaterThan(methods.indexOf('calls.index'));
    actions.selectSession('one');
    await settled();
    expect(asks(fixture)).toBe(1);
    await actions.openPath('/a/covel.db');
    await until(() => asks(fixture) === 2);
  });
});

describe('stepping', () => {
  test('turns stop at both ends and keep the runtime and step', async () => {
    await start();
    await settled();
    actions.selectTurnIndex(8);
    actions.stepCall(1);
    expect(chosen()).toMatchObject({ runtimeId: 'narrator', step: 1, turnId: 't8' });
    actions.stepTurn(1);
    expect(chosen()).toMatchObject({ runtimeId: 'narrator', step: 1, turnId: 't9' });
    actions.stepTurn(-100);
    expect(state().turnId).toBe('t1');
    actions.selectTurnIndex(Infinity);
    expect(state().turnId).toBe('t24');
    actions.stepTurn(1);
    expect(state().turnId).toBe('t24');
  });

  test('a runtime that did not call falls back to the first call of the turn', async () => {
    await start();
    await settled();
    actions.selectTurnIndex(4);
    for (let i = 0; i < 9; i++) actions.stepCall(1);
    expect(chosen()?.runtimeId).toBe('guide');
    actions.stepTurn(1);
    expect(chosen()).toMatchObject({ turnId: 't5', runtimeId: 'narrator', step: 0 });
  });

  test('calls stop at both ends of the turn', async () => {
    await start();
    await settled();
    actions.stepCall(-1);
    expect(chosen()).toMatchObject({ runtimeId: 'narrator', step: 0 });
    for (let i = 0; i < 20; i++) actions.stepCall(1);
    expect(chosen()).toMatchObject({ turnId: 't24', runtimeId: 'guide' });
  });

  test('a step forgets the baseline and the segment', async () => {
    await start();
    await settled();
    actions.setBaseline('c1-0-0-0');
    actions.selectSegment('s3');
    actions.stepTurn(-1);
    expect(state()).toMatchObject({ baselineId: null, segmentId: null });
  });

  test('a swept turn has no call, and the next one has again', async () => {
    await start({ sessions: [fixtureSession('swept', 3, { swept: true })] });
    await settled();
    actions.selectTurnIndex(2);
    expect(state()).toMatchObject({ turnId: 't2', callId: null });
    actions.stepTurn(1);
    expect(chosen()?.turnId).toBe('t3');
  });

  test('views that do not exist yet cannot be shown', async () => {
    actions.setView('wire');
    actions.setView('replay');
    expect(state().view).toBe('wire');
  });
});

describe('a file that grows', () => {
  const grow = (fixture: Fixture, turns: number): void => {
    fixture.sessions = [fixtureSession('harbor-7c1e09aa', turns)];
    fixture.tell({ name: 'source.changed', source: fixtureSource(fixture.sessions) });
  };

  test('is followed when the newest turn was chosen', async () => {
    const fixture = await start();
    await settled();
    grow(fixture, 25);
    await until(() => state().turnId === 't25' && state().callId !== null);
    expect(chosen()).toMatchObject({ turnId: 't25', runtimeId: 'narrator' });
    expect(state().turnTotal).toBe(25);
  });

  test('what the new calls share comes from the index', async () => {
    const fixture = await start();
    await settled();
    const before = fixture.asked.filter((one) => one.method === 'calls.index').length;
    grow(fixture, 25);
    await until(() => fixture.asked.filter((one) => one.method === 'calls.index').length === before + 1);
    grow(fixture, 26);
    grow(fixture, 27);
    await until(() => state().turnTotal === 27 && state().callsByTurn.has('t27'));
    expect(fixture.asked.filter((one) => one.method === 'calls.index').length).toBe(before + 1);
  });

  test('keeps an older place', async () => {
    const fixture = await start();
    await settled();
    actions.selectTurnIndex(7);
    const before = state().callId;
    grow(fixture, 26);
    await until(() => state().turnTotal === 26 && state().callsByTurn.has('t26'));
    expect(state()).toMatchObject({ turnId: 't7', callId: before });
  });

  test('a replaced file is listed anew', async () => {
    const fixture = await start();
    await settled();
    const other = fixtureSession('harbor-7c1e09aa', 4);
    fixture.sessions = [
      {
        ...other,
        turns: other.turns.map((turn) => ({ ...turn, turnId: `n${turn.turnId}` })),
        calls: other.calls.map((call) => ({ ...call, id: `n${call.id}`, turnId: `n${call.turnId}` })),
      },
    ];
    fixture.tell({ name: 'source.changed', source: fixtureSource(fixture.sessions) });
    await until(() => state().turnId === 'nt4' && state().callId?.startsWith('nc4') === true);
    expect(state().turnTotal).toBe(4);
    expect([...state().calls.keys()].every((id) => id.startsWith('n'))).toBe(true);
  });

  test('a lost file stays on screen', async () => {
    const fixture = await start();
    await settled();
    fixture.tell({ name: 'source.lost', sourceId: 'source-1', code: 'file-gone' });
    expect(state()).toMatchObject({ status: { kind: 'lost', code: 'file-gone' }, turnId: 't24' });
    fixture.tell({ name: 'source.lost', sourceId: 'another', code: 'file-gone' });
    grow(fixture, 24);
    await until(() => state().status.kind === 'ready');
  });
});

describe('an engine that was restarted', () => {
  test('opens the file again at the same place', async () => {
    const fixture = await start();
    await settled();
    actions.selectTurnIndex(9);
    const before = state().callId;
    fixture.tell({ name: 'engine.restarted', reason: 'out of memory' });
    await until(() => {
      const { notice, calls } = state();
      return notice?.kind === 'restarted' && notice.reopened && calls.size > 100;
    });
    expect(state()).toMatchObject({ turnId: 't9', callId: before, notice: { kind: 'restarted', reopened: true } });
  });

  test('without an open file nothing is opened', async () => {
    const fixture = await start({ openAtStart: null });
    fixture.tell({ name: 'engine.restarted', reason: 'x' });
    expect(fixture.asked.some((one) => one.method === 'source.open')).toBe(false);
  });
});

describe('settings', () => {
  test('are read at the start and written when changed', async () => {
    const fixture = await start({ settings: { theme: 'light', chartOpen: false } });
    expect(state()).toMatchObject({ theme: 'light', chartOpen: false });
    actions.setLanguage('zh');
    actions.toggleChart();
    actions.setPanels('frame', [20, 80]);
    await until(() => fixture.settings.panels['frame'] !== undefined);
    expect(fixture.settings).toMatchObject({ language: 'zh', chartOpen: true, panels: { frame: [20, 80] } });
  });
});
