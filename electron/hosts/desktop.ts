/**
 * A window of the desktop app may show a page that is not ours only if everything else has failed; then this is the
 * last door. Every message is taken only from the main frame of our own page, and only when it is a message of
 * shared/rpc.ts. Messages go by IPC and not through a handed-over port, because only IPC names its sender.
 */
import type { MethodName } from '../../shared/api.ts';
import { ClientMessageSchema, type Channel, type ClientMessage, type EngineMessage } from '../../shared/rpc.ts';
import type { EngineThread } from './engine-thread.ts';

/** The one page of the app. */
export const APP_SCHEME = 'app';
export const APP_HOST = 'bundle';
export const APP_ORIGIN = `${APP_SCHEME}://${APP_HOST}`;

/** Who sent a message. */
export type SenderFrame = { readonly url: string; readonly isMainFrame: boolean };

/** Whether an address lies in our own bundle; anything that cannot be parsed does not. */
export function isOurAddress(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && parsed.protocol === `${APP_SCHEME}:` && parsed.host === APP_HOST;
}

/** Whether a message may be listened to. A frame that has gone is null. */
export const isOurFrame = (frame: SenderFrame | null): boolean =>
  frame !== null && frame.isMainFrame && isOurAddress(frame.url);

export type DesktopHost = {
  /** Takes what came over the line `toEngine`; drops and counts what is not ours or not a message. */
  readonly receive: (frame: SenderFrame | null, message: unknown) => void;
  /** The page was left (reload, crash, closed window): what it had open is cancelled, a new page starts afresh. */
  readonly pageGone: () => void;
  /** Tells the window a shell command; one that comes before the page speaks waits for it. */
  readonly command: (command: string, argument: string | null) => void;
  readonly dropped: () => { readonly foreign: number; readonly malformed: number };
};

export type DesktopHostOptions = {
  readonly thread: Pick<EngineThread, 'connect'>;
  /** Carries one message to the window. */
  readonly post: (message: EngineMessage) => void;
  /** Told of each method that the window calls, after it was passed on. */
  readonly onCall?: (method: MethodName) => void;
};

export function createDesktopHost({ thread, post, onCall }: DesktopHostOptions): DesktopHost {
  let channel: Channel | null = null;
  let waiting: EngineMessage[] = [];
  const dropped = { foreign: 0, malformed: 0 };

  function connected(): Channel {
    if (channel) return channel;
    const opened = thread.connect();
    opened.onMessage(post);
    channel = opened;
    for (const message of waiting) post(message);
    waiting = [];
    return opened;
  }

  return {
    receive(frame, message) {
      if (!isOurFrame(frame)) {
        dropped.foreign++;
        return;
      }
      const parsed = ClientMessageSchema.safeParse(message);
      if (!parsed.success) {
        dropped.malformed++;
        return;
      }
      // The engine refuses a method that it does not know; here only the form was checked.
      const sent = parsed.data as ClientMessage;
      connected().send(sent);
      if (sent.t === 'call') onCall?.(sent.method);
    },
    pageGone() {
      channel?.close();
      channel = null;
    },
    command(command, argument) {
      const message: EngineMessage = { t: 'event', event: { name: 'shell.command', command, argument } };
      if (channel) post(message);
      else waiting.push(message);
    },
    dropped: () => ({ ...dropped }),
  };
}
