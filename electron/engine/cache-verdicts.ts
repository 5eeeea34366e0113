/**
 * Why a call paid for what an earlier one had sent: a difference in content before any rule of the cache (cli-contract,
 * "diff"). To tell the content two requests are read and compared, which is the dear part; a request that is proven to
 * have only grown is not read.
 */
import { granularityOf, minimumOf, shortestLifetimeOf } from '../cache/rules.ts';
import { bucketsOf, costOf, predictedBuckets, wastedCost, type CostBuckets, type Price } from '../cache/cost.ts';
import type { Prices } from '../cache/prices.ts';
import type { SimNote } from '../cache/simulate/types.ts';
import { errorSourcesOf, verdictOf, type Verdict } from '../cache/verdict.ts';
import { LensFailure } from '../../shared/error.ts';
import { say } from '../../shared/language/types.ts';
import type { CacheCall, CallRow, Cause, ReportedUsage, Sentence } from '../../shared/model/index.ts';
import { tokens, type Tokens } from '../../shared/units.ts';
import { defaultBaseline } from './baseline.ts';
import { tokensBefore } from './cache-ends.ts';
import { TOLERANCE } from './cache-overview.ts';
import { historyEnd } from './cache-reusable.ts';
import type { CacheRun, RunCall } from './cache-run.ts';
import { comparison } from './call-detail.ts';
import type { OpenedSource } from './opened-source.ts';

/** The verdict on a call whose difference in content is known. */
export function verdictOn(source: OpenedSource, call: RunCall, baseline: RunCall, content: Cause): Verdict {
  return verdictOf({
    content,
    sim: call.sim,
    billed: call.answered ? soundUsage(call.row) : null,
    reusable: call.answered ? reusable(source, call, baseline) : tokens(0),
    tolerance: TOLERANCE,
    known: call.rule && {
      rule: call.rule,
      protocol: call.protocol,
      model: call.model,
      at: dateOf(call),
      shortestLifetimeS: shortestLifetimeOf(source.rules),
    },
    hasBody: call.protocol !== null,
  });
}

const dateOf = ({ startedAt }: RunCall): Date | null => (startedAt === null ? null : new Date(startedAt));

/** Usage that contradicts itself proves nothing. */
const soundUsage = (row: CallRow): CallRow['usage'] => (row.usageProblems ? null : row.usage);

/**
 * Tokens that this call could have read: those of its baseline. A baseline that nobody answered left none; then what the
 * simulation found of earlier requests counts.
 */
function reusable(source: OpenedSource, call: RunCall, baseline: RunCall): Tokens {
  if (!baseline.answered) {
    const { prediction, lost } = call.sim;
    const found = [prediction?.read, lost.expired?.tokens, lost.beyondLookback?.tokens, lost.unmarked?.tokens];
    return tokens(Math.max(...found.map((count) => count ?? 0)));
  }
  const whole = baseline.input?.value ?? tokens(0);
  if (call.growth || call.row.turnId === baseline.row.turnId) return whole;
  if (baseline.row.empty) return tokens(0);
  const end = historyEnd(source.passingView(baseline.row.id).side);
  if (baseline.ends.chars.length > 0) return tokensBefore(baseline.ends, end);
  return tokens(Math.round((whole * end) / Math.max(1, baseline.row.chars ?? 1)));
}

/** How the call stands to its baseline in content; null where one of the two cannot be read. */
export function contentOf(source: OpenedSource, call: RunCall, baseline: RunCall): Cause | null {
  if (call.growth) return { kind: 'append-only', evidence: [say('evidence.appended', call.growth)], advice: null };
  if (call.row.empty || baseline.row.empty) return null;
  try {
    return comparison(source, source.passingView(baseline.row.id), source.passingView(call.row.id)).cause;
  } catch (thrown) {
    if (thrown instanceof LensFailure) return null;
    throw thrown;
  }
}

/** One row of the overview. */
export function cacheCall(
  source: OpenedSource,
  sessionId: string,
  run: CacheRun,
  call: RunCall,
  prices: Prices,
): CacheCall {
  const { row, sim, rule, startedAt } = call;
  const before = defaultBaseline(source, row, sessionId);
  const baseline = before && run.get(before.id);
  const content = baseline ? contentOf(source, call, baseline) : null;
  const verdict = baseline && content ? verdictOn(source, call, baseline, content) : null;
  const usage = soundUsage(row);
  const { prediction } = sim;
  const predicted = prediction?.read ?? null;
  const billed = usage?.read ?? null;
  const holds = predicted === null || billed === null ? null : Math.abs(predicted - billed) <= TOLERANCE;
  const at = dateOf(call);
  const price = prices.priceOf({ provider: call.provider, model: call.model, at });
  const buckets = bucketsFor(call);
  const wasted = verdict?.wasted ?? tokens(0);
  return {
    id: row.id,
    turnId: row.turnId,
    turnIndex: row.turnIndex,
    runtimeId: row.runtimeId,
    step: row.step,
    attempt: row.attempt,
    startedAt: at?.toISOString() ?? null,
    protocol: call.protocol ?? row.protocol,
    provider: call.provider,
    model: call.model,
    input: call.input,
    usage: row.usage,
    usageProblems: row.usageProblems ?? [],
    prediction,
    holds,
    errorSources:
      holds === false && prediction && billed !== null && !followsUnrecorded(call, baseline)
        ? errorSourcesOf({
            predicted: prediction.read,
            billed,
            tier: prediction.tier,
            granularity: rule && granularityOf(rule),
            isFirst: !baseline,
            minimum: minimumOf(rule, call.model),
            equal: sim.notes.includes('units-unknown') ? (sim.lost.unmarked?.tokens ?? null) : null,
          })
        : [],
    ...moneyOf(buckets, price),
    previousId: baseline?.row.id ?? null,
    gapMs: baseline?.startedAt != null && startedAt !== null ? startedAt - baseline.startedAt : null,
    lifetimeS: sim.lifetimeS,
    cause: verdict && detached(verdict.cause),
    wasted,
    wastedCost: price && wastedCost(wasted, price, rule, buckets?.of ?? null),
    notes: notesOn(source, sessionId, run, call),
  };
}

/** Evidence quotes the requests, and in memory a piece of a text keeps the whole text alive; a copy does not. */
const detached = (cause: Cause): Cause => JSON.parse(JSON.stringify(cause)) as Cause;

type Bill = { readonly of: CostBuckets; readonly tier: 'billed' | 'estimated' };

/** What the call is priced by: its bill, else what the rules predict. A contradiction is no bill, and nothing replaces it. */
function bucketsFor({ row, sim: { prediction } }: RunCall): Bill | null {
  const { usage, usageProblems } = row;
  if (usageProblems) return null;
  const reported: ReportedUsage | null = usage && {
    usage,
    input: row.inputTokens?.value ?? null,
    writes: null,
    problems: [],
  };
  if (reported && usage?.uncached != null) return { of: bucketsOf(reported, prediction), tier: 'billed' };
  return prediction && { of: predictedBuckets(prediction, usage?.output ?? null), tier: 'estimated' };
}

function moneyOf(buckets: Bill | null, price: Price | null): Pick<CacheCall, 'cost' | 'costTier'> {
  const cost = buckets && price && costOf(buckets.of, price);
  return cost && buckets ? { cost: cost.usd, costTier: buckets.tier } : { cost: null, costTier: null };
}

/** Notes about the recording; what the rules do not know is said by the prediction itself. */
const NOTES: Partial<Record<SimNote, Sentence>> = {
  'no-clock': say('note.no-clock', {}),
  'clock-backwards': say('note.clock-backwards', {}),
  overlap: say('note.overlap', {}),
  'not-answered': say('note.not-answered', {}),
};

/** What the request before left in the cache is not known where its body was not recorded. */
const followsUnrecorded = (call: RunCall, baseline: RunCall | null | undefined): boolean =>
  baseline != null && call.protocol !== null && baseline.protocol === null && baseline.answered;

/** What limits the figures of a call. */
export function notesOn(source: OpenedSource, sessionId: string, run: CacheRun, call: RunCall): readonly Sentence[] {
  const before = defaultBaseline(source, call.row, sessionId);
  return [...notesOf(call), ...call.notes, ...bodyNotes(call, before && run.get(before.id))];
}

function bodyNotes(call: RunCall, baseline: RunCall | null | undefined): readonly Sentence[] {
  if (call.answered && call.protocol === null && !call.row.empty) return [say('note.no-body', {})];
  return followsUnrecorded(call, baseline) ? [say('note.no-body-before', {})] : [];
}

const notesOf = ({ sim }: RunCall): readonly Sentence[] => sim.notes.flatMap((note) => NOTES[note] ?? []);
