/** Slots page, sections 4.1 to 4.3: the tables as test rows. */
import { describe, expect, test } from 'vitest';
import type { Protocol } from '../../../shared/model/index.ts';
import { requestHeaders } from './headers.ts';
import { BuildError } from './types.ts';
import { checkBaseUrl, geminiModelId, joinEndpoint, requestUrl, sameBaseUrl } from './url.ts';

const CHAT = 'openai-chat-v1';
const RESPONSES = 'openai-responses-v1';
const ANTHROPIC = 'anthropic-messages-v1';
const GEMINI = 'google-generative-ai-v1';

const fault = (work: () => unknown): string => {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof BuildError) return thrown.field;
    throw thrown;
  }
  return 'none';
};

describe('addresses', () => {
  test.each<[Protocol, string | null, string]>([
    [CHAT, null, 'https://api.openai.com/v1/chat/completions'],
    [CHAT, 'https://api.openai.com/v1', 'https://api.openai.com/v1/chat/completions'],
    [CHAT, 'https://api.openai.com/v1//', 'https://api.openai.com/v1/chat/completions'],
    [CHAT, 'https://api.deepseek.com', 'https://api.deepseek.com/v1/chat/completions'],
    [RESPONSES, null, 'https://api.openai.com/v1/responses'],
    [ANTHROPIC, null, 'https://api.anthropic.com/v1/messages'],
    [ANTHROPIC, 'https://api.anthropic.com/v1/', 'https://api.anthropic.com/v1/messages'],
    [CHAT, 'https://open.bigmodel.cn/api/paas/v4', 'https://open.bigmodel.cn/api/paas/v4/chat/completions'],
    [
      CHAT,
      'https://generativelanguage.googleapis.com/v1beta/openai',
      'https://generativelanguage.googleapis.com/v1beta/openai/chat/completions',
    ],
    [ANTHROPIC, 'https://gw.example/anthropic', 'https://gw.example/anthropic/v1/messages'],
    [CHAT, 'https://gw.example/v1/chat', 'https://gw.example/v1/chat/v1/chat/completions'],
    [CHAT, 'http://127.0.0.1:9009', 'http://127.0.0.1:9009/v1/chat/completions'],
    [CHAT, 'https://gw.example?a=1', 'https://gw.example?a=1/v1/chat/completions'],
    [GEMINI, null, 'https://generativelanguage.googleapis.com/v1beta/models/m-1:generateContent'],
    [GEMINI, 'https://gw.example/v1beta//', 'https://gw.example/v1beta/models/m-1:generateContent'],
    [GEMINI, 'https://gw.example', 'https://gw.example/models/m-1:generateContent'],
    [GEMINI, 'https://gw.example/v1?k=1', 'https://gw.example/v1/models/m-1:generateContent?k=1'],
  ])('%s at %s', (protocol, baseUrl, url) =>
    expect(requestUrl(protocol, { model: 'm-1', baseUrl, stream: false })).toBe(url),
  );

  test.each([
    [null, 'https://generativelanguage.googleapis.com/v1beta/models/m:streamGenerateContent?alt=sse'],
    ['https://gw.example/v1?k=1', 'https://gw.example/v1/models/m:streamGenerateContent?k=1&alt=sse'],
  ])('Gemini streams at another path, %s', (baseUrl, url) =>
    expect(requestUrl(GEMINI, { model: 'models/m', baseUrl, stream: true })).toBe(url),
  );

  test.each([
    ['https://api.anthropic.com', '/v1/messages', 'https://api.anthropic.com/v1/messages'],
    ['https://api.anthropic.com/v1', '/v1/messages', 'https://api.anthropic.com/v1/messages'],
    ['https://gw.example/v4', '/v1/messages', 'https://gw.example/v4/v1/messages'],
    ['https://gw.example', 'models', 'https://gw.example/v1/models'],
    ['https://gw.example', '/api/v2/x', 'https://gw.example/api/v2/x'],
    ['https://gw.example/api/v2', '/api/v2/x', 'https://gw.example/api/v2/x'],
    ['https://gw.example/api/v1', '/api/v2/x', 'https://gw.example/api/v1/api/v2/x'],
    ['https://gw.example/v1beta2', '/x', 'https://gw.example/v1beta2/x'],
    ['https://gw.example/vx', '/x', 'https://gw.example/vx/v1/x'],
    ['https://gw.example/v1x/openai/', '/v1x/y', 'https://gw.example/v1x/openai/y'],
  ])('%s + %s', (base, path, url) => expect(joinEndpoint(base, path)).toBe(url));
});

describe('model ids of Gemini', () => {
  test.each([
    ['gemini-2.5-pro', 'gemini-2.5-pro'],
    ['models/gemini_x', 'gemini_x'],
  ])('%s', (model, id) => expect(geminiModelId(model)).toBe(id));
  test.each(['', 'models/', 'a b', 'a/b', 'models/models/x', '模型', 'x:y'])('"%s" is refused', (model) =>
    expect(fault(() => geminiModelId(model))).toBe('model'),
  );
});

describe('which base URLs are taken', () => {
  test.each([
    'https://gw.example',
    'http://localhost:11434/v1',
    'http://127.0.0.1:8080',
    'http://[::1]:1234/v1',
    'https://localhost',
    'https://8.8.8.8/v1',
    'https://172.32.0.1',
    'https://[2606:4700::1]/v1',
  ])('%s is', (base) => expect(fault(() => checkBaseUrl(base))).toBe('none'));

  test.each([
    '',
    'gw.example/v1',
    'ftp://gw.example',
    'file:///etc/x',
    'http://gw.example',
    'http://8.8.8.8',
    'https://10.0.0.1',
    'https://172.16.4.4/v1',
    'https://192.168.1.9',
    'https://169.254.169.254',
    'https://100.64.0.1',
    'https://127.0.0.2',
    'https://0.0.0.0',
    'https://2130706434',
    'https://[fd00::1]',
    'https://[fe80::1]',
    'https://[::]',
    'https://[::ffff:10.0.0.1]',
    'https://metadata.google.internal/v1',
    'https://metadata.google.internal./v1',
    'https://metadata.internal',
    'https://user:pass@gw.example',
    'https://user@gw.example',
  ])('"%s" is not', (base) => {
    expect(fault(() => checkBaseUrl(base))).toBe('options.baseUrl');
    expect(fault(() => requestUrl(CHAT, { model: 'm', baseUrl: base, stream: false }))).toBe('options.baseUrl');
  });
});

test.each([
  [null, 'https://api.openai.com/v1', true],
  ['https://API.openai.com/v1/', 'https://api.openai.com/v1', true],
  ['https://api.openai.com', 'https://api.openai.com/v1', false],
  ['https://a.example/v1?x=1', 'https://a.example/v1', false],
  ['nonsense', 'nonsense', true],
  ['', null, false],
])('%s and %s are one endpoint: %s', (a, b, same) => expect(sameBaseUrl(CHAT, a, b)).toBe(same));

describe('headers', () => {
  test.each<[Protocol, Record<string, string>]>([
    [CHAT, { authorization: '…' }],
    [RESPONSES, { authorization: '…' }],
    [ANTHROPIC, { 'x-api-key': '…', 'anthropic-version': '2023-06-01' }],
    [GEMINI, { 'x-goog-api-key': '…' }],
  ])('%s', (protocol, own) => expect(requestHeaders(protocol)).toEqual({ 'content-type': 'application/json', ...own }));
});
