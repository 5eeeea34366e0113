import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PROTOCOLS, type Json, type JsonObject, type Protocol } from '../../shared/model/index.ts';
import {
  ANTHROPIC,
  anthropic,
  cached,
  CHAT,
  chat,
  GEMINI,
  readUsage,
  RESPONSES,
  rowOf,
  rules,
} from './testing/usage.ts';
import { billedInput, recordedUsage, usageBuckets, type RecordedUsage } from './usage.ts';

describe('usage that contradicts itself is named, and what it leaves open is unknown', () => {
  test.each<readonly [string, Protocol, string | null, Json, readonly (number | null)[], readonly string[]]>([
    ['cached over the total', CHAT, null, chat(10, { cached_tokens: 11 }), [null, 11, null, 5, null], ['over-total']],
    [
      'cached and written over the total',
      CHAT,
      null,
      chat(10, { cached_tokens: 8, cache_write_tokens: 8 }),
      [null, 8, 8, 5, null],
      ['over-total'],
    ],
    ['cached is the whole total', CHAT, null, chat(10, { cached_tokens: 10 }), [0, 10, null, 5, 10], []],
    ['negative', CHAT, null, chat(10, { cached_tokens: -1 }), [null, null, null, 5, 10], ['negative']],
    ['fractional', CHAT, null, chat(10, { cached_tokens: 1.5 }), [null, null, null, 5, 10], ['fractional']],
    ['text', CHAT, null, chat(10, { cached_tokens: 'many' }), [null, null, null, 5, 10], ['not-a-number']],
    ['a flag', CHAT, null, chat(10, { cached_tokens: true }), [null, null, null, 5, 10], ['not-a-number']],
    ['details that are a text', CHAT, null, chat(10, 'none'), [null, null, null, 5, 10], ['not-a-number']],
    ['digits are a number', CHAT, null, chat('10', { cached_tokens: ' 4 ' }, '5'), [6, 4, null, 5, 10], []],
    ['negative digits', CHAT, null, chat(10, { cached_tokens: '-4' }), [null, null, null, 5, 10], ['negative']],
    ['more than can be counted', CHAT, null, chat(1e300), [null, null, null, 5, null], ['not-a-number']],
    ['a broken total', CHAT, null, chat(-10, { cached_tokens: 4 }), [null, 4, null, 5, null], ['negative']],
    ['a broken output', CHAT, null, chat(10, {}, 0.5), [10, null, null, null, 10], ['fractional']],
    [
      'two faults',
      CHAT,
      null,
      chat('x', { cached_tokens: -1 }),
      [null, null, null, 5, null],
      ['negative', 'not-a-number'],
    ],
    [
      'additive: a broken read',
      ANTHROPIC,
      null,
      anthropic(10, cached('x', 1)),
      [null, null, 1, 5, null],
      ['not-a-number'],
    ],
    ['additive: a broken input', ANTHROPIC, null, anthropic(-1, cached(4, 1)), [null, 4, 1, 5, null], ['negative']],
    [
      'hit and miss beside the total',
      CHAT,
      'deepseek',
      { prompt_tokens: 100, prompt_cache_hit_tokens: 60, prompt_cache_miss_tokens: 60, completion_tokens: 5 },
      [null, 60, null, 5, null],
      ['split-differs'],
    ],
    [
      'more missed than sent',
      CHAT,
      'deepseek',
      { prompt_tokens: 100, prompt_cache_miss_tokens: 120, completion_tokens: 5 },
      [null, null, null, 5, null],
      ['over-total'],
    ],
    [
      'one broken part of the output',
      GEMINI,
      null,
      { promptTokenCount: 10, candidatesTokenCount: 3, thoughtsTokenCount: -1 },
      [10, null, null, null, 10],
      ['negative'],
    ],
  ])('%s', (_, protocol, rule, raw, expected, problems) => {
    const usage = readUsage(protocol, raw, rule);
    expect(rowOf(usage)).toEqual(expected);
    expect(usage?.problems).toEqual(problems);
  });
});

describe('what was not reported stays unknown, never 0', () => {
  test.each<readonly [string, Protocol, string | null, Json, readonly (number | null)[] | null]>([
    ['no usage', CHAT, null, null, null],
    ['an empty object', CHAT, null, {}, null],
    ['a list', CHAT, null, [], null],
    ['output alone', CHAT, null, { completion_tokens: 5 }, [null, null, null, 5, null]],
    ['a total alone', CHAT, null, { prompt_tokens: 10 }, [10, null, null, null, 10]],
    ['a read alone', CHAT, null, { prompt_tokens_details: { cached_tokens: 4 } }, [null, 4, null, null, null]],
    ['null counters', ANTHROPIC, null, anthropic(10, cached(null, null)), [10, null, null, 5, 10]],
    ['additive without its input', ANTHROPIC, null, cached(4, 1), [null, 4, 1, null, null]],
    ['reported zeros are zeros', ANTHROPIC, null, anthropic(0, cached(0, 0)), [0, 0, 0, 5, 0]],
    [
      'hit from total and miss',
      CHAT,
      'deepseek',
      { prompt_tokens: 10, prompt_cache_miss_tokens: 4 },
      [4, 6, null, null, 10],
    ],
    [
      'total from hit and miss',
      CHAT,
      'deepseek',
      { prompt_cache_hit_tokens: 6, prompt_cache_miss_tokens: 4 },
      [4, 6, null, null, 10],
    ],
    ['DeepSeek through a relay', CHAT, 'deepseek', chat(10, { cached_tokens: 4 }), [6, 4, null, 5, 10]],
    ['thoughts alone', GEMINI, null, { promptTokenCount: 10, thoughtsTokenCount: 3 }, [10, null, null, 3, 10]],
  ])('%s', (_, protocol, rule, raw, expected) => {
    expect(rowOf(readUsage(protocol, raw, rule))).toEqual(expected);
  });
});

describe('properties', () => {
  const counter = fc.oneof(
    { weight: 6, arbitrary: fc.nat(100_000) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Json>(null, '7', '', -3, 2.5, Number.MAX_SAFE_INTEGER, 1e300, 'x', {}, []),
    },
  );
  const raw = fc.record(
    {
      prompt_tokens: counter,
      completion_tokens: counter,
      total_tokens: counter,
      cached_tokens: counter,
      prompt_tokens_details: fc.record({ cached_tokens: counter, cache_write_tokens: counter }, { requiredKeys: [] }),
      completion_tokens_details: fc.record({ reasoning_tokens: counter }, { requiredKeys: [] }),
      prompt_cache_hit_tokens: counter,
      prompt_cache_miss_tokens: counter,
      input_tokens: counter,
      output_tokens: counter,
      input_tokens_details: fc.record({ cached_tokens: counter, cache_write_tokens: counter }, { requiredKeys: [] }),
      cache_read_input_tokens: counter,
      cache_creation_input_tokens: counter,
      cache_creation: fc.record(
        { ephemeral_5m_input_tokens: counter, ephemeral_1h_input_tokens: counter },
        { requiredKeys: [] },
      ),
      promptTokenCount: counter,
      cachedContentTokenCount: counter,
      candidatesTokenCount: counter,
      thoughtsTokenCount: counter,
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<JsonObject>;
  const ids = [null, ...rules.map((rule) => rule.id)];

  test('buckets are counts that add up to the input, and nothing unreported becomes a figure', () => {
    fc.assert(
      fc.property(raw, fc.constantFrom(...PROTOCOLS), fc.constantFrom(...ids), (given, protocol, rule) => {
        const usage = readUsage(protocol, given, rule);
        if (usage === null) return;
        const { uncached, read: reads, write, output } = usage.usage;
        for (const part of [uncached, reads, write, output, usage.input, ...Object.values(usage.writes ?? {})]) {
          expect(part === null || (Number.isSafeInteger(part) && part >= 0)).toBe(true);
        }
        const sum = (uncached ?? 0) + (reads ?? 0) + (write ?? 0);
        expect(uncached === null ? null : Math.min(sum, Number.MAX_SAFE_INTEGER)).toBe(
          uncached === null ? null : usage.input,
        );
        const parts = Object.values(usage.writes ?? {}).reduce<number>((all, part) => all + part, 0);
        expect(usage.writes === null || Math.min(parts, Number.MAX_SAFE_INTEGER) === write).toBe(true);
        expect(billedInput(usage.usage)).toBe(uncached === null ? null : usage.input);
        expect(usage.problems.includes('over-total') && (uncached ?? usage.input) !== null).toBe(false);
      }),
      { numRuns: 3000 },
    );
  });

  test('an inclusive total is never changed, an additive one is the sum', () => {
    const n = fc.nat(1_000_000);
    fc.assert(
      fc.property(n, n, n, n, (uncached, reads, write, output) => {
        const total = uncached + reads + write;
        const expected = [uncached, reads, write, output, total];
        const details = { cached_tokens: reads, cache_write_tokens: write };
        expect(rowOf(readUsage(CHAT, chat(total, details, output)))).toEqual(expected);
        expect(
          rowOf(readUsage(ANTHROPIC, { ...anthropic(uncached, cached(reads, write)), output_tokens: output })),
        ).toEqual(expected);
        expect(
          rowOf(readUsage(RESPONSES, { input_tokens: total, input_tokens_details: details, output_tokens: output })),
        ).toEqual(expected);
      }),
    );
  });

  test('sums stop at the largest safe integer', () => {
    const most = Number.MAX_SAFE_INTEGER;
    expect(rowOf(readUsage(ANTHROPIC, anthropic(most, cached(most, most))))).toEqual([most, most, most, 5, most]);
    expect(readUsage(CHAT, chat(most, { cached_tokens: most, cache_write_tokens: most }))?.problems).toEqual([]);
    expect(rowOf(readUsage(GEMINI, { promptTokenCount: most, candidatesTokenCount: most, thoughtsTokenCount: 9 }))).toEqual([
      most, null, null, most, most,
    ]); // prettier-ignore
  });
});

describe('recorded usage', () => {
  const usage = (
    input: number | null,
    output: number | null,
    reads: number | null,
    write: number | null,
  ): RecordedUsage => ({
    inputTokens: input,
    outputTokens: output,
    cachedInputTokens: reads,
    cacheWriteInputTokens: write,
  });

  test.each([
    ['all parts', usage(8120, 410, 7040, 900), false, { uncached: 180, read: 7040, write: 900, output: 410 }],
    ['no cache reported', usage(500, 20, null, null), false, { uncached: 500, read: null, write: null, output: 20 }],
    ['an error without tokens', usage(0, 0, null, null), true, null],
    ['an error with zeros in its cache', usage(0, 0, 0, 0), true, null],
    ['an error that was billed', usage(50, 0, null, null), true, { uncached: 50, read: null, write: null, output: 0 }],
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
    expect(recordedUsage(recorded, isError)?.usage ?? null).toEqual(expected);
  });

  test('what is wrong with it is named', () => {
    expect(recordedUsage(usage(10, 1, 20, null), false)).toMatchObject({ input: null, problems: ['over-total'] });
    expect(recordedUsage(usage(10, -1, 2.5, null), false)?.problems).toEqual(['negative', 'fractional']);
    expect(recordedUsage(usage(10, 1, 8, 2), false)).toMatchObject({ input: 10, problems: [], writes: null });
  });

  test('buckets add up to the recorded input or are unknown, and are never negative', () => {
    const count = fc.option(fc.nat(1_000_000), { nil: null });
    fc.assert(
      fc.property(count, count, count, count, (input, output, reads, write) => {
        const buckets = usageBuckets(usage(input, output, reads, write), false);
        const total = billedInput(buckets);
        expect(total ?? input).toBe(input);
        for (const part of Object.values(buckets ?? {})) expect(part ?? 0).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
