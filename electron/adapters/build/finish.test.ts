import { describe, expect, test } from 'vitest';
import { requestOf } from '../fixtures/build-request.ts';
import { finish, sourceMap } from './finish.ts';
import { join, own, settle, trace } from './traced.ts';

const PROTOCOL = 'openai-chat-v1';

describe('the map of a body', () => {
  test('runs, else the nearest owner, in the order of the cache key', () => {
    const tree = {
      model: 'm',
      messages: own(
        [
          { role: 'user', content: join([trace('a', 's1'), trace('b', null)], '-') },
          { role: 'assistant', content: '', tool_calls: [own({ id: 'x', function: { name: 'roll' } }, 's2')] },
          { role: 'tool', content: 'kept' },
        ],
        's3',
      ),
      tools: [own({ type: 'function', function: { name: 'roll' } }, 's4')],
    };
    expect(
      sourceMap(PROTOCOL, settle(tree)).map(({ path, start, end, segment }) => `${path} ${start}-${end} ${segment}`),
    ).toEqual([
      '/tools/0/type 0-8 s4',
      '/tools/0/function/name 0-4 s4',
      '/messages/0/content 0-1 s1',
      '/messages/0/content 1-3 null',
      '/messages/1/tool_calls/0/id 0-1 s2',
      '/messages/1/tool_calls/0/function/name 0-4 s2',
      '/messages/2/content 0-4 s3',
    ]);
  });
  test('a text that nobody claimed is a fault', () =>
    expect(() => sourceMap(PROTOCOL, settle({ messages: [{ role: 'user', content: 'whose?' }] }))).toThrow(
      '/messages/0/content',
    ));
  test('what is no text needs no owner', () =>
    expect(sourceMap(PROTOCOL, settle({ model: 'm', user: 'u', messages: [{ role: 'user', content: '' }] }))).toEqual(
      [],
    ));
});

test('body, map, address, headers and warnings together', () => {
  const warnings = [{ code: 'x', message: 'y' }];
  const request = requestOf({ model: 'm', options: { baseUrl: 'https://relay.example' } });
  expect(
    finish(PROTOCOL, request, { messages: [{ role: 'user', content: trace('a', 's1') }], tools: undefined }, warnings),
  ).toEqual({
    protocol: PROTOCOL,
    url: 'https://relay.example/v1/chat/completions',
    headers: { 'content-type': 'application/json', authorization: '…' },
    body: { messages: [{ role: 'user', content: 'a' }] },
    map: [{ path: '/messages/0/content', start: 0, end: 1, segment: 's1' }],
    warnings,
  });
});
