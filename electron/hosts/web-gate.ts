/**
 * A loopback port is open to every page in every browser of the machine and to every local user. So the address
 * carries a token that works once; it is exchanged for a cookie that scripts cannot read and other sites cannot
 * send; and `Host` and `Origin` must be exactly ours, which stops DNS rebinding and foreign pages.
 * Cookies know no ports: the cookie's name carries ours, so that two hosts side by side do not overwrite each other.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export type Gate = {
  /** `127.0.0.1:port`, the only accepted `Host`. */
  readonly host: string;
  /** `http://127.0.0.1:port`, the only accepted `Origin`. */
  readonly origin: string;
  /** The address for the user, with the token. */
  readonly url: string;
  /** Value of Set-Cookie for the right token, once; null for any other token and for a second use. */
  exchange(token: string): string | null;
  /** The request was made to our address, and by our own page or by none. */
  isOurHost(headers: IncomingHttpHeaders): boolean;
  isOurOrigin(headers: IncomingHttpHeaders): boolean;
  hasCookie(headers: IncomingHttpHeaders): boolean;
};

const SECRET_BYTES = 32;
const secret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

/** In constant time, whatever the lengths. */
const isEqual = (a: string, b: string): boolean =>
  timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest());

export function createGate(port: number): Gate {
  const host = `127.0.0.1:${port}`;
  const origin = `http://${host}`;
  const cookieName = `covel-lens-${port}`;
  const cookieValue = secret();
  const token = secret();
  let isUsed = false;

  return {
    host,
    origin,
    url: `${origin}/?token=${token}`,
    exchange(given) {
      if (isUsed || !isEqual(given, token)) return null;
      isUsed = true;
      return `${cookieName}=${cookieValue}; HttpOnly; SameSite=Strict; Path=/`;
    },
    isOurHost: (headers) => headers.host === host,
    isOurOrigin: (headers) => headers.origin === origin,
    hasCookie(headers) {
      const values = (headers.cookie ?? '').split(';').flatMap((pair) => {
        const at = pair.indexOf('=');
        return pair.slice(0, at).trim() === cookieName ? [pair.slice(at + 1).trim()] : [];
      });
      return values.some((value) => isEqual(value, cookieValue));
    },
  };
}
