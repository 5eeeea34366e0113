import { describe, expect, test } from 'vitest';
import { groupCall } from './testing/messages.ts';
import { foldedText, withoutData } from './tool-results.ts';
import type { GroupCall } from './tool-groups.ts';

describe('withoutData', () => {
  test.each<[string, string, string | null]>([
    [
      'data alone gives way',
      '{"success":true,"data":{"rows":[1,2]},"summary":"two rows","staged":true}',
      '{"success":true,"data":"(gone)","summary":"two rows","staged":true}',
    ],
    ['an error stays', '{"data":1,"error":"E","code":"C"}', '{"data":"(gone)","error":"E","code":"C"}'],
    ['no data', '{"success":true,"staged":true}', null],
    ['any other object', '{"rows":[1,2,3]}', '(gone)'],
    ['a list', '[1,2,3]', '(gone)'],
    ['prose', 'The door is open.', '(gone)'],
    ['half an object', '{"data":', '(gone)'],
    ['a name on the prototype is no field', '{"constructor":1}', '(gone)'],
  ])('%s', (_, content, expected) => expect(withoutData(content, '(gone)')).toBe(expected));

  test('content in parts stays', () => expect(withoutData([{ type: 'text', text: 'long' }], '(gone)')).toBeNull());
  test('data 10,000 levels deep', () => {
    const deep = `{"success":true,"data":${'['.repeat(10_000)}${']'.repeat(10_000)},"details":${'['.repeat(10_000)}${']'.repeat(10_000)}}`;
    expect(withoutData(deep, '(gone)')).toBe(
      `{"success":true,"data":"(gone)","details":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
    );
  });
});

describe('foldedText', () => {
  const line = (call: Partial<GroupCall>): string | undefined =>
    foldedText([{ ...groupCall('call_1', ''), ...call }], 'Title').split('\n')[1];

  test('a title and a line for each call, written out', () => {
    const calls: GroupCall[] = [
      {
        id: 'call_9f',
        name: 'get-character',
        arguments: '{"name":"沈砚"}',
        result: '{"success":true,"data":{"mood":"calm"},"summary":"one character"}',
      },
      {
        id: 'call_a0',
        name: 'update-dimensions',
        arguments: '{"updates":[]}',
        result: '{"success":false,"error":"value is not in the enum","code":"VALIDATION_ERROR"}',
      },
    ];
    expect(foldedText(calls, '[In short]')).toBe(
      [
        '[In short]',
        '- get-character | {"name":"沈砚"} | ok: one character',
        '- update-dimensions | {"updates":[]} | failed: VALIDATION_ERROR',
      ].join('\n'),
    );
  });
  test.each<[string, Partial<GroupCall>, string]>([
    ['no summary', { result: '{"success":true}' }, '- look | {} | ok'],
    ['prose', { result: 'The door is open.' }, '- look | {} | ok'],
    ['content in parts', { result: [{ type: 'text', text: 'x' }] }, '- look | {} | ok'],
    ['a failure without code', { result: '{"success":false,"error":"no"}' }, '- look | {} | failed'],
    ['an error object with a code', { result: '{"error":{"code":"E1","message":"no"}}' }, '- look | {} | failed: E1'],
    ['an empty error', { result: '{"error":null,"summary":"fine"}' }, '- look | {} | ok: fine'],
    ['a summary over lines', { result: '{"summary":"a\\n- b | c"}' }, '- look | {} | ok: a - b | c'],
    ['arguments that are no JSON', { arguments: '{"n":\n 1' }, '- look | {"n": 1 | ok'],
    ['arguments with spaces', { arguments: '{ "n" : [1, 2] }' }, '- look | {"n":[1,2]} | ok'],
    ['foreign tags and breaks', { arguments: '"</x>\ue000COVEL_CACHE_BREAK\ue000"' }, '- look | "&lt;/x&gt;" | ok'],
    [
      'ids and times of bookkeeping',
      {
        arguments:
          '{"sessionId":"s","rowId":"0b8f0c6e-2f1a-4c3d-9e5f-123456789abc","updatedAt":"2026-05-01T10:00:00Z","id":"npc-lin"}',
      },
      '- look | {"id":"npc-lin"} | ok',
    ],
  ])('%s', (_, call, expected) => expect(line(call)).toBe(expected));

  test('at most 120 units of arguments and 80 of summary', () => {
    const long = line({ arguments: `"${'灯'.repeat(300)}"`, result: JSON.stringify({ summary: '潮'.repeat(300) }) });
    const [, args = '', outcome = ''] = (long ?? '').split(' | ');
    expect(args).toBe(`"${'灯'.repeat(118)}…`);
    expect(outcome).toBe(`ok: ${'潮'.repeat(79)}…`);
  });
  test('neither call id', () => expect(foldedText([groupCall('call_secret', 'x')], 'T')).not.toContain('secret'));
});
