// @vitest-environment jsdom
/** A step may look at the rows it shows, never at all rows of the session: counted, not timed. */
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, test, vi } from 'vitest';
import { actions, useLens } from '../app/store.ts';
import { StatusLine } from '../app/StatusLine.tsx';
import { forgetAnswers } from '../app/use-engine.ts';
import { engine } from '../engine-client.ts';
import { createFixture, installFixture } from '../test-support/fixture-client.ts';
import { fixtureSession } from '../test-support/fixture-data.ts';
import { until } from '../test-support/wait.ts';
import { CacheView } from './cache/CacheView.tsx';
import { LayoutView } from './layout/LayoutView.tsx';
import { Timeline } from './timeline/Timeline.tsx';
import { TurnContextView } from './turn-context/TurnContextView.tsx';
import { TurnStrip } from './turn-strip/TurnStrip.tsx';

vi.mock('recharts', async (load) => ({ ...(await load<object>()), ResponsiveContainer: () => null }));

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
globalThis.ResizeObserver ??= class {
  observe = () => undefined;
  unobserve = () => undefined;
  disconnect = () => undefined;
} as unknown as typeof ResizeObserver;
for (const name of ['clientHeight', 'offsetHeight', 'clientWidth', 'offsetWidth'])
  Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => 900 });
HTMLElement.prototype.scrollIntoView = () => undefined;

const TURNS = 4000;
/** Reads of rows for one step: those in sight (some forty) a few times over. */
const MOST_READS = 600;

/** A list or map that counts how often its rows are read. */
function counted<T extends object>(target: T, read: () => void): T {
  return new Proxy(target, {
    get(of, key) {
      if (typeof key === 'string' && /^\d+$/.test(key)) read();
      const value: unknown = Reflect.get(of, key, of);
      if (of instanceof Map && typeof value === 'function')
        return (...args: unknown[]) => {
          if (key === 'get') read();
          else if (key !== 'has') for (let i = 0; i < of.size; i++) read();
          return Reflect.apply(value, of, args) as unknown;
        };
      return value;
    },
  });
}

afterEach(() => {
  actions.reset();
  forgetAnswers();
  engine.close();
});

const settle = () => act(() => new Promise((resolve) => setTimeout(resolve, 60)));

async function open(turns: number): Promise<void> {
  installFixture(createFixture({ sessions: [fixtureSession('long', turns)], chunk: 50_000 }));
  await actions.openPath('/home/author/covel.db');
  await until(() => useLens.getState().turns.filter(Boolean).length === turns && useLens.getState().indexing === null);
  await until(() => useLens.getState().callId !== null);
}

test('a step in a long session reads the rows in sight alone', async () => {
  await open(TURNS);

  let reads = 0;
  const read = (): void => void reads++;
  const { turns, calls, callsByTurn } = useLens.getState();
  useLens.setState({
    turns: counted([...turns], read),
    calls: counted(new Map(calls), read),
    callsByTurn: counted(new Map(callsByTurn), read),
  });
  const place = document.createElement('div');
  document.body.append(place);
  const root = createRoot(place);
  await act(async () =>
    root.render(
      <>
        <Timeline />
        <TurnStrip />
        <LayoutView />
        <TurnContextView />
        <StatusLine />
      </>,
    ),
  );
  await settle();
  expect(reads).toBeGreaterThan(TURNS); // once, for the list itself

  for (const by of [-1, -1, 1]) {
    reads = 0;
    await act(async () => actions.stepTurn(by));
    await settle();
    expect(reads).toBeGreaterThan(0);
    expect(reads).toBeLessThan(MOST_READS);
  }
  await act(async () => root.unmount());
  place.remove();
});

test('a step on the cache screen goes through the session no more', async () => {
  await open(600);
  const place = document.createElement('div');
  document.body.append(place);
  const root = createRoot(place);
  await act(async () => root.render(<CacheView />));
  // React draws at the end of each act, so waiting goes in short ones.
  for (let i = 0; i < 60 && !place.querySelector('.cache-chart-words'); i++) await settle();
  const words = (): string => place.querySelector('.cache-chart-words')?.textContent ?? '';
  expect(words()).toContain('Turns');

  const parse = vi.spyOn(Date, 'parse');
  const before = place.querySelector('.cache-causes')?.firstChild;
  await act(async () => actions.selectTurnIndex(100));
  expect(place.querySelector('.ruler-now')?.textContent).toBe('100');
  expect(parse).not.toHaveBeenCalled();
  expect(place.querySelector('.cache-causes')?.firstChild).toBe(before);
  parse.mockRestore();
  await act(async () => root.unmount());
  place.remove();
});
