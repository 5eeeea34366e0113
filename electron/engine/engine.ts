/**
 * The engine answers the contract of shared/api.ts. It knows nothing of threads, windows or sockets: whoever
 * hosts it passes messages in and out. Every argument is parsed before a handler sees it; every failure leaves
 * as an error value; every call can be cancelled between two steps of its work.
 */
import {
  API,
  type AppInfo,
  type MethodIn,
  type MethodItem,
  type MethodName,
  type MethodOut,
} from '../../shared/api.ts';
import { LensFailure, type LensError } from '../../shared/error.ts';
import { ClientMessageSchema, type EngineMessage } from '../../shared/rpc.ts';
import { lensError } from './errors.ts';
import { createHandlers } from './handlers.ts';
import { createKeptState } from './kept-state.ts';
import { createOpenSources } from './open-sources.ts';

export type EngineOptions = {
  /** Folder of ours: settings, recent files, derived data, private copies. */
  readonly userData: string;
  readonly host: AppInfo['host'];
  readonly version: string;
  /** Folder `resources/` of the package. */
  readonly resources: string;
  readonly openAtStart: string | null;
  readonly send: (message: EngineMessage) => void;
};

export type Engine = {
  /** Takes one message of shared/rpc.ts; anything else is ignored. */
  receive(message: unknown): void;
  close(): Promise<void>;
};

/** What a handler gets besides its argument. */
export type CallContext<M extends MethodName> = {
  readonly signal: AbortSignal;
  readonly item: (item: MethodItem<M>) => void;
  readonly progress: (done: number, total: number) => void;
};

export type Handlers = {
  readonly [M in MethodName]: (arg: MethodIn<M>, context: CallContext<M>) => MethodOut<M> | Promise<MethodOut<M>>;
};

export function createEngine(options: EngineOptions): Engine {
  const { send } = options;
  const running = new Map<number, AbortController>();
  const kept = createKeptState(options.userData);
  const sources = createOpenSources({
    resources: options.resources,
    userData: options.userData,
    onEvent: (event) => send({ t: 'event', event }),
  });
  const handlers = createHandlers({ options, kept, sources });

  async function run(id: number, method: MethodName, arg: unknown): Promise<void> {
    const abort = new AbortController();
    running.set(id, abort);
    const context: CallContext<MethodName> = {
      signal: abort.signal,
      item: (item) => abort.signal.aborted || send({ t: 'item', id, item }),
      progress: (done, total) => abort.signal.aborted || send({ t: 'progress', id, done, total }),
    };
    try {
      const parsed = API[method].in.safeParse(arg);
      if (!parsed.success) throw new LensFailure(lensError('bad-argument', { method, detail: parsed.error.message }));
      const handler = handlers[method] as (arg: unknown, context: CallContext<MethodName>) => unknown;
      const value = await handler(parsed.data, context);
      if (!abort.signal.aborted) send({ t: 'value', id, value });
    } catch (thrown) {
      if (!abort.signal.aborted) send({ t: 'error', id, error: toError(thrown) });
    } finally {
      running.delete(id);
    }
  }

  return {
    receive(message) {
      const parsed = ClientMessageSchema.safeParse(message);
      if (!parsed.success) return;
      if (parsed.data.t === 'cancel') {
        running.get(parsed.data.id)?.abort();
        return;
      }
      const { id, method, arg } = parsed.data;
      if (Object.hasOwn(API, method)) void run(id, method as MethodName, arg);
      else send({ t: 'error', id, error: lensError('bad-argument', { method, detail: 'no such method' }) });
    },
    async close() {
      for (const abort of running.values()) abort.abort();
      await sources.closeAll();
      kept.close();
    },
  };
}

function toError(thrown: unknown): LensError {
  if (thrown instanceof LensFailure) return thrown.error;
  return lensError('engine-failed', { detail: thrown instanceof Error ? thrown.message : String(thrown) });
}
