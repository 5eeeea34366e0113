/**
 * What was taken away from prompts: history behind summaries, messages cut for a budget, tool results of a long run.
 * A covel.db keeps the summaries that live now; what became of the others is told by events and by the prompts that
 * were recorded while they lived. What neither tells is null.
 */
import type { Measured, TurnIndex } from '../units.ts';

/** A call that the ledger points at. */
export type LedgerCall = { readonly callId: string; readonly runtimeId: string; readonly turnIndex: TurnIndex };

export type LedgerSummary = {
  /** Names it in its ledger. An id does not: a merged summary takes the id of the oldest that it replaces. */
  readonly key: string;
  /** null for a text that only a recorded prompt shows. */
  readonly id: string | null;
  /** Turn ids, first and last. */
  readonly turnRange: readonly [string | null, string | null];
  /** The same as positions in the session. */
  readonly turns: readonly [TurnIndex | null, TurnIndex | null];
  readonly messageIds: readonly string[] | null;
  /** How many messages it covers; may be known where their ids are not. */
  readonly messages: number | null;
  /** Estimate of the text without its envelope. */
  readonly tokens: Measured | null;
  /** What it and all summaries together might have cost when it was made. Follows from the window of that time, which no
   * row records. */
  readonly budget: { readonly segment: number; readonly total: number } | null;
  /** How many summaries it replaced; 0 for one that was made from messages. */
  readonly mergedFrom: number | null;
  /** Keys of those that are in the ledger. */
  readonly replaces: readonly string[];
  readonly replacedBy: string | null;
  /** Cut to its budget; null where the event speaks of several summaries at once. */
  readonly truncated: boolean | null;
  readonly createdAt: string | null;
  /** Still a row of session_summaries, with this text. */
  readonly live: boolean;
  /** The turn that was running when it was written. */
  readonly madeIn: TurnIndex | null;
  /** What its compaction saved in all; estimated by Covel. */
  readonly saved: Measured | null;
  readonly focusSections: readonly string[];
  readonly content: string | null;
  /** The first call of each runtime whose prefix ended because of it. */
  readonly broke: readonly LedgerCall[];
};

export type LedgerPruning = {
  /** The call that the cut was made for. */
  readonly callId: string | null;
  readonly messages: number | null;
  readonly runtimeId: string | null;
  readonly turnId: string;
  readonly turnIndex: TurnIndex | null;
  readonly createdAt: string;
};

/** A call of tools with its results that a later request of the same run holds in less words. */
export type LedgerToolGroup = LedgerCall & {
  /** `omitted`: without the bulk of its results. `truncated`: head and tail. `folded`: one line a call. */
  readonly kind: 'omitted' | 'truncated' | 'folded';
  readonly tools: readonly string[];
  readonly before: Measured;
  /** null where several groups were folded into one text. */
  readonly after: Measured | null;
};

export type Ledger = {
  readonly sessionId: string;
  /** Turns of the session. */
  readonly turns: number;
  /** Those that live, oldest first; then those that vanished, in the order in which they were made. */
  readonly summaries: readonly LedgerSummary[];
  readonly pruned: readonly LedgerPruning[];
  readonly toolGroups: readonly LedgerToolGroup[];
  /** Blocks of context decay: only logs of a harness have them. */
  readonly decay: readonly never[];
};
