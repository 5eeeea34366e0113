/**
 * A price list has one price per bucket of a bill, and some lists have higher prices for long prompts: there the
 * whole prompt decides, and all its tokens are billed at the band's prices.
 */
import type { Tokens, UsdMicros } from '../../shared/units.ts';

/** Millionths of a US dollar for a million tokens; null: not known. */
export type Rates = {
  readonly input: UsdMicros | null;
  readonly read: UsdMicros | null;
  /** By lifetime of what is written. A lifetime with null is billed at a rate nobody published; none at all: writes are not billed apart. */
  readonly writes: Readonly<Record<string, UsdMicros | null>>;
  readonly output: UsdMicros | null;
};

export type PriceBand = { readonly overPromptTokens: Tokens; readonly rates: Rates };

export type PriceSource = {
  readonly source: 'overlay' | 'package';
  /** Day of the overlay, or version of the package. */
  readonly asOf: string;
  /** Name in the list: it may be a shorter form of the model's. */
  readonly id: string;
};

/** What a model costs at one moment. */
export type Price = {
  readonly rates: Rates;
  /** By rising size of the prompt. */
  readonly bands: readonly PriceBand[];
  readonly provenance: PriceSource;
};

/** The prices of a prompt of this size: those of the highest band that it is over. */
export const ratesFor = (price: Price, promptTokens: number): Rates =>
  price.bands.findLast((band) => promptTokens > band.overPromptTokens)?.rates ?? price.rates;
