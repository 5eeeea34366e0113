/** An earlier reply goes back as it came, where it came from, and with the calls it made (assembler page, section 9.4). */
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../shared/model/index.ts';
import type { BuildMessage } from '../build/types.ts';
import { A, C, call, reply, T, U } from '../fixtures/build-request.ts';
import { MODEL, build, contents, says, calls, answers, thrown } from './testing.ts';

describe('an earlier reply', () => {
  const HOME = { model: MODEL, baseUrl: 'https://generativelanguage.googleapis.com/v1beta' };
  const signed: readonly Json[] = [
    { text: 'hm', thought: true, thoughtSignature: 's0' },
    { text: 'b' },
    { functionCall: { name: 'roll', args: { sides: 6 } }, thoughtSignature: 's1' },
    { functionCall: { name: 'look', args: {} } },
  ];
  const unsigned: readonly Json[] = [
    { functionCall: { id: 'n1', name: 'roll', args: { sides: 6 } } },
    { functionCall: { id: 'n2', name: 'look', args: { sides: 6 } } },
  ];
  const look = call('2', 'look', '');
  const talk = (blocks: readonly Json[], toolCalls = [call('1'), look], where = {}): readonly BuildMessage[] => [
    U('a'),
    { ...C('b', ...toolCalls), ...reply('google-generative-ai-v1', blocks, { ...HOME, ...where }) },
    ...toolCalls.map(({ id }) => T(id, '{}')).toReversed(),
  ];
  const native = [call('n1'), call('n2', 'look')];

  test('goes back as it came', () =>
    expect(contents(...talk(signed))).toEqual([
      says('user', 'a'),
      { role: 'model', parts: signed },
      answers(['roll', {}], ['look', {}]),
    ]));
  test('its unsigned native ids are echoed, results in its order', () =>
    expect(contents(...talk(unsigned, native))).toEqual([
      says('user', 'a'),
      { role: 'model', parts: unsigned },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'n1', name: 'roll', response: {} } },
          { functionResponse: { id: 'n2', name: 'look', response: {} } },
        ],
      },
    ]));
  test('unsigned parts of another model are not used, and no id is echoed', () =>
    expect(contents(...talk(unsigned, native, { model: 'gemini-3-pro' }))).toEqual([
      says('user', 'a'),
      { role: 'model', parts: [{ text: 'b' }, ...calls('roll', 'look').parts] },
      answers(['roll', {}], ['look', {}]),
    ]));
  test('a model is the same with and without models/', () =>
    expect(contents(...talk(signed, undefined, { model: `models/${MODEL}` }))).toEqual(contents(...talk(signed))));
  test('a reply without parts says what the message says', () =>
    expect(contents(U('a'), A('b', reply('google-generative-ai-v1', [], HOME)))).toEqual([
      says('user', 'a'),
      says('model', 'b'),
    ]));
  test('parts of another protocol are not used', () =>
    expect(
      contents(U('a'), { ...C(null, call('1')), ...reply('anthropic-messages-v1', [{ thoughtSignature: 'x' }], HOME) }),
    ).toEqual([says('user', 'a'), calls('roll')]));
  test('text alone goes back with its signature, and nothing joins it', () =>
    expect(
      contents(U('a'), A('b', reply('google-generative-ai-v1', [{ text: 'b', thoughtSignature: 's' }], HOME)), A('c')),
    ).toEqual([
      says('user', 'a'),
      { role: 'model', parts: [{ text: 'b', thoughtSignature: 's' }] },
      says('model', 'c'),
    ]));
  test('its parts belong to the message and to its calls', () => {
    const { map } = build({ messages: talk(signed) });
    const at = (path: string) => map.filter((span) => span.path === path).map(({ segment }) => segment);
    expect(at('/contents/1/parts/0/text')).toEqual(['of b']);
    expect(at('/contents/1/parts/1/text')).toEqual(['of b']);
    expect(at('/contents/1/parts/2/functionCall/name')).toEqual(['call 1']);
    expect(at('/contents/1/parts/3/functionCall/name')).toEqual(['call 2']);
  });

  test.each<[string, readonly BuildMessage[]]>([
    ['signed parts of another model', talk(signed, undefined, { model: 'gemini-3-pro' })],
    ['signed parts of another base URL', talk(signed, undefined, { baseUrl: 'https://gw.example/v1beta' })],
    ['fewer calls', talk(signed, [call('1')])],
    ['more calls', talk(signed, [call('1'), look, call('3')])],
    ['swapped calls', talk(signed, [look, call('1')])],
    ['an edited name', talk(signed, [call('1', 'spin'), look])],
    ['edited arguments', talk(signed, [call('1', 'roll', '{"sides":20}'), look])],
    ['an edited id', talk(unsigned, [call('n1'), call('n9', 'look')])],
  ])('%s: refused', (_, messages) => expect(thrown({ messages })).toBe('messages[1].providerContinuation'));
});
