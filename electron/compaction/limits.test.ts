import { describe, expect, test } from 'vitest';
import { compactionThreshold, compactionWindows, freshTarget, isWindow, summaryBudget } from './limits.ts';

describe('limits', () => {
  test.each([
    [1, 1, 1],
    [50, 50, 50],
    [127, 127, 127],
    [1_000, 128, 128],
    [3_200, 384, 128],
    [10_000, 1_200, 400],
    [32_768, 3_932, 1_310],
    [51_200, 6_144, 2_048],
    [68_266, 8_191, 2_048],
    [100_000, 8_192, 2_048],
    [1_000_000, 8_192, 2_048],
  ])('a window of %i: total %i, segment %i', (window, maxTokens, maxSegmentTokens) => {
    expect(summaryBudget(window)).toEqual({ maxTokens, maxSegmentTokens, maxSegments: 8 });
  });

  test.each([
    [1_000, 600],
    [115, 69],
    [32_768, 19_660.8],
  ])('a window of %i: threshold %d', (window, threshold) => {
    expect(compactionThreshold(window)).toBe(threshold);
  });

  test.each([
    ['25 % of the source', 4_000, 32_768, 1_000],
    ['rounded up', 4_001, 32_768, 1_001],
    ['at least 128', 10, 32_768, 128],
    ['at most a segment', 100_000, 32_768, 1_310],
    ['at most a segment, also below 128', 4_000, 50, 50],
  ])('fresh target: %s', (_name, source, window, target) => {
    expect(freshTarget(source, summaryBudget(window))).toBe(target);
  });

  test('the effective window is the smaller input window; the fast slot keeps its own', () => {
    const story = { window: 32_768, reserve: 4_000 };
    expect(compactionWindows(story, { window: 10_000, reserve: 2_000 })).toEqual({
      contextWindow: 8_000,
      inputWindow: 8_000,
    });
    expect(compactionWindows(story, { window: 262_144, reserve: 16_384 })).toEqual({
      contextWindow: 28_768,
      inputWindow: 245_760,
    });
  });

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('%d is no window', (window) => {
    expect(isWindow(window)).toBe(false);
  });
});
