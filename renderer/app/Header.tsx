/** The top line: what is open and whether it is followed, the search, language and theme. */
import { useSyncExternalStore, type ReactNode } from 'react';
import type { Settings } from '../../shared/api.ts';
import { engine, type Connection } from '../engine-client.ts';
import { Kbd, Sign, type SignName } from '../ui/index.ts';
import { useLanguage, useText } from './language/index.ts';
import { ProblemsButton } from './Problems.tsx';
import { actions, useLens } from './store.ts';

export const useConnection = (): Connection => useSyncExternalStore(engine.onConnection, engine.connection);

/** Folder and name: enough to tell two files of one name apart. */
export function shortPath(path: string): string {
  const parts = path.split(/[\\/]/).filter((part) => part !== '');
  return parts.slice(-2).join(' / ');
}

function FileState(): ReactNode {
  const t = useText();
  const mode = useLens((state) => state.source?.mode);
  const status = useLens((state) => state.status.kind);
  const connection = useConnection();
  if (mode === undefined) return null;
  const kind = connection === 'closed' ? 'offline' : status === 'lost' ? 'lost' : 'following';
  const hint = kind === 'following' ? (`header.following.${mode}` as const) : (`header.${kind}.hint` as const);
  return (
    <output className={`pill pill-${kind}`} title={t(hint)}>
      <i className="pill-dot" aria-hidden="true" />
      {t(`header.${kind}`)}
    </output>
  );
}

const NEXT_THEME: Readonly<Record<Settings['theme'], Settings['theme']>> = {
  system: 'dark',
  dark: 'light',
  light: 'system',
};
const THEME_SIGN: Readonly<Record<Settings['theme'], SignName>> = { system: 'system', dark: 'moon', light: 'sun' };

function ThemeButton(): ReactNode {
  const t = useText();
  const theme = useLens((state) => state.theme);
  const label = t('header.theme', { theme });
  return (
    <button
      type="button"
      className="pill pill-button"
      aria-label={label}
      title={label}
      onClick={() => actions.setTheme(NEXT_THEME[theme])}
    >
      <Sign name={THEME_SIGN[theme]} />
    </button>
  );
}

function LanguageButton(): ReactNode {
  const t = useText();
  const other = useLanguage() === 'en' ? 'zh' : 'en';
  const label = t('header.language.next', { language: t(`language.${other}`) });
  return (
    <button
      type="button"
      className="pill pill-button"
      lang={other === 'zh' ? 'zh-CN' : 'en'}
      aria-label={label}
      title={label}
      onClick={() => actions.setLanguage(other)}
    >
      {t(`language.${other}`)}
    </button>
  );
}

export function Header(): ReactNode {
  const t = useText();
  const source = useLens((state) => state.source);
  return (
    <header className="header">
      {/* Start has a heading of its own. */}
      {source ? <h1 className="header-name">{t('app.name')}</h1> : <span className="header-name">{t('app.name')}</span>}
      {source && (
        <span className="header-file" title={source.path}>
          {source.isSample ? t('header.sample') : shortPath(source.path)}
        </span>
      )}
      <FileState />
      <ProblemsButton />
      <button
        type="button"
        className="search-field"
        aria-keyshortcuts="/"
        onClick={() => actions.setOverlay('palette')}
      >
        <span>{t('header.search')}</span>
        <Kbd keys="mod+k" />
      </button>
      <LanguageButton />
      <ThemeButton />
    </header>
  );
}
