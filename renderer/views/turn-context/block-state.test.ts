import { describe, expect, test } from 'vitest';
import type { ContextBlock, ContextDetail } from '../../../shared/api.ts';
import { chars, estimated, turnIndex } from '../../../shared/units.ts';
import { countBlocks, drawn, shownBlocks } from './block-state.ts';

const block = (tag: string | null, text: string, previousText: string | null = null): ContextBlock => ({
  segment: `s-${tag}`,
  tag,
  chars: chars(text.length),
  tokens: estimated(1),
  changedSincePreviousTurn: null,
  label: 'memory',
  text,
  previousText,
});
const context = (blocks: readonly ContextBlock[], previousTurn: number | null = 3): ContextDetail => ({
  blocks,
  previousTurn: previousTurn === null ? null : turnIndex(previousTurn),
});
const states = (now: ContextDetail, previous: ContextDetail | null): readonly string[] =>
  shownBlocks(now, previous).map((shown) => `${shown.block.tag}: ${shown.state}`);

describe('against the previous turn', () => {
  const now = context([block('memory', 'a', 'a'), block('world-dimensions', 'b', 'c'), block('pictures', 'd')]);
  test('same, changed, new', () =>
    expect(states(now, null)).toEqual(['memory: same', 'world-dimensions: changed', 'pictures: new']));
  test('gone blocks come last', () =>
    expect(states(now, context([block('memory', 'a'), block('runtime-inputs', 'x')])).at(-1)).toBe(
      'runtime-inputs: gone',
    ));
  test('a second block of one tag is another block', () =>
    expect(states(context([block('lore', 'a', 'a')]), context([block('lore', 'a'), block('lore', 'b')]))).toEqual([
      'lore: same',
      'lore: gone',
    ]));
});

test('nothing is known of a first turn', () =>
  expect(states(context([block('memory', 'a')], null), context([block('old', 'x')]))).toEqual(['memory: unknown']));

test('counts', () =>
  expect(
    countBlocks(shownBlocks(context([block('a', '1', '1'), block('b', '1', '2')]), context([block('c', '')]))),
  ).toEqual({ same: 1, changed: 1, new: 0, gone: 1, unknown: 0 }));

test.each([
  ['<a>\n1\n</a>\n', '<a>\n1\n</a>'],
  ['a\r\n\n', 'a'],
  ['a\n\nb', 'a\n\nb'],
  ['  a  ', '  a  '],
  ['\n', '\n'],
  ['', ''],
])('%j is drawn as %j', (text, expected) => expect(drawn(text)).toBe(expected));
