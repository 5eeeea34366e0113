/** Theme and language of the document follow the settings; `system` follows the desktop while it changes. */
import { useEffect, useSyncExternalStore } from 'react';
import type { Settings } from '../../shared/api.ts';
import { LANGUAGE_TAGS, useLanguage } from './language/index.ts';
import { useLens } from './state.ts';

export type Theme = 'dark' | 'light';

const light = (): MediaQueryList | null =>
  typeof window.matchMedia === 'function' ? window.matchMedia('(prefers-color-scheme: light)') : null;

export const resolveTheme = (setting: Settings['theme'], systemIsLight: boolean): Theme =>
  setting === 'system' ? (systemIsLight ? 'light' : 'dark') : setting;

function subscribe(watcher: () => void): () => void {
  const query = light();
  query?.addEventListener('change', watcher);
  return () => query?.removeEventListener('change', watcher);
}

/** The theme on screen. */
export function useTheme(): Theme {
  const systemIsLight = useSyncExternalStore(subscribe, () => light()?.matches ?? false);
  return resolveTheme(
    useLens((state) => state.theme),
    systemIsLight,
  );
}

/** Writes theme and language to the document. */
export function useDocument(): void {
  const theme = useTheme();
  const language = useLanguage();
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme;
  }, [theme]);
  useEffect(() => {
    document.documentElement.lang = LANGUAGE_TAGS[language];
  }, [language]);
}
