/**
 * A prompt that fitted when it was assembled can outgrow its window on the way: tools, a response schema, tool results,
 * retries. So each request is checked as it will be sent, and nothing that does not fit goes out (seed 1, section 5).
 */
import type { Json } from '../../../shared/model/index.ts';
import { block } from '../data/escape.ts';
import { compactJson } from '../data/model-facing.ts';
import type { Estimator, FrameworkTexts, LlmMessage } from '../types.ts';
import { applyBudget, isCompactedHistory } from './apply-budget.ts';
import { messagesTokens, messageTokens } from './estimator.ts';
import type { BudgetOptions } from './options.ts';
import { toolGroups } from './tool-groups.ts';
import type { MessageOrigin, ToolLedger, TracedMessage } from './tool-ledger.ts';
import { shrinkToolGroups, type ShrinkMode } from './tool-shrink.ts';
import { headTail } from './truncate.ts';

export type RequestBudgetInput = {
  /** The leading system message's text. */
  readonly systemText: string;
  /** Tool definitions as they are sent; empty when the request closes its tools. */
  readonly tools: readonly Json[];
  readonly responseSchema?: Json | undefined;
  /** Every retry hint that may still be added; empty when there are no retries. Room is kept for the longest. */
  readonly retryHints?: readonly string[];
  /** All messages after the system prompt, as the run has them, not as an earlier call shortened them. */
  readonly messages: readonly LlmMessage[];
  readonly budget: BudgetOptions;
  readonly ledger: ToolLedger;
  readonly mode: ShrinkMode;
  readonly estimate: Estimator;
  /** Text ids: tools.omitted, tools.folded-title, history.pruned-marker, tools.result-truncated, history.truncated. */
  readonly texts: FrameworkTexts;
};

/** Where the tokens of a request are. All estimated. */
export type RequestSplit = {
  readonly limit: number;
  readonly total: number;
  /** Everything outside the messages, as one text. */
  readonly fixed: number;
  readonly system: number;
  readonly tools: number;
  /** The schema in both of its copies. */
  readonly responseFormat: number;
  readonly retryHint: number;
  /** The messages as they would be sent. */
  readonly messages: number;
  /**
   * What shortening has saved in this call, beyond what the ledger had already left out. Fewer messages may have saved
   * less than their marker costs; that counts below zero, and only where the request does not fit.
   */
  readonly saved: {
    readonly toolGroups: number;
    readonly prunedMessages: number;
    readonly toolResults: number;
    readonly compactedHistory: number;
  };
};

/** How often each step was taken in this call. */
export type RequestCounters = {
  readonly omittedToolGroups: number;
  readonly foldedToolGroups: number;
  readonly prunedMessages: number;
  readonly truncatedToolResults: number;
  readonly truncatedSummaries: number;
};

type Checked = { readonly ledger: ToolLedger; readonly split: RequestSplit; readonly counters: RequestCounters };

export type RequestBudgetResult =
  | (Checked & {
      readonly kind: 'fits';
      readonly messages: readonly LlmMessage[];
      /** One for each message: where it comes from in the messages that were passed in. */
      readonly origins: readonly MessageOrigin[];
    })
  /** Nothing may be sent. `hasToolGroup`: the run did complete a step, so a finishing request may still save it. */
  | (Checked & { readonly kind: 'context-overflow'; readonly hasToolGroup: boolean });

const longest = (texts: readonly string[], estimate: Estimator): string =>
  texts.reduce((best, text) => (estimate(text) > estimate(best) ? text : best), '');

/** Texts outside the messages. A response schema counts twice: as an instruction and as the native field beside it. */
function fixedTexts({ systemText, tools, responseSchema, retryHints = [], estimate }: RequestBudgetInput) {
  const schema = responseSchema === undefined ? '' : block('response-format', compactJson(responseSchema));
  return {
    system: systemText,
    tools: tools.length === 0 ? '' : block('tools', compactJson(tools)),
    responseFormat: schema === '' ? '' : `${schema}\n${schema}`,
    retryHint: longest(retryHints, estimate),
  };
}

type Truncated = { readonly messages: readonly TracedMessage[]; readonly count: number; readonly saved: number };

/** Shortens the chosen messages, oldest first, until the excess is gone. */
function truncated(
  messages: readonly TracedMessage[],
  chosen: (message: LlmMessage) => boolean,
  marker: string,
  overBy: number,
  estimate: Estimator,
): Truncated {
  let excess = overBy;
  let count = 0;
  const shortened = messages.map((one): TracedMessage => {
    const { message, origin } = one;
    if (excess <= 0 || typeof message.content !== 'string' || !chosen(message)) return one;
    const content = headTail(message.content, { marker, excess, estimate });
    if (content === null) return one;
    const shorter = { ...message, content };
    excess -= messageTokens(message, estimate) - messageTokens(shorter, estimate);
    count++;
    return { message: shorter, origin: 'index' in origin ? { kind: 'truncated', index: origin.index } : origin };
  });
  return { messages: shortened, count, saved: overBy - excess };
}

/**
 * Makes one request fit its limit, in this order: replay of the ledger; when over, old tool results without their bulk,
 * then old groups as summaries, to 70 %; the hard trim of the history; tool results, then summaries of earlier turns, cut
 * to head and tail. The messages passed in are not changed. A request that still does not fit is `context-overflow`.
 */
export function requestBudget(input: RequestBudgetInput): RequestBudgetResult {
  const { budget, ledger, mode, estimate, texts } = input;
  const limit = budget.capTokens;
  const fixed = fixedTexts(input);
  const fixedText = Object.values(fixed)
    .filter((text) => text !== '')
    .join('\n');
  const fixedTokens = estimate(fixedText);
  const cost = (messages: readonly TracedMessage[]): number =>
    messagesTokens(
      messages.map((one) => one.message),
      estimate,
    );

  const shrunk = shrinkToolGroups({
    messages: input.messages,
    ledger,
    fixedTokens,
    capTokens: limit,
    mode,
    estimate,
    texts,
  });
  const trimmed = applyBudget({
    system: fixedText,
    messages: shrunk.messages.map((one) => one.message),
    budget,
    estimate,
    marker: texts.text('history.pruned-marker'),
  });
  const stayed = trimmed.kept.map((i) => shrunk.messages[i]).filter((one) => one !== undefined);
  const marker = trimmed.messages.length > stayed.length ? trimmed.messages[0] : undefined;
  const left: readonly TracedMessage[] = marker ? [{ message: marker, origin: { kind: 'marker' } }, ...stayed] : stayed;

  const cutMarker = texts.text('tools.result-truncated');
  const isTool = (message: LlmMessage): boolean => message.role === 'tool';
  const results = truncated(left, isTool, cutMarker, trimmed.totalTokens - limit, estimate);
  const stillOver = trimmed.totalTokens - results.saved - limit;
  const historyMarker = texts.text('history.truncated');
  const history = truncated(results.messages, isCompactedHistory, historyMarker, stillOver, estimate);

  const messageCost = cost(history.messages);
  const total = fixedTokens + messageCost;
  const checked: Checked = {
    ledger: shrunk.ledger,
    split: {
      limit,
      total,
      fixed: fixedTokens,
      system: estimate(fixed.system),
      tools: estimate(fixed.tools),
      responseFormat: estimate(fixed.responseFormat),
      retryHint: estimate(fixed.retryHint),
      messages: messageCost,
      saved: {
        toolGroups: shrunk.savedTokens,
        prunedMessages: shrunk.totalTokens - trimmed.totalTokens,
        toolResults: results.saved,
        compactedHistory: history.saved,
      },
    },
    counters: {
      omittedToolGroups: shrunk.omittedGroups,
      foldedToolGroups: shrunk.foldedGroups,
      prunedMessages: trimmed.prunedMessageCount,
      truncatedToolResults: results.count,
      truncatedSummaries: history.count,
    },
  };
  if (total > limit) {
    return { ...checked, kind: 'context-overflow', hasToolGroup: toolGroups(input.messages).length > 0 };
  }
  return {
    ...checked,
    kind: 'fits',
    messages: history.messages.map((one) => one.message),
    origins: history.messages.map((one) => one.origin),
  };
}

/** What a run that could not be sent reports, in English as all tool and error texts of the loop. */
export function overflowText(
  split: RequestSplit,
  target: { readonly slot: string; readonly provider: string; readonly model: string },
): string {
  const { saved } = split;
  return [
    `context-overflow: the request needs an estimated ${split.total} tokens, the limit is ${split.limit}`,
    `(slot ${target.slot}, provider ${target.provider}, model ${target.model}).`,
    `Fixed ${split.fixed} (system ${split.system}, tools ${split.tools}, response format ${split.responseFormat},`,
    `retry hint ${split.retryHint}), messages ${split.messages}.`,
    `Saved already: tool groups ${saved.toolGroups}, earlier messages ${saved.prunedMessages},`,
    `tool results ${saved.toolResults}, compacted history ${saved.compactedHistory}.`,
  ].join(' ');
}
