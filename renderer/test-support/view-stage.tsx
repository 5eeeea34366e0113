/** A view on the fixture engine, drawn into a document without a screen, for tests of what it shows. */
import { act, type ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach } from 'vitest';
import { actions, useLens } from '../app/store.ts';
import { forgetAnswers } from '../app/use-engine.ts';
import { engine } from '../engine-client.ts';
import { createFixture, installFixture, type Fixture, type FixtureOptions } from './fixture-client.ts';
import { fixtureSession } from './fixture-data.ts';
import { until } from './wait.ts';

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

export const all = (selector: string): readonly HTMLElement[] => [...place.querySelectorAll<HTMLElement>(selector)];
export const text = (selector: string): string => all(selector)[0]?.textContent ?? '';
/** React draws at the end of each act, so waiting goes in short ones. */
export async function settled(check: () => boolean, what = String(check)): Promise<void> {
  for (let i = 0; !check(); i++) {
    if (i > 300) throw new Error(`Waited in vain for ${what}`);
    await act(() => new Promise((resolve) => setTimeout(resolve, 5)));
  }
}
export const seen = (selector: string) => settled(() => all(selector).length > 0, selector);
export const click = (element: HTMLElement | undefined) => act(async () => element?.click());

/** Opens the fixture, chooses a turn and draws a view. */
export async function show(
  view: ReactNode,
  turn: number,
  options: FixtureOptions = {},
  fixture?: Fixture,
): Promise<void> {
  installFixture(fixture ?? createFixture({ sessions: [fixtureSession('harbor-7c1e09aa', 4)], ...options }));
  await actions.openPath('/home/author/covel.db');
  await until(() => useLens.getState().callId !== null);
  actions.selectTurnIndex(turn);
  await until(() => useLens.getState().calls.get(useLens.getState().callId ?? '')?.turnIndex === turn);
  actions.setLanguage('en');
  await act(async () => root.render(view));
}

/** Gives every test of a file a place of its own. */
export function setStage(): void {
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
}

/** Draws another view in the same place. */
export const draw = (view: ReactNode) => act(async () => root.render(view));
/** The first element of a selector, for events. */
export const find = (selector: string): Element | null => place.querySelector(selector);
export const stage = (): HTMLElement => place;
