/**
 * Browser mode is the same window, carried by HTTP and one WebSocket on loopback. The port is reachable by every
 * page and every user of the machine, so nothing is answered before the request is known to be meant for us (Host),
 * made by our page (Origin, where it changes or reads anything) and allowed (cookie). See web-gate.ts.
 */
import { STATUS_CODES, createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { fail, ok, type ErrorCode, type LensError, type Result } from '../../shared/error.ts';
import type { Channel } from '../../shared/rpc.ts';
import { createGate, type Gate } from './web-gate.ts';
import { json, page, securityHeaders, type Reply } from './web-headers.ts';
import { MAX_MESSAGE_BYTES, carry, type Limits } from './web-socket.ts';
import { listStaticFiles, sendStaticFile, type StaticFiles } from './web-static.ts';
import { createUploads, sweepUploads, type Uploads } from './web-upload.ts';

export type WebHostOptions = {
  /** Folder of the built window, with `index.html`. */
  readonly rendererDir: string;
  /** Each browser tab becomes one client of it (engine-thread.ts). The host does not close it. */
  readonly engine: { connect(): Channel };
  /** Folder of ours: files that are dropped into the browser are kept there until the host closes. */
  readonly userData: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Closes by itself when no tab was connected and nothing was asked for this long. Milliseconds. */
  readonly idleMs: number;
  /** Bytes of one dropped file; 4 GB when it is not given. */
  readonly maxUploadBytes?: number;
  readonly socketLimits?: Limits;
};

export type WebHost = {
  /** The address with its token, which works once. */
  readonly url: string;
  readonly port: number;
  /** Resolves when the host has closed, and says why. */
  readonly closed: Promise<'asked' | 'idle'>;
  /** Ends every connection, frees the port, removes dropped files. */
  close(): Promise<void>;
};

const REQUEST_TIMEOUT_MS = 15 * 60_000; // a 4 GB file on a slow disk

const PAGES = {
  wrongHost: page(403, 'Not this address', 'Use the address exactly as the command line printed it.'),
  usedToken: page(
    403,
    'This address has been used',
    'It works once, for the browser that opened it first. Go back to that tab, or stop Covel Lens and start it again for a new address.',
  ),
  noCookie: page(
    401,
    'Not signed in',
    'Open the address that the command line printed, with its token. If this browser has opened it already, <a href="/">go on from here</a>.',
  ),
  notFound: page(404, 'Nothing here', 'The window is at <a href="/">the first page</a>.'),
} as const;

/**
 * Starts the host on 127.0.0.1. Errors: `not-available` (the window is not built), `port-in-use`, `bad-argument`
 * (a port that may not be taken).
 */
export async function startWebHost(options: WebHostOptions): Promise<Result<WebHost>> {
  const files = await listStaticFiles(options.rendererDir).catch((): StaticFiles => new Map());
  if (!files.has('/')) {
    return fail(hostError('not-available', 'The window has not been built.', 'Run "npm run build" and start again.'));
  }
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS });
  const listening = await listen(server, options.port);
  if (!listening.ok) return listening;
  await sweepUploads(options.userData);
  return ok(serve(server, listening.value, files, options));
}

function serve(server: Server, port: number, files: StaticFiles, options: WebHostOptions): WebHost {
  const gate = createGate(port);
  const headers = securityHeaders(gate.host);
  const uploads = createUploads(options.userData, options.maxUploadBytes);
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false });
  const { promise: closed, resolve: tellClosed } = Promise.withResolvers<'asked' | 'idle'>();
  let closing: Promise<void> | null = null;
  let busy = 0; // requests and sockets that are open
  let idle = setTimeout(() => void close('idle'), options.idleMs);

  function begin(): () => void {
    busy++;
    clearTimeout(idle);
    return () => {
      busy--;
      if (busy > 0 || closing) return;
      clearTimeout(idle);
      idle = setTimeout(() => void close('idle'), options.idleMs);
    };
  }

  server.on('request', (request, response) => {
    response.once('close', begin());
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    void answer(request, response, { gate, files, uploads });
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const refusal = refuseUpgrade(request, gate);
    if (refusal !== null) return void socket.end(rawReply(refusal, headers));
    sockets.handleUpgrade(request, socket, head, (client) => {
      client.once('close', begin());
      carry(client, options.engine.connect(), options.socketLimits);
    });
  });
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end(rawReply(400, headers));
    else socket.destroy();
  });

  async function end(reason: 'asked' | 'idle'): Promise<void> {
    clearTimeout(idle);
    const freed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const client of sockets.clients) client.terminate();
    server.closeAllConnections();
    await freed;
    await uploads.clear().catch(() => undefined);
    tellClosed(reason);
  }
  const close = (reason: 'asked' | 'idle'): Promise<void> => (closing ??= end(reason));

  return { url: gate.url, port, closed, close: () => close('asked') };
}

type Site = { readonly gate: Gate; readonly files: StaticFiles; readonly uploads: Uploads };

async function answer(request: IncomingMessage, response: ServerResponse, site: Site): Promise<void> {
  const { gate, files } = site;
  const url = targetOf(request);
  if (!gate.isOurHost(request.headers) || !url) return reply(request, response, PAGES.wrongHost);
  if (url.pathname === '/files') return receiveFile(request, response, url, site);
  if (request.method !== 'GET' && request.method !== 'HEAD') return notAllowed(request, response, 'GET, HEAD');

  const isKnown = gate.hasCookie(request.headers);
  const token = url.pathname === '/' ? url.searchParams.get('token') : null;
  if (token !== null) {
    // HEAD is only a look at the address and must not use it up.
    const cookie = isKnown || request.method === 'HEAD' ? null : gate.exchange(token);
    if (cookie !== null) response.setHeader('Set-Cookie', cookie);
    if (cookie === null && !isKnown) return reply(request, response, PAGES.usedToken);
    return reply(request, response, { status: 303, headers: { Location: '/' }, body: '' });
  }
  if (!isKnown) return reply(request, response, PAGES.noCookie);
  const file = files.get(url.pathname);
  if (!file) return reply(request, response, PAGES.notFound);
  await sendStaticFile(file, request.method === 'HEAD', response);
}

const UPLOAD_STATUS: Partial<Record<ErrorCode, number>> = { 'bad-argument': 413, 'copy-failed': 507 };

async function receiveFile(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  { gate, uploads }: Site,
): Promise<void> {
  if (request.method !== 'PUT') return notAllowed(request, response, 'PUT');
  if (!gate.hasCookie(request.headers)) return reply(request, response, PAGES.noCookie);
  if (!gate.isOurOrigin(request.headers)) return reply(request, response, PAGES.wrongHost);
  const received = await uploads.receive(request, url.searchParams.get('name') ?? '');
  if (received.ok) return reply(request, response, json(200, { path: received.value }));
  const { code, message, hint } = received.error;
  reply(request, response, json(UPLOAD_STATUS[code] ?? 500, { error: { code, message, hint } }));
}

/** The address asked for, in origin form only: `GET http://elsewhere/` is no request to us. */
function targetOf(request: IncomingMessage): URL | null {
  const target = request.url ?? '';
  if (!target.startsWith('/') || target.startsWith('//')) return null;
  return URL.parse(target, 'http://127.0.0.1');
}

/** Status of the refusal, or null when the socket may be opened. */
function refuseUpgrade(request: IncomingMessage, gate: Gate): number | null {
  const url = targetOf(request);
  if (!gate.isOurHost(request.headers) || !gate.isOurOrigin(request.headers) || !url) return 403;
  if (!gate.hasCookie(request.headers)) return 401;
  return url.pathname === '/engine' ? null : 404;
}

function reply(request: IncomingMessage, response: ServerResponse, { status, headers, body }: Reply): void {
  if (response.destroyed) return;
  const hasUnreadBody = !request.complete && hasBody(request);
  if (hasUnreadBody) response.setHeader('Connection', 'close');
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) });
  response.end(request.method === 'HEAD' ? undefined : body);
  // A browser reads the answer only when its own sending was not cut off.
  if (hasUnreadBody) request.resume();
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const notAllowed = (request: IncomingMessage, response: ServerResponse, allowed: string): void =>
  reply(request, response, { status: 405, headers: { Allow: allowed }, body: '' });

function rawReply(status: number, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries({ ...headers, Connection: 'close', 'Content-Length': '0' });
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}

const hostError = (code: ErrorCode, message: string, hint: string, port = 0): LensError => ({
  code,
  message,
  hint,
  values: { port },
});

/** The port that was taken. Loopback only: no other interface is ever bound. */
function listen(server: Server, port: number): Promise<Result<number>> {
  return new Promise((resolve) => {
    const onError = (error: NodeJS.ErrnoException): void => {
      const refusal =
        error.code === 'EADDRINUSE'
          ? hostError(
              'port-in-use',
              `Port ${port} is taken by another program.`,
              'Choose another with --port, or leave --port out.',
              port,
            )
          : hostError(
              'bad-argument',
              `Port ${port} cannot be used: ${error.message}.`,
              'Choose one above 1023, or leave --port out.',
              port,
            );
      resolve(fail(refusal));
    };
    server.once('error', onError);
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
      server.off('error', onError);
      resolve(ok((server.address() as AddressInfo).port));
    });
  });
}
