import { describe, expect, test } from 'vitest';
import type { Comparison } from '../../../shared/api.ts';
import { chars, estimated, turnIndex } from '../../../shared/units.ts';
import { billedBar, sharedBar } from './billing.ts';
import { cutOf, stateOf, stateOfRun } from './prefix-state.ts';
import { segmentRow } from './segment-row.fixture.ts';

const segments = ['a', 'b', 'c', 'd'].map((id) => segmentRow({ id }));
const compared = (given: Partial<Comparison>): Comparison => ({
  a: '1',
  aTurn: turnIndex(1),
  b: '2',
  bTurn: turnIndex(2),
  size: { chars: chars(160), tokens: estimated(40) },
  shared: { chars: chars(80), tokens: estimated(20), share: 0.5 },
  divergence: null,
  cause: { kind: 'unknown', evidence: [], advice: null },
  changed: [],
  ...given,
});
const parted = (segment: string | null, path: string, offset: number): Comparison =>
  compared({ divergence: { part: 'message 3 (user)', path, offset: chars(offset), segment, was: 'x', now: 'y' } });

describe('the cut', () => {
  test('no baseline, no cut', () => expect(cutOf(segments, null)).toBeNull());
  test('inside its owner', () =>
    expect(cutOf(segments, parted('c', '/messages/c/content', 10))).toEqual({
      segment: 2,
      tokens: 22.5,
      isDifference: true,
    }));
  test('the owner is found by its path', () =>
    expect(cutOf(segments, parted(null, '/messages/b/content', 40))?.segment).toBe(1));
  test('a place in the structure is the start of its owner', () =>
    expect(cutOf(segments, parted('c', '/messages/c', 0))?.tokens).toBe(20));
  test('without an owner the share places it', () =>
    expect(cutOf(segments, parted(null, '/temperature', 0))).toEqual({ segment: 2, tokens: 20, isDifference: true }));
  const added = (...ids: string[]) =>
    ids.map((segment) => ({ segment, kind: 'history', label: '', change: 'added', tokens: estimated(1) }) as const);
  test('a request goes on at what was added', () =>
    expect(cutOf(segments, compared({ changed: added('d') }))).toEqual({
      segment: 3,
      tokens: 30,
      isDifference: false,
    }));
  test('the words of the player that became history were there before', () => {
    const [a, b, ...rest] = segments;
    const grown = [a!, segmentRow({ ...b, kind: 'history', role: 'user' }), ...rest];
    expect(cutOf(grown, compared({ changed: added('b', 'c', 'd') }))?.segment).toBe(2);
  });
  test('a request that goes on, nobody knows where', () =>
    expect(cutOf(segments, compared({}))).toEqual({ segment: 2, tokens: 20, isDifference: false }));
  test('an identical request is shared to its end', () =>
    expect(cutOf(segments, compared({ shared: { chars: chars(160), tokens: estimated(40), share: 1 } }))).toEqual({
      segment: 4,
      tokens: 40,
      isDifference: false,
    }));
});

describe('states', () => {
  const cut = { segment: 2, tokens: 22, isDifference: true };
  test('before, at and behind the difference', () =>
    expect([0, 1, 2, 3].map((i) => stateOf(i, cut))).toEqual(['shared', 'shared', 'difference', 'new']));
  test('a request that goes on has no difference', () =>
    expect([1, 2].map((i) => stateOf(i, { ...cut, isDifference: false }))).toEqual(['shared', 'new']));
  test('unknown without a cut', () => expect(stateOf(0, null)).toBeNull());
  test.each([
    [0, 2, 'shared'],
    [1, 4, 'difference'],
    [3, 4, 'new'],
  ] as const)('run %d to %d is %s', (from, to, state) => expect(stateOfRun(from, to, cut)).toBe(state));
});

describe('bars', () => {
  test('billed, in the order of the cache, without empty parts', () =>
    expect(billedBar({ uncached: tokensOf(100), read: tokensOf(300), write: tokensOf(0), output: null })).toEqual({
      tier: 'billed',
      total: 400,
      parts: [
        { name: 'read', tokens: 300, share: 0.75 },
        { name: 'uncached', tokens: 100, share: 0.25 },
      ],
    }));
  test('nothing reported', () =>
    expect(billedBar({ uncached: null, read: null, write: null, output: tokensOf(5) })).toBeNull());
  test('estimated against the baseline', () =>
    expect(
      sharedBar(
        compared({
          size: { chars: chars(200), tokens: estimated(50) },
          shared: { chars: chars(160), tokens: estimated(35), share: 0.8 },
        }),
        30,
        40,
      )?.parts,
    ).toEqual([
      { name: 'shared', tokens: 35, share: 0.75 },
      { name: 'new', tokens: 15, share: 0.25 },
    ]));
  test('all shared: one part', () =>
    expect(
      sharedBar(
        compared({
          size: { chars: chars(200), tokens: estimated(50) },
          shared: { chars: chars(200), tokens: estimated(50), share: 1 },
        }),
        40,
        40,
      )?.parts,
    ).toEqual([{ name: 'shared', tokens: 50, share: 1 }]));
  test('no baseline, no bar', () => expect(sharedBar(null, 0, 40)).toBeNull());
});

function tokensOf(n: number) {
  return estimated(n).value;
}
