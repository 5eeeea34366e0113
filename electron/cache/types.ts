/**
 * Two requests are compared as they were recorded: the body in its wire form (or Covel's own view of it where no
 * body was kept), read back into a prompt whose texts know their segments.
 */
import type { JsonObject, KeyText, Protocol, Segment, WirePrompt } from '../../shared/model/index.ts';
import type { TurnIndex } from '../../shared/units.ts';

export type CallSide = {
  readonly id: string;
  /** null: the kernel view. */
  readonly protocol: Protocol | null;
  readonly model: string | null;
  readonly provider: string | null;
  /** The wire body, or `{messages, tools}` of the kernel view. */
  readonly body: JsonObject;
  readonly prompt: WirePrompt;
  /** In cache key order. */
  readonly segments: readonly Segment[];
  readonly turnIndex: TurnIndex;
  /** What key-text.ts made of protocol and body, once somebody has asked. */
  key?: { readonly protocol: Protocol | null; readonly body: JsonObject; readonly text: KeyText };
};

/** What the trace says happened to the history after the first call and before the second. */
export type Between = {
  readonly compacted: readonly { readonly summaryId: string | null }[];
  /** Messages that a budget cut out of the second request. */
  readonly pruned: number;
};
