import { describe, expect, test } from 'vitest';
import { AssemblyError, type ContextBudget } from '../types.ts';
import { budgetOfLimits, protectedTurns, resolveBudgetOptions, tokenLimits, type LimitSources } from './options.ts';

const fieldOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof AssemblyError && error.code === 'configuration') return error.field;
    throw error;
  }
  return 'no error';
};

describe('resolveBudgetOptions', () => {
  test('defaults', () => {
    expect(resolveBudgetOptions({ maxInputTokens: 10_000 })).toEqual({
      maxInputTokens: 10_000,
      reservedForResponse: 4000,
      protectLastUserTurns: 1,
      capTokens: 6000,
    });
  });
  test('zero reserve and zero protection are allowed', () => {
    const given = { maxInputTokens: 1, reservedForResponse: 0, protectLastUserTurns: 0 };
    expect(resolveBudgetOptions(given)).toEqual({ ...given, capTokens: 1 });
  });
  test.each<[ContextBudget, string]>([
    [{ maxInputTokens: 0 }, 'contextBudget.maxInputTokens'],
    [{ maxInputTokens: -5 }, 'contextBudget.maxInputTokens'],
    [{ maxInputTokens: 10.5 }, 'contextBudget.maxInputTokens'],
    [{ maxInputTokens: Number.NaN }, 'contextBudget.maxInputTokens'],
    [{ maxInputTokens: Infinity }, 'contextBudget.maxInputTokens'],
    [{ maxInputTokens: 4000 }, 'contextBudget.reservedForResponse'],
    [{ maxInputTokens: 100, reservedForResponse: 100 }, 'contextBudget.reservedForResponse'],
    [{ maxInputTokens: 100, reservedForResponse: 101 }, 'contextBudget.reservedForResponse'],
    [{ maxInputTokens: 100, reservedForResponse: -1 }, 'contextBudget.reservedForResponse'],
    [{ maxInputTokens: 100, reservedForResponse: 1.5 }, 'contextBudget.reservedForResponse'],
    [{ maxInputTokens: 100, reservedForResponse: 1, protectLastUserTurns: -1 }, 'contextBudget.protectLastUserTurns'],
    [{ maxInputTokens: 100, reservedForResponse: 1, protectLastUserTurns: 0.5 }, 'contextBudget.protectLastUserTurns'],
  ])('%j is a configuration error', (budget, field) => {
    expect(fieldOf(() => resolveBudgetOptions(budget))).toBe(field);
  });
});

test.each([
  [undefined, 1, 1],
  [undefined, 3, 3],
  [2, 2, 3],
  [0, 1, 0],
])('protected turns: configured %s, current turn %s', (configured, current, turns) => {
  expect(protectedTurns(configured, current)).toBe(turns);
});

describe('tokenLimits', () => {
  test.each<[string, LimitSources, number, number]>([
    ['nothing known', {}, 262_144, 16_384],
    ['the model before the slot', { modelWindow: 100_000, configuredWindow: 50_000 }, 100_000, 16_384],
    ['the slot where the model is unknown', { configuredWindow: 50_000 }, 50_000, 16_384],
    ['the ceiling lowers', { modelWindow: 100_000, windowCeiling: 60_000 }, 60_000, 16_384],
    ['the ceiling never raises', { modelWindow: 100_000, windowCeiling: 900_000 }, 100_000, 16_384],
    ['at most half of a small window', { modelWindow: 20_001 }, 20_001, 10_000],
    ['a configured reserve', { modelWindow: 100_000, configuredReserve: 2000 }, 100_000, 2000],
    ['a wish may take more than half', { modelWindow: 10_000, requestedOutput: 9000 }, 10_000, 9000],
    ['the model cannot give more', { modelWindow: 100_000, requestedOutput: 50_000, modelOutput: 8192 }, 100_000, 8192],
    ['nor by default', { modelWindow: 100_000, modelOutput: 4096 }, 100_000, 4096],
    [
      'capacity saves a wish that is too large',
      { modelWindow: 1000, requestedOutput: 5000, modelOutput: 10 },
      1000,
      10,
    ],
  ])('%s', (_, sources, window, maxOutput) => {
    expect(tokenLimits(sources)).toEqual({ window, maxOutput, input: window - maxOutput });
  });
  test.each<[LimitSources, string]>([
    [{ modelWindow: 0 }, 'modelWindow'],
    [{ configuredWindow: -1 }, 'configuredWindow'],
    [{ windowCeiling: 1.5 }, 'windowCeiling'],
    [{ requestedOutput: 0 }, 'requestedOutput'],
    [{ modelOutput: Number.NaN }, 'modelOutput'],
    [{ modelWindow: 1000, requestedOutput: 1000 }, 'requestedOutput'],
    [{ modelWindow: 1 }, 'window'],
  ])('%j is a configuration error', (sources, field) => {
    expect(fieldOf(() => tokenLimits(sources))).toBe(field);
  });
  test('as a budget', () => {
    expect(budgetOfLimits(tokenLimits({ modelWindow: 10_000, requestedOutput: 1000 }), 2)).toEqual({
      maxInputTokens: 10_000,
      reservedForResponse: 1000,
      protectLastUserTurns: 2,
      capTokens: 9000,
    });
  });
});
