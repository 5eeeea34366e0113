import fc from 'fast-check';
import { expect, test } from 'vitest';
import { billedInput, usageBuckets, type RecordedUsage } from './usage.ts';

const usage = (
  input: number | null,
  output: number | null,
  read: number | null,
  write: number | null,
): RecordedUsage => ({
  inputTokens: input,
  outputTokens: output,
  cachedInputTokens: read,
  cacheWriteInputTokens: write,
});

test.each([
  ['all parts', usage(8120, 410, 7040, 900), false, { uncached: 180, read: 7040, write: 900, output: 410 }],
  ['no cache reported', usage(500, 20, null, null), false, { uncached: 500, read: null, write: null, output: 20 }],
  ['an error without tokens', usage(0, 0, null, null), true, null],
  [
    'a reply that really used nothing',
    usage(0, 0, null, null),
    false,
    { uncached: 0, read: null, write: null, output: 0 },
  ],
  ['more cached than input', usage(10, 1, 20, null), false, { uncached: null, read: 20, write: null, output: 1 }],
  ['nothing at all', usage(null, null, null, null), false, null],
  ['no usage', null, false, null],
] as const)('%s', (_, recorded, isError, expected) => {
  expect(usageBuckets(recorded, isError)).toEqual(expected);
});

test('buckets add up to the recorded input or are unknown, and are never negative', () => {
  const count = fc.option(fc.nat(1_000_000), { nil: null });
  fc.assert(
    fc.property(count, count, count, count, (input, output, read, write) => {
      const buckets = usageBuckets(usage(input, output, read, write), false);
      const total = billedInput(buckets);
      expect(total ?? input).toBe(input);
      for (const part of Object.values(buckets ?? {})) expect(part ?? 0).toBeGreaterThanOrEqual(0);
    }),
  );
});
