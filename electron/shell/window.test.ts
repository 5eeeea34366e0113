import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Session, WebContents } from 'electron';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';

const electron = vi.hoisted(() => {
  const made: { options: Record<string, unknown>; window: Record<string, unknown> }[] = [];
  return {
    made,
    events: new Map<string, () => void>(),
  };
});

vi.mock('electron', () => ({
  protocol: {},
  screen: { getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }] },
  BrowserWindow: vi.fn<(options: Record<string, unknown>) => object>(function BrowserWindow(
    options: Record<string, unknown>,
  ) {
    const window = {
      on: (name: string, listener: () => void) => electron.events.set(name, listener),
      once: (name: string, listener: () => void) => electron.events.set(name, listener),
      loadURL: vi.fn<() => Promise<void>>(() => Promise.reject(new Error('nothing there'))),
      show: vi.fn<() => void>(),
      maximize: vi.fn<() => void>(),
      getNormalBounds: () => ({ x: 5, y: 6, width: 1200, height: 800 }),
      isMaximized: () => true,
    };
    electron.made.push({ options, window });
    return window;
  }),
}));

const { lockContents, lockSession, openWindow } = await import('./window.ts');
const { START_URL } = await import('./protocol.ts');

const folder = mkdtempSync(join(tmpdir(), 'lens-window-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => electron.made.splice(0));

const open = () => {
  openWindow({ preload: '/app/preload.cjs', stateFile: join(folder, 'window.json'), isDark: true });
  const made = electron.made.at(-1);
  if (!made) throw new Error('no window was made');
  return made;
};

describe('the window', () => {
  test('is isolated, sandboxed, without Node, and fetches no dictionary', () => {
    const { options, window } = open();
    expect(options['webPreferences']).toEqual({
      preload: '/app/preload.cjs',
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      spellcheck: false,
    });
    expect(options).toMatchObject({ show: false, minWidth: 1024, minHeight: 640 });
    expect(window['loadURL']).toHaveBeenCalledExactlyOnceWith(START_URL);
  });

  test('shows itself when it can be painted, and comes back where it was', () => {
    const first = open();
    expect(first.window['maximize']).not.toHaveBeenCalled();
    electron.events.get('ready-to-show')?.();
    expect(first.window['show']).toHaveBeenCalledOnce();
    electron.events.get('close')?.();
    const second = open();
    expect(second.options).toMatchObject({ x: 5, y: 6, width: 1200, height: 800 });
    expect(second.window['maximize']).toHaveBeenCalledOnce();
  });
});

describe('a page', () => {
  const listeners = new Map<string, (event: object) => void>();
  let openHandler: () => object = () => ({ action: 'allow' });
  lockContents({
    on: (name: string, listener: (event: object) => void) => listeners.set(name, listener),
    setWindowOpenHandler: (handler: () => object) => (openHandler = handler),
  } as unknown as WebContents);

  test.each([
    ['will-navigate', 'https://example.test/', true],
    ['will-navigate', 'app://bundle/other.html', true],
    ['will-navigate', 'app://bundle/index.html', false],
    ['will-frame-navigate', 'https://example.test/', true],
    ['will-redirect', 'file:///etc/passwd', true],
  ])('%s to %s is refused: %s', (name, url, isRefused) => {
    const preventDefault = vi.fn<() => void>();
    listeners.get(name)?.({ url, preventDefault });
    expect(preventDefault).toHaveBeenCalledTimes(isRefused ? 1 : 0);
  });

  test('may open no other window and hold no web view', () => {
    const preventDefault = vi.fn<() => void>();
    listeners.get('will-attach-webview')?.({ preventDefault });
    expect(preventDefault).toHaveBeenCalledOnce();
    expect(openHandler()).toEqual({ action: 'deny' });
  });
});

describe('the session', () => {
  type Contents = { getURL(): string };
  let request: (contents: Contents, permission: string, answer: (granted: boolean) => void) => void = () => undefined;
  let check: (contents: null, permission: string, origin: string) => boolean = () => true;
  let device: () => boolean = () => true;
  let filter: { urls: string[] } = { urls: [] };
  let before: (details: object, answer: (reply: object) => void) => void = () => undefined;
  lockSession({
    setPermissionRequestHandler: (handler: typeof request) => (request = handler),
    setPermissionCheckHandler: (handler: typeof check) => (check = handler),
    setDevicePermissionHandler: (handler: typeof device) => (device = handler),
    webRequest: {
      onBeforeRequest: (given: typeof filter, listener: typeof before) => {
        filter = given;
        before = listener;
      },
    },
  } as unknown as Session);

  test.each([
    ['clipboard-sanitized-write', START_URL, true],
    ['clipboard-sanitized-write', 'https://example.test/', false],
    ['clipboard-read', START_URL, false],
    ['media', START_URL, false],
    ['geolocation', START_URL, false],
    ['notifications', START_URL, false],
    ['openExternal', START_URL, false],
    ['fileSystem', START_URL, false],
  ])('%s asked by %s is granted: %s', (permission, url, isGranted) => {
    const answer = vi.fn<(granted: boolean) => void>();
    request({ getURL: () => url }, permission, answer);
    expect(answer).toHaveBeenCalledExactlyOnceWith(isGranted);
    expect(check(null, permission, url)).toBe(isGranted);
    expect(device()).toBe(false);
  });

  test('reaches no network', () => {
    expect(filter.urls).toEqual(expect.arrayContaining(['http://*/*', 'https://*/*', 'ws://*/*', 'wss://*/*']));
    const answer = vi.fn<(reply: object) => void>();
    before({}, answer);
    expect(answer).toHaveBeenCalledExactlyOnceWith({ cancel: true });
  });
});
