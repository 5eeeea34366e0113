import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ratesFor } from './price.ts';
import { PACKAGE_VERSION } from './price-package.ts';
import { createPrices } from './prices.ts';

const read = (path: string): unknown => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
type Entry = { readonly id: string; readonly from?: string; readonly until?: string; readonly in: number | null };
const FILE = read('../../resources/prices.json') as { readonly asOf: string; readonly models: readonly Entry[] };
const PRICES = createPrices(FILE);
const NOON = '2026-11-30T12:00:00Z';

const priceOf = (model: string | null, at: string | null = NOON, provider: string | null = null) =>
  PRICES.priceOf({ provider, model, at: at === null ? null : new Date(at) });
/** US dollars for a million tokens. */
const usd = (micros: number | null | undefined): number | null => (micros == null ? null : micros / 1e6);
const inputOf = (...query: Parameters<typeof priceOf>): number | null => usd(priceOf(...query)?.rates.input);

describe('our own list', () => {
  test('is read whole', () => {
    expect(PRICES.asOf).toBe(FILE.asOf);
    for (const { id, from, until, in: input } of FILE.models) {
      const day = from ?? until ?? '2026-11-30';
      const found = priceOf(id, `${day}T12:00:00Z`);
      expect([id, day, usd(found?.rates.input)]).toEqual([id, day, input]);
      const provenance = input === null ? undefined : { source: 'overlay', asOf: FILE.asOf, id };
      expect(found?.provenance).toEqual(provenance);
    }
  });
  test('all buckets of a model', () => {
    const { rates, bands } = priceOf('claude-haiku-5-5') ?? {};
    expect(rates).toEqual({
      input: 100_000,
      read: 10_000,
      writes: { '5m': 125_000, '1h': 200_000 },
      output: 500_000,
    });
    expect(bands).toEqual([
      {
        overPromptTokens: 100_000,
        rates: { input: 500_000, read: 50_000, writes: { '5m': 625_000, '1h': 1_000_000 }, output: 2_500_000 },
      },
    ]);
  });
  test('lifetimes as the rules name them', () => {
    expect(priceOf('gpt-6.1-sol')?.rates.writes).toEqual({ '30m': 2_500_000, '12h': 5_000_000 });
    expect(priceOf('gpt-5.4-mini')?.rates.writes).toEqual({});
    expect(priceOf('kimi-k3')?.rates.writes).toEqual({ '5m': null, '1h': null });
  });
  test('a lifetime that a band leaves out has no price there', () =>
    expect(priceOf('gpt-6.1-sol')?.bands[0]?.rates.writes).toEqual({ '30m': 5_000_000, '12h': null }));
  test.each([
    ['at the limit', 272_000, 2],
    ['one token over it', 272_001, 4],
    ['nothing', 0, 2],
  ])('the whole prompt decides the band: %s', (_, prompt, input) => {
    const price = priceOf('gpt-6-sol');
    expect(price && usd(ratesFor(price, prompt).input)).toBe(input);
  });

  describe('days, UTC', () => {
    test.each([
      ['claude-sonnet-5-5', '2026-10-06T23:59:59.999Z', 0.2],
      ['claude-sonnet-5-5', '2026-10-07T00:00:00Z', 0.1],
      ['claude-sonnet-5-5', '2026-10-07T01:00:00+02:00', 0.2],
      ['gemini-4-argon', '2026-11-30T23:59:59Z', 0.1],
      ['gemini-4-argon', '2026-12-01T00:00:00Z', 0.2],
      ['gemini-3.8-flash', '2026-12-31T23:59:59Z', 0.075],
      ['gemini-3.8-flash', '2027-01-01T00:00:00Z', 0.15],
    ])('a read of %s at %s', (model, at, read) => expect(usd(priceOf(model, at)?.rates.read)).toBe(read));
    test('before its first day the list has no price, and another version’s is not taken', () =>
      expect(priceOf('claude-sonnet-5-5', '2026-09-27T12:00:00Z')).toBeNull());
    test('before its first day the package may have one', () =>
      expect(priceOf('claude-opus-4-6', '2026-03-01T12:00:00Z')?.provenance.source).toBe('package'));
    test('without a clock only a price that is always the same', () => {
      expect(inputOf('claude-opus-4-8', null)).toBe(5);
      for (const model of ['claude-sonnet-5-5', 'gemini-3.8-flash', 'deepseek-v4-flash']) {
        expect(priceOf(model, null)).toBeNull();
      }
      expect(PRICES.priceOf({ provider: null, model: 'claude-sonnet-5-5', at: new Date('never') })).toBeNull();
    });
  });

  test.each([
    ['00:59', 1],
    ['01:00', 2],
    ['03:59', 2],
    ['04:00', 1],
    ['06:00', 2],
    ['10:00', 1],
  ])('DeepSeek at %s UTC: times %s', (time, factor) => {
    const { rates } = priceOf('deepseek-v4-pro', `2026-11-30T${time}:00Z`) ?? {};
    expect([rates?.input, rates?.read, rates?.output]).toEqual([660_000 * factor, 22_000 * factor, 1_980_000 * factor]);
  });
});

describe('names', () => {
  test.each([
    ['anthropic/claude-opus-4-8', 5],
    ['openrouter/anthropic/claude-opus-4.8', 5],
    ['claude-opus-4.8', 5],
    ['Claude-Opus-4-8', 5],
    ['claude-opus-4-8-20260710', 5],
    ['models/gemini-2.5-flash', 0.3],
    ['gpt-5-4-mini', 0.75],
    ['GLM-5.3', 1.4],
  ])('%s is in our list', (model, input) => {
    expect(inputOf(model)).toBe(input);
    expect(priceOf(model)?.provenance.source).toBe('overlay');
  });
  test('a snapshot of OpenAI has its own price', () => {
    expect(inputOf('gpt-4o')).toBe(2.5);
    expect(inputOf('gpt-4o-2024-05-13')).toBe(5);
  });
  test.each([
    'claude-fable-5-2',
    'claude-fable-5-2-20261101',
    'anthropic/claude-fable-5-2',
    'gpt-6.1-terra',
    'openai/gpt-6.1-terra',
  ])('%s is known to be unknown', (model) => expect(priceOf(model)).toBeNull());
  test.each([
    'a-model-of-nobody',
    'claude-opus-6',
    'claude-sonnet-5-7',
    '',
    '  ',
    '__proto__',
    'constructor',
    '/',
    null,
  ])('%s has no price', (model) => expect(priceOf(model)).toBeNull());
  test.each(['ollama', 'lmstudio', 'llamacpp', 'vllm'])('nothing is paid to %s', (provider) =>
    expect(priceOf('deepseek-v4-flash', NOON, provider)).toBeNull(),
  );
});

describe('the package', () => {
  test('is the version that is named', () => {
    const { dependencies } = read('../../package.json') as { dependencies: Record<string, string> };
    expect(dependencies['@pydantic/genai-prices']).toBe(PACKAGE_VERSION);
    expect(priceOf('claude-sonnet-4-5')?.provenance).toEqual({
      source: 'package',
      asOf: PACKAGE_VERSION,
      id: 'claude-sonnet-4-5',
    });
  });
  test('prices the models that our list lacks', () => {
    expect(priceOf('claude-sonnet-4-5-20250929', NOON, 'anthropic')?.rates).toEqual({
      input: 3_000_000,
      read: 300_000,
      writes: { '5m': 3_750_000, '1h': 6_000_000 },
      output: 15_000_000,
    });
    expect(priceOf('gpt-4.1-mini', NOON, 'openai')?.rates).toEqual({
      input: 400_000,
      read: 100_000,
      writes: {},
      output: 1_600_000,
    });
  });
  test('has bands', () => {
    const price = priceOf('claude-sonnet-4-5');
    expect(price?.bands.map((band) => [band.overPromptTokens, usd(band.rates.input), usd(band.rates.read)])).toEqual([
      [200_000, 6, 0.6],
    ]);
  });
  test('is asked under Covel’s names of providers, known or not', () => {
    const all = ['xai', 'north-relay', 'openrouter', null].map((provider) => inputOf('grok-3', NOON, provider));
    expect(all).toEqual([3, 3, 3, 3]);
  });
  test('a model without a price for reads has none', () => expect(priceOf('gpt-4o-2024-05-13')?.rates.read).toBeNull());
  test('a price that changes with time is told by the time', () => {
    const at = (time: string): number | null => inputOf('deepseek-v4-flash', `2026-08-10T${time}:00Z`);
    expect([at('12:00'), at('02:00')]).toEqual([at('20:00'), at('03:00')]);
  });
});

test.each([
  ['another schema', 'prices/1', { schema: 'prices/2' }],
  ['another unit', 'USD', { unit: 'EUR' }],
  ['a text for a price', 'number', { models: [{ id: 'm', in: '1', read: 1, out: 1, src: '' }] }],
  ['a negative price', '>=0', { models: [{ id: 'm', in: -1, read: 1, out: 1, src: '' }] }],
  ['a day that is none', 'from', { models: [{ id: 'm', in: 1, read: 1, out: 1, from: 'soon', src: '' }] }],
  ['an unknown field', 'w9', { models: [{ id: 'm', in: 1, read: 1, out: 1, w9: 1, src: '' }] }],
])('%s is refused', (_, why, change) => {
  const list = { schema: 'prices/1', asOf: '2026-11-30', unit: 'USD/1e6 tokens', models: [], ...change };
  expect(() => createPrices(list)).toThrow(why);
});
