import { describe, expect, test } from 'vitest';
import { OPTIONS } from '../fixtures/build-request.ts';
import { SENTINEL } from '../kernel/parse.ts';
import { segmentedRequest, tracedRequest, type PlainRequest } from './segmented.ts';
import { plain, type Traced } from './traced.ts';
import type { BuildMessage } from './types.ts';
import { UNSET } from './unset.ts';
import { chars } from '../../../shared/units.ts';

const given = (more: Partial<PlainRequest>): PlainRequest => ({
  model: 'm',
  systemPrompt: '',
  ...UNSET,
  options: { ...OPTIONS, runtimeId: 'narrator' },
  ...more,
});
const runs = (text: BuildMessage['content'] | Traced | undefined): readonly string[] =>
  text && 'runs' in text ? text.runs.map((run) => `${run.segment}=${run.text}`) : [];

describe('a prompt of unknown making', () => {
  const { request, segments } = segmentedRequest(
    given({
      systemPrompt: `[RUNTIME] r${SENTINEL}\n\nBody.${SENTINEL}`,
      messages: [
        { role: 'user', content: 'old' },
        { role: 'system', content: '<runtime-inputs>a</runtime-inputs>\n\n<memory>b</memory>' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'see' },
            { type: 'image', image: 'QUJD' },
          ],
        },
        {
          role: 'assistant',
          content: null,
          toolCalls: [
            { id: '1', name: 'roll', arguments: '{}' },
            { id: '2', name: 'look', arguments: '' },
          ],
          reasoningContent: 'why',
        },
        { role: 'tool', content: '', toolCallId: '1' },
      ],
      tools: [{ name: 'roll', description: 'Roll.' }, { name: 'look' }],
      responseFormat: { schema: { type: 'object' } },
    }),
  );
  const kinds = new Map(segments.map(({ id, kind, origin }) => [id, `${kind} ${origin.label}`]));
  const kindOf = (id: string | null | undefined) => kinds.get(id ?? '');

  test('the system prompt is cut where its segments meet, sentinels in it', () => {
    expect(plain(request.system)).toBe(`[RUNTIME] r${SENTINEL}\n\nBody.${SENTINEL}`);
    expect(request.system.runs.map((run) => kindOf(run.segment))).toEqual([
      'framework-preamble preamble',
      'runtime-body narrator',
    ]);
  });
  test('so is the turn context', () =>
    expect(runs(request.messages[1]?.content).map((run) => kindOf(run.split('=')[0]))).toEqual([
      'turn-context runtime-inputs',
      'turn-context memory',
    ]));
  test('tools, calls, results and the schema have segments of their own', () => {
    expect(request.tools.map(({ segment }) => kindOf(segment))).toEqual(['tool roll', 'tool look']);
    expect(request.messages[3]?.toolCalls?.map(({ segment }) => kindOf(segment))).toEqual([
      'tool-call roll',
      'tool-call look',
    ]);
    expect(kindOf(request.messages[3]?.reasoningContent?.runs[0]?.segment)).toBe('tool-call reasoning');
    expect(kindOf(request.messages[4]?.segment)).toBe('tool-result roll');
    expect(kindOf(request.responseFormat?.segment)).toBe('response-format response format');
  });
  test('a picture belongs to its message', () =>
    expect(request.messages[2]?.content).toMatchObject([
      { type: 'text' },
      { type: 'image', segment: request.messages[2]?.segment },
    ]));
  test('no turn is invented', () => expect(segments.every(({ origin }) => origin.turnId === null)).toBe(true));
  test('without a system prompt the messages move up', () => {
    const { request: bare } = segmentedRequest(given({ messages: [{ role: 'user', content: 'go' }] }));
    expect(bare.system.length).toBe(0);
    expect(runs(bare.messages[0]?.content)).toEqual(['s1=go']);
  });
  test('blocks that go back have an owner, and their address is no text', () => {
    const blocks = [{ type: 'thinking', thinking: 'hm' }];
    const reply = { protocol: 'p', model: 'm', baseUrl: 'https://a.example', blocks };
    const { request: one, segments: named } = segmentedRequest(
      given({ messages: [{ role: 'assistant', content: null, providerContinuation: reply }] }),
    );
    expect(one.messages[0]?.segment).toBe('s1');
    expect(named[0]?.texts.map(({ text }) => text)).toEqual(['hm']);
  });
});

test('spans from elsewhere; what none covers is nobody’s', () => {
  const span = (path: string, start: number, end: number) => ({ path, start: chars(start), end: chars(end) });
  const request = tracedRequest(
    given({
      systemPrompt: 'abcd',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'x' },
            { type: 'image', image: 'y' },
          ],
        },
        { role: 'user', content: 'z' },
      ],
    }),
    [
      { id: 'b', spans: [span('/systemPrompt', 2, 4)] },
      { id: 'a', spans: [span('/systemPrompt', 0, 2)] },
      { id: 'c', spans: [span('/messages/0/content/0/text', 0, 1)] },
    ],
    { system: '/systemPrompt', message: (i) => `/messages/${i}`, tool: (i) => `/tools/${i}` },
    'f',
  );
  expect(runs(request.system)).toEqual(['a=ab', 'b=cd']);
  expect(request.messages[0]?.content).toMatchObject([{ text: { runs: [{ segment: 'c' }] } }, { segment: 'c' }]);
  expect(runs(request.messages[1]?.content)).toEqual(['null=z']);
});
