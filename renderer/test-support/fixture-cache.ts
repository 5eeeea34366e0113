/**
 * The cache of the session that never was: two long pauses, a plugin's segment that keeps changing, a window that
 * slides, a model without a price, a provider that misses, and one bill that contradicts itself.
 */
import type { CacheCall, CacheCauseRow, CacheOverview, CacheRuntimeRow, CauseKind } from '../../shared/model/index.ts';
import type { CallRow, Sentence } from '../../shared/model/index.ts';
import { tokens, usdMicros } from '../../shared/units.ts';
import type { FixtureSession } from './fixture-data.ts';

const TOLERANCE = 128;
type Price = { readonly input: number; readonly read: number; readonly write: number; readonly output: number };
/** Millionths of a dollar a token; a runtime that is not named has no price. */
const PRICES: Readonly<Record<string, Price>> = {
  narrator: { input: 3, read: 0.3, write: 3.75, output: 15 },
  'world-init/dimension-tracker': { input: 0.27, read: 0.07, write: 0, output: 1.1 },
  'char-creator/character-tracker': { input: 0.25, read: 0.025, write: 0, output: 2 },
};
const LIFETIMES: Readonly<Record<string, number>> = { narrator: 300, 'char-creator/character-tracker': 86_400 };
const ADVICE: Readonly<Partial<Record<CauseKind, Sentence>>> = {
  'extension-segment': { key: 'advice.extension-segment', values: { label: 'character-fields' } },
  'window-slid': { key: 'advice.window-slid', values: {} },
  compacted: { key: 'advice.compacted', values: {} },
};

function causeOf(row: CallRow, gapMs: number | null): CauseKind | null {
  if (!row.prefix) return null;
  if (row.step > 0) return 'append-only';
  const lifetime = LIFETIMES[row.runtimeId];
  if (lifetime !== undefined && gapMs !== null && gapMs > lifetime * 1000) return 'ttl-elapsed';
  if (row.turnIndex === 6 || row.turnIndex === 13) return 'compacted';
  if (row.runtimeId === 'world-init/dimension-tracker') return 'window-slid';
  if (row.runtimeId === 'char-creator/character-tracker') return 'extension-segment';
  return row.runtimeId === 'guide' ? 'below-minimum' : 'turn-context';
}
const HARMLESS: ReadonlySet<CauseKind | null> = new Set([null, 'append-only', 'turn-context']);

function callOf(row: CallRow, previous: CallRow | undefined): CacheCall {
  const price = PRICES[row.runtimeId];
  // The guide's provider tells the output alone.
  const usage = row.usage ?? (row.runtimeId === 'guide' ? { read: null, write: null, uncached: null, output: tokens(210) } : null);
  const broken = row.turnIndex === 18 && row.runtimeId === 'world-init/dimension-tracker';
  const gapMs = previous ? Date.parse(row.startedAt ?? '') - Date.parse(previous.startedAt ?? '') : null;
  const input = row.inputTokens?.value ?? 0;
  const read = usage?.read ?? 0;
  const off = row.turnIndex === 9 || row.turnIndex === 20 ? 384 : row.turnIndex % 3 === 0 ? 40 : 0;
  const predicted = Math.min(input, read + (row.step === 0 ? off : 0));
  const answered = row.error === null;
  const kind = causeOf(row, gapMs);
  const wasted = HARMLESS.has(kind) || !answered ? 0 : Math.round((input - read) * 0.6);
  const cost =
    price && usage
      ? (usage.uncached ?? 0) * price.input + read * price.read + (usage.write ?? 0) * price.write + 410 * price.output
      : null;
  const holds = usage?.read == null || broken || row.runtimeId === 'guide' ? null : predicted - read <= TOLERANCE;
  return {
    id: row.id,
    turnId: row.turnId,
    turnIndex: row.turnIndex,
    runtimeId: row.runtimeId,
    step: row.step,
    attempt: row.attempt,
    startedAt: row.startedAt,
    provider: row.provider,
    protocol: row.protocol,
    model: row.model,
    input: row.inputTokens,
    usage,
    usageProblems: broken ? ['over-total'] : [],
    prediction:
      answered && row.runtimeId !== 'guide'
        ? {
            rule: row.protocol ?? '',
            read: tokens(predicted),
            write: tokens(usage?.write ?? 0),
            uncached: tokens(input - predicted - (usage?.write ?? 0)),
            writes: usage?.write == null ? {} : { '5m': usage.write },
            tier: row.runtimeId === 'narrator' ? 'billed' : 'counted',
            why: [],
          }
        : null,
    holds,
    errorSources: holds === false ? (row.runtimeId === 'narrator' ? ['shared-cache'] : ['tokenizer', 'block-rounding']) : [],
    cost: cost === null ? null : usdMicros(cost),
    costTier: cost === null ? null : 'billed',
    previousId: previous?.id ?? null,
    gapMs,
    lifetimeS: LIFETIMES[row.runtimeId] ?? null,
    cause: kind === null ? null : { kind, evidence: [], advice: ADVICE[kind] ?? null },
    wasted: tokens(wasted),
    wastedCost: price ? usdMicros(wasted * (price.input - price.read)) : null,
    notes: [],
  };
} // prettier-ignore

const total = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
};
const inTokens = (n: number | null) => (n === null ? null : tokens(n));
const inUsd = (n: number | null) => (n === null ? null : usdMicros(n));

function runtimeOf(runtimeId: string, calls: readonly CacheCall[]): CacheRuntimeRow {
  const billed = calls.filter((call) => call.usage !== null && call.usageProblems.length === 0);
  const sum = (pick: (call: CacheCall) => number | null): number | null => total(billed.map(pick));
  const read = sum((call) => call.usage?.read ?? null);
  const all = sum((call) => (call.usage ? (call.usage.uncached ?? 0) + (call.usage.read ?? 0) + (call.usage.write ?? 0) : null)); // prettier-ignore
  return {
    runtimeId,
    calls: calls.length,
    inputTokens: tokens(total(calls.map((call) => call.input?.value ?? null)) ?? 0),
    read: inTokens(read),
    write: inTokens(sum((call) => call.usage?.write ?? null)),
    predictedRead: inTokens(total(calls.map((call) => call.prediction?.read ?? null))),
    hitRate: read === null || !all ? null : read / all,
    wasted: tokens(total(calls.map((call) => call.wasted)) ?? 0),
    cost: inUsd(total(calls.map((call) => call.cost))),
    wastedCost: inUsd(total(calls.map((call) => call.wastedCost))),
    unpriced: runtimeId in PRICES ? 0 : calls.length,
    unreported: billed.filter((call) => call.usage?.read === null).length,
  };
}

function groups<T>(all: readonly T[], keyOf: (one: T) => string): readonly (readonly [string, readonly T[]])[] {
  const found = new Map<string, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    const group = found.get(key);
    if (group) group.push(one);
    else found.set(key, [one]);
  }
  return [...found];
}

export function fixtureCache({ row, calls: rows }: FixtureSession): CacheOverview {
  const last = new Map<string, CallRow>();
  const calls = rows.map((call) => {
    const made = callOf(call, last.get(call.runtimeId));
    last.set(call.runtimeId, call);
    return made;
  });
  const causes = groups(
    calls.filter((call) => call.wasted > 0),
    (call) => `${call.cause?.kind ?? ''} ${call.runtimeId}`,
  ).map(([, group]): CacheCauseRow => ({
    kind: group[0]?.cause?.kind ?? 'unknown',
    runtimeId: group[0]?.runtimeId ?? '',
    callIds: group.map((call) => call.id),
    tokens: tokens(total(group.map((call) => call.wasted)) ?? 0),
    cost: inUsd(total(group.map((call) => call.wastedCost))),
    advice: group[0]?.cause?.advice ?? null,
  }));
  const calibrated = (some: readonly CacheCall[]) => ({
    calls: some.length,
    matched: some.filter((call) => call.holds === true).length,
    toleranceTokens: tokens(TOLERANCE),
  });
  const compared = calls.filter((call) => call.holds !== null);
  return {
    sessionId: row.id,
    calls,
    runtimes: groups(calls, (call) => call.runtimeId).map(([id, group]) => runtimeOf(id, group)),
    causes: causes.toSorted((a, b) => b.tokens - a.tokens),
    calibration: calibrated(compared),
    calibrationByProvider: groups(compared, (call) => call.provider ?? '').map(([provider, group]) => ({
      provider,
      ...calibrated(group),
    })),
    flagged: calls.filter((call) => call.usageProblems.length > 0).map((call) => call.id),
    rulesAsOf: '2026-11-30',
    pricesAsOf: '2026-11-30',
  };
}
