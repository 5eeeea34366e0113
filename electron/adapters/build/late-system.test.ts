/** Assembler page, section 8.1 and the row "Late system fn" of table 12.5. */
import { describe, expect, test } from 'vitest';
import { A, D, image, S, T, text, U } from '../fixtures/build-request.ts';
import { lateSystemAsUser, splitLeading } from './late-system.ts';
import { plain, trace } from './traced.ts';
import type { BuildMessage } from './types.ts';

const roles = (messages: readonly BuildMessage[]) => messages.map(({ role }) => role).join(' ');
const words = (message: BuildMessage | undefined): readonly string[] => {
  const content = message?.content ?? null;
  if (content === null) return [];
  if ('runs' in content) return [plain(content)];
  return content.map((part) => (part.type === 'text' ? plain(part.text) : `image ${part.image}`));
};

describe('late system messages', () => {
  test('S A S U S become S A U U U', () => {
    const given = [S('a'), A('b'), S('c'), U('d'), S('e')];
    const sent = lateSystemAsUser(given);
    expect(roles(sent)).toBe('system assistant user user user');
    expect(words(sent[2])).toEqual(['<system-instruction>\nc\n</system-instruction>']);
    expect(words(sent[4])).toEqual(['<system-instruction>\ne\n</system-instruction>']);
    expect([sent[0], sent[1], sent[3]]).toEqual([given[0], given[1], given[3]]);
    expect(sent[0]).toBe(given[0]);
  });
  test('developer messages are system messages', () => {
    expect(roles(lateSystemAsUser([D('a'), U('b'), D('c')]))).toBe('developer user user');
  });
  test.each([
    ['system alone', [S('a'), D('b')]],
    ['none', [S('a'), U('b'), A('c'), T('1', 'd')]],
    ['nothing', []],
  ])('%s: the same list', (_, given) => expect(lateSystemAsUser(given)).toBe(given));

  test('of parts, none is lost', () => {
    const given = [U('a'), S([text('x'), image('https://a.example/p.png'), text('y')])];
    expect(words(lateSystemAsUser(given)[1])).toEqual([
      '<system-instruction>\n',
      'x',
      'image https://a.example/p.png',
      'y',
      '\n</system-instruction>',
    ]);
  });
  test('the wrapper belongs to the text in it', () => {
    const content = lateSystemAsUser([U('a'), { role: 'system', content: trace('b', 's7') }])[1]?.content;
    expect(
      content !== null && content && 'runs' in content && content.runs.every(({ segment }) => segment === 's7'),
    ).toBe(true);
  });
  test('the leading run ends at the first that is not system', () => {
    const { leading, rest } = splitLeading([S('a'), D('b'), A('c'), S('d')]);
    expect([roles(leading), roles(rest)]).toEqual(['system developer', 'assistant system']);
  });
});
