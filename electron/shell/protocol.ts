/**
 * The window's page is served under a scheme of our own and not from `file:`, so that it has an origin, a policy in
 * a header, and no way to any other file of the machine.
 */
import { readFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { protocol } from 'electron';
import { APP_HOST, APP_ORIGIN, APP_SCHEME } from '../hosts/desktop.ts';

export const START_URL = `${APP_ORIGIN}/index.html`;

/**
 * Recorded prompts are hostile text; should one ever become markup, it can run nothing, dress up as nothing and reach
 * nobody.
 */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
};

const HEADERS = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
} as const;

/** Absolute path of the file that an address names inside `folder`; null when it names none that may be served. */
export function fileOf(url: string, folder: string): string | null {
  const parsed = URL.parse(url);
  if (!parsed || parsed.protocol !== `${APP_SCHEME}:` || parsed.host !== APP_HOST) return null;
  let path: string;
  try {
    path = decodeURIComponent(parsed.pathname);
  } catch {
    return null;
  }
  // Backslashes and colons mean something to Windows, NUL to the file system; none is in a name of the build.
  if (/[\\:\0]/.test(path) || !(extname(path) in TYPES)) return null;
  const root = normalize(folder + sep);
  const file = join(root, path);
  return file.startsWith(root) ? file : null;
}

/** Answers one request of the window. Never rejects. */
export async function serve(
  request: { readonly url: string; readonly method: string },
  folder: string,
): Promise<Response> {
  const refuse = (status: number): Response => new Response(null, { status, headers: HEADERS });
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405);
  const file = fileOf(request.url, folder);
  if (!file) return refuse(404);
  const type = TYPES[extname(file)] ?? 'application/octet-stream';
  try {
    const body = await readFile(file);
    return new Response(request.method === 'HEAD' ? null : body, { headers: { ...HEADERS, 'Content-Type': type } });
  } catch {
    return refuse(404);
  }
}

/** Must run before the app is ready. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: APP_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
}

/** Serves the built window, once the app is ready. */
export function serveWindow(folder: string): void {
  protocol.handle(APP_SCHEME, (request) => serve(request, folder));
}
