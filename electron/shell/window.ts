/**
 * A renderer is where foreign text is drawn, so it is the part that is trusted least: sandboxed, isolated, without
 * Node, unable to leave its page, to open another, to ask for a permission or to reach the network.
 */
import { BrowserWindow, screen, type Session, type WebContents } from 'electron';
import { isOurAddress } from '../hosts/desktop.ts';
import { START_URL } from './protocol.ts';
import { MIN_SIZE, placement, readState, writeState } from './state.ts';

export type WindowOptions = {
  /** Absolute path of the built preload script (CommonJS: a sandboxed preload cannot be a module). */
  readonly preload: string;
  /** File that remembers the window's place. */
  readonly stateFile: string;
  readonly isDark: boolean;
};

/** Background until the first paint; the token `--bg` of the two themes. */
const BACKGROUND = { dark: '#0f1115', light: '#f5f6f8' } as const;

/** The one thing a page may ask for: to put the text that a person selected on the clipboard. */
const ALLOWED = new Set(['clipboard-sanitized-write']);

/** What the window's session may do: nothing but show our page. */
export function lockSession(session: Session): void {
  session.setPermissionRequestHandler((contents, permission, answer) =>
    answer(ALLOWED.has(permission) && isOurAddress(contents.getURL())),
  );
  session.setPermissionCheckHandler((_contents, permission, origin) => ALLOWED.has(permission) && isOurAddress(origin));
  session.setDevicePermissionHandler(() => false);
  const urls = ['http://*/*', 'https://*/*', 'ws://*/*', 'wss://*/*', 'file://*/*'];
  session.webRequest.onBeforeRequest({ urls }, (_details, answer) => answer({ cancel: true }));
}

/** What every web contents, whoever made it, may do: stay where it is. */
export function lockContents(contents: WebContents): void {
  const refuse = (event: { preventDefault(): void; readonly url: string }): void => {
    if (event.url !== START_URL) event.preventDefault();
  };
  contents.on('will-navigate', refuse);
  contents.on('will-frame-navigate', refuse);
  contents.on('will-redirect', refuse);
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
}

/** Makes the window, remembers its place, and starts to load the page. */
export function openWindow({ preload, stateFile, isDark }: WindowOptions): BrowserWindow {
  const kept = readState(stateFile);
  const screens = screen.getAllDisplays().map((display) => display.workArea);
  const window = new BrowserWindow({
    ...placement(kept, screens),
    minWidth: MIN_SIZE.width,
    minHeight: MIN_SIZE.height,
    title: 'Covel Lens',
    backgroundColor: isDark ? BACKGROUND.dark : BACKGROUND.light,
    show: false,
    webPreferences: {
      preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      // The spelling checker fetches its dictionaries from the network.
      spellcheck: false,
    },
  });
  if (kept?.isMaximized) window.maximize();
  window.once('ready-to-show', () => window.show());
  window.on('close', () =>
    writeState(stateFile, { bounds: window.getNormalBounds(), isMaximized: window.isMaximized() }),
  );
  // A page that cannot be loaded shows as such; the promise's rejection says no more.
  window.loadURL(START_URL).catch(() => undefined);
  return window;
}
