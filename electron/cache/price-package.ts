/**
 * Prices of models that our own list does not have come from @pydantic/genai-prices: dated, some with higher prices for
 * long prompts. It is used as it was installed; it never updates itself, and is never asked for the time.
 */
import { calcPrice, findProvider, type MatchLogic, type ModelPrice } from '@pydantic/genai-prices';
import { tokens, usdMicros, type UsdMicros } from '../../shared/units.ts';
import { dashed, modelNames } from './model-name.ts';
import type { Price, Rates } from './price.ts';

/** Its data has no date, so its version says how old it is. */
export const PACKAGE_VERSION = '0.1.8';

/** Covel's ids of providers that the package knows under another name (slots page, 2.7). */
const PROVIDER_NAMES: Readonly<Record<string, string>> = { xai: 'x-ai', moonshot: 'moonshotai' };

/** What is written without a lifetime in the price's name. */
const usualLifetime = (id: string): string => (/^(.*\/)?gpt-/i.test(id) ? '30m' : '5m');

export type PackagePrices = (provider: string | null, model: string, at: Date | null) => Price | null;

type Found = {
  readonly name: string;
  readonly providerId: string | null;
  /** null: the price changes with time. */
  readonly price: Price | null;
};

/** Which list and name a model is found under is looked up once; `at` null: only a price that never changed can be told. */
export function createPackagePrices(): PackagePrices {
  const known = new Map<string, Found | null>();
  return (provider, model, at) => {
    const key = JSON.stringify([provider, model]);
    let found = known.get(key);
    if (found === undefined) {
      found = find(provider, model);
      known.set(key, found);
    }
    if (!found || found.price || at === null) return found?.price ?? null;
    const asked = ask(found.name, found.providerId, at);
    return asked && priceFrom(asked.model_price, asked.model.id);
  };
}

function find(provider: string | null, model: string): Found | null {
  const list = provider === null ? null : (PROVIDER_NAMES[provider] ?? provider);
  const providerIds = list !== null && findProvider({ providerId: list }) ? [list, null] : [null];
  const names = modelNames(model);
  for (const providerId of providerIds) {
    for (const name of new Set([...names, ...names.map(dashed)])) {
      const asked = ask(name, providerId, new Date(0));
      if (!asked) continue;
      const price = Array.isArray(asked.model.prices) ? null : priceFrom(asked.model_price, asked.model.id);
      return { name, providerId, price };
    }
  }
  return null;
}

function ask(name: string, providerId: string | null, timestamp: Date): ReturnType<typeof calcPrice> {
  try {
    const found = calcPrice({ input_tokens: 0 }, name, { timestamp, ...(providerId !== null && { providerId }) });
    return found && isThisVersion(found.model.match, name) ? found : null;
  } catch {
    // A list that contradicts itself prices nothing.
    return null;
  }
}

/** `-5` or `.5`, but no day of a snapshot. */
const FURTHER_VERSION = /^[-.]\d{1,2}(?!\d)/;

/** Some patterns of the package go on: `claude-sonnet-5` would also name `claude-sonnet-5-5`, which has its own price. */
function isThisVersion(match: MatchLogic, name: string): boolean {
  if ('or' in match) return match.or.some((one) => isThisVersion(one, name));
  if ('and' in match) return match.and.every((one) => isThisVersion(one, name));
  if ('equals' in match) return name === match.equals.toLowerCase();
  if ('ends_with' in match) return name.endsWith(match.ends_with.toLowerCase());
  if ('regex' in match) return new RegExp(match.regex).test(name);
  const start = 'starts_with' in match ? match.starts_with.toLowerCase() : match.contains.toLowerCase();
  const at = name.indexOf(start);
  if (at < 0 || ('starts_with' in match && at > 0)) return false;
  return !FURTHER_VERSION.test(name.slice(at + start.length));
}

const bandStarts = (price: ModelPrice): readonly number[] => {
  const starts = Object.values(price).flatMap((value) =>
    typeof value === 'object' ? value.tiers.map((tier) => tier.start) : [],
  );
  return [...new Set(starts)].sort((a, b) => a - b);
};

function priceFrom(price: ModelPrice, id: string): Price {
  return {
    rates: ratesAt(price, id, 0),
    bands: bandStarts(price).map((start) => ({
      overPromptTokens: tokens(start),
      rates: ratesAt(price, id, start + 1),
    })),
    provenance: { source: 'package', asOf: PACKAGE_VERSION, id },
  };
}

function ratesAt(price: ModelPrice, id: string, promptTokens: number): Rates {
  const of = (key: string): UsdMicros | null => {
    const value = price[key];
    if (value === undefined) return null;
    if (typeof value === 'number') return usdMicros(Math.round(value * 1e6));
    const tier = [...value.tiers].sort((a, b) => a.start - b.start).findLast(({ start }) => promptTokens > start);
    return usdMicros(Math.round((tier?.price ?? value.base) * 1e6));
  };
  const has = (key: string): boolean => price[key] !== undefined;
  return {
    input: of('input_mtok'),
    read: of('cache_read_mtok'),
    writes: {
      ...(has('cache_write_mtok') && { [usualLifetime(id)]: of('cache_write_mtok') }),
      ...(has('cache_write_1h_mtok') && { '1h': of('cache_write_1h_mtok') }),
    },
    output: of('output_mtok'),
  };
}
