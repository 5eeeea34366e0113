import { describe, expect, test } from 'vitest';
import { nameSegments, parseBody } from '../../adapters/index.ts';
import type { Json, JsonObject } from '../../../shared/model/index.ts';
import { shrunkGroups, type RunRequest } from './tool-groups.ts';

const ask = (...ids: string[]): Json => ({
  role: 'assistant',
  content: '',
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: `tool-${id}`, arguments: '{}' } })),
});
const answer = (id: string, content: string): Json => ({ role: 'tool', tool_call_id: id, content });
const fold = (...ids: string[]): Json => ({
  role: 'system',
  content: ['[steps]', ...ids.map((id) => `- tool-${id} | ok`)].join('\n'),
});

function request(...messages: Json[]): RunRequest {
  const tools = ['a', 'b', 'c'].map((id) => ({ type: 'function', function: { name: `tool-${id}` } }));
  const body: JsonObject = {
    tools,
    messages: [{ role: 'system', content: 'rules' }, { role: 'user', content: 'go' }, ...messages],
  };
  const prompt = parseBody('openai-chat-v1', body);
  const evidence = { kernel: null, turnId: 't', runtimeId: 'r', pluginId: null, playerText: 'go', rows: [] };
  return { prompt, segments: nameSegments(prompt, evidence) };
}

const LONG = 'a very long answer of a tool, '.repeat(20);
const brief = (earlier: RunRequest, later: RunRequest): readonly string[] =>
  shrunkGroups(earlier, later).map(({ kind, tools, after }) => `${kind} ${tools.join('+')}${after ? '' : ' ?'}`);

describe('tool groups', () => {
  const one = [ask('a'), answer('a', LONG)];
  const two = [ask('b'), answer('b', LONG)];
  test.each<readonly [string, RunRequest, RunRequest, readonly string[]]>([
    ['a step that only adds', request(...one), request(...one, ...two), []],
    [
      'a text gives way to a mark',
      request(...one),
      request(ask('a'), answer('a', '[left out]'), ...two),
      ['omitted tool-a'],
    ],
    [
      'an envelope loses its data',
      request(ask('a'), answer('a', JSON.stringify({ summary: 's', data: LONG }))),
      request(ask('a'), answer('a', JSON.stringify({ summary: 's', data: '[left out]' }))),
      ['omitted tool-a'],
    ],
    [
      'head and tail are left',
      request(...one),
      request(ask('a'), answer('a', `${LONG.slice(0, 80)}[…]${LONG.slice(-60)}`)),
      ['truncated tool-a'],
    ],
    ['folded', request(...one, ...two), request(fold('a'), ...two), ['folded tool-a']],
    [
      'two folded in two texts',
      request(...one, ...two),
      request(fold('a'), fold('b')),
      ['folded tool-a', 'folded tool-b'],
    ],
    [
      'two folded in one text',
      request(...one, ...two),
      request(fold('a', 'b')),
      ['folded tool-a ?', 'folded tool-b ?'],
    ],
    [
      'two calls of one answer are one group',
      request(ask('a', 'b'), answer('a', LONG), answer('b', LONG)),
      request(fold('a', 'b'), ask('c'), answer('c', LONG)),
      ['folded tool-a+tool-b'],
    ],
    ['a group that is gone without a fold was cut otherwise', request(...one, ...two), request(...two), []],
    ['a result that grew', request(...one), request(ask('a'), answer('a', `${LONG} more`)), []],
  ])('%s', (_, earlier, later, expected) => expect(brief(earlier, later)).toEqual(expected));

  test('sizes are those of the results', () => {
    const [omitted] = shrunkGroups(request(...one), request(ask('a'), answer('a', '[left out]')));
    expect([omitted?.before.value, omitted?.after?.value]).toEqual([Math.ceil(LONG.length / 4), 3]);
  });
});
