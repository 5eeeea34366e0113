/**
 * Our own price list, resources/prices.json: US dollars for a million tokens, with the days from and until which they
 * hold. A model whose prices are null is a known unknown. `src` is kept as it was written.
 */
import { z } from 'zod';
import { tokens, usdMicros, type UsdMicros } from '../../shared/units.ts';
import { dashed, modelNames } from './model-name.ts';
import type { Price, Rates } from './price.ts';

const Usd = z.number().nonnegative().nullable();
const Day = z.string().regex(/^\d{4}-\d\d-\d\d$/);
const Hours = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-4]):[0-5]\d$/);

const amounts = {
  in: Usd,
  read: Usd,
  w5: Usd.optional(),
  w1h: Usd.optional(),
  w30: Usd.optional(),
  w12h: Usd.optional(),
  out: Usd,
};
const Band = z.strictObject({ overPromptTokens: z.number().nonnegative(), ...amounts });
const Entry = z.strictObject({
  id: z.string(),
  ...amounts,
  /** First and last day, UTC. */
  from: Day.optional(),
  until: Day.optional(),
  band: Band.optional(),
  /** Prices that are announced. */
  next: z.strictObject({ from: Day, ...amounts, band: Band.optional() }).optional(),
  /** Times of the day, UTC, at which prices are multiplied: from the first minute to before the last. */
  peakUtc: z.array(Hours).optional(),
  peakX: z.number().positive().optional(),
  src: z.string(),
});
const Overlay = z.strictObject({
  schema: z.literal('prices/1'),
  asOf: Day,
  unit: z.literal('USD/1e6 tokens'),
  models: z.array(Entry),
});

type Amounts = Pick<z.infer<typeof Entry>, keyof typeof amounts>;
export type OverlayEntry = z.infer<typeof Entry>;
export type PriceOverlay = z.infer<typeof Overlay>;

/** Reads the price file. Throws on any other shape, unknown fields included: the file is ours. */
export const parseOverlay = (json: unknown): PriceOverlay => Overlay.parse(json);

/** Lifetimes as the rules name them. */
const WRITES = { w5: '5m', w30: '30m', w1h: '1h', w12h: '12h' } as const;

/** Entries of a model in any of its spellings, announced prices among them; empty where the list has no such model. */
export function entriesFor(overlay: PriceOverlay, model: string): readonly OverlayEntry[] {
  const names = modelNames(model);
  const spellings: readonly ((name: string) => string)[] = [(name) => name, dashed];
  for (const spelling of spellings) {
    for (const name of names) {
      const found = overlay.models.filter((entry) => spelling(entry.id.toLowerCase()) === spelling(name));
      if (found.length > 0) return found.flatMap(withNext);
    }
  }
  return [];
}

function withNext(entry: OverlayEntry): readonly OverlayEntry[] {
  const { next, ...now } = entry;
  if (!next) return [entry];
  const { id, src, peakUtc, peakX } = now;
  return [now, { id, src, ...(peakUtc && { peakUtc }), ...(peakX !== undefined && { peakX }), ...next }];
}

/** The entry of a day; of several the one that began last. null: none holds then. */
export function entryOn(entries: readonly OverlayEntry[], day: string): OverlayEntry | null {
  return entries.reduce<OverlayEntry | null>((best, entry) => {
    const holds = (entry.from ?? '') <= day && (entry.until === undefined || day <= entry.until);
    return holds && (best === null || (entry.from ?? '') > (best.from ?? '')) ? entry : best;
  }, null);
}

/** Whether the price is the same at any time. */
export const isTimeless = (entries: readonly OverlayEntry[]): boolean =>
  entries.length === 1 && entries.every((entry) => !entry.from && !entry.until && !entry.peakUtc);

/** The price of an entry at a time of the day; null: its prices are not known. */
export function priceOfEntry(entry: OverlayEntry, minuteOfDay: number, asOf: string): Price | null {
  const isPeak = (entry.peakUtc ?? []).some((hours) => isWithin(hours, minuteOfDay));
  const factor = isPeak ? (entry.peakX ?? 1) : 1;
  const rates = ratesOf(entry, factor);
  if (rates.input === null && rates.read === null && rates.output === null) return null;
  const { band } = entry;
  return {
    rates,
    bands: band ? [{ overPromptTokens: tokens(band.overPromptTokens), rates: ratesOf(band, factor, entry) }] : [],
    provenance: { source: 'overlay', asOf, id: entry.id },
  };
}

/** A band that leaves out a lifetime which the list has elsewhere bills it at a rate that is not known. */
function ratesOf(amount: Amounts, factor: number, base: Amounts = amount): Rates {
  const micros = (usd: number | null | undefined): UsdMicros | null =>
    usd == null ? null : usdMicros(Math.round(usd * 1e6 * factor));
  const writes: Record<string, UsdMicros | null> = {};
  for (const [field, lifetime] of Object.entries(WRITES) as readonly [keyof typeof WRITES, string][]) {
    if (amount[field] !== undefined || base[field] !== undefined) writes[lifetime] = micros(amount[field]);
  }
  return { input: micros(amount.in), read: micros(amount.read), writes, output: micros(amount.out) };
}

const minutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** `22:00-02:00` goes over midnight. */
function isWithin(hours: string, minute: number): boolean {
  const [start = '', end = ''] = hours.split('-');
  const [from, to] = [minutes(start), minutes(end)];
  return from <= to ? minute >= from && minute < to : minute >= from || minute < to;
}
