/** The four boundaries of seed 1, section 5, on every shape of a conversation, and what holds for all requests. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject, PromptPart } from '../../../shared/model/index.ts';
import type { BuildMessage } from '../build/types.ts';
import { A, C, call, D, image, reply, requestOf, S, T, text, U } from '../fixtures/build-request.ts';
import { stringAt, testBuilder } from '../fixtures/properties.ts';
import { randomRequest } from '../fixtures/random-request.ts';
import { valueAt } from '../json.ts';
import { SENTINEL } from '../kernel/parse.ts';
import { cacheMarks } from '../texts.ts';
import { buildAnthropic } from './build.ts';

const marksOf = (body: JsonObject): readonly string[] =>
  cacheMarks('anthropic-messages-v1', body).map(({ path }) => path);
const built = (messages: readonly BuildMessage[]): JsonObject => buildAnthropic(requestOf({ messages })).body;

/** For each message of the body: which of its blocks carry a mark. */
const shape = (...messages: readonly BuildMessage[]): string =>
  (built(messages)['messages'] as readonly { readonly content: readonly JsonObject[] }[])
    .map(({ content }) => content.map((block) => (block['cache_control'] === undefined ? '-' : 'x')).join(''))
    .join(' ');

const thinking = { type: 'thinking', thinking: 'hm', signature: 's' };
const native = (...blocks: readonly Json[]) => reply('anthropic-messages-v1', blocks);

describe('marks of the messages', () => {
  test.each<[string, string, readonly BuildMessage[]]>([
    ['turn context and rules', '- x - - x', [U('a'), A('b'), S('turn'), U('c'), S('rules')]],
    ['all late text in the system field', 'x', [S('rules'), S('turn'), U('a')]],
    ['no late system text', '- - x', [U('a'), A('b'), U('c')]],
    ['a tool loop', '- x - - x', [U('a'), A('b'), S('turn'), C(null, call('1')), T('1', 'r')]],
    ['parallel results', 'x - -- -x', [U('a'), S('t'), C(null, call('1'), call('2')), T('1', 'r'), T('2', 'r')]],
    ['a picture at the end', 'x - -x', [U('a'), S('t'), U([text('b'), image()])]],
    ['an opener, then late text', '- x x', [A('a'), S('t')]],
    ['history of one message', 'x - x', [U('a'), S('t'), U('b')]],
    ['late text at the end', '- x x', [U('a'), A('b'), S('t')]],
    ['late text between, no turn context after it', 'x - - x', [U('a'), S('lore'), A('b'), U('c')]],
    ['developer is system', 'x - x', [U('a'), D('t'), U('b')]],
    ['empty messages are passed over', '- x - x', [U('a'), A('b'), A(''), U(''), S('t'), U('c'), A('')]],
    ['empty late text ends nothing', '- - x', [U('a'), A('b'), S(''), U('c')]],
    ['nothing but late text is left', 'x', [U(''), S('t')]],
    ['history that says nothing has no end', '- x', [U(''), S('t'), U('b')]],
    [
      'thoughts after the text',
      '- x- - x',
      [U('a'), A('b', native({ type: 'text', text: 'b' }, thinking)), S('t'), U('c')],
    ],
    [
      'an empty text of a reply is passed over',
      '- x- x',
      [A('b', native({ type: 'text', text: 'b' }, { type: 'text', text: '' })), S('t')],
    ],
    ['thoughts alone are passed over', 'x - - x', [U('a'), A('b', native(thinking)), S('t'), U('c')]],
    ['thoughts alone at the end', 'x - x -', [U('a'), S('t'), U('c'), A('b', native(thinking))]],
    [
      'redacted thoughts and other blocks',
      '- x-- - x',
      [
        U('a'),
        A(
          'b',
          native(
            { type: 'tool_use', id: 'x', name: 'roll', input: {} },
            { type: 'redacted_thinking', data: 'd' },
            { type: 'server_tool_use' },
          ),
        ),
        S('t'),
        U('c'),
      ],
    ],
    ['both marks on one block are one mark', 'x -', [U('a'), A('b', native(thinking))]],
    ['no messages', '', [S('a')]],
  ])('%s: %s', (_, expected, messages) => expect(shape(...messages)).toBe(expected));

  test('where the end of history is the end of the request there is one mark', () =>
    expect(shape(U('a'), S('t'), A('b', native(thinking)))).toBe('x x -'));

  test('without a sentinel in the system prompt they are set all the same', () =>
    expect(marksOf(buildAnthropic(requestOf({ system: 'words', messages: [U('a')] })).body)).toEqual([
      '/messages/0/content/0',
    ]));

  test('all four', () => {
    const system = ['a', 'b', 'c', ''].join(SENTINEL);
    const { body } = buildAnthropic(requestOf({ system, messages: [U('a'), A('b'), S('t'), U('c')] }));
    expect(marksOf(body)).toEqual(['/system/0', '/system/2', '/messages/1/content/0', '/messages/3/content/0']);
  });

  test.each(['auto-prefix', 'none'] as const)('no marks with %s', (cacheStrategy) => {
    const messages = [U('a'), S('t'), U('c')];
    expect(marksOf(buildAnthropic(requestOf({ messages, options: { cacheStrategy } })).body)).toEqual([]);
  });
});

test('at most four marks, each on a block that may carry one, never on what follows the last boundary', () => {
  fc.assert(
    fc.property(randomRequest, (request) => {
      const { body } = buildAnthropic(request);
      const marks = marksOf(body);
      expect(marks.length).toBeLessThanOrEqual(4);
      for (const path of marks) {
        const type = (valueAt(body, path) as JsonObject)['type'];
        expect(['text', 'image', 'tool_use', 'tool_result']).toContain(type);
      }
      expect(marks.filter((path) => path.startsWith('/system')).length).toBeLessThanOrEqual(2);
      expect(request.options.cacheStrategy === 'none' ? marks : []).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

/** `/messages/n/content/m`. */
const blockOf = (part: PromptPart): string => part.texts[0]?.path.split('/').slice(0, 5).join('/') ?? '';

describe('every request', () => {
  testBuilder({
    protocol: 'anthropic-messages-v1',
    build: buildAnthropic,
    formatInSystem: true,
    spelling: {
      call: (body, part) => JSON.stringify(valueAt(body, `${blockOf(part)}/input`)),
      result: (body, part) => stringAt(body, `${blockOf(part)}/content`),
      skips: 'Earlier turns are left out.',
    },
  });
});
