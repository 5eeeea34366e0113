/**
 * To say what a provider's cache held when a call was made, all calls of the session before it must be known. So a
 * session is simulated as a whole: each payload is read once, in the order of writing, and gives way to a chain of
 * numbers; the text itself is not kept.
 */
import { createHash } from 'node:crypto';
import { createBlockReader } from '../cache/bytes/blocks.ts';
import { createCallTracker } from '../cache/bytes/tracker.ts';
import { cacheRuleFor, type CacheRule, type CacheRules } from '../cache/rules.ts';
import { simulationSteps } from '../cache/simulate/simulate.ts';
import type { RequestBlocks, SimCall, SimResult } from '../cache/simulate/types.ts';
import type { CovelDb } from '../sources/covel-db/types.ts';
import type { CallRow, Protocol, Sentence } from '../../shared/model/index.ts';
import { counted, type Measured, type Tokens } from '../../shared/units.ts';
import type { BlockEnds } from './cache-ends.ts';
import {
  durationOf,
  failedElsewhere,
  frameOf,
  growthOf,
  isAnswered,
  sentOf,
  unreadSent,
  type Frame,
  type Growth,
} from './cache-sent.ts';
import { createSlices } from './slices.ts';
import { canCount, createTokenCounter, type TokenCounter } from './token-counter.ts';

/** A call as it was sent and simulated, without its text. */
export type RunCall = {
  readonly row: CallRow;
  readonly protocol: Protocol | null;
  /** Of the request that was answered. */
  readonly provider: string | null;
  readonly model: string | null;
  readonly rule: CacheRule | null;
  /** Start of the HTTP attempt that was answered, in milliseconds since 1970. */
  readonly startedAt: number | null;
  readonly answered: boolean;
  /** The whole input: billed, else counted, else estimated; null: unreadable. */
  readonly input: Measured | null;
  readonly sim: Omit<SimResult, 'tokensAt'>;
  readonly ends: BlockEnds;
  /** What the request added, where it is proven on the bytes that it only added to its baseline. */
  readonly growth: Growth | null;
  readonly notes: readonly Sentence[];
};

/** By call id, in the order of writing. */
export type CacheRun = ReadonlyMap<string, RunCall>;

export type RunListener = {
  /** True once nobody waits for the run any more. */
  readonly isAborted: () => boolean;
  readonly progress: (done: number, total: number) => void;
};

export type RunInput = {
  readonly db: CovelDb;
  readonly rules: CacheRules;
  readonly sessionId: string;
  /** All rows of the session's index. */
  readonly rows: readonly CallRow[];
};

/** What is kept of a call until the whole session can be simulated. */
type Read = { readonly call: Omit<RunCall, 'sim' | 'ends'>; readonly sent: SimCall };

/** Simulates a session. null once aborted. Gives way to other work; never fails on what a payload holds. */
export async function runSession(input: RunInput, listener: RunListener): Promise<CacheRun | null> {
  const reads = await readCalls(input, listener);
  if (!reads) return null;
  const results = await simulate(inSequence(reads), input.rules, listener);
  if (!results) return null;
  const run = new Map<string, RunCall>();
  const pause = createSlices();
  for (const [i, { call, sent }] of reads.entries()) {
    const { tokensAt, ...sim } = results[i] as SimResult;
    run.set(call.row.id, { ...call, sim, ends: { chars: sent.blocks.ends.chars, tokens: tokensAt } });
    await pause();
  }
  return run;
}

async function simulate(
  calls: readonly SimCall[],
  rules: CacheRules,
  listener: RunListener,
): Promise<readonly SimResult[] | null> {
  const steps = simulationSteps(calls, rules);
  const pause = createSlices();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await pause();
    if (listener.isAborted()) return null;
  }
}

const NO_BLOCKS: RequestBlocks = {
  prefixes: new Uint32Array(),
  ends: { chars: new Uint32Array(), cjk: new Uint32Array() },
  messageStarts: Uint32Array.of(0),
  marks: [],
  automatic: null,
  explicitOnly: false,
};

async function readCalls({ db, rules, sessionId, rows }: RunInput, listener: RunListener): Promise<Read[] | null> {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const refs = db.callRefs(sessionId);
  const tracker = createCallTracker();
  const reader = createBlockReader({ digest: sha1, rules });
  const frames = new Map<string, Frame>();
  const pause = createSlices();
  const reads: Read[] = [];
  let counter: TokenCounter | null = null;
  for (const [done, ref] of refs.entries()) {
    await pause();
    if (listener.isAborted()) return null;
    const row = byId.get(ref.id);
    if (!row) continue;
    const isBilled = row.inputTokens?.tier === 'billed';
    if (!isBilled && canCount(row.model)) counter ??= await createTokenCounter();
    let sent = unreadSent(row);
    let blocks = NO_BLOCKS;
    let countedInput: Tokens | null = null;
    const tracked = tracker.track({
      id: ref.id,
      turnId: ref.turnId,
      payload: db.payload(ref.rowid),
      isOwned: true,
      read(key, body) {
        sent = sentOf(key, body, row);
        if (sent.protocol === null) return;
        blocks = reader.blocksOf(key, body, cacheRuleFor(rules, { ...sent, hasMarks: false }));
        frames.set(ref.id, frameOf(key, body, sent));
        if (!isBilled && counter && canCount(sent.model)) countedInput = counter.count(key);
      },
    });
    const { protocol, provider, model, startedAt } = sent;
    const answered = isAnswered(sent.request, row);
    const { prefix, baselineId } = tracked;
    reads.push({
      call: {
        row,
        protocol,
        provider,
        model,
        rule: cacheRuleFor(rules, { ...sent, hasMarks: blocks.marks.length > 0 }),
        startedAt,
        answered,
        input: countedInput === null ? row.inputTokens : counted(countedInput),
        growth: growthOf(tracked, frames.get(baselineId ?? ''), frames.get(ref.id)),
        notes: failedElsewhere(tracked),
      },
      sent: {
        id: row.id,
        runtimeId: row.runtimeId,
        turnIndex: row.turnIndex,
        previousId: baselineId,
        provider,
        protocol,
        model,
        startedAt,
        durationMs: durationOf(sent, row),
        answered,
        blocks,
        sharedWithPrevious: prefix && prefix.kind !== 'other-protocol' ? prefix.shared : null,
        usage: row.usageProblems ? null : row.usage,
        billedInput: row.inputTokens?.tier === 'billed' ? row.inputTokens.value : null,
        countedInput,
      },
    });
    listener.progress(done + 1, refs.length);
  }
  return reads;
}

const sha1 = (bytes: Uint8Array): string => createHash('sha1').update(bytes).digest('base64');

/** A step is asked with the answer to the one before, so that one was over by then, whatever was recorded. */
function inSequence(reads: readonly Read[]): readonly SimCall[] {
  const rows = new Map(reads.map(({ call }) => [call.row.id, call.row]));
  const nextStarts = new Map<string, number>();
  for (const { call, sent } of reads) {
    const before = rows.get(sent.previousId ?? '');
    if (before && sent.startedAt !== null && before.turnId === call.row.turnId && before.step < call.row.step)
      nextStarts.set(before.id, sent.startedAt);
  }
  return reads.map(({ sent }) => {
    const next = nextStarts.get(sent.id);
    if (next === undefined || sent.startedAt === null || sent.durationMs === null) return sent;
    return { ...sent, durationMs: Math.min(sent.durationMs, Math.max(0, next - sent.startedAt)) };
  });
}
