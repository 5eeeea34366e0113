/**
 * Recorded prompts are hostile text. Should one ever become markup, the page it stands in may load nothing but our
 * own files and speak to nobody but our own port. Every reply carries these headers, refusals included.
 */
import type { OutgoingHttpHeaders } from 'node:http';

/**
 * Scripts and styles come from our files only. `ws:` is named by its full address: not every browser takes `'self'` for it.
 */
const policy = (host: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    `connect-src 'self' ws://${host}`,
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Headers of every reply of the host at `host` (`127.0.0.1:port`). There is no CORS header among them. */
export function securityHeaders(host: string): Readonly<Record<string, string>> {
  return {
    'Content-Security-Policy': policy(host),
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'Cache-Control': 'no-store',
  };
}

export type Reply = { readonly status: number; readonly headers: OutgoingHttpHeaders; readonly body: string };

/** A page for people. `body` is ours alone: nothing of a request is ever put into it. */
export function page(status: number, title: string, body: string): Reply {
  const text = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title} · Covel Lens</title><link rel="icon" href="data:,"></head>
<body><h1>${title}</h1><p>${body}</p></body>
</html>
`;
  return { status, headers: { 'Content-Type': 'text/html; charset=utf-8' }, body: text };
}

/** An answer for the window's own script. */
export function json(status: number, value: unknown): Reply {
  return { status, headers: { 'Content-Type': 'application/json; charset=utf-8' }, body: `${JSON.stringify(value)}\n` };
}
