/**
 * The desktop app: one window, its menu, its dialogs, and files that the system asks it to open. All else happens
 * in the engine's thread. Electron says `ready` only after this module has been evaluated, so nothing here may wait
 * for it at the top level.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { app, dialog, nativeTheme, session, type BrowserWindow } from 'electron';
import { z } from 'zod';
import { createClient } from '../shared/client.ts';
import { DEFAULT_SETTINGS, type Settings } from '../shared/api.ts';
import { CHANNELS } from './hosts/channels.ts';
import { createDesktopHost, type DesktopHost } from './hosts/desktop.ts';
import { startEngineThread } from './hosts/engine-thread.ts';
import { userDataFolder } from './hosts/user-data.ts';
import { fileFromArguments } from './shell/arguments.ts';
import { chooseFile } from './shell/dialogs.ts';
import { connectLines } from './shell/lines.ts';
import { setMenu } from './shell/menu.ts';
import { registerScheme, serveWindow } from './shell/protocol.ts';
import { lockContents, lockSession, openWindow } from './shell/window.ts';
import { shellLanguage, WORDS } from './shell/words.ts';

/** What a second start hands over to the running one. */
const HandOver = z.object({ file: z.string().nullable() });

const root = join(import.meta.dirname, '..', '..');
const home = userDataFolder();
let fileToOpen = fileFromArguments(process.argv, app.isPackaged, process.cwd());
let running: { readonly window: BrowserWindow; readonly host: DesktopHost } | null = null;

function openFile(path: string): void {
  if (!running) {
    fileToOpen = path;
    return;
  }
  running.host.command('open-file', path);
  if (running.window.isMinimized()) running.window.restore();
  running.window.focus();
}

function run(): void {
  lockSession(session.defaultSession);
  serveWindow(join(root, 'dist', 'renderer'));
  let settings: Settings = DEFAULT_SETTINGS;
  const language = () => shellLanguage(settings.language, app.getLocale());

  const thread = startEngineThread({
    script: pathToFileURL(join(import.meta.dirname, 'engine-worker.js')),
    data: {
      userData: home,
      host: 'desktop',
      version: app.getVersion(),
      // Files that SQLite opens cannot stay inside the archive of a packaged app.
      resources: join(root, 'resources').replace('app.asar', 'app.asar.unpacked'),
      openAtStart: fileToOpen,
    },
  });
  const engine = createClient(thread.connect());
  const window = openWindow({
    preload: join(root, 'dist', 'preload', 'preload.cjs'),
    stateFile: join(home, 'window.json'),
    isDark: nativeTheme.shouldUseDarkColors,
  });
  const host = createDesktopHost({
    thread,
    post: (message) => {
      if (!window.isDestroyed()) window.webContents.send(CHANNELS.fromEngine, message);
    },
    onCall: (method) => {
      if (method === 'settings.set') followSettings();
    },
  });
  connectLines({
    window,
    host,
    chooseFile: () => chooseFile(window, language()),
    onWindowFailed: () => {
      dialog.showErrorBox('Covel Lens', WORDS[language()].windowFailed);
      app.exit(1);
    },
  });
  running = { window, host };

  /** The engine keeps the settings; the shell shows the language and the theme that stand there. */
  function followSettings(): void {
    engine.call('settings.get', {}).then(
      (kept) => {
        settings = kept;
        nativeTheme.themeSource = kept.theme;
        showMenu();
      },
      () => showMenu(),
    );
  }
  function showMenu(): void {
    setMenu({
      language: language(),
      platform: process.platform,
      isPackaged: app.isPackaged,
      command: (id) => host.command(id, null),
    });
  }
  showMenu();
  followSettings();

  let isPutAway = false;
  app.on('will-quit', (event) => {
    if (isPutAway) return;
    event.preventDefault();
    void thread.close().finally(() => {
      isPutAway = true;
      app.quit();
    });
  });
}

registerScheme();
app.enableSandbox();
app.setName('Covel Lens');
app.on('web-contents-created', (_event, contents) => lockContents(contents));
app.on('window-all-closed', () => app.quit());
app.on('open-file', (event, path) => {
  event.preventDefault();
  openFile(path);
});
app.on('second-instance', (_event, _argv, _cwd, data) => {
  const handedOver = HandOver.safeParse(data);
  if (handedOver.success && handedOver.data.file !== null) openFile(handedOver.data.file);
  else running?.window.focus();
});

try {
  const profile = join(home, 'window');
  mkdirSync(profile, { recursive: true, mode: 0o700 });
  app.setPath('userData', profile);
  if (app.requestSingleInstanceLock({ file: fileToOpen })) void app.whenReady().then(run);
  else app.quit();
} catch (thrown) {
  const detail = thrown instanceof Error ? thrown.message : String(thrown);
  dialog.showErrorBox('Covel Lens', `${home}: ${detail}`);
  app.exit(1);
}
