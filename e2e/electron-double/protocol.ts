/**
 * Chromium does not know the app's own scheme, so its handler answers on a loopback port, under a host name that
 * says which address is meant: `app://bundle/x` is `http://app--bundle.localhost:PORT/x`. The handler's headers
 * (its policy above all) reach Chromium unchanged.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type Handler = (request: Request) => Response | Promise<Response>;
const handlers = new Map<string, Handler>();
let port = 0;

export const protocol = {
  registerSchemesAsPrivileged: (_schemes: unknown): void => undefined,
  handle(scheme: string, handler: Handler): void {
    handlers.set(scheme, handler);
  },
};

/** An address of the app as Chromium knows it; others are left alone. */
export function toChromium(url: string): string {
  const match = /^(\w+):\/\/([\w.-]+)(.*)$/.exec(url);
  const [, scheme = '', host = '', rest = ''] = match ?? [];
  return handlers.has(scheme) ? `http://${scheme}--${host}.localhost:${port}${rest}` : url;
}

/** The reverse. */
export function fromChromium(url: string): string {
  const match = /^http:\/\/(\w+)--([\w.-]+)\.localhost:(\d+)(.*)$/.exec(url);
  return match && Number(match[3]) === port ? `${match[1]}://${match[2]}${match[4]}` : url;
}

export async function startProtocolServer(): Promise<void> {
  const server = createServer((request, response) => {
    const url = fromChromium(`http://${request.headers.host}${request.url}`);
    const handler = handlers.get(url.split(':')[0] ?? '');
    const answered = handler
      ? Promise.resolve(handler(new Request(url, { method: request.method ?? 'GET' })))
      : Promise.resolve(new Response(null, { status: 421 }));
    answered
      .then(async (answer) => {
        response.writeHead(answer.status, Object.fromEntries(answer.headers));
        response.end(Buffer.from(await answer.arrayBuffer()));
      })
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  ({ port } = server.address() as AddressInfo);
}
