/**
 * Joins one window to the engine's host: its messages with their sender, its open dialog, and the moments when its
 * page is left. Handlers are bound to this window's contents only, so no other contents has a line at all.
 */
import type { BrowserWindow, WebFrameMain } from 'electron';
import { CHANNELS } from '../hosts/channels.ts';
import { isOurFrame, type DesktopHost, type SenderFrame } from '../hosts/desktop.ts';

export type LineOptions = {
  readonly window: BrowserWindow;
  readonly host: DesktopHost;
  readonly chooseFile: () => Promise<string | null>;
  /** The page crashed again so soon that another try would not help. */
  readonly onWindowFailed: () => void;
};

/** A page that crashes twice within this time is not loaded a third time. */
const CRASH_PAUSE_MS = 10_000;

const senderOf = (frame: WebFrameMain | null): SenderFrame | null =>
  frame && { url: frame.url, isMainFrame: frame.parent === null };

export function connectLines({ window, host, chooseFile, onWindowFailed }: LineOptions): void {
  const contents = window.webContents;
  let lastCrash = Number.NEGATIVE_INFINITY;
  contents.ipc.on(CHANNELS.toEngine, (event, message: unknown) => host.receive(senderOf(event.senderFrame), message));
  contents.ipc.handle(CHANNELS.openDialog, (event) => (isOurFrame(senderOf(event.senderFrame)) ? chooseFile() : null));
  contents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
    if (isMainFrame && !isSameDocument) host.pageGone();
  });
  contents.on('destroyed', () => host.pageGone());
  contents.on('render-process-gone', (_event, { reason }) => {
    host.pageGone();
    if (reason === 'clean-exit') return;
    const now = performance.now();
    const isSoon = now - lastCrash < CRASH_PAUSE_MS;
    lastCrash = now;
    if (isSoon) onWindowFailed();
    else contents.reload();
  });
}
