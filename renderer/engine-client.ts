/**
 * The window knows the engine only as numbered messages (shared/rpc.ts). They travel over the desktop bridge where
 * there is one, else over a WebSocket to our own host; a WebSocket can break, so it is opened again by itself.
 */
import { createClient, type EngineClient } from '../shared/client.ts';
import type { EngineEvent } from '../shared/api.ts';
import { LensFailure } from '../shared/error.ts';
import type { Channel, EngineMessage } from '../shared/rpc.ts';
import { desktopHost, type LensHost } from './host.ts';

export type Connection = 'connecting' | 'open' | 'closed';

const RETRY_MS = [250, 500, 1000, 2000, 4000] as const;

/** Carries messages over the desktop bridge; it lives as long as the window. */
export function hostChannel(host: LensHost): Channel {
  return {
    send: (message) => host.send(message),
    onMessage: (listener) => void host.onMessage(listener),
    onClose: () => undefined,
    close: () => undefined,
  };
}

/** Carries messages over a WebSocket; what is sent before it is open waits. `opened` fires once it is. */
export function socketChannel(socket: WebSocket, opened: () => void): Channel {
  const waiting: string[] = [];
  let onMessage: (message: EngineMessage) => void = () => undefined;
  let onClose: (reason: string) => void = () => undefined;
  socket.addEventListener('open', () => {
    for (const text of waiting.splice(0)) socket.send(text);
    opened();
  });
  socket.addEventListener('message', (event) => {
    if (typeof event.data === 'string') onMessage(JSON.parse(event.data) as EngineMessage);
  });
  socket.addEventListener('close', (event) => onClose(event.reason || 'The connection was closed.'), { once: true });
  return {
    send(message) {
      const text = JSON.stringify(message);
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
      else if (socket.readyState === WebSocket.CONNECTING) waiting.push(text);
    },
    onMessage: (listener) => void (onMessage = listener),
    onClose: (listener) => void (onClose = listener),
    close: () => socket.close(),
  };
}

export type LiveClient = EngineClient & {
  readonly connection: () => Connection;
  readonly onConnection: (listener: (connection: Connection) => void) => () => void;
};

/**
 * A client that connects at its first use and again after a break. After a break every listener is told
 * `engine.restarted`, since what the engine had open for the old connection is gone.
 * @param connect makes one channel; calls `opened` when messages flow. Channels that never close are never remade.
 */
export function createLiveClient(connect: (opened: () => void) => Channel): LiveClient {
  const events = new Set<(event: EngineEvent) => void>();
  const watchers = new Set<(connection: Connection) => void>();
  let client: EngineClient | null = null;
  let state: Connection = 'connecting';
  let failures = 0;
  let wasOpen = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const tell = (event: EngineEvent): void => events.forEach((listener) => listener(event));
  function become(next: Connection): void {
    if (next === state) return;
    state = next;
    watchers.forEach((watcher) => watcher(next));
  }
  function start(): EngineClient {
    const channel = connect(() => {
      failures = 0;
      become('open');
      if (wasOpen) tell({ name: 'engine.restarted', reason: 'reconnected' });
      wasOpen = true;
    });
    const mine = createClient({
      ...channel,
      onClose: (listener) =>
        channel.onClose((reason) => {
          listener(reason);
          if (client !== mine) return;
          become('closed');
          timer = setTimeout(() => start(), RETRY_MS[Math.min(failures++, RETRY_MS.length - 1)]);
        }),
    });
    mine.onEvent(tell);
    client = mine;
    return mine;
  }

  return {
    call(method, arg, options) {
      if (state === 'closed') {
        const error = { code: 'disconnected', message: 'Not connected.', hint: '', values: {} } as const;
        return Promise.reject(new LensFailure(error));
      }
      return (client ?? start()).call(method, arg, options);
    },
    onEvent(listener) {
      events.add(listener);
      return () => events.delete(listener);
    },
    close() {
      clearTimeout(timer);
      const last = client;
      client = null;
      state = 'connecting';
      wasOpen = false;
      last?.close();
    },
    connection: () => state,
    onConnection(listener) {
      watchers.add(listener);
      return () => watchers.delete(listener);
    },
  };
}

/** The only door to the engine. Calls reject with LensFailure; see shared/client.ts. */
export const engine: LiveClient = createLiveClient((opened) => {
  const host = desktopHost();
  if (host) {
    queueMicrotask(opened);
    return hostChannel(host);
  }
  const address = new URL('/engine', window.location.href);
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  return socketChannel(new WebSocket(address), opened);
});
