/**
 * An error comes as an HTTP status, as an `error` in a body of status 200, or as an event in a stream; providers share
 * no vocabulary. The kind is told by words about money first (they come with 400, 402 and 429 alike), then by error
 * words that name one cause, then by the status, then by words that fit any cause (assembler page, 8.9).
 */
import type { Json, ReportedUsage } from '../../../shared/model/index.ts';
import { field, isObject, nameOf } from '../json.ts';
import type { FailureKind, ReplyFault, ReplyFaultCode } from './types.ts';

const CODES: Partial<Readonly<Record<FailureKind, ReplyFaultCode>>> = {
  refused: 'REFUSAL',
  config: 'CONFIG_ERROR',
  rate_limited: 'RATE_LIMITED',
};
/** The same request cannot get through, however often it is sent. */
const FINAL: ReadonlySet<FailureKind> = new Set(['auth', 'quota', 'not_found', 'bad_request', 'refused', 'config']);
const LONGEST = 2000;

export const faultOf = (kind: FailureKind, message: string, usage: ReportedUsage | null = null): ReplyFault => ({
  code: CODES[kind] ?? 'PROVIDER_ERROR',
  kind,
  message: message.length > LONGEST ? `${message.slice(0, LONGEST)}…` : message,
  retriable: !FINAL.has(kind),
  usage,
});

/** A reply that breaks its protocol: nothing in it can be trusted. */
export const malformed = (message: string): ReplyFault => faultOf('unknown', message);

/** Error words of the providers and of connections, lower case. */
const WORDS: Readonly<Record<string, FailureKind>> = {
  authentication_error: 'auth',
  permission_error: 'auth',
  invalid_api_key: 'auth',
  invalid_authentication_error: 'auth',
  unauthenticated: 'auth',
  permission_denied: 'auth',
  insufficient_quota: 'quota',
  billing_error: 'quota',
  billing_hard_limit_reached: 'quota',
  insufficient_balance: 'quota',
  exceeded_current_quota_error: 'quota',
  rate_limit_error: 'rate_limited',
  rate_limit_exceeded: 'rate_limited',
  rate_limit_reached_error: 'rate_limited',
  resource_exhausted: 'rate_limited',
  not_found_error: 'not_found',
  not_found: 'not_found',
  model_not_found: 'not_found',
  resource_not_found_error: 'not_found',
  overloaded_error: 'overloaded',
  engine_overloaded_error: 'overloaded',
  unavailable: 'overloaded',
  insufficient_system_resource: 'overloaded',
  timeout_error: 'timeout',
  request_timeout: 'timeout',
  deadline_exceeded: 'timeout',
  vector_store_timeout: 'timeout',
  timeout: 'timeout',
  etimedout: 'timeout',
  esockettimedout: 'timeout',
  und_err_connect_timeout: 'timeout',
  und_err_headers_timeout: 'timeout',
  und_err_body_timeout: 'timeout',
  econnrefused: 'unreachable',
  econnreset: 'unreachable',
  epipe: 'unreachable',
  enotfound: 'unreachable',
  eai_again: 'unreachable',
  ehostunreach: 'unreachable',
  enetunreach: 'unreachable',
  und_err_socket: 'unreachable',
  api_error: 'server',
  server_error: 'server',
  internal: 'server',
  internal_server_error: 'server',
  network_error: 'server',
  invalid_request_error: 'bad_request',
  invalid_argument: 'bad_request',
  failed_precondition: 'bad_request',
  invalid_prompt: 'bad_request',
  request_too_large: 'bad_request',
  context_length_exceeded: 'bad_request',
  content_filter: 'refused',
  content_policy_violation: 'refused',
  image_content_policy_violation: 'refused',
  misalignment_policy_violation: 'refused',
  bio_policy: 'refused',
};

const STATUS: Readonly<Record<number, FailureKind>> = {
  401: 'auth',
  402: 'quota',
  403: 'auth',
  404: 'not_found',
  408: 'timeout',
  429: 'rate_limited',
  503: 'overloaded',
  504: 'timeout',
  529: 'overloaded',
};

/** Kinds whose words stand beside many a status: a status that says more is believed. */
const VAGUE: ReadonlySet<FailureKind> = new Set(['bad_request', 'server']);

const MONEY = /insufficient[ _](balance|funds|credits?)|(credit|account)s? balance|balance is|余额不足|欠费/i;

function kindOf(words: readonly string[], message: string, status: number | null): FailureKind {
  const named = words.flatMap((word) => WORDS[word.toLowerCase()] ?? []);
  if (named.includes('quota') || MONEY.test(message) || words.some((word) => MONEY.test(word))) return 'quota';
  const known = named.find((kind) => !VAGUE.has(kind)) ?? STATUS[status ?? 0] ?? named[0];
  if (known !== undefined) return known;
  if (status === null) return 'unknown';
  return status >= 500 ? 'server' : status >= 400 ? 'bad_request' : 'unknown';
}

/**
 * The fault that a provider's error object says. `error`: the value of an `error` field, or a whole error body.
 * `status`: of the HTTP reply, null where it was 200 or none came; then a status in the error itself counts. A
 * connection that failed is an error object with its `code` (`ECONNREFUSED`).
 */
export function errorFault(error: Json | undefined, status: number | null): ReplyFault {
  const inner = isObject(field(error, 'error')) ? field(error, 'error') : error;
  const message =
    nameOf(field(inner, 'message')) ??
    nameOf(field(inner, 'error')) ??
    nameOf(inner) ??
    'the provider reported an error';
  const words = ['type', 'code', 'status', 'reason'].flatMap((key) => nameOf(field(inner, key)) ?? []);
  const own = ['code', 'status', 'status_code']
    .map((key) => Number(field(inner, key) ?? NaN))
    .find((n) => Number.isInteger(n) && n >= 400 && n <= 599);
  return faultOf(kindOf(words, message, status ?? own ?? null), message);
}

/** An `error` field that says something. */
export const errorIn = (json: Json | undefined): Json | undefined => {
  const error = field(json, 'error');
  return error === null || error === false || error === '' ? undefined : error;
};
