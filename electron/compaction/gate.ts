/**
 * The framework's part of `history.compact@2`: it decides when history is compacted, checks what a provider proposes
 * and saves it. Strategy is the provider's alone (seed 1, section 1). What cannot be done is a value, and changes nothing.
 */
import type { Estimator } from '../assembler/types.ts';
import { ask, messageOf, PROVIDER_TIMEOUT_MS, type Answer } from './ask.ts';
import { checkOutput, type Checked } from './check.ts';
import { compactionThreshold, isWindow, summaryBudget } from './limits.ts';
import { bySummaryOrder } from './memory-store.ts';
import { saveSegments, type SaveOutcome } from './save.ts';
import {
  FAULT_CODES,
  type CompactedEvent,
  type CompactFault,
  type CompactionFailure,
  type CompactionMessage,
  type CompactionResult,
  type CompactionSummary,
  type CompactionTools,
  type CompactInput,
  type CompactProvider,
} from './types.ts';

export type CompactParams = {
  readonly sessionId: string;
  /** The session's history as prompts see it, tagged rows included. */
  readonly messages: readonly CompactionMessage[];
  /** Live summaries as they were loaded with it. */
  readonly summaries: readonly CompactionSummary[];
  /** The system prompt of the first agent with the shared view. */
  readonly systemPrompt: string;
  /** Its turn context: it is sent with every request of the turn, so it counts. */
  readonly turnContext?: string;
  /** Tokens; see `compactionWindows`. */
  readonly contextWindow: number;
  readonly inputWindow: number;
  readonly locale: string | null;
  readonly provider: CompactProvider;
  /** Aborted when the turn is cancelled. */
  readonly signal?: AbortSignal;
};

/** Estimated tokens of a request with this history: prompt, rows that no summary stands for, and the summaries. */
export function estimateHistory(
  params: Pick<CompactParams, 'systemPrompt' | 'turnContext' | 'messages' | 'summaries'>,
  estimate: Estimator,
): number {
  const texts = [
    params.systemPrompt,
    params.turnContext ?? '',
    ...params.messages.filter((row) => row.compactedAtTurnId === null).map(({ content }) => content),
    ...params.summaries.map(({ content }) => content),
  ];
  return texts.reduce((sum, text) => sum + estimate(text), 0);
}

/** Compacts the history of a session if its estimate exceeds 60 % of the window. Never rejects. */
export async function maybeCompact(params: CompactParams, tools: CompactionTools): Promise<CompactionResult> {
  const { sessionId, contextWindow, inputWindow, signal } = params;
  if (signal?.aborted) return { kind: 'cancelled' };
  if (!isWindow(contextWindow) || !isWindow(inputWindow)) {
    return failed(params, tools, {
      code: 'bad-window',
      message: `a window of ${contextWindow} (input ${inputWindow}) tokens leaves no room`,
    });
  }
  const messages = params.messages.filter((row) => row.sessionId === sessionId);
  const existingSummaries = params.summaries.filter((row) => row.sessionId === sessionId).sort(bySummaryOrder);
  const loaded = { ...params, messages, summaries: existingSummaries };
  const estimatedTokens = estimateHistory(loaded, tools.estimate);
  const threshold = compactionThreshold(contextWindow);
  if (estimatedTokens <= threshold) return { kind: 'not-needed', estimatedTokens, threshold };

  const input: CompactInput = {
    messages,
    existingSummaries,
    contextWindow,
    inputWindow,
    summaryBudget: summaryBudget(contextWindow),
    estimatedTokens,
    locale: params.locale,
  };
  const answer = await ask(params.provider, input, tools.clock, signal);
  return settle(answer, input, params, tools);
}

function settle(answer: Answer, input: CompactInput, params: CompactParams, tools: CompactionTools): CompactionResult {
  if (params.signal?.aborted || answer.kind === 'cancelled') return { kind: 'cancelled' };
  if (answer.kind === 'timeout') {
    return failed(params, tools, { code: 'timeout', message: `no answer within ${PROVIDER_TIMEOUT_MS / 1000} s` });
  }
  if (answer.kind === 'threw') return failed(params, tools, { code: 'provider-threw', message: answer.message });
  if (answer.value === null) return { kind: 'nothing-to-compact', estimatedTokens: input.estimatedTokens };
  if (isFault(answer.value)) {
    return failed(params, tools, { code: answer.value.code, message: answer.value.message });
  }
  const uncompacted = input.messages.filter((row) => row.compactedAtTurnId === null);
  const checked = checkOutput(answer.value, {
    uncompactedIds: uncompacted.map(({ id }) => id),
    existing: input.existingSummaries,
    budget: input.summaryBudget,
    estimate: tools.estimate,
  });
  return checked.kind === 'rejected' ? failed(params, tools, checked.rejection) : save(checked, input, params, tools);
}

function save(
  accepted: Extract<Checked, { readonly kind: 'accepted' }>,
  input: CompactInput,
  params: CompactParams,
  tools: CompactionTools,
): CompactionResult {
  const rows = new Map(input.messages.map((row) => [row.id, row]));
  const existing = input.existingSummaries;
  let outcome: SaveOutcome;
  try {
    outcome = tools.store.transaction((tx) =>
      saveSegments(tx, {
        sessionId: params.sessionId,
        accepted,
        existing,
        rows,
        now: tools.clock.now(),
        newId: tools.newId,
      }),
    );
  } catch (error) {
    return failed(params, tools, { code: 'store-failed', message: messageOf(error) });
  }
  if (outcome.kind === 'projection-differs') return { kind: outcome.kind, estimatedTokens: input.estimatedTokens };
  if (outcome.kind === 'summaries-changed') {
    return failed(params, tools, { code: outcome.kind, message: 'the summaries changed while this one was written' });
  }
  tools.failures.succeeded(params.sessionId);
  const event = eventOf(outcome, accepted, existing, rows, tools.estimate);
  return {
    kind: 'compacted',
    estimatedTokens: input.estimatedTokens,
    saved: [...outcome.saved].sort(bySummaryOrder),
    event,
  };
}

function eventOf(
  { saved, live }: Extract<SaveOutcome, { readonly kind: 'saved' }>,
  { segments, messageIds, retained }: Extract<Checked, { readonly kind: 'accepted' }>,
  existing: readonly CompactionSummary[],
  rows: ReadonlyMap<string, CompactionMessage>,
  estimate: Estimator,
): CompactedEvent {
  const sum = (texts: readonly { readonly content: string }[]): number =>
    texts.reduce((total, { content }) => total + estimate(content), 0);
  const ordered = [...saved].sort(bySummaryOrder);
  const newest = ordered.at(-1);
  const replaced = existing.slice(0, existing.length - retained.length);
  const covered = messageIds.flatMap((id) => rows.get(id) ?? []);
  const summaryTokens = sum(saved);
  return {
    turnId: newest?.turnRangeEnd ?? '',
    summaryId: newest?.id ?? '',
    summaryIds: ordered.map(({ id }) => id),
    messagesCompacted: messageIds.length,
    tokenSavings: sum(covered) + sum(replaced) - summaryTokens,
    focusSections: [...new Set(ordered.flatMap(({ focusSections }) => focusSections))],
    summariesMerged: replaced.length,
    summaryTokens,
    totalSummaryTokens: sum(live),
    summaryTruncated: segments.some(({ truncated }) => truncated === true),
  };
}

const isFault = (value: unknown): value is CompactFault =>
  typeof value === 'object' &&
  value !== null &&
  'kind' in value &&
  value.kind === 'fault' &&
  'code' in value &&
  FAULT_CODES.some((code) => code === value.code) &&
  'message' in value &&
  typeof value.message === 'string';

function failed(params: CompactParams, tools: CompactionTools, failure: CompactionFailure): CompactionResult {
  const { inARow, notice } = tools.failures.failed(params.sessionId);
  return { kind: 'failed', failure, failuresInARow: inARow, notice };
}
