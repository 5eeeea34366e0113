/**
 * One socket is one client of the engine. A browser that reads slower than the engine writes would let our memory
 * grow: so a socket with much unsent is not listened to until it has caught up (it cannot ask for more), and one
 * that falls hopelessly behind is closed.
 */
import { WebSocket } from 'ws';
import { ClientMessageSchema, type Channel, type ClientMessage } from '../../shared/rpc.ts';

/** A client only asks; its messages are small. Bytes. */
export const MAX_MESSAGE_BYTES = 1024 * 1024;
const PAUSE_BYTES = 16 * 1024 ** 2;
const GIVE_UP_BYTES = 1024 ** 3;

const CLOSE_GOING_AWAY = 1001;

export type Limits = { readonly pauseBytes: number; readonly giveUpBytes: number };

/**
 * Carries messages both ways until either side closes. A message that is not of shared/rpc.ts is dropped.
 * Closing the socket closes the endpoint, which cancels what this client has open.
 */
export function carry(
  socket: WebSocket,
  engine: Channel,
  { pauseBytes, giveUpBytes }: Limits = { pauseBytes: PAUSE_BYTES, giveUpBytes: GIVE_UP_BYTES },
): void {
  const drained = (): void => {
    if (socket.isPaused && socket.bufferedAmount <= pauseBytes) socket.resume();
  };
  engine.onMessage((message) => {
    if (socket.readyState !== WebSocket.OPEN) return;
    socket.send(JSON.stringify(message), drained);
    if (socket.bufferedAmount > giveUpBytes) socket.terminate();
    else if (socket.bufferedAmount > pauseBytes) socket.pause();
  });
  engine.onClose(() => socket.close(CLOSE_GOING_AWAY));
  socket.on('message', (data, isBinary) => {
    const message = isBinary ? null : parse(textOf(data));
    if (message) engine.send(message);
  });
  socket.on('close', () => engine.close());
  socket.on('error', () => socket.terminate()); // too large, not UTF-8, a broken frame
}

const textOf = (data: WebSocket.RawData): string =>
  (Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as ArrayBuffer)).toString('utf8');

function parse(text: string): ClientMessage | null {
  try {
    const parsed = ClientMessageSchema.safeParse(JSON.parse(text));
    // The method's name and argument are checked by the engine, which answers the caller.
    return parsed.success ? (parsed.data as ClientMessage) : null;
  } catch {
    return null;
  }
}
