/**
 * A long tool loop outgrows its window by its own results. The old ones go first and in two strengths: without their
 * bulk, then as a line each; the newest stay, because the next step works with them (seed 1, section 5).
 */
import type { Estimator, FrameworkTexts, LlmMessage } from '../types.ts';
import { messagesTokens } from './estimator.ts';
import { groupMessages, ledgeredGroups, withEntries } from './tool-ledger.ts';
import type { LedgeredGroup, LedgerEntry, ToolLedger, TracedMessage } from './tool-ledger.ts';
import { foldedText, withoutData } from './tool-results.ts';

/**
 * `usual`: every call of a run and its finishing request. `emergency`: the finishing request of a run that no longer
 * fits, which may take the newest groups too.
 */
export type ShrinkMode = 'usual' | 'emergency';

/** How many of the newest complete groups each strength leaves alone. */
const KEPT_GROUPS: Readonly<Record<ShrinkMode, Readonly<Record<LedgerEntry['kind'], number>>>> = {
  usual: { omitted: 2, folded: 1 },
  emergency: { omitted: 0, folded: 0 },
};

export type ShrinkInput = {
  /** The original messages, not what an earlier call made of them. */
  readonly messages: readonly LlmMessage[];
  readonly ledger: ToolLedger;
  /** Tokens outside the messages. */
  readonly fixedTokens: number;
  /** Nothing is shrunk up to this many tokens; beyond it, down to 70 % of it. */
  readonly capTokens: number;
  readonly mode: ShrinkMode;
  readonly estimate: Estimator;
  /** Text ids `tools.omitted` and `tools.folded-title`, both without placeholders. */
  readonly texts: FrameworkTexts;
};

export type Shrunk = {
  readonly messages: readonly TracedMessage[];
  /** The ledger that was passed in, with what is new at its end. */
  readonly ledger: ToolLedger;
  readonly totalTokens: number;
  /** Groups that this call was the first to omit or fold, and the tokens that it saved by that. */
  readonly omittedGroups: number;
  readonly foldedGroups: number;
  readonly savedTokens: number;
};

/**
 * Replays the ledger; when the request is over its limit, omits old results and then folds old groups, oldest first,
 * until it is at 70 % of the limit. What would save nothing is left alone.
 */
export function shrinkToolGroups(input: ShrinkInput): Shrunk {
  const { messages, ledger, fixedTokens, capTokens, mode, estimate, texts } = input;
  const groups = [...ledgeredGroups(messages, ledger)];
  const tokensOf = (traced: readonly TracedMessage[]): number =>
    messagesTokens(
      traced.map((one) => one.message),
      estimate,
    );
  const replayed = withEntries(messages, groups);
  const before = fixedTokens + tokensOf(replayed);
  if (before <= capTokens) {
    return { messages: replayed, ledger, totalTokens: before, omittedGroups: 0, foldedGroups: 0, savedTokens: 0 };
  }

  const target = Math.floor((capTokens * 7) / 10);
  const added: LedgerEntry[] = [];
  let total = before;
  const shrink = (kind: LedgerEntry['kind'], entryFor: (group: LedgeredGroup) => LedgerEntry | null): void => {
    for (const [n, group] of groups.slice(0, Math.max(0, groups.length - KEPT_GROUPS[mode][kind])).entries()) {
      if (total <= target) return;
      const entry = group.unique ? entryFor(group) : null;
      if (!entry) continue;
      const was = tokensOf(groupMessages(messages, group, group.entry));
      const now = tokensOf(groupMessages(messages, group, entry));
      if (now >= was) continue;
      total += now - was;
      groups[n] = { ...group, entry };
      added.push(entry);
    }
  };
  const marker = texts.text('tools.omitted');
  const title = texts.text('tools.folded-title');
  shrink('omitted', ({ entry, calls }) => {
    if (entry) return null;
    const results = calls.map((call) => shorter(withoutData(call.result, marker), call.result, estimate));
    return results.every((result) => result === null) ? null : { kind: 'omitted', group: calls, results };
  });
  shrink('folded', ({ entry, calls }) =>
    entry?.kind === 'folded' ? null : { kind: 'folded', group: calls, summary: foldedText(calls, title) },
  );
  return {
    messages: withEntries(messages, groups),
    ledger: added.length === 0 ? ledger : { entries: [...ledger.entries, ...added] },
    totalTokens: total,
    omittedGroups: added.filter((entry) => entry.kind === 'omitted').length,
    foldedGroups: added.filter((entry) => entry.kind === 'folded').length,
    savedTokens: before - total,
  };
}

/** The replacement, where it is smaller than what it replaces. */
const shorter = (replacement: string | null, content: LlmMessage['content'], estimate: Estimator): string | null =>
  replacement !== null && typeof content === 'string' && estimate(replacement) < estimate(content) ? replacement : null;
