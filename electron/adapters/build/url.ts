/**
 * Where a request goes (slots page, sections 4.1 to 4.3). A base URL may carry its version or leave it out; Gemini's
 * must carry it. Plain http is for this machine only, and no key ever goes to a private or metadata address.
 */
import type { Protocol } from '../../../shared/model/index.ts';
import { BuildError } from './types.ts';

/** The protocols' public endpoints. */
export const PUBLIC_BASE: Readonly<Record<Protocol, string>> = {
  'anthropic-messages-v1': 'https://api.anthropic.com',
  'openai-chat-v1': 'https://api.openai.com/v1',
  'openai-responses-v1': 'https://api.openai.com/v1',
  'google-generative-ai-v1': 'https://generativelanguage.googleapis.com/v1beta',
};

const ENDPOINT: Readonly<Record<Exclude<Protocol, 'google-generative-ai-v1'>, string>> = {
  'anthropic-messages-v1': '/messages',
  'openai-chat-v1': '/chat/completions',
  'openai-responses-v1': '/responses',
};

/** The base URL that a request is sent to: the given one, else the protocol's public endpoint. */
export const baseUrlOf = (protocol: Protocol, baseUrl: string | null): string => baseUrl ?? PUBLIC_BASE[protocol];

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
const METADATA_HOSTS: ReadonlySet<string> = new Set(['metadata.google.internal', 'metadata.internal']);

/** First octets of IPv4 ranges that are not public: this network, private, shared, loopback, link-local. */
function isPrivateV4(host: string): boolean {
  const octets = /^(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(host)?.slice(1).map(Number);
  if (!octets) return false;
  const [a = 0, b = 0] = octets;
  if (a === 0 || a === 10 || a === 127) return true;
  if (a === 100) return b >= 64 && b <= 127;
  if (a === 172) return b >= 16 && b <= 31;
  return (a === 192 && b === 168) || (a === 169 && b === 254);
}

function isPrivateV6(host: string): boolean {
  if (!host.startsWith('[')) return false;
  const address = host.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address);
  if (mapped) {
    const [high = 0, low = 0] = mapped.slice(1).map((word) => Number.parseInt(word, 16));
    return isPrivateV4([high >> 8, high & 255, low >> 8, low & 255].join('.'));
  }
  return address === '::' || address === '::1' || /^f[cd]/.test(address) || /^fe[89ab]/.test(address);
}

/**
 * A base URL as a URL object. Throws BuildError on field `options.baseUrl` when it is no absolute http(s) address,
 * carries a user name or password, is plain http beyond this machine, or names a private or metadata address.
 */
export function checkBaseUrl(baseUrl: string): URL {
  const refuse = (why: string): never => {
    throw new BuildError('options.baseUrl', `The base URL ${why}.`);
  };
  const url = URL.parse(baseUrl);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return refuse('is no http(s) address');
  if (url.username !== '' || url.password !== '') return refuse('must not carry a user name or password');
  const host = url.hostname.replace(/\.$/, '');
  if (LOOPBACK.has(host)) return url;
  if (METADATA_HOSTS.has(host)) return refuse('names a metadata service');
  if (isPrivateV4(host) || isPrivateV6(host)) return refuse('names a private address');
  if (url.protocol === 'http:') return refuse('must use https; plain http is for this machine only');
  return url;
}

const VERSION_AT_END = /\/(v\d[A-Za-z0-9]*)(?:\/openai)?$/;

/**
 * Base and path as one address: a version is added where the base has none, and never twice. A query in the base is
 * not understood and stays where it stands (slots page, section 4.2).
 */
export function joinEndpoint(baseUrl: string, path: string): string {
  const base = baseUrl.replace(/\/+$/, '');
  const tail = path.startsWith('/') ? path : `/${path}`;
  const api = /^\/api\/v\d+(?=\/|$)/.exec(tail)?.[0];
  if (tail.startsWith('/api/')) return base + (api && base.endsWith(api) ? tail.slice(api.length) : tail);
  const own = VERSION_AT_END.exec(base)?.[1];
  const version = `/${own ?? 'v1'}`;
  const rest = tail.startsWith(`${version}/`) ? tail.slice(version.length) : tail;
  return own === undefined ? base + version + rest : base + rest;
}

/** Gemini's model id without a leading `models/`. Throws BuildError on field `model` for any other sign in it. */
export function geminiModelId(model: string): string {
  const id = model.replace(/^models\//, '');
  if (/^[A-Za-z0-9._-]+$/.test(id)) return id;
  throw new BuildError('model', 'A Gemini model id has letters, digits, dots, underscores and hyphens only.');
}

function geminiUrl(base: URL, model: string, stream: boolean): string {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/models/${geminiModelId(model)}:${stream ? 'streamGenerateContent' : 'generateContent'}`;
  if (stream) url.searchParams.set('alt', 'sse');
  return url.href;
}

/** The address of one request. Throws BuildError on `options.baseUrl` or `model`. */
export function requestUrl(
  protocol: Protocol,
  { model, baseUrl, stream }: { readonly model: string; readonly baseUrl: string | null; readonly stream: boolean },
): string {
  const base = baseUrlOf(protocol, baseUrl);
  const url = checkBaseUrl(base);
  if (protocol === 'google-generative-ai-v1') return geminiUrl(url, model, stream);
  return joinEndpoint(base, ENDPOINT[protocol]);
}

/** Two addresses of one endpoint: equal but for slashes at the end and the spelling of the host. */
export function sameBaseUrl(protocol: Protocol, a: string | null, b: string | null): boolean {
  const [one, two] = [a, b].map((base) => {
    const text = baseUrlOf(protocol, base).replace(/\/+$/, '');
    const url = URL.parse(text);
    return url === null ? text : url.origin + url.pathname.replace(/\/+$/, '') + url.search;
  });
  return one === two;
}
