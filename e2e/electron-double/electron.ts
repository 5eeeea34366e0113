/**
 * What `import … from 'electron'` gives in the main process: only what the app uses, behaving as Electron does.
 * Everything else throws "not doubled".
 */
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Browser } from './browser.ts';
import { contentsOfTarget, createContents, type Contents } from './contents.ts';
import { session as defaultSession } from './session.ts';
import { strict } from './strict.ts';

export { Menu } from './menu.ts';
export { protocol } from './protocol.ts';

let browser: Browser | null = null;
let markReady: () => void = () => undefined;
const isReady = new Promise<void>((resolve) => (markReady = resolve));
let appFolder = '';
const paths = new Map<string, string>();
let name = '';
let isQuitting = false;

const packageFile = () =>
  z
    .object({ version: z.string(), main: z.string() })
    .parse(JSON.parse(readFileSync(join(appFolder, 'package.json'), 'utf8')));

const emitter = new EventEmitter();
export const app = strict(
  'app',
  Object.assign(emitter, {
    isPackaged: false,
    enableSandbox: () => undefined,
    setName: (given: string) => void (name = given),
    getName: () => name,
    getVersion: () => packageFile().version,
    getLocale: () => 'en-US',
    setPath: (key: string, path: string) => void paths.set(key, path),
    getPath(key: string) {
      const path = paths.get(key);
      if (path === undefined) throw new Error(`not doubled: app.getPath('${key}')`);
      return path;
    },
    // Each test has a folder of its own, so there is never another instance; `second-instance` can be emitted.
    requestSingleInstanceLock: (_data: unknown) => true,
    whenReady: () => isReady,
    quit,
    exit: end,
  }),
);

/** Windows first, then `will-quit`, which may put it off, then the end; as Electron does. */
function quit(): void {
  isQuitting = true;
  for (const window of windows.slice()) window.close();
  if (windows.length > 0) {
    isQuitting = false;
    return;
  }
  let isPutOff = false;
  emitter.emit('will-quit', { preventDefault: () => (isPutOff = true) });
  if (isPutOff) return;
  emitter.emit('quit');
  end();
}

function end(code = 0): void {
  void (browser?.end() ?? Promise.resolve()).finally(() => process.exit(code));
}

type WindowOptions = {
  readonly width: number;
  readonly height: number;
  readonly x?: number;
  readonly y?: number;
  readonly webPreferences: Readonly<Record<string, unknown>>;
};

/** What the stand-in honours by being as it is; an app that asks for less safety would not get it here. */
const SAFE = { contextIsolation: true, sandbox: true, nodeIntegration: false, webSecurity: true, webviewTag: false };

type Window = EventEmitter & {
  readonly id: number;
  readonly webContents: Contents;
  loadURL(url: string): Promise<void>;
  show(): void;
  focus(): void;
  restore(): void;
  isMinimized(): boolean;
  maximize(): void;
  isMaximized(): boolean;
  getNormalBounds(): { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  isDestroyed(): boolean;
  close(): void;
};
const windows: Window[] = [];

function createWindow(options: WindowOptions): Window {
  if (!browser) throw new Error('a window before the app is ready');
  for (const [key, value] of Object.entries(SAFE)) {
    if (options.webPreferences[key] !== value)
      throw new Error(`not doubled: webPreferences.${key} other than ${value}`);
  }
  const own = new EventEmitter();
  const { width, height, x = 0, y = 0 } = options;
  const contents: Contents = createContents(browser.connection, {
    width,
    height,
    preload: String(options.webPreferences['preload']),
  });
  let isMaximized = false;
  let isOpen = true;
  contents.once('first-paint', () => own.emit('ready-to-show'));
  contents.on('destroyed', () => gone());

  function gone(): void {
    if (!isOpen) return;
    isOpen = false;
    windows.splice(windows.indexOf(window), 1);
    own.emit('closed');
    if (windows.length === 0 && !isQuitting) emitter.emit('window-all-closed');
  }

  const window: Window = strict(
    'BrowserWindow',
    Object.assign(own, {
      id: contents.id,
      webContents: contents,
      loadURL: (url: string) => contents.loadURL(url),
      show: () => undefined,
      focus: () => undefined,
      restore: () => undefined,
      isMinimized: () => false,
      maximize: () => void (isMaximized = true),
      isMaximized: () => isMaximized,
      getNormalBounds: () => ({ x, y, width, height }),
      isDestroyed: () => !isOpen,
      close() {
        if (!isOpen) return;
        let isPrevented = false;
        own.emit('close', { preventDefault: () => (isPrevented = true) });
        if (!isPrevented) contents.close();
      },
    }),
  );
  windows.push(window);
  emitter.emit('web-contents-created', {}, contents);
  return window;
}

export const BrowserWindow = Object.assign(
  function BrowserWindow(options: WindowOptions) {
    return createWindow(options);
  },
  {
    getAllWindows: () => [...windows],
    fromWebContents: (contents: Contents) => windows.find((window) => window.webContents === contents) ?? null,
  },
);

export const webContents = strict('webContents', { fromDevToolsTargetId: contentsOfTarget });
export const session = strict('session', { defaultSession });
export const screen = strict('screen', {
  getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }],
});

// A test puts its own function in the place of a dialog, with real Electron as well.
export const dialog = strict('dialog', {
  showOpenDialog: (): never => {
    throw new Error('not doubled: a native dialog');
  },
  showErrorBox: (title: string, content: string) => console.error(`${title}: ${content}`),
});

export const nativeTheme = strict('nativeTheme', { themeSource: 'system', shouldUseDarkColors: true });

/** For the entry of the stand-in only. */
export const control = {
  /** @returns the app's entry module. */
  begin(folder: string, started: Browser): string {
    appFolder = folder;
    browser = started;
    return join(folder, packageFile().main);
  },
  ready(): void {
    markReady();
    emitter.emit('ready');
  },
};
