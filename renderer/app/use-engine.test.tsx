// @vitest-environment jsdom
import { act, type ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CallDetail, MethodIn, MethodName } from '../../shared/api.ts';
import { engine } from '../engine-client.ts';
import { createFixture, installFixture, type Fixture, type FixtureOptions } from '../test-support/fixture-client.ts';
import { until } from '../test-support/wait.ts';
import { forgetAnswers, invalidate, refine, useEngine, type Answer } from './use-engine.ts';

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;

let root: Root;
let pictures: Answer<CallDetail>[] = [];

function Probe({ arg }: { readonly arg: MethodIn<'call.get'> | null }): ReactNode {
  pictures.push(useEngine('call.get', arg));
  return null;
}
const call = (callId: string): MethodIn<'call.get'> => ({ sourceId: 'source-1', callId });
const show = (callId: string | null) =>
  act(async () => root.render(<Probe arg={callId === null ? null : call(callId)} />));
const last = (): Answer<CallDetail> => pictures.at(-1) as Answer<CallDetail>;
const ready = (callId: string) =>
  act(() => until(() => last().state === 'ready' && !last().isStale && last().value?.row.id === callId));
const callIdOf = (arg: unknown): string => (arg as { callId: string }).callId;

function use(options: FixtureOptions = {}): Fixture {
  const fixture = createFixture(options);
  installFixture(fixture);
  return fixture;
}

beforeEach(() => {
  pictures = [];
  root = createRoot(document.createElement('div'));
});
afterEach(async () => {
  await act(async () => root.unmount());
  forgetAnswers();
  engine.close();
});

describe('useEngine', () => {
  test('asks nothing without an argument', async () => {
    const fixture = use();
    await show(null);
    expect(last()).toEqual({ state: 'idle', value: null, isStale: false, error: null, progress: null });
    expect(fixture.asked).toEqual([]);
  });

  test('loads, is ready, and keeps the last value while the next one loads', async () => {
    use();
    await show('c1-0-0-0');
    expect(pictures[0]).toEqual({ state: 'loading', value: null, isStale: false, error: null, progress: null });
    await ready('c1-0-0-0');
    pictures = [];
    await show('c2-0-0-0');
    expect(pictures[0]).toMatchObject({ state: 'loading', isStale: true, value: { row: { id: 'c1-0-0-0' } } });
    await ready('c2-0-0-0');
  });

  test('a slow answer never paints over a newer one, and is cancelled', async () => {
    const fixture = use({ deaf: true, delay: ({ arg }) => (callIdOf(arg) === 'c12-0-0-0' ? 600 : 0) });
    await show('c12-0-0-0');
    await show('c13-0-0-0');
    await ready('c13-0-0-0');
    await act(() => new Promise((resolve) => setTimeout(resolve, 700)));
    expect(last().value?.row.id).toBe('c13-0-0-0');
    expect(pictures.some((picture) => picture.value?.row.id === 'c12-0-0-0')).toBe(false);
    expect(fixture.cancelled.size).toBe(1);
  });

  test('an answer that is known is there in the first picture', async () => {
    const fixture = use();
    await show('c1-0-0-0');
    await ready('c1-0-0-0');
    await show('c2-0-0-0');
    await ready('c2-0-0-0');
    pictures = [];
    await show('c1-0-0-0');
    expect(pictures[0]).toMatchObject({ state: 'ready', value: { row: { id: 'c1-0-0-0' } } });
    expect(fixture.asked.length).toBe(2);
  });

  test('two places that ask the same share one request', async () => {
    const fixture = use();
    await act(async () =>
      root.render(
        <>
          <Probe arg={call('c3-0-0-0')} />
          <Probe arg={call('c3-0-0-0')} />
        </>,
      ),
    );
    await ready('c3-0-0-0');
    expect(fixture.asked.length).toBe(1);
  });

  test('an error is told in place of the old value', async () => {
    use();
    await show('c1-0-0-0');
    await ready('c1-0-0-0');
    await show('no-such-call');
    await act(() => until(() => last().state === 'error'));
    expect(last()).toMatchObject({ value: null, error: { code: 'unknown-call' } });
    pictures = [];
    await show('c1-0-0-0');
    expect(pictures[0]?.state).toBe('ready');
  });

  test('what is on screen is asked again when the file has changed, and stays until the answer comes', async () => {
    const fixture = use();
    await show('c1-0-0-0');
    await ready('c1-0-0-0');
    pictures = [];
    await act(async () => invalidate());
    await ready('c1-0-0-0');
    expect(pictures[0]).toMatchObject({ state: 'ready', isStale: true, value: { row: { id: 'c1-0-0-0' } } });
    expect(pictures.every((picture) => picture.value !== null)).toBe(true);
    expect(fixture.asked.length).toBe(2);
  });

  test('what the engine knows better is asked again without a stale picture between', async () => {
    const fixture = use({ pending: true });
    await show('c2-0-0-0');
    await ready('c2-0-0-0');
    await show('c1-0-0-0');
    await ready('c1-0-0-0');
    expect(last().value?.predictionState).toBe('pending');
    pictures = [];
    fixture.simulated('harbor-7c1e09aa');
    await act(async () => refine(new Set<MethodName>(['call.get'])));
    await act(() => until(() => pictures.at(-1)?.value?.predictionState === 'done'));
    expect(pictures.every((picture) => picture.state === 'ready' && !picture.isStale)).toBe(true);
    await show('c2-0-0-0');
    expect(last().state).toBe('loading');
    await ready('c2-0-0-0');
    expect(last().value?.predictionState).toBe('done');
  });

  test('other questions are left alone by that', async () => {
    const fixture = use();
    await show('c1-0-0-0');
    await ready('c1-0-0-0');
    await act(async () => refine(new Set<MethodName>(['call.diff'])));
    expect(fixture.asked.length).toBe(1);
  });

  test('progress is told while an answer is on its way', async () => {
    use();
    const seen: unknown[] = [];
    function Waiting(): ReactNode {
      seen.push(useEngine('cache.get', { sourceId: 'source-1', sessionId: 'harbor-7c1e09aa' }).progress);
      return null;
    }
    await act(async () => root.render(<Waiting />));
    await act(() => until(() => seen.length > 2 && seen.at(-1) === null));
    expect(seen).toContainEqual({ done: 144, total: 144 });
  });

  test('answers that nobody shows are kept in a bounded number', async () => {
    const fixture = use();
    for (let turn = 1; turn <= 24; turn++)
      for (const lane of [0, 1, 2, 3]) {
        if (turn === 5 && lane === 3) continue;
        const id = `c${turn}-${lane}-0-0`;
        await show(id);
        await ready(id);
      }
    const asked = fixture.asked.length;
    await show('c24-0-0-0');
    expect(last().state).toBe('ready');
    expect(fixture.asked.length).toBe(asked);
    await show('c1-0-0-0');
    await ready('c1-0-0-0');
    expect(fixture.asked.length).toBe(asked + 1);
  });
});
