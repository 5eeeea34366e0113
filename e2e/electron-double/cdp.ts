/** One WebSocket to Chromium's debugging port carries commands and events of all its pages, told apart by session. */
import { z } from 'zod';

export type Params = Readonly<Record<string, unknown>>;
export type Session = {
  send(method: string, params?: Params): Promise<Params>;
  on(method: string, listener: (params: Params) => void): void;
};
export type Connection = Session & { session(id: string): Session };

const Incoming = z.object({
  id: z.int().optional(),
  method: z.string().optional(),
  sessionId: z.string().optional(),
  params: z.record(z.string(), z.unknown()).optional(),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.object({ message: z.string() }).optional(),
});

/** Resolves when the connection stands. A command that Chromium refuses rejects with its own words. */
export async function connect(url: string): Promise<Connection> {
  const socket = new WebSocket(url);
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve(), { once: true });
    socket.addEventListener('error', () => reject(new Error(`no connection to ${url}`)), { once: true });
  });
  let next = 1;
  const open = new Map<number, { resolve(result: Params): void; reject(error: Error): void }>();
  const listeners = new Map<string, ((params: Params) => void)[]>();
  socket.addEventListener('message', ({ data }) => {
    const message = Incoming.parse(JSON.parse(String(data)));
    if (message.id !== undefined) {
      const call = open.get(message.id);
      open.delete(message.id);
      if (message.error) call?.reject(new Error(message.error.message));
      else call?.resolve(message.result ?? {});
      return;
    }
    const key = `${message.sessionId ?? ''} ${message.method}`;
    for (const listener of listeners.get(key) ?? []) listener(message.params ?? {});
  });
  const session = (id: string): Session => ({
    send: (method, params = {}) =>
      new Promise((resolve, reject) => {
        const number = next++;
        open.set(number, { resolve, reject });
        socket.send(JSON.stringify({ id: number, method, params, ...(id ? { sessionId: id } : {}) }));
      }),
    on(method, listener) {
      const key = `${id} ${method}`;
      listeners.set(key, [...(listeners.get(key) ?? []), listener]);
    },
  });
  return { ...session(''), session };
}
