/**
 * The client half of the contract, over any Channel: numbered calls, streamed items, progress, cancellation.
 * When the channel closes, every open call fails with `disconnected`; none waits for ever.
 */
import type { EngineEvent, MethodIn, MethodItem, MethodName, MethodOut } from './api.ts';
import { LensFailure, type LensError } from './error.ts';
import type { Channel } from './rpc.ts';

export type CallOptions<M extends MethodName> = {
  readonly signal?: AbortSignal;
  readonly onItem?: (item: MethodItem<M>) => void;
  readonly onProgress?: (done: number, total: number) => void;
};

export type EngineClient = {
  /** Rejects with LensFailure. An aborted call rejects with code `cancelled` at once. */
  call<M extends MethodName>(method: M, arg: MethodIn<M>, options?: CallOptions<M>): Promise<MethodOut<M>>;
  onEvent(listener: (event: EngineEvent) => void): () => void;
  close(): void;
};

type Open = {
  settle(outcome: { value: unknown } | { error: LensError }): void;
  item(item: unknown): void;
  progress(done: number, total: number): void;
};

const failure = (code: 'cancelled' | 'disconnected', message: string): LensError => ({
  code,
  message,
  hint: '',
  values: {},
});

export function createClient(channel: Channel): EngineClient {
  const open = new Map<number, Open>();
  const listeners = new Set<(event: EngineEvent) => void>();
  let next = 0;
  let closed: string | null = null;

  channel.onMessage((message) => {
    if (message.t === 'event') {
      // A new engine thread knows nothing of the calls of the old one.
      if (message.event.name === 'engine.restarted') failAll(message.event.reason);
      for (const listener of listeners) listener(message.event);
      return;
    }
    const call = open.get(message.id);
    if (!call) return;
    if (message.t === 'item') call.item(message.item);
    else if (message.t === 'progress') call.progress(message.done, message.total);
    else call.settle(message.t === 'value' ? { value: message.value } : { error: message.error });
  });
  channel.onClose((reason) => {
    closed = reason;
    failAll(reason);
  });

  function failAll(reason: string): void {
    for (const call of open.values()) call.settle({ error: failure('disconnected', reason) });
  }

  return {
    call(method, arg, options = {}) {
      return new Promise((resolve, reject) => {
        if (closed !== null) return reject(new LensFailure(failure('disconnected', closed)));
        if (options.signal?.aborted) return reject(new LensFailure(failure('cancelled', 'Cancelled.')));
        const id = next++;
        const abort = (): void => {
          channel.send({ t: 'cancel', id });
          open.get(id)?.settle({ error: failure('cancelled', 'Cancelled.') });
        };
        open.set(id, {
          settle(outcome) {
            open.delete(id);
            options.signal?.removeEventListener('abort', abort);
            if ('error' in outcome) reject(new LensFailure(outcome.error));
            else resolve(outcome.value as never);
          },
          item: (item) => options.onItem?.(item as never),
          progress: (done, total) => options.onProgress?.(done, total),
        });
        options.signal?.addEventListener('abort', abort);
        channel.send({ t: 'call', id, method, arg });
      });
    },
    onEvent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => channel.close(),
  };
}
