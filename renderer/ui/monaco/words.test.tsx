// @vitest-environment jsdom
import { act, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, test } from 'vitest';
import { actions, useLens } from '../../app/store.ts';
import { lazyEditor } from './words.tsx';

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
afterEach(() => actions.reset());

test('an editor finds the words of the language on screen, and is made anew when that changes', async () => {
  const found: (boolean | undefined)[] = [];
  const Editor = lazyEditor(() =>
    Promise.resolve(function Fake() {
      found.push(globalThis._VSCODE_NLS_MESSAGES?.some((message) => message === '{0} 个隐藏的行'));
      return null;
    }),
  );
  const root = createRoot(document.createElement('div'));
  const speak = async (language: 'en' | 'zh'): Promise<void> => {
    const before = found.length;
    await act(async () => useLens.setState({ language }));
    for (let i = 0; i < 100 && found.length === before; i++)
      await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
  };
  await act(async () => root.render(<Suspense><Editor /></Suspense>)); // prettier-ignore
  found.length = 0;
  await speak('zh');
  expect(found.at(-1)).toBe(true);
  await speak('en');
  await act(async () => root.unmount());
  expect(globalThis._VSCODE_NLS_MESSAGES).toBeUndefined();
});
