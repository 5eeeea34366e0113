import { describe, expect, test } from 'vitest';
import { errorSourcesOf, type Difference } from './error-sources.ts';

describe('why a right prediction and a right bill differ', () => {
  const BASE: Difference = { predicted: 8000, billed: 8000, tier: 'estimated', granularity: 1, isFirst: false };
  const CASES: readonly (readonly [what: string, change: Partial<Difference>, sources: readonly string[]])[] = [
    ['they agree', {}, []],
    ['more read than anyone here left', { billed: 9000 }, ['shared-cache', 'tokenizer']],
    ['much more read than anyone here left', { billed: 16_000 }, ['shared-cache']],
    ['a first request that read', { predicted: 0, billed: 64, granularity: 128, isFirst: true }, ['shared-cache']],
    ['a little less', { billed: 7900 }, ['tokenizer']],
    ['a little less, counted', { billed: 7900, tier: 'counted' }, []],
    ['less than a block', { billed: 7936, granularity: 128, tier: 'counted' }, ['block-rounding']],
    ['less than a block, estimated', { billed: 7936, granularity: 128 }, ['tokenizer', 'block-rounding']],
    ['a whole block', { billed: 7872, granularity: 128, tier: 'counted' }, []],
    ['no known block', { billed: 7936, granularity: null, tier: 'counted' }, []],
    [
      'blocks at places that nobody published',
      { predicted: 190, billed: 1792, granularity: null, equal: 1900 },
      ['block-rounding'],
    ],
    ['more than all that is equal', { predicted: 190, billed: 1950, granularity: null, equal: 1900 }, ['shared-cache']],
    ['nothing read at all', { billed: 0 }, []],
    ['nothing read near the minimum', { predicted: 1100, billed: 0, minimum: 1024 }, ['tokenizer']],
    ['nothing read far from the minimum', { billed: 0, minimum: 1024 }, []],
  ];
  test.each(CASES)('%s', (_, change, sources) => expect(errorSourcesOf({ ...BASE, ...change })).toEqual(sources));
});
