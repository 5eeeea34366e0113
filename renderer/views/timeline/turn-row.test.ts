import { describe, expect, test } from 'vitest';
import type { CallRow, TurnRow } from '../../../shared/model/index.ts';
import { fixtureSession } from '../../test-support/fixture-data.ts';
import { barsOf, callGroups, firstCall, marksOf, runtimesOf } from './turn-row.ts';

const session = fixtureSession('s', 24, { swept: true });
const turn = (index: number): TurnRow => session.turns[index - 1] as TurnRow;
const calls = (index: number): readonly CallRow[] => session.calls.filter((call) => call.turnIndex === index);
const runtimes = runtimesOf(session.calls);

describe('bars', () => {
  test('the first turn has nothing to compare with', () => {
    expect(barsOf(calls(1), runtimes, true).map((bar) => bar.kind)).toEqual(['first', 'first', 'first', 'first']);
  });
  test('the first call of each runtime counts, in the order of the session', () => {
    const bars = barsOf(calls(12), runtimes, false);
    expect(bars.map((bar) => bar.runtimeId)).toEqual(runtimes);
    expect(bars[0]?.share).toBeCloseTo(0.87, 2);
  });
  test('a runtime that did not call leaves its place empty', () => {
    expect(barsOf(calls(5), runtimes, false).map((bar) => bar.kind)).toEqual(['share', 'share', 'share', 'none']);
  });
  test('what was not measured is unknown, not zero', () => {
    const unmeasured = calls(12).map((call) => ({ ...call, prefix: null }));
    expect(barsOf(unmeasured, runtimes, false)[0]?.kind).toBe('unknown');
    expect(
      barsOf(
        calls(1).map((call) => ({ ...call, empty: true })),
        runtimes,
        true,
      )[0]?.kind,
    ).toBe('unknown');
  });
  test('never more than four', () => {
    expect(barsOf(calls(12), [...runtimes, 'a', 'b'], false)).toHaveLength(4);
  });
});

test('the first attempt stands for a turn, not its retry', () => {
  expect(
    firstCall(
      calls(13)
        .filter((call) => call.runtimeId === 'narrator')
        .reverse(),
    )?.id,
  ).toBe('c13-0-0-0');
  expect(firstCall([])).toBeUndefined();
});

test('retries are not calls of their own', () => {
  expect(calls(13)).toHaveLength(7);
  expect(callGroups(calls(13))).toBe(6);
});

describe('marks', () => {
  test.each([
    [1, []],
    [6, ['compaction']],
    [8, ['pruned']],
    [9, ['images']],
    [13, ['compaction', 'retries']],
    [17, ['interrupted']],
    [20, ['failure']],
  ])('turn %d', (index, expected) => {
    expect(marksOf(turn(index), calls(index)).map((mark) => mark.kind)).toEqual(expected);
  });
  test('a failed turn without a counted failure is marked all the same', () => {
    expect(marksOf({ ...turn(1), status: 'failed' }, [])).toMatchObject([{ kind: 'failure', n: 1 }]);
  });
  test('a failed call is marked, also when its runtime went on', () => {
    const [first, ...rest] = calls(1);
    const failed = [{ ...(first as CallRow), error: 'HTTP 504' }, ...rest];
    expect(marksOf(turn(1), failed)).toMatchObject([{ kind: 'failure', n: 1 }]);
  });
  test('a running turn', () => {
    expect(marksOf({ ...turn(1), status: 'running' }, [])).toMatchObject([{ kind: 'running' }]);
  });
});
