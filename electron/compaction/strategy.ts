/**
 * The default strategy (seed 1, section 1): one new segment from the oldest rows that the fast model can carry, old
 * segments untouched as long as there is room for both. Every decision rests on the size of the text that came back, and
 * a reply that stopped at its length limit is thrown away before anything is decided.
 */
import type { Estimator, InstructionLanguage } from '../assembler/types.ts';
import { freshTarget } from './limits.ts';
import { cutToBudget, type Cut } from './strategy/cut.ts';
import { planMerge } from './strategy/merge.ts';
import { candidatesOf, DEFAULT_PROTECTION, longestFitting, type Protection } from './strategy/prefix.ts';
import {
  isPrinted,
  mergePrompt,
  passagePrompt,
  wordingFor,
  type SummaryPrompts,
  type SummaryWording,
} from './strategy/prompt.ts';
import type {
  CompactFault,
  CompactInput,
  CompactionMessage,
  CompactionSummary,
  CompactProvider,
  FaultCode,
  ProposedSummary,
} from './types.ts';

export type SummaryRequest = {
  readonly purpose: 'segment' | 'merge';
  readonly system: string;
  readonly user: string;
  /** Tokens asked for in the text; the reply may be longer and is cut afterwards. */
  readonly targetTokens: number;
  readonly signal: AbortSignal;
};
export type SummaryReply = { readonly text: string; readonly finishReason: string | null };
/** The fast slot. May reject. */
export type SummaryModel = (request: SummaryRequest) => Promise<SummaryReply>;

export type StrategyOptions = {
  readonly model: SummaryModel;
  readonly prompts: SummaryPrompts;
  readonly estimate: Estimator;
  readonly protection?: Protection;
  /** What a summary must cover; three usual points if absent. */
  readonly focusSections?: readonly string[];
  /** `COVEL_INSTRUCTION_LOCALE`. */
  readonly instructionLocale?: InstructionLanguage;
};

/** Finish reasons of a reply that is not complete, in lower case. */
const CUT_SHORT: ReadonlySet<string> = new Set(['length', 'max_tokens']);

const fault = (code: FaultCode, message: string): CompactFault => ({ kind: 'fault', code, message });
const isFault = <T extends object>(value: T | CompactFault): value is CompactFault =>
  'kind' in value && value.kind === 'fault';

/** The provider that Covel ships. Without a template, a fitting row or a usable reply its answer is a fault. */
export function defaultStrategy(options: StrategyOptions): CompactProvider {
  const { prompts, estimate, protection = DEFAULT_PROTECTION } = options;
  return async (input, signal) => {
    const candidates = candidatesOf(input.messages, protection);
    if (!candidates.some(isPrinted)) return null;
    const wording = wordingFor(input.locale, prompts, options.focusSections ?? null, options.instructionLocale ?? null);
    if (!wording) return fault('no-template', `no summary template for ${input.locale ?? 'this session'}`);
    const run: Run = { input, options, wording, signal };

    const passage = passageOf(candidates, input, wording, estimate);
    if (!passage) return fault('message-too-large', `message ${candidates.find(isPrinted)?.id ?? ''} does not fit`);
    const reply = await request(run, 'segment', passage.user, passage.target);
    if (isFault(reply)) return reply;
    const fresh = freshCut(reply.text, passage.target, run);
    const plan = planMerge(input.existingSummaries, estimate(fresh.text), input.summaryBudget, estimate);
    const merged = plan.selected.length === 0 ? [] : await mergeSegments(run, plan.selected, plan.budget);
    if (isFault(merged)) return merged;
    return { summaries: [...merged, freshSegment(passage.rows, fresh, wording)] };
  };
}

/** One call of the provider. */
type Run = {
  readonly input: CompactInput;
  readonly options: StrategyOptions;
  readonly wording: SummaryWording;
  readonly signal: AbortSignal;
};

type Passage = { readonly rows: readonly CompactionMessage[]; readonly user: string; readonly target: number };

/** The longest run of candidates whose request fits the fast model; null when its first printed row does not. */
function passageOf(
  candidates: readonly CompactionMessage[],
  { inputWindow, summaryBudget }: CompactInput,
  { system, texts }: SummaryWording,
  estimate: Estimator,
): Passage | null {
  const room = inputWindow - estimate(system);
  const sizes = candidates.map(({ content }) => estimate(content));
  const passage = (count: number): Passage => {
    const rows = candidates.slice(0, count);
    const target = freshTarget(
      sizes.slice(0, count).reduce((sum, size) => sum + size, 0),
      summaryBudget,
    );
    return { rows, user: passagePrompt(rows, target, texts), target };
  };
  const found = passage(longestFitting(candidates.length, (n) => estimate(passage(n).user) <= room));
  return found.rows.some(isPrinted) ? found : null;
}

/** A fresh segment within its target; where old and new together exceed the total, within half of the total too. */
function freshCut(reply: string, target: number, { input, options, wording }: Run): Cut {
  const marker = wording.texts.text('summary.truncated');
  const cut = (budget: number): Cut => cutToBudget(reply, budget, marker, options.estimate);
  const whole = cut(target);
  const { maxTokens } = input.summaryBudget;
  const existing = input.existingSummaries.reduce((sum, { content }) => sum + options.estimate(content), 0);
  const crowded = input.existingSummaries.length > 0 && existing + options.estimate(whole.text) > maxTokens;
  return crowded ? cut(Math.min(target, Math.max(1, Math.floor(maxTokens / 2)))) : whole;
}

const freshSegment = (
  rows: readonly CompactionMessage[],
  { text, truncated }: Cut,
  { focusSections }: SummaryWording,
): ProposedSummary => ({
  messageIds: rows.map(({ id }) => id),
  replacesSummaryIds: [],
  content: text,
  focusSections,
  ...(truncated ? { truncated } : {}),
});

async function mergeSegments(
  run: Run,
  selected: readonly CompactionSummary[],
  budget: number,
): Promise<readonly ProposedSummary[] | CompactFault> {
  const { input, options, wording } = run;
  const user = mergePrompt(selected, budget, wording.texts);
  if (options.estimate(wording.system) + options.estimate(user) > input.inputWindow) {
    return fault('merge-too-large', `${selected.length} summaries do not fit one request`);
  }
  const reply = await request(run, 'merge', user, budget);
  if (isFault(reply)) return reply;
  const marker = wording.texts.text('summary.truncated');
  const { text, truncated } = cutToBudget(reply.text, budget, marker, options.estimate);
  return [
    {
      messageIds: [],
      replacesSummaryIds: selected.map(({ id }) => id),
      content: text,
      focusSections: [...new Set(selected.flatMap(({ focusSections }) => focusSections))],
      ...(truncated ? { truncated } : {}),
    },
  ];
}

/** One request; a reply that failed, is incomplete or says nothing is a fault. */
async function request(
  { options, wording, signal }: Run,
  purpose: SummaryRequest['purpose'],
  user: string,
  targetTokens: number,
): Promise<{ readonly text: string } | CompactFault> {
  let reply: SummaryReply;
  try {
    reply = await options.model({ purpose, system: wording.system, user, targetTokens, signal });
  } catch (error) {
    return fault('model-failed', error instanceof Error ? error.message : String(error));
  }
  const reason = reply.finishReason?.toLowerCase() ?? '';
  if (CUT_SHORT.has(reason)) return fault('reply-cut', `the reply stopped at its length limit (${reason})`);
  const text = reply.text.trim();
  return text === '' ? fault('reply-empty', 'the reply has no text') : { text };
}
