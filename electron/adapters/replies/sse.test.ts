import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSse } from './sse.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Data of all events, the bytes given in chunks of `size`. */
function read(text: string | Uint8Array, size = Infinity): readonly string[] {
  const all = typeof text === 'string' ? bytes(text) : text;
  const sse = createSse();
  const out: string[] = [];
  for (let i = 0; i < all.length; i += Math.min(size, all.length)) out.push(...sse.push(all.slice(i, i + size)));
  return out;
}

describe('server-sent events', () => {
  test.each([
    ['LF', 'data: a\n\ndata: b\n\n', ['a', 'b']],
    ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
    ['CR', 'data: a\r\rdata: b\r\r', ['a', 'b']],
    ['mixed line ends', 'data: a\r\n\ndata: b\r\n\r\ndata: c\n\r', ['a', 'b', 'c']],
    ['no space behind the colon', 'data:a\n\n', ['a']],
    ['only one space is taken', 'data:  a\n\n', [' a']],
    ['several data lines', 'data: a\ndata: b\ndata:\n\n', ['a\nb\n']],
    ['other fields and comments', ': hello\nevent: x\nid: 1\nretry: 5\ndata: a\nfoo: b\n\n', ['a']],
    ['a comment alone is no event', ': keep-alive\n\ndata: a\n\n', ['a']],
    ['an event without data is none', 'event: ping\n\ndata: a\n\n', ['a']],
    ['an unfinished tail is dropped', 'data: a\n\ndata: b\n', ['a']],
    ['an unfinished line is dropped', 'data: a\n\ndata: b', ['a']],
    ['a byte order mark', '\uFEFFdata: a\n\n', ['a']],
    ['text of more bytes', 'data: 潮水🌊\n\n', ['潮水🌊']],
    ['[DONE] is data', 'data: [DONE]\n\n', ['[DONE]']],
    ['nothing', '', []],
  ])('%s', (_, text, expected) => {
    expect(read(text)).toEqual(expected);
    expect(read(text, 1)).toEqual(expected);
    expect(read(text, 2)).toEqual(expected);
  });

  test('bytes that are no UTF-8 become replacement characters', () => {
    expect(read(Uint8Array.of(...bytes('data: '), 0xff, ...bytes('a\n\n')))).toEqual(['\uFFFDa']);
  });

  test('an event that never ends is given up', () => {
    const sse = createSse(1000);
    expect(sse.push(bytes(`data: a\n\ndata: ${'x'.repeat(2000)}`))).toEqual(['a']);
    expect(sse.push(bytes('\n\ndata: b\n\n'))).toEqual([]);
  });

  test('any lines, any line ends, any chunks', () => {
    const line = fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => text.replace(/[\r\n]/g, ''));
    fc.assert(
      fc.property(
        fc.array(fc.array(line, { minLength: 1, maxLength: 3 }), { maxLength: 6 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.integer({ min: 1, max: 40 }),
        (events, newline, size) => {
          const text = events.map((lines) => lines.map((one) => `data: ${one}${newline}`).join('') + newline).join('');
          expect(read(text, size)).toEqual(events.map((lines) => lines.join('\n')));
        },
      ),
      { numRuns: 500 },
    );
  });
});
