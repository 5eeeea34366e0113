/**
 * The engine may die (a broken file, a native fault, no memory) without taking the window with it: it lives in a
 * worker thread, and a new one is started in its place. Message ids belong to one client only, so with several
 * clients each call is carried under a number of ours and its answers are carried back under the client's own.
 */
import { Worker } from 'node:worker_threads';
import type { EngineEvent } from '../../shared/api.ts';
import type { ErrorCode, LensError } from '../../shared/error.ts';
import type { Channel, ClientMessage, EngineMessage } from '../../shared/rpc.ts';

/** What the engine worker is started with (`workerData`). */
export type EngineWorkerData = {
  /** Absolute folder for what is ours: settings, recent files, the side database, private copies. */
  readonly userData: string;
  readonly host: 'desktop' | 'browser';
  readonly version: string;
  /** Absolute path of the folder `resources/`. */
  readonly resources: string;
  readonly openAtStart: string | null;
};

export type EngineThreadOptions = {
  /** The worker's module; a `.ts` file works where Node strips types. */
  readonly script: URL;
  readonly data: EngineWorkerData;
  /** Told once, when the engine has crashed too often and is not started again. */
  readonly onGaveUp?: (reason: string) => void;
};

export type EngineThread = {
  /**
   * One endpoint per client. Its ids are its own. Closing it cancels what it has open; its `onClose` fires
   * once, also when the whole thread is closed.
   */
  readonly connect: () => Channel;
  /** Asks the engine to put its files away, and ends the thread after `CLOSE_MS` at the latest. */
  readonly close: () => Promise<void>;
};

/** Asks the worker to put its files away and exit. It is no client message, so no client can send it. */
const CLOSE_MESSAGE = 'close';

const MAX_CRASHES = 3;
const CRASH_WINDOW_MS = 60_000;
const CLOSE_MS = 1_500;

type Endpoint = {
  readonly ids: Map<number, number>;
  deliver(message: EngineMessage): void;
  end(reason: string): void;
};

const lensError = (code: ErrorCode, message: string, hint: string, reason: string): LensError => ({
  code,
  message,
  hint,
  values: { reason },
});

/**
 * Room for new objects. Left alone, Node lets it grow to three times that, which a session of ten thousand calls would
 * fill with what nobody needs any more; a smaller one costs no time that can be measured.
 */
const YOUNG_MB = 48;

/**
 * Starts the engine. A crash (an uncaught error, or an exit nobody asked for) starts a new worker, tells every client
 * `engine.restarted` and answers every open call with `engine-restarted`. The third crash within a minute is the last: every open and every later call is answered with `engine-failed`.
 */
export function startEngineThread({ script, data, onGaveUp }: EngineThreadOptions): EngineThread {
  const endpoints = new Set<Endpoint>();
  const routes = new Map<number, { readonly endpoint: Endpoint; readonly id: number }>();
  const crashes: number[] = [];
  let nextId = 0;
  let failed: LensError | null = null;
  let closing: Promise<void> | null = null;
  let worker = start();

  function start(): Worker {
    const started = new Worker(script, { workerData: data, resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } });
    let lastWords: string | null = null;
    started.on('message', (message: EngineMessage) => {
      if (started === worker) route(message);
    });
    started.on('messageerror', (error) => {
      lastWords = error.message;
      void started.terminate();
    });
    started.on('error', (error: unknown) => {
      lastWords = error instanceof Error ? error.message : String(error);
    });
    started.on('exit', (code) => {
      if (closing === null) crashed(lastWords ?? `The engine thread ended with code ${code}.`);
    });
    return started;
  }

  function route(message: EngineMessage): void {
    if (message.t === 'event') return broadcast(message.event);
    const to = routes.get(message.id);
    if (!to) return;
    if (message.t === 'value' || message.t === 'error') {
      routes.delete(message.id);
      to.endpoint.ids.delete(to.id);
    }
    to.endpoint.deliver({ ...message, id: to.id });
  }

  function broadcast(event: EngineEvent): void {
    for (const endpoint of endpoints) endpoint.deliver({ t: 'event', event });
  }

  function crashed(reason: string): void {
    const now = performance.now();
    crashes.push(now);
    while (now - (crashes[0] ?? now) > CRASH_WINDOW_MS) crashes.shift();
    const givesUp = crashes.length >= MAX_CRASHES;
    const error = givesUp
      ? lensError(
          'engine-failed',
          `The engine stopped ${crashes.length} times within a minute and was not started again: ${reason}`,
          'Close Covel Lens and start it again; if a certain file does this each time, please report it.',
          reason,
        )
      : lensError('engine-restarted', `The engine stopped and was started again: ${reason}`, 'Ask again.', reason);
    failed = givesUp ? error : null;
    if (!givesUp) worker = start();
    const open = [...routes.values()];
    routes.clear();
    for (const { endpoint, id } of open) endpoint.ids.delete(id);
    // The event first: on it the shared client ends its open calls by itself, and knows why.
    if (!givesUp) broadcast({ name: 'engine.restarted', reason });
    for (const { endpoint, id } of open) endpoint.deliver({ t: 'error', id, error });
    if (givesUp) onGaveUp?.(error.message);
  }

  function connect(): Channel {
    const messageListeners = new Set<(message: EngineMessage) => void>();
    const closeListeners = new Set<(reason: string) => void>();
    let ended = false;
    const endpoint: Endpoint = {
      ids: new Map(),
      deliver: (message) => messageListeners.forEach((listener) => listener(message)),
      end(reason) {
        if (ended) return;
        ended = true;
        endpoints.delete(endpoint);
        for (const ours of endpoint.ids.values()) {
          routes.delete(ours);
          worker.postMessage({ t: 'cancel', id: ours } satisfies ClientMessage);
        }
        endpoint.ids.clear();
        closeListeners.forEach((listener) => listener(reason));
      },
    };
    endpoints.add(endpoint);
    return {
      send(message) {
        if (ended) return;
        if (message.t === 'cancel') {
          // The engine falls silent on a cancelled call, so its one answer is given here.
          const ours = endpoint.ids.get(message.id);
          if (ours === undefined) return;
          routes.delete(ours);
          endpoint.ids.delete(message.id);
          worker.postMessage({ t: 'cancel', id: ours } satisfies ClientMessage);
          endpoint.deliver({ t: 'error', id: message.id, error: lensError('cancelled', 'Cancelled.', '', '') });
          return;
        }
        if (failed) return endpoint.deliver({ t: 'error', id: message.id, error: failed });
        if (endpoint.ids.has(message.id)) {
          const text = `Call ${message.id} is still open; an id is used once.`;
          return endpoint.deliver({ t: 'error', id: message.id, error: lensError('bad-argument', text, '', text) });
        }
        const ours = nextId++;
        endpoint.ids.set(message.id, ours);
        routes.set(ours, { endpoint, id: message.id });
        worker.postMessage({ ...message, id: ours } satisfies ClientMessage);
      },
      onMessage: (listener) => void messageListeners.add(listener),
      onClose: (listener) => void closeListeners.add(listener),
      close: () => endpoint.end('The client closed the connection.'),
    };
  }

  async function shutDown(): Promise<void> {
    for (const endpoint of endpoints) endpoint.end('Covel Lens was closed.');
    if (failed) return;
    const last = worker;
    const exited = new Promise<void>((resolve) => last.once('exit', () => resolve()));
    last.postMessage(CLOSE_MESSAGE);
    const late = setTimeout(() => void last.terminate(), CLOSE_MS);
    await exited;
    clearTimeout(late);
  }

  return { connect, close: () => (closing ??= shutDown()) };
}
