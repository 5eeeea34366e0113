import { expect, test } from 'vitest';
import { fixtureSession } from '../test-support/fixture-data.ts';
import { indexOfTurn, turnOf } from './turns.ts';

const { turns } = fixtureSession('s', 5);

test.each([
  ['t1', 0],
  ['t5', 4],
  ['t9', -1],
  [null, -1],
])('indexOfTurn(%s)', (id, at) => expect(indexOfTurn(turns, id)).toBe(at));

test('pages that have not come leave their places', () => {
  const sparse = turns.map((turn, at) => (at < 3 ? undefined : turn));
  expect(indexOfTurn(sparse, 't4')).toBe(3);
  expect(turnOf(sparse, 't4')).toBe(turns[3]);
  expect(turnOf(sparse, 't1')).toBeUndefined();
});
