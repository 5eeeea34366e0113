/** What stands in the window while no file is open: ways to open one, and why the last one could not be read. */
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { RecentFile } from '../../../shared/api.ts';
import { fileName } from '../../app/actions.ts';
import { useText } from '../../app/language/index.ts';
import { actions, useLens } from '../../app/store.ts';
import { engine } from '../../engine-client.ts';
import { desktopHost } from '../../host.ts';
import { ErrorNote, IconButton, Loading, Sign } from '../../ui/index.ts';
import './start.css';

/** The list belongs to the engine; without it there is simply no list. */
function useRecent(): readonly [readonly RecentFile[], (path: string) => void] {
  const [files, setFiles] = useState<readonly RecentFile[]>([]);
  const status = useLens((state) => state.status.kind);
  useEffect(() => {
    let gone = false;
    engine.call('recent.list', {}).then(
      (list) => !gone && setFiles(list),
      () => undefined,
    );
    return () => void (gone = true);
  }, [status]);
  const forget = (path: string): void =>
    void engine
      .call('recent.forget', { path })
      .then(setFiles, () => setFiles(files.filter((file) => file.path !== path)));
  return [files, forget];
}

function Recent(): ReactNode {
  const t = useText();
  const [files, forget] = useRecent();
  return (
    <section className="start-recent" aria-labelledby="start-recent-title">
      <h2 id="start-recent-title">{t('start.recent')}</h2>
      {files.length === 0 && <p className="start-dim">{t('start.recent.none')}</p>}
      <ul>
        {files.map((file) => (
          <li key={file.path}>
            <button
              type="button"
              className="start-file"
              title={file.path}
              disabled={!file.exists}
              onClick={() => void actions.openPath(file.path)}
            >
              <span className="start-file-name">{fileName(file.path)}</span>
              <span className="start-file-path">{file.exists ? file.path : t('start.recent.gone')}</span>
            </button>
            <IconButton
              label={t('start.recent.forget', { name: fileName(file.path) })}
              onClick={() => forget(file.path)}
            >
              <Sign name="cross" size={10} />
            </IconButton>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** In browser mode there is no system dialog that gives a path: it is typed, or the file is uploaded to the host. */
function PathField(): ReactNode {
  const t = useText();
  const [path, setPath] = useState('');
  return (
    <form
      className="start-path"
      onSubmit={(event) => {
        event.preventDefault();
        if (path.trim() !== '') void actions.openPath(path.trim());
      }}
    >
      <input
        type="text"
        spellCheck={false}
        autoComplete="off"
        aria-label={t('start.path')}
        placeholder={t('start.path')}
        value={path}
        onChange={(event) => setPath(event.target.value)}
      />
      <button type="submit" className="button" disabled={path.trim() === ''}>
        {t('start.path.open')}
      </button>
    </form>
  );
}

function OpenButton(): ReactNode {
  const t = useText();
  const picker = useRef<HTMLInputElement>(null);
  const isDesktop = desktopHost() !== null;
  return (
    <>
      <button
        type="button"
        className="button button-main"
        onClick={() => (isDesktop ? void actions.openDialog() : picker.current?.click())}
      >
        {t(isDesktop ? 'start.open' : 'start.choose')}
      </button>
      <input
        ref={picker}
        type="file"
        hidden
        tabIndex={-1}
        aria-label={t('start.choose')}
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = '';
          if (file) void actions.openFile(file);
        }}
      />
    </>
  );
}

export function Start(): ReactNode {
  const t = useText();
  const status = useLens((state) => state.status);
  const error = useLens((state) => state.openError);
  const failed = useLens((state) => state.openName);

  if (status.kind === 'opening') {
    const label = status.name === '' ? t('start.opening.sample') : t('start.opening', { name: status.name });
    return (
      <main className="start">
        <Loading label={label} />
      </main>
    );
  }
  return (
    <main className="start">
      <div className="start-column">
        <h1>{t('start.title')}</h1>
        <p className="start-lead">{t('start.lead')}</p>
        {error && (
          <ErrorNote error={error} title={t('start.failed', { name: failed === '' ? t('header.sample') : failed })} />
        )}
        <div className="start-open">
          <OpenButton />
          <button type="button" className="button" onClick={() => void actions.openSample()}>
            {t('start.sample')}
          </button>
          <span className="start-dim">{t('start.drop')}</span>
        </div>
        {desktopHost() === null && <PathField />}
        <Recent />
        <p className="start-dim">{t('start.promise')}</p>
      </div>
    </main>
  );
}
