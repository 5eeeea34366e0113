/** Blocks and headings: what opens one, what closes it, and that nothing falls between two of them. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitBlocks, splitHeadings, summaryStarts } from './blocks.ts';
import { systemPieces } from './pieces.ts';
import { SENTINEL } from '../kernel/parse.ts';

const blocks = (text: string): readonly string[] =>
  splitBlocks(text).map(({ tag, start, end }) => `${tag}: ${JSON.stringify(text.slice(start, end))}`);
const headed = (text: string, headings: 'any' | 'rules'): readonly string[] =>
  splitHeadings(text, headings).map(({ label, start, end }) => `${label}: ${JSON.stringify(text.slice(start, end))}`);

describe('splitBlocks', () => {
  test.each<[string, readonly string[]]>([
    ['', []],
    ['text', ['null: "text"']],
    [' \n', ['null: " \\n"']],
    ['<a>\nx\n</a>\n\n<b>y</b>', ['a: "<a>\\nx\\n</a>"', 'b: "\\n\\n<b>y</b>"']],
    ['\n<a>x</a> tail', ['a: "\\n<a>x</a>"', 'null: " tail"']],
    ['<a>x</a>\n\ntail\n\n<b>y</b>\n\n', ['a: "<a>x</a>"', 'null: "\\n\\ntail"', 'b: "\\n\\n<b>y</b>\\n\\n"']],
    ['head\n<a>x</a>', ['null: "head"', 'a: "\\n<a>x</a>"']],
    ['see <a>x</a>', ['null: "see <a>x</a>"']],
    ['<a>\nnever closed', ['null: "<a>\\nnever closed"']],
    ['<a>\n<b>x</b>\n</a>', ['a: "<a>\\n<b>x</b>\\n</a>"']],
    ['<open>\n<b>x</b>', ['null: "<open>"', 'b: "\\n<b>x</b>"']],
    ['<世界>\nx\n</世界>', ['null: "<世界>\\nx\\n</世界>"']],
  ])('%j', (text, expected) => expect(blocks(text)).toEqual(expected));

  test('the blocks are the whole text', () => {
    const piece = fc.constantFrom('<a>', '</a>', '<b>', '</b>', '\n', ' ', 'x', '雾');
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('');
        const cuts = splitBlocks(text);
        expect(cuts.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text);
        cuts.forEach(({ start, end }, i) => expect(start < end && start === (cuts[i - 1]?.end ?? 0)).toBe(true));
      }),
    );
  });
});

describe('splitHeadings', () => {
  test.each<[string, 'any' | 'rules', readonly string[]]>([
    [
      '[World Rule: Salt]\na\n\n[World Rule: Tide]\nb',
      'rules',
      ['Salt: "[World Rule: Salt]\\na"', 'Tide: "\\n\\n[World Rule: Tide]\\nb"'],
    ],
    ['【世界规则：盐】\na', 'rules', ['盐: "【世界规则：盐】\\na"']],
    ['[STYLE]\na', 'rules', ['null: "[STYLE]\\na"']],
    ['[STYLE]\na', 'any', ['STYLE: "[STYLE]\\na"']],
    ['see [World Rule: Salt] here', 'any', ['null: "see [World Rule: Salt] here"']],
    ['before\n[World Rule: Salt]\na', 'rules', ['null: "before"', 'Salt: "\\n[World Rule: Salt]\\na"']],
    ['', 'any', []],
  ])('%j (%s)', (text, headings, expected) => expect(headed(text, headings)).toEqual(expected));
});

describe('summaryStarts', () => {
  const open = '<compacted_history>\n';
  test.each<[string, readonly number[]]>([
    [`${open}a`, [0]],
    [` ${open}a\n${open}b`, [0, 22]],
    [`${open}a\n\n${open}b\n${open}c`, [0, 21, 44]],
    [`text\n${open}a`, []],
    ['<compacted_history>a', []],
  ])('%j', (text, starts) => expect(summaryStarts(text, open)).toEqual(starts));
});

describe('systemPieces', () => {
  const kinds = (prompt: string): readonly string[] => systemPieces(prompt).map(({ kind, text }) => `${kind}: ${text}`);
  const s = SENTINEL;
  test.each<[string, string, readonly string[]]>([
    [
      'all parts',
      `[RUNTIME]${s}\n\nb${s}\n\nc${s}\n\nd${s}\n\ne`,
      ['preamble: [RUNTIME]', 'body: b', 'stable: c', 'lore: d', 'tail: e'],
    ],
    ['no locale, so no preamble', `b${s}`, ['body: b']],
    [
      'one part between body and tail: either of two',
      `[RUNTIME]${s}b${s}c${s}`,
      ['preamble: [RUNTIME]', 'body: b', 'inner: c'],
    ],
    ['a hook kept the preamble only', `[RUNTIME]${s}\n\nown text`, ['preamble: [RUNTIME]', 'whole: own text']],
    ['no sentinels', '[RUNTIME]\n\nb', ['whole: [RUNTIME]\n\nb']],
    ['nothing', '', []],
  ])('%s', (_, prompt, expected) => expect(kinds(prompt)).toEqual(expected));
});
