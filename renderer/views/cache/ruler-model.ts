/**
 * An entry of a prompt cache lives for a time that counts from the start of the request that wrote or read it. So the
 * requests of a runtime are drawn on a line of time: a tick each, behind it a band as long as the entry lived, and the
 * gap to the next request. A gap that is longer than the band was a miss that no prompt could have avoided. Gaps are to
 * scale; one that would leave no room for the others is cut, and says so.
 */
import type { CacheCall } from '../../../shared/model/index.ts';

/** Requests that are drawn at most; of a longer session those around the chosen turn. */
export const MAX_TICKS = 60;
/** A gap is cut when it is so many times longer than the usual gap between turns. */
const CUT_TIMES = 8;
/** A lifetime up to so many usual gaps is drawn whole in the gap that it ends in. */
const WHOLE_TIMES = 12;
/** Where a band ends in a gap that had to be cut before its end. */
const BAND_OF_CUT = 0.6;
/** Part of the line behind the last request, so that its band can be seen. */
const TAIL = 0.04;

export type RulerTick = {
  readonly call: CacheCall;
  /** Place on the line, from 0 to 1. */
  readonly at: number;
};

export type RulerGap = {
  /** Index of the request that ends the gap. */
  readonly tick: number;
  readonly from: number;
  readonly to: number;
  readonly ms: number;
  /** Lifetime of the entry in milliseconds; null: unknown, or none was left. */
  readonly lifetimeMs: number | null;
  /** Where the band ends; null where the lifetime is unknown. */
  readonly bandTo: number | null;
  /** The next request came after the entry had gone; null where the lifetime is unknown. */
  readonly isExpired: boolean | null;
  /** The gap is longer than it is drawn. */
  readonly isCut: boolean;
  /** The clock went backwards; the gap is drawn as none. */
  readonly isBackwards: boolean;
};

export type Ruler = {
  readonly ticks: readonly RulerTick[];
  readonly gaps: readonly RulerGap[];
  /** Where the entry of the last request would end; null where its lifetime is unknown. At most the end of the line. */
  readonly tailTo: number | null;
  /** Requests of the runtime before and after those that are drawn. */
  readonly before: number;
  readonly after: number;
};

/** What does not depend on the chosen turn: found once, since a step must not go through the whole session. */
export type Requests = {
  /** Those with a clock, in order, with their start in milliseconds since 1970. */
  readonly clocked: readonly { readonly call: CacheCall; readonly start: number }[];
  /** Requests without a clock; they have no place on the line. */
  readonly unclocked: number;
  /** Lifetimes that were met, in seconds, shortest first. */
  readonly lifetimes: readonly number[];
  /** Requests that came after the entry had gone. */
  readonly expired: readonly CacheCall[];
  /** Requests whose gap and lifetime are both known: those that `expired` was looked for among. */
  readonly dated: number;
};

/** The requests of one runtime. */
export function requestsOf(calls: readonly CacheCall[], runtimeId: string): Requests {
  const own = calls.filter((call) => call.runtimeId === runtimeId);
  const clocked = own.flatMap((call) => {
    const start = call.startedAt === null ? Number.NaN : Date.parse(call.startedAt);
    return Number.isFinite(start) ? [{ call, start }] : [];
  });
  const dated = own.flatMap((call) =>
    call.gapMs === null || call.lifetimeS === null ? [] : [{ call, isExpired: call.gapMs > call.lifetimeS * 1000 }],
  );
  const lifetimes = new Set(own.flatMap(({ lifetimeS }) => (lifetimeS === null ? [] : [lifetimeS])));
  return {
    clocked,
    unclocked: own.length - clocked.length,
    lifetimes: [...lifetimes].toSorted((a, b) => a - b),
    expired: dated.filter(({ isExpired }) => isExpired).map(({ call }) => call),
    dated: dated.length,
  };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

type Span = { readonly ms: number; readonly lifetimeMs: number | null; readonly isBackwards: boolean };

/** Longest gap that is drawn to scale, in milliseconds: usual gaps keep their room, and lifetimes their end. */
function longestDrawn(shown: Requests['clocked'], spans: readonly Span[]): number {
  const between = spans.filter((_, i) => shown[i + 1]?.call.turnIndex !== shown[i]?.call.turnIndex);
  const usual = median((between.length > 0 ? between : spans).map((span) => span.ms));
  const lives = spans.flatMap(({ lifetimeMs }) => (lifetimeMs === null ? [] : [lifetimeMs]));
  const life = lives.reduce((most, one) => (one <= WHOLE_TIMES * usual ? Math.max(most, one) : most), 0);
  return Math.max(CUT_TIMES * usual, 1.5 * life, 1);
}

/** The requests around the one at `at` that fit on a ruler. */
function windowOf(count: number, at: number): readonly [from: number, to: number] {
  if (count <= MAX_TICKS) return [0, count];
  const from = Math.min(Math.max(0, at - Math.floor(MAX_TICKS / 2)), count - MAX_TICKS);
  return [from, from + MAX_TICKS];
}

/** Lays requests out. `chosen`: the turn that stands in the middle when not all of them fit. */
export function rulerOf({ clocked }: Requests, chosen: number): Ruler {
  const near = clocked.findIndex(({ call }) => call.turnIndex >= chosen);
  const [from, to] = windowOf(clocked.length, near < 0 ? clocked.length - 1 : near);
  const shown = clocked.slice(from, to);

  const spans = shown.slice(1).map(({ call, start }, i): Span => {
    const ms = start - shown[i]!.start;
    return {
      ms: Math.max(0, ms),
      lifetimeMs: call.lifetimeS === null ? null : call.lifetimeS * 1000,
      isBackwards: ms < 0,
    };
  });
  const most = longestDrawn(shown, spans);
  const drawn = spans.map((span) => Math.min(span.ms, most));
  const all = drawn.reduce((sum, ms) => sum + ms, 0);
  const scale = all > 0 ? (1 - TAIL) / all : 0;

  const ticks: RulerTick[] = shown.slice(0, 1).map(({ call }) => ({ call, at: 0 }));
  const gaps: RulerGap[] = [];
  let at = 0;
  spans.forEach(({ ms, lifetimeMs, isBackwards }, i) => {
    const end = at + drawn[i]! * scale;
    const isCut = ms > most;
    const isExpired = lifetimeMs === null ? null : ms > lifetimeMs;
    const band = lifetimeMs === null ? null : isExpired ? at + lifetimeMs * scale : end;
    gaps.push({
      tick: i + 1,
      from: at,
      to: end,
      ms,
      lifetimeMs,
      bandTo: band === null || band < end || !isExpired ? band : at + (end - at) * BAND_OF_CUT,
      isExpired,
      isCut,
      isBackwards,
    });
    ticks.push({ call: shown[i + 1]!.call, at: end });
    at = end;
  });
  const lastLife = shown.at(-1)?.call.lifetimeS;
  return {
    ticks,
    gaps,
    tailTo: lastLife == null || scale === 0 ? null : Math.min(1, at + lastLife * 1000 * scale),
    before: from,
    after: clocked.length - to,
  };
}

/** Labels that do not touch: places in pixels, ascending, each with the width of its words. The chosen one comes first. */
export function roomFor(
  labels: readonly { readonly x: number; readonly width: number }[],
  width: number,
  gap: number,
  first = -1,
): readonly (number | null)[] {
  const taken: { from: number; to: number }[] = [];
  const placed: (number | null)[] = labels.map(() => null);
  const order = [...labels.keys()].toSorted((a, b) => Number(b === first) - Number(a === first));
  for (const i of order) {
    const { x, width: own } = labels[i]!;
    const middle = Math.min(Math.max(x, own / 2), Math.max(own / 2, width - own / 2));
    const [from, to] = [middle - own / 2 - gap, middle + own / 2 + gap];
    if (taken.some((one) => from < one.to && one.from < to)) continue;
    taken.push({ from: middle - own / 2, to: middle + own / 2 });
    placed[i] = middle;
  }
  return placed;
}
