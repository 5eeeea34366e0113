import { describe, expect, test } from 'vitest';
import { fixtureSession } from '../test-support/fixture-data.ts';
import { lanesOf, rowsOf, sameCall, shortRuntime } from './lanes.ts';

const { calls } = fixtureSession('s', 24);
const ofTurn = (turn: number) => calls.filter((call) => call.turnIndex === turn);

describe('lanesOf', () => {
  test('groups interleaved calls by runtime in order of first appearance', () => {
    const [a, b, c] = ofTurn(1);
    if (!a || !b || !c) throw new Error('no calls');
    const lanes = lanesOf([
      { ...a, runtimeId: 'x' },
      { ...b, runtimeId: 'y' },
      { ...c, runtimeId: 'x' },
    ]);
    expect(lanes.map((lane) => [lane.runtimeId, lane.calls.length])).toEqual([
      ['x', 2],
      ['y', 1],
    ]);
  });
  test('loses no call', () => {
    expect(lanesOf(ofTurn(13)).flatMap((lane) => lane.calls)).toHaveLength(ofTurn(13).length);
  });
});

describe('sameCall', () => {
  test('same runtime, step and attempt', () => {
    const before = ofTurn(2).find((call) => call.runtimeId.endsWith('character-tracker') && call.step === 1);
    expect(sameCall(ofTurn(3), before)?.id).toBe('c3-2-1-0');
  });
  test('a step that does not exist falls back to the first call of the runtime', () => {
    const before = { ...ofTurn(2)[0], step: 7 } as (typeof calls)[number];
    expect(sameCall(ofTurn(3), before)?.id).toBe('c3-0-0-0');
  });
  test('a runtime that does not exist falls back to the first call', () => {
    const guide = ofTurn(4).find((call) => call.runtimeId === 'guide');
    expect(sameCall(ofTurn(5), guide)?.id).toBe('c5-0-0-0');
  });
  test('nothing before, nothing there', () => {
    expect(sameCall(ofTurn(5), undefined)?.id).toBe('c5-0-0-0');
    expect(sameCall([], undefined)).toBeNull();
  });
});

test('rowsOf leaves out what has not come yet', () => {
  const map = new Map(calls.slice(0, 2).map((call) => [call.id, call]));
  expect(rowsOf([...map.keys(), 'later'], map)).toHaveLength(2);
  expect(rowsOf(undefined, map)).toEqual([]);
});

test.each([
  ['narrator', 'narrator'],
  ['world-init/dimension-tracker', 'dimension-tracker'],
  ['odd/', 'odd/'],
])('shortRuntime(%s)', (id, short) => expect(shortRuntime(id)).toBe(short));
