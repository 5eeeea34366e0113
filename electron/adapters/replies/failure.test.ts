import { describe, expect, test } from 'vitest';
import { errorFault, faultOf } from './failure.ts';
import { FAILURE_KINDS } from './types.ts';

describe('what kind of failure it is', () => {
  test.each([
    ['Anthropic, overloaded', { type: 'error', error: { type: 'overloaded_error', message: 'x' } }, 529, 'overloaded'],
    ['Anthropic, rate', { type: 'error', error: { type: 'rate_limit_error', message: 'x' } }, 429, 'rate_limited'],
    ['Anthropic, key', { type: 'error', error: { type: 'authentication_error', message: 'x' } }, 401, 'auth'],
    [
      'Anthropic, request',
      { type: 'error', error: { type: 'invalid_request_error', message: 'x' } },
      400,
      'bad_request',
    ],
    [
      'Anthropic, balance with 400',
      { type: 'error', error: { type: 'invalid_request_error', message: 'Your credit balance is too low' } },
      400,
      'quota',
    ],
    ['OpenAI, quota with 429', { error: { type: 'insufficient_quota', code: 'insufficient_quota' } }, 429, 'quota'],
    ['OpenAI, rate', { error: { type: 'requests', code: 'rate_limit_exceeded', message: 'x' } }, 429, 'rate_limited'],
    ['OpenAI, model', { error: { type: 'invalid_request_error', code: 'model_not_found' } }, 404, 'not_found'],
    ['OpenAI, key', { error: { type: 'invalid_request_error', code: 'invalid_api_key', message: 'x' } }, 401, 'auth'],
    ['OpenAI, a stream', { type: 'error', code: 'server_error', message: 'x' }, null, 'server'],
    ['OpenAI, policy', { error: { code: 'content_policy_violation', message: 'x' } }, 400, 'refused'],
    ['Gemini, rate', { error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'x' } }, 429, 'rate_limited'],
    ['Gemini, status in a 200', { error: { code: 503, message: 'x' } }, null, 'overloaded'],
    [
      'Gemini, key',
      { error: { code: 400, status: 'INVALID_ARGUMENT', message: 'API key not valid' } },
      400,
      'bad_request',
    ],
    ['DeepSeek, balance', { error: { message: 'Insufficient Balance' } }, 402, 'quota'],
    ['Qwen, arrears', { error: { message: '账户余额不足' } }, 400, 'quota'],
    ['401 beats a vague word', { error: { type: 'invalid_request_error', message: 'x' } }, 401, 'auth'],
    ['404 too', { error: { type: 'invalid_request_error', message: 'Invalid URL', code: null } }, 404, 'not_found'],
    ['and 503', { error: { type: 'api_error', message: 'x' } }, 503, 'overloaded'],
    ['and 504', { error: { type: 'server_error', message: 'x' } }, 504, 'timeout'],
    ['a cause with a name beats 400', { error: { type: 'rate_limit_error', message: 'x' } }, 400, 'rate_limited'],
    ['no connection', { code: 'ECONNREFUSED', message: 'connect ECONNREFUSED' }, null, 'unreachable'],
    ['a connection cut', { code: 'UND_ERR_SOCKET', message: 'other side closed' }, null, 'unreachable'],
    ['no answer in time', { code: 'UND_ERR_HEADERS_TIMEOUT', message: 'x' }, null, 'timeout'],
    ['402 alone', null, 402, 'quota'],
    ['401 alone', '', 401, 'auth'],
    ['403 alone', {}, 403, 'auth'],
    ['404 alone', {}, 404, 'not_found'],
    ['408 alone', {}, 408, 'timeout'],
    ['504 alone', {}, 504, 'timeout'],
    ['503 alone', {}, 503, 'overloaded'],
    ['529 alone', {}, 529, 'overloaded'],
    ['500 alone', {}, 500, 'server'],
    ['418 alone', {}, 418, 'bad_request'],
    ['no status', {}, null, 'unknown'],
    ['a text', 'boom', null, 'unknown'],
    ['numbers for words', { error: { type: 5, code: [], message: {} } }, null, 'unknown'],
  ] as const)('%s', (_, body, status, kind) => {
    expect(errorFault(body, status).kind).toBe(kind);
  });
});

test('codes and whether it may be sent again', () => {
  const table = Object.fromEntries(FAILURE_KINDS.map((kind) => [kind, faultOf(kind, 'x')]));
  expect(Object.fromEntries(FAILURE_KINDS.map((kind) => [kind, table[kind]?.code]))).toEqual({
    unreachable: 'PROVIDER_ERROR',
    timeout: 'PROVIDER_ERROR',
    auth: 'PROVIDER_ERROR',
    quota: 'PROVIDER_ERROR',
    rate_limited: 'RATE_LIMITED',
    not_found: 'PROVIDER_ERROR',
    overloaded: 'PROVIDER_ERROR',
    server: 'PROVIDER_ERROR',
    bad_request: 'PROVIDER_ERROR',
    refused: 'REFUSAL',
    config: 'CONFIG_ERROR',
    unknown: 'PROVIDER_ERROR',
  });
  expect(FAILURE_KINDS.filter((kind) => table[kind]?.retriable)).toEqual([
    'unreachable',
    'timeout',
    'rate_limited',
    'overloaded',
    'server',
    'unknown',
  ]);
});

test('the provider is quoted, at a length that can be shown', () => {
  expect(errorFault({ error: { message: 'm'.repeat(9000) } }, null).message).toHaveLength(2001);
  expect(errorFault({ error: 'plain words' }, null).message).toBe('plain words');
});
