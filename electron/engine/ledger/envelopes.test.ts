import { describe, expect, test } from 'vitest';
import { decodeText, envelopesIn, isCutOf, readEnvelope } from './envelopes.ts';

const payload = (...texts: readonly string[]): Uint8Array => Buffer.from(JSON.stringify({ messages: texts }));
const found = (...texts: readonly string[]): readonly (string | null)[] =>
  envelopesIn(payload(...texts)).map(decodeText);
const open = '<compacted_history>\n';
const close = '\n</compacted_history>';

describe('envelopes in a payload', () => {
  test.each<readonly [string, readonly string[], readonly string[]]>([
    ['none', ['hello'], []],
    ['one', [`${open}a "b" 雾${close}\nnote`], ['a "b" 雾\n']],
    ['several in one message', [`${open}a${close}\nnote\n${open}b${close}`], ['a\n', 'b\n']],
    ['several messages', [`${open}a${close}`, `${open}b${close}`], ['a\n', 'b\n']],
    ['the same twice is one', [`${open}a${close}`, `${open}a${close}`], ['a\n']],
    ['a tag without its line break is none', [`<compacted_history>a${close}`], []],
    ['a tag that never closes is none', [`${open}a`], []],
    ['an escaped one is none', [JSON.stringify(`${open}a${close}`)], []],
  ])('%s', (_, texts, expected) => expect(found(...texts)).toEqual(expected));
  test('a piece of a broken payload has no text', () => expect(decodeText('a\\')).toBeNull());
});

describe('an envelope', () => {
  test.each<readonly [string, string, string, readonly string[]]>([
    [
      'sections and text',
      '# sections: Key events, World & state\nThe tide.\n',
      'The tide.',
      ['Key events', 'World & state'],
    ],
    ['no sections', '# sections:\nThe tide.', 'The tide.', []],
    ['no heading', 'The tide.\n', 'The tide.', []],
    ['escaped once', '# sections: A\n&amp;lt; &lt;b&gt; &#39;c&#39;', "&lt; <b> 'c'", ['A']],
    ['empty', '# sections: A', '', ['A']],
  ])('%s', (_, inner, content, sections) => {
    const read = readEnvelope(inner.replace('World & state', 'World &amp; state'));
    expect(read).toEqual({ content, sections });
  });
});

describe('a text whose middle was cut out', () => {
  const whole = 'The ferry left at dawn. '.repeat(30);
  test.each<readonly [string, string, boolean]>([
    ['head and tail', `${whole.slice(0, 100)}[cut]${whole.slice(-90)}`, true],
    ['head alone', `${whole.slice(0, 100)}[cut]`, true],
    ['itself', whole, false],
    ['another text', 'The bell rang twice, and nobody came to the door.', false],
    ['a few letters of it', `The [${'x'.repeat(80)}]`, false],
    ['a longer text', `${whole}more`, false],
    ['too much in the middle', `${whole.slice(0, 60)}${'x'.repeat(200)}${whole.slice(-60)}`, false],
  ])('%s', (_, text, expected) => expect(isCutOf(text, whole)).toBe(expected));
});
