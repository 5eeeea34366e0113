/**
 * The third host carries nothing anywhere: the command line and the tests talk to an engine in their own thread.
 * Messages still go through shared/rpc.ts and are copied on their way, so that a value which could not cross a
 * thread or a socket cannot slip through here either.
 */
import { createClient, type EngineClient } from '../../shared/client.ts';
import type { Channel, ClientMessage, EngineMessage } from '../../shared/rpc.ts';
import { createEngine, type EngineOptions } from '../engine/engine.ts';

export type InProcessOptions = Omit<EngineOptions, 'host' | 'send'>;

export type InProcessClient = Omit<EngineClient, 'close'> & {
  /** Cancels what is open, lets the engine put its files away, and resolves when it has. */
  close(): Promise<void>;
};

/** An engine of one's own. Calls reject with LensFailure, as over every other host. */
export function connectInProcess(options: InProcessOptions): InProcessClient {
  const messageListeners = new Set<(message: EngineMessage) => void>();
  const closeListeners = new Set<(reason: string) => void>();
  let isClosed = false;

  const engine = createEngine({
    ...options,
    host: 'in-process',
    send(message) {
      const copy = structuredClone(message);
      queueMicrotask(() => messageListeners.forEach((listener) => listener(copy)));
    },
  });

  const channel: Channel = {
    send(message: ClientMessage) {
      const copy = structuredClone(message);
      queueMicrotask(() => {
        if (!isClosed) engine.receive(copy);
      });
    },
    onMessage: (listener) => void messageListeners.add(listener),
    onClose: (listener) => void closeListeners.add(listener),
    close() {
      if (isClosed) return;
      isClosed = true;
      closeListeners.forEach((listener) => listener('The client was closed.'));
      messageListeners.clear();
    },
  };
  const client = createClient(channel);

  return {
    ...client,
    async close() {
      client.close();
      await engine.close();
    },
  };
}
