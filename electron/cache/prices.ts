/**
 * What a model cost when it was called. Our own list comes first, because it is newer and dated; then the package. A
 * model that neither has is not priced, and one that our list knows without a price is not looked up elsewhere.
 * Loading this file loads the package, so it is no part of the room's door.
 */
import type { Price } from './price.ts';
import { entriesFor, entryOn, isTimeless, parseOverlay, priceOfEntry, type OverlayEntry } from './price-overlay.ts';
import { createPackagePrices } from './price-package.ts';

export type PriceQuery = {
  /** Covel's id of the provider; null: not recorded. */
  readonly provider: string | null;
  readonly model: string | null;
  /** When the call began; null: not recorded. */
  readonly at: Date | null;
};

export type Prices = {
  /** Day of our own list. */
  readonly asOf: string;
  /**
   * null where no price is known. Through an aggregator or a relay it is the maker's price, for reference; a model
   * on the person's own machine has none.
   */
  priceOf(query: PriceQuery): Price | null;
};

/** Built-in providers that run on the person's own machine (slots page, 2.7). */
const LOCAL: readonly string[] = ['llamacpp', 'lmstudio', 'ollama', 'vllm'];

/** @param overlayJson resources/prices.json; throws on any other shape */
export function createPrices(overlayJson: unknown): Prices {
  const overlay = parseOverlay(overlayJson);
  const entries = new Map<string, readonly OverlayEntry[]>();
  const askPackage = createPackagePrices();

  const entriesOf = (model: string): readonly OverlayEntry[] => {
    const there = entries.get(model);
    if (there) return there;
    const found = entriesFor(overlay, model);
    entries.set(model, found);
    return found;
  };

  return {
    asOf: overlay.asOf,
    priceOf({ provider, model, at: when }) {
      if (model === null || model.trim() === '' || (provider !== null && LOCAL.includes(provider))) return null;
      const at = when && !Number.isNaN(when.getTime()) ? when : null;
      const own = entriesOf(model);
      if (own.length === 0) return askPackage(provider, model, at);
      if (at === null) return isTimeless(own) && own[0] ? priceOfEntry(own[0], 0, overlay.asOf) : null;
      const entry = entryOn(own, at.toISOString().slice(0, 10));
      if (!entry) return askPackage(provider, model, at);
      return priceOfEntry(entry, at.getUTCHours() * 60 + at.getUTCMinutes(), overlay.asOf);
    },
  };
}
