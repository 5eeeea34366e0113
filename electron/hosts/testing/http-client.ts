/**
 * A browser never sends a wrong Host or a path with `..`; an attacker does. This client sends exactly what it is
 * told, and nothing of its own.
 */
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { WebSocket } from 'ws';

export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
};

export type Ask = {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
};

/** One request to 127.0.0.1:port. `path` goes out as it is. */
export function ask(port: number, { method = 'GET', path = '/', headers = {}, body }: Ask = {}): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const sent = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('error', reject);
    response.on('end', () =>
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      }),
    );
  });
  sent.on('error', reject);
  sent.end(body);
  return promise;
}

/** Bytes sent as they are, and everything that came back until the end of the connection. */
export async function askRaw(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.write(text);
  await once(socket, 'close');
  return Buffer.concat(chunks).toString('latin1');
}

/** The cookie that the address with the token is exchanged for. */
export async function signIn(url: string): Promise<string> {
  const { port, pathname, search } = new URL(url);
  const answer = await ask(Number(port), { path: pathname + search });
  const cookie = answer.headers['set-cookie']?.[0]?.split(';')[0];
  if (!cookie) throw new Error(`no cookie: ${answer.status}`);
  return cookie;
}

/** The open socket, or the HTTP status of the refusal. */
export async function openSocket(
  port: number,
  headers: Readonly<Record<string, string>>,
  path = '/engine',
): Promise<WebSocket | number> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });
  const { promise, resolve, reject } = Promise.withResolvers<WebSocket | number>();
  socket.once('open', () => resolve(socket));
  socket.once('unexpected-response', (sent, response) => {
    resolve(response.statusCode ?? 0);
    sent.destroy();
  });
  socket.once('error', reject);
  return promise;
}
