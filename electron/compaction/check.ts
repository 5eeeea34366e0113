/**
 * An answer of a provider is taken whole or not at all. New messages must be the next ones of the un-compacted list and
 * replaced summaries the next ones from the oldest: nothing skipped, reordered, repeated or from elsewhere (seed 1,
 * section 1). Retained and new segments together keep within the budget.
 */
import { z } from 'zod';
import type { Estimator } from '../assembler/types.ts';
import type { CompactionSummary, ProposedSummary, RejectionCode, SummaryBudget } from './types.ts';

export type Rejection = { readonly code: RejectionCode; readonly message: string };
export type Checked =
  | {
      readonly kind: 'accepted';
      readonly segments: readonly ProposedSummary[];
      /** All message ids of the answer, in order. */
      readonly messageIds: readonly string[];
      /** Live summaries that stay as they are, oldest first. */
      readonly retained: readonly CompactionSummary[];
    }
  | { readonly kind: 'rejected'; readonly rejection: Rejection };

export type CheckAgainst = {
  /** Ids of the session's rows that no summary stands for, in order. */
  readonly uncompactedIds: readonly string[];
  /** Live summaries, oldest first. */
  readonly existing: readonly CompactionSummary[];
  readonly budget: SummaryBudget;
  readonly estimate: Estimator;
};

const OUTPUT = z.object({
  summaries: z.array(
    z.object({
      messageIds: z.array(z.string()),
      replacesSummaryIds: z.array(z.string()),
      content: z.string(),
      focusSections: z.array(z.string()),
      truncated: z.boolean().optional(),
    }),
  ),
});

/** Parses and checks an answer; the first reason found is the one that is told. */
export function checkOutput(output: unknown, against: CheckAgainst): Checked {
  const parsed = OUTPUT.safeParse(output);
  if (!parsed.success) return rejected('bad-shape', z.prettifyError(parsed.error));
  const segments: readonly ProposedSummary[] = parsed.data.summaries;
  const messageIds = segments.flatMap((segment) => segment.messageIds);
  const replacedIds = segments.flatMap((segment) => segment.replacesSummaryIds);
  const retained = against.existing.slice(replacedIds.length);
  const rejection =
    (segments.length === 0 ? reject('no-segments', 'the answer has no segment') : null) ??
    firstOf(segments, (segment, n) => checkSegment(segment, n, against)) ??
    checkOrder('message', messageIds, against.uncompactedIds) ??
    checkOrder(
      'summary',
      replacedIds,
      against.existing.map(({ id }) => id),
    ) ??
    checkTotals(segments, retained, against);
  return rejection ? { kind: 'rejected', rejection } : { kind: 'accepted', segments, messageIds, retained };
}

const reject = (code: RejectionCode, message: string): Rejection => ({ code, message });
const rejected = (code: RejectionCode, message: string): Checked => ({
  kind: 'rejected',
  rejection: reject(code, message),
});

function firstOf<T>(items: readonly T[], test: (item: T, n: number) => Rejection | null): Rejection | null {
  for (const [n, item] of items.entries()) {
    const found = test(item, n);
    if (found) return found;
  }
  return null;
}

function checkSegment(segment: ProposedSummary, n: number, { budget, estimate }: CheckAgainst): Rejection | null {
  const fresh = segment.messageIds.length > 0;
  const merged = segment.replacesSummaryIds.length > 0;
  if (segment.content.trim() === '') return reject('blank-content', `segment ${n} has no text`);
  if (fresh && merged) return reject('both-sources', `segment ${n} covers messages and summaries at once`);
  if (!fresh && !merged) return reject('no-source', `segment ${n} covers nothing`);
  const size = estimate(segment.content);
  return size > budget.maxSegmentTokens
    ? reject('segment-over-budget', `segment ${n} has ${size} tokens of ${budget.maxSegmentTokens}`)
    : null;
}

function checkOrder(
  kind: 'message' | 'summary',
  given: readonly string[],
  expected: readonly string[],
): Rejection | null {
  const known = new Set(expected);
  const all = new Set(given);
  const seen = new Set<string>();
  return firstOf(given, (id, n) => {
    const next = expected[n] ?? '';
    if (seen.has(id)) return reject(`${kind}-duplicate`, `${kind} ${id} is covered twice`);
    if (!known.has(id)) return reject(`${kind}-foreign`, `${kind} ${id} does not belong here`);
    seen.add(id);
    if (id === next) return null;
    const how = all.has(next) ? 'reordered' : 'skipped';
    return reject(`${kind}-${how}`, `${kind} ${next} was expected, not ${id}`);
  });
}

function checkTotals(
  segments: readonly ProposedSummary[],
  retained: readonly CompactionSummary[],
  { budget, estimate }: CheckAgainst,
): Rejection | null {
  const live = [...retained, ...segments];
  const total = live.reduce((sum, { content }) => sum + estimate(content), 0);
  if (live.length > budget.maxSegments) {
    return reject('too-many-segments', `${live.length} segments of ${budget.maxSegments}`);
  }
  return total > budget.maxTokens ? reject('total-over-budget', `${total} tokens of ${budget.maxTokens}`) : null;
}
