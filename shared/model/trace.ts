/**
 * What a list shows of a recorded session. A covel.db has no table of turns or calls: a turn is one execution
 * id, a call is one `llm.calling` row, and its reply is paired by turn, runtime, order and attempt.
 */
import type { Measured, TurnIndex, Bytes, Chars } from '../units.ts';
import type { Usage, UsageProblem } from './cache.ts';

export type SessionRow = {
  readonly id: string;
  readonly worldId: string | null;
  readonly title: string | null;
  readonly locale: string | null;
  readonly status: string | null;
  readonly createdAt: string | null;
  /** Distinct turns that started: a player or continuation origin, or a traced call. */
  readonly turns: number;
  /** Call groups: retries count once. */
  readonly calls: number | null;
  /** `llm.calling` rows. */
  readonly attempts: number;
  /** Live rows of session_summaries. */
  readonly summaries: number;
};

/** A row that could not be read as it should. It is shown raw, never dropped. */
export type Problem = {
  readonly code: string;
  readonly message: string;
  /** Table and row id. */
  readonly row: string;
};

export type TurnStatus = 'committed' | 'failed' | 'interrupted' | 'running' | 'unknown';

export type TurnRow = {
  readonly index: TurnIndex;
  readonly turnId: string;
  readonly origin: string | null;
  /** First 200 units of the player's words. */
  readonly playerText: string | null;
  readonly status: TurnStatus;
  readonly startedAt: string | null;
  /** `llm.calling` rows. 0 with `swept` when the traces of an old turn were deleted. */
  readonly attempts: number;
  readonly swept: boolean;
  readonly compactions: number;
  readonly pruned: number;
  readonly failures: number;
  readonly images: number;
};

/** What the request shares with its baseline; null until it was measured or where there is no baseline. */
export type CallPrefix = {
  readonly baselineId: string;
  readonly shared: Measured;
  readonly sharedChars: Chars;
  /** Label of the first different part, `(identical)`, `(request ends earlier)` or `(other protocol)`. */
  readonly firstDifference: string;
};

export type CallRow = {
  readonly id: string;
  readonly turnId: string;
  readonly turnIndex: TurnIndex;
  readonly runtimeId: string;
  readonly pluginId: string | null;
  /** Call group inside turn and runtime, from 0. */
  readonly step: number;
  readonly attempt: number;
  readonly protocol: string | null;
  readonly provider: string | null;
  readonly model: string | null;
  readonly startedAt: string | null;
  /** Event id of the paired `llm.responded` row; null while there is none. */
  readonly replyId: string | null;
  readonly durationMs: number | null;
  readonly finishReason: string | null;
  readonly error: string | null;
  /** Billed total where the provider reported one, else the estimate of the request. null = unreadable. */
  readonly inputTokens: Measured | null;
  /** Estimate of the request text, for drawing to scale. */
  readonly estimate: Measured | null;
  readonly chars: Chars | null;
  readonly usage: Usage | null;
  /** What is wrong with the reported usage; absent where nothing is. */
  readonly usageProblems?: readonly UsageProblem[];
  readonly httpAttempts: number;
  readonly payloadBytes: Bytes;
  /** No body was recorded: only the kernel view can be shown. */
  readonly kernelOnly: boolean;
  /** Prompt was concealed or the payload is unreadable: nothing can be shown. */
  readonly empty: boolean;
  readonly prefix: CallPrefix | null;
};
