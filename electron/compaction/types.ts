/**
 * History compaction replaces messages in prompts, never in the record: a summary row is saved and the messages that
 * it stands for are tagged with its id. Framework and provider meet in `history.compact@2` (seed 1, section 1): the
 * provider proposes, the framework checks and saves all or nothing.
 */
import type { Estimator } from '../assembler/types.ts';

/** A row of turn_messages. Rows come in their canonical order: `created_at`, then `id`. */
export type CompactionMessage = {
  readonly id: string;
  readonly sessionId: string;
  readonly turnId: string;
  readonly role: 'user' | 'assistant' | 'system';
  readonly content: string;
  /** `system` marks a picture note: a row of the user role that is no turn of the player. */
  readonly sourceType?: string;
  /** Id of the summary that stands for this row; null while none does. The field's name in Covel is a misnomer. */
  readonly compactedAtTurnId: string | null;
};

/** A row of session_summaries. Summaries sort by `createdAt`, then `id`, both by UTF-16 units. */
export type CompactionSummary = {
  readonly id: string;
  readonly sessionId: string;
  /** First and last turn that the summary covers, both included. */
  readonly turnRangeStart: string;
  readonly turnRangeEnd: string;
  readonly content: string;
  readonly focusSections: readonly string[];
  /** ISO instant; inherited from the oldest segment on a merge. */
  readonly createdAt: string;
};

/** What a summary may cost, in estimated tokens. */
export type SummaryBudget = {
  readonly maxTokens: number;
  readonly maxSegmentTokens: number;
  readonly maxSegments: number;
};

/** What the framework gives a provider of `history.compact@2`. */
export type CompactInput = {
  /** The session's history as prompts see it: a projection of the stored rows, tagged rows included. */
  readonly messages: readonly CompactionMessage[];
  /** Live summaries, oldest first. */
  readonly existingSummaries: readonly CompactionSummary[];
  /** The smaller input window of the story and the fast slot, in tokens. */
  readonly contextWindow: number;
  /** The fast slot's own input window, in tokens: what a summary request may fill. */
  readonly inputWindow: number;
  readonly summaryBudget: SummaryBudget;
  readonly estimatedTokens: number;
  readonly locale: string | null;
};

/** One segment of an answer: it covers new messages or old summaries, never both. */
export type ProposedSummary = {
  readonly messageIds: readonly string[];
  readonly replacesSummaryIds: readonly string[];
  readonly content: string;
  readonly focusSections: readonly string[];
  /** Complete, but cut to its budget afterwards. */
  readonly truncated?: boolean | undefined;
};

export type CompactOutput = { readonly summaries: readonly ProposedSummary[] };

/** Why the default strategy has no answer. Nothing was changed. */
export const FAULT_CODES = [
  'no-template',
  'message-too-large',
  'merge-too-large',
  'model-failed',
  'reply-cut',
  'reply-empty',
] as const;
export type FaultCode = (typeof FAULT_CODES)[number];
export type CompactFault = { readonly kind: 'fault'; readonly code: FaultCode; readonly message: string };

/**
 * A provider of `history.compact@2`. null: there is nothing to compact. Its answer is not trusted: the gate parses
 * it from `unknown`. It may reject; the gate turns that into a value.
 */
export type CompactProvider = (
  input: CompactInput,
  signal: AbortSignal,
) => Promise<CompactOutput | CompactFault | null>;

/** Why an answer was refused as a whole. */
export const REJECTION_CODES = [
  'bad-shape',
  'no-segments',
  'blank-content',
  'both-sources',
  'no-source',
  'segment-over-budget',
  'message-duplicate',
  'message-foreign',
  'message-reordered',
  'message-skipped',
  'summary-duplicate',
  'summary-foreign',
  'summary-reordered',
  'summary-skipped',
  'too-many-segments',
  'total-over-budget',
] as const;
export type RejectionCode = (typeof REJECTION_CODES)[number];

/** What one transaction may read and write. Every method throws on a fault, and then nothing of it is kept. */
export type CompactionTransaction = {
  /** Live summaries of a session, oldest first. */
  readonly summaries: (sessionId: string) => readonly CompactionSummary[];
  /** The first `limit` rows of a session that no summary stands for, in canonical order. */
  readonly uncompactedPrefix: (sessionId: string, limit: number) => readonly CompactionMessage[];
  /** Gives the messages of some summaries to another one. */
  readonly retagMessages: (fromSummaryIds: readonly string[], toSummaryId: string) => void;
  readonly deleteSummary: (summaryId: string) => void;
  readonly saveSummary: (summary: CompactionSummary) => void;
  readonly tagMessages: (messageIds: readonly string[], summaryId: string) => void;
};

/** Where compaction is kept: in memory or in our side database, never in the user's file. */
export type CompactionStore = {
  /** Runs `work` all or nothing: when it throws, no write is kept and the error goes on. */
  transaction<T>(work: (tx: CompactionTransaction) => T): T;
};

/** A store that can also be read, and grows as the rows of a session do. */
export type HistoryStore = CompactionStore & {
  /** Rows of a session in canonical order. */
  messages(sessionId: string): readonly CompactionMessage[];
  /** Live summaries of a session, oldest first. */
  summaries(sessionId: string): readonly CompactionSummary[];
  /** Adds rows at the end, as the commit of a turn does. */
  append(...messages: readonly CompactionMessage[]): void;
};

/** Time and chance, passed in. */
export type CompactionClock = {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Calls `fire` after `ms` milliseconds unless the returned function is called before. */
  readonly after: (ms: number, fire: () => void) => () => void;
};

/** What a compaction reports when it was saved; the fields of Covel's `context.compacted`. */
export type CompactedEvent = {
  /** End turn of the newest summary, under which the event is filed. */
  readonly turnId: string;
  /** The newest of `summaryIds`. */
  readonly summaryId: string;
  readonly summaryIds: readonly string[];
  readonly messagesCompacted: number;
  /** Estimated tokens of what was replaced minus those of the new segments. */
  readonly tokenSavings: number;
  readonly focusSections: readonly string[];
  /** Old summaries that were replaced. */
  readonly summariesMerged: number;
  /** Estimated tokens of the new segments. */
  readonly summaryTokens: number;
  /** Estimated tokens of all live segments. */
  readonly totalSummaryTokens: number;
  readonly summaryTruncated: boolean;
};

/** Why a compaction that was due did not happen; each has its words in shared/language under `compaction.<code>`. */
export const FAILURE_CODES = [
  'bad-window',
  'timeout',
  'provider-threw',
  ...FAULT_CODES,
  ...REJECTION_CODES,
  'summaries-changed',
  'store-failed',
] as const;
export type CompactionFailure = { readonly code: (typeof FAILURE_CODES)[number]; readonly message: string };

export type CompactionResult =
  /** The estimate does not exceed the threshold: no provider was asked. */
  | { readonly kind: 'not-needed'; readonly estimatedTokens: number; readonly threshold: number }
  /** The provider found nothing to compact. */
  | { readonly kind: 'nothing-to-compact'; readonly estimatedTokens: number }
  /** The projection that prompts see is no prefix of the stored rows: skipped, nothing was written. */
  | { readonly kind: 'projection-differs'; readonly estimatedTokens: number }
  /** The turn ended first. Not a failure. */
  | { readonly kind: 'cancelled' }
  | {
      readonly kind: 'failed';
      readonly failure: CompactionFailure;
      /** Failures in a row of this session, this one included. */
      readonly failuresInARow: number;
      /** Every third failure in a row is told to the player. */
      readonly notice: boolean;
    }
  | {
      readonly kind: 'compacted';
      readonly estimatedTokens: number;
      /** The new segments as saved, oldest first. */
      readonly saved: readonly CompactionSummary[];
      readonly event: CompactedEvent;
    };

/** Failures in a row by session. */
export type FailureCounter = {
  readonly failed: (sessionId: string) => { readonly inARow: number; readonly notice: boolean };
  readonly succeeded: (sessionId: string) => void;
};

/** What compaction needs of its surroundings. */
export type CompactionTools = {
  readonly store: CompactionStore;
  readonly estimate: Estimator;
  readonly clock: CompactionClock;
  /** A new id for a summary, never given before. */
  readonly newId: () => string;
  readonly failures: FailureCounter;
};
