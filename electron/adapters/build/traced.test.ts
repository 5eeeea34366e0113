/** Cutting and joining never lose the origin of a character. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isEmpty,
  join,
  NO_TEXT,
  own,
  plain,
  settle,
  slice,
  split,
  trace,
  traceRuns,
  trimEnd,
  without,
  wrap,
  type Traced,
} from './traced.ts';

const two = traceRuns([
  { text: 'ab', segment: 's1' },
  { text: '', segment: 's9' },
  { text: 'cd', segment: 's2' },
]);
const runs = (text: Traced) => text.runs.map((run) => `${run.segment}:${run.text}`);

describe('one text', () => {
  test('empty runs are none', () => expect(runs(two)).toEqual(['s1:ab', 's2:cd']));
  test('nothing is empty', () => expect([isEmpty(NO_TEXT), isEmpty(two), plain(NO_TEXT)]).toEqual([true, false, '']));
  test.each([
    [0, 4, ['s1:ab', 's2:cd']],
    [1, 3, ['s1:b', 's2:c']],
    [2, undefined, ['s2:cd']],
    [0, 2, ['s1:ab']],
    [3, 3, []],
  ])('from %s to %s', (start, end, expected) => expect(runs(slice(two, start, end))).toEqual(expected));
  test('a wrapper belongs to the ends', () =>
    expect(runs(wrap(two, '<', '>'))).toEqual(['s1:<', 's1:ab', 's2:cd', 's2:>']));
  test('a wrapper around nothing is nobody’s', () =>
    expect(runs(wrap(NO_TEXT, '<', '>'))).toEqual(['null:<', 'null:>']));
  test('a separator belongs to what it brings', () =>
    expect(runs(join([trace('a', 's1'), trace('b', 's2')], '|'))).toEqual(['s1:a', 's2:|', 's2:b']));
  test('a mark may lie across two runs', () => {
    expect(split(two, 'bc').map(runs)).toEqual([['s1:a'], ['s2:d']]);
    expect(runs(without(two, 'bc'))).toEqual(['s1:a', 's2:d']);
  });
  test('trimmed at the end alone', () =>
    expect(runs(trimEnd(join([two, trace(' \n', 's3')], '')))).toEqual(['s1:ab', 's2:cd']));
});

test('slices put together are the text, with the same origins', () =>
  fc.assert(
    fc.property(
      fc.array(fc.record({ text: fc.string({ unit: 'binary' }), segment: fc.constantFrom('a', 'b', null) })),
      fc.nat(40),
      (given, cut) => {
        const text = traceRuns(given);
        const whole = join([slice(text, 0, cut), slice(text, cut)], '');
        const origins = (one: Traced) => one.runs.map((run) => `${run.segment} `.repeat(run.text.length)).join('');
        expect(plain(whole)).toBe(given.map((run) => run.text).join(''));
        expect(origins(whole)).toBe(origins(text));
      },
    ),
  ));

describe('a tree, written out', () => {
  test('texts become strings, their runs spans; undefined is left out', () => {
    const tree = { a: [two, 'x'], b: undefined, 'c/d~': { e: trace('z', null) }, f: own({ g: 'h' }, 's3'), n: null };
    const { body, spans, owned } = settle(tree);
    expect(body).toEqual({ a: ['abcd', 'x'], 'c/d~': { e: 'z' }, f: { g: 'h' }, n: null });
    expect(Object.hasOwn(body, 'b')).toBe(false);
    expect(spans).toEqual([
      { path: '/a/0', start: 0, end: 2, segment: 's1' },
      { path: '/a/0', start: 2, end: 4, segment: 's2' },
      { path: '/c~1d~0/e', start: 0, end: 1, segment: null },
    ]);
    expect(owned).toEqual([{ path: '/f', segment: 's3' }]);
  });
  test('neighbours of one segment are one span', () =>
    expect(settle([join([trace('a', 's1'), trace('b', 's1')], '')]).spans).toEqual([
      { path: '/0', start: 0, end: 2, segment: 's1' },
    ]));
  test('a key of any name stays a key', () => {
    const tree = { p: own(JSON.parse('{"__proto__":{"x":"y"},"constructor":"c"}') as object, 's1') };
    expect(JSON.stringify(settle(tree).body)).toBe('{"p":{"__proto__":{"x":"y"},"constructor":"c"}}');
  });
});
