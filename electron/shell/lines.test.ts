import { EventEmitter } from 'node:events';
import type { BrowserWindow } from 'electron';
import { describe, expect, test, vi } from 'vitest';
import { CHANNELS } from '../hosts/channels.ts';
import type { DesktopHost } from '../hosts/desktop.ts';
import { connectLines } from './lines.ts';

function setUp() {
  const handlers = new Map<string, (event: object, ...args: unknown[]) => unknown>();
  const contents = Object.assign(new EventEmitter(), {
    ipc: {
      on: (channel: string, handler: (event: object, ...args: unknown[]) => unknown) => handlers.set(channel, handler),
      handle: (channel: string, handler: (event: object) => unknown) => handlers.set(channel, handler),
    },
    reload: vi.fn<() => void>(),
  });
  const host = {
    receive: vi.fn<DesktopHost['receive']>(),
    pageGone: vi.fn<DesktopHost['pageGone']>(),
    command: vi.fn<DesktopHost['command']>(),
    dropped: vi.fn<DesktopHost['dropped']>(),
  };
  const chooseFile = vi.fn<() => Promise<string>>(() => Promise.resolve('/chosen.db'));
  const onWindowFailed = vi.fn<() => void>();
  connectLines({ window: { webContents: contents } as unknown as BrowserWindow, host, chooseFile, onWindowFailed });
  const say = (channel: string, senderFrame: object | null, ...args: unknown[]) =>
    handlers.get(channel)?.({ senderFrame }, ...args);
  return { contents, host, chooseFile, onWindowFailed, say };
}
const ours = { url: 'app://bundle/index.html', parent: null };

describe('lines', () => {
  test.each([
    ['our page', ours, { url: ours.url, isMainFrame: true }],
    ['a frame in our page', { ...ours, parent: ours }, { url: ours.url, isMainFrame: false }],
    ['a frame that is gone', null, null],
  ])('a message of %s reaches the host with its sender', (_name, frame, sender) => {
    const { host, say } = setUp();
    say(CHANNELS.toEngine, frame, { t: 'call' });
    expect(host.receive).toHaveBeenCalledExactlyOnceWith(sender, { t: 'call' });
  });

  test('only our page gets the open dialog', async () => {
    const { chooseFile, say } = setUp();
    expect(say(CHANNELS.openDialog, { ...ours, url: 'https://example.test/' })).toBeNull();
    expect(say(CHANNELS.openDialog, { ...ours, parent: ours })).toBeNull();
    expect(say(CHANNELS.openDialog, null)).toBeNull();
    expect(chooseFile).not.toHaveBeenCalled();
    expect(await say(CHANNELS.openDialog, ours)).toBe('/chosen.db');
  });
});

describe('a page that goes', () => {
  test.each([
    ['another document', { isMainFrame: true, isSameDocument: false }, 1],
    ['the same document', { isMainFrame: true, isSameDocument: true }, 0],
    ['a frame inside', { isMainFrame: false, isSameDocument: false }, 0],
  ])('%s', (_name, details, times) => {
    const { contents, host } = setUp();
    contents.emit('did-start-navigation', details);
    expect(host.pageGone).toHaveBeenCalledTimes(times);
  });

  test('a closed window', () => {
    const { contents, host } = setUp();
    contents.emit('destroyed');
    expect(host.pageGone).toHaveBeenCalledOnce();
  });

  test('a crash loads it again; a second one soon after gives up', () => {
    const { contents, host, onWindowFailed } = setUp();
    const crash = () => contents.emit('render-process-gone', {}, { reason: 'crashed' });
    crash();
    expect(contents.reload).toHaveBeenCalledOnce();
    expect(onWindowFailed).not.toHaveBeenCalled();
    crash();
    expect(contents.reload).toHaveBeenCalledOnce();
    expect(onWindowFailed).toHaveBeenCalledOnce();
    expect(host.pageGone).toHaveBeenCalledTimes(2);
  });

  test('a crash long after another one is a first one again', () => {
    const now = vi.spyOn(performance, 'now');
    const { contents, onWindowFailed } = setUp();
    for (const at of [0, 60_000]) {
      now.mockReturnValue(at);
      contents.emit('render-process-gone', {}, { reason: 'oom' });
    }
    now.mockRestore();
    expect(contents.reload).toHaveBeenCalledTimes(2);
    expect(onWindowFailed).not.toHaveBeenCalled();
  });

  test('a clean end is no crash', () => {
    const { contents } = setUp();
    contents.emit('render-process-gone', {}, { reason: 'clean-exit' });
    expect(contents.reload).not.toHaveBeenCalled();
  });
});
