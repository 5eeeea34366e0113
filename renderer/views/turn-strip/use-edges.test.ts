import { describe, expect, test } from 'vitest';
import { edgesOf } from './use-edges.ts';

const places = [0, 100, 200, 300].map((left) => ({ left, right: left + 90 }));

describe('what stands beyond the edges', () => {
  test.each([
    ['all in sight', 0, 400, 0, 0],
    ['two to the right', 0, 200, 0, 2],
    ['one cut off on each side', 50, 350, 1, 1],
    ['a hair is not cut off', 1, 389, 0, 0],
    ['scrolled to the end', 210, 400, 3, 0],
  ] as const)('%s', (_name, from, to, before, after) => {
    expect(edgesOf(places, from, to)).toEqual({ before, after });
  });
});
