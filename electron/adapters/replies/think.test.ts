import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createThinkSplitter, splitThink, type ThinkPiece } from './think.ts';

test.each([
  ['no tag', 'a story', 'a story', ''],
  ['a tag at the start', '<think>plan</think>story', 'story', 'plan'],
  ['white space around the tags', '\n <think>\nplan\n</think>\n\nstory\n', 'story\n', 'plan'],
  ['a later tag is text', 'story <think>x</think>', 'story <think>x</think>', ''],
  ['only the first pair', '<think>a</think>b<think>c</think>', 'b<think>c</think>', 'a'],
  ['never closed', '<think>plan', '', 'plan'],
  ['never closed, with the start of the end', '<think>plan </thi', '', 'plan </thi'],
  ['an empty pair', '<think></think>story', 'story', ''],
  ['a blank pair', '<think> \n </think>story', 'story', ''],
  ['almost a tag', '<thinking>x', '<thinking>x', ''],
  ['a tag that is cut off', '<thi', '<thi', ''],
  ['blank text stays', ' \n', ' \n', ''],
  ['other tags inside', '<think>a <b> </c> d</think>e', 'e', 'a <b> </c> d'],
])('%s', (_, given, text, reasoning) => {
  expect(splitThink(given)).toEqual({ text, reasoning });
});

test('the pieces join to the same two sides, however the text is cut', () => {
  const piece = fc.constantFrom('<think>', '</think>', '<', '</th', 'ink>', ' ', '\n', 'plan', '字', '🌊');
  fc.assert(
    fc.property(
      fc.boolean(),
      fc.array(piece, { maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
      (opens, pieces, size) => {
        const text = (opens ? '<think>' : '') + pieces.join('');
        const splitter = createThinkSplitter();
        const out: ThinkPiece[] = [];
        for (let i = 0; i < text.length; i += size) out.push(...splitter.push(text.slice(i, i + size)));
        out.push(...splitter.end());
        const side = (type: 'text' | 'reasoning') => out.flatMap((one) => (one.type === type ? one.text : [])).join('');
        expect({ text: side('text'), reasoning: side('reasoning') }).toEqual(splitThink(text));
        expect(out.every((one) => one.text !== '')).toBe(true);
      },
    ),
    { numRuns: 1000 },
  );
});

test('white space without end is held in linear time', () => {
  for (const head of ['', '<think>', '<think>a', '<think>a</think>']) {
    const splitter = createThinkSplitter();
    splitter.push(head);
    const from = performance.now();
    for (let i = 0; i < 200_000; i++) splitter.push('  ');
    splitter.end();
    expect(performance.now() - from).toBeLessThan(2000);
  }
});
