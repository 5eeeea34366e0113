/** An editor paints with its own colours, so it must know which theme the page wears, not which one was chosen. */
import { useSyncExternalStore } from 'react';

const read = (): 'light' | 'dark' => (document.documentElement.dataset['theme'] === 'light' ? 'light' : 'dark');

function watch(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  return () => observer.disconnect();
}

/** The theme on the page, and again whenever it changes. */
export const useDrawnTheme = (): 'light' | 'dark' => useSyncExternalStore(watch, read);
