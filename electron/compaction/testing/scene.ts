/** A session whose history is due for compaction, and surroundings under the test's control. */
import { frameworkTexts } from '../../assembler/texts.ts';
import { summaryTemplates, textFiles } from '../../assembler/testing/texts.ts';
import type { Estimator } from '../../assembler/types.ts';
import { failureCounter } from '../failures.ts';
import type { CompactParams } from '../gate.ts';
import { memoryStore } from '../memory-store.ts';
import type { SummaryModel, SummaryRequest } from '../strategy.ts';
import type { SummaryPrompts } from '../strategy/prompt.ts';
import type {
  CompactionClock,
  CompactionMessage,
  CompactionStore,
  CompactionSummary,
  CompactionTools,
  CompactionTransaction,
  CompactOutput,
  CompactProvider,
  HistoryStore,
} from '../types.ts';

export const SESSION = 's1';
export const chars4: Estimator = (text) => Math.ceil(text.length / 4);

export const PROMPTS: SummaryPrompts = {
  en: { template: summaryTemplates.en, texts: frameworkTexts(textFiles, 'en') },
  zh: { template: summaryTemplates.zh, texts: frameworkTexts(textFiles, 'zh') },
};

/** Row `m<n>`: even numbers are the player's, odd ones the story's; two rows a turn. */
export const row = (n: number, over: Partial<CompactionMessage> = {}): CompactionMessage => ({
  id: `m${n}`,
  sessionId: SESSION,
  turnId: `t${Math.floor(n / 2)}`,
  role: n % 2 === 0 ? 'user' : 'assistant',
  content: `${n} `.padEnd(400, 'x'),
  compactedAtTurnId: null,
  ...over,
});
export const rows = (count: number, over: Partial<CompactionMessage> = {}): CompactionMessage[] =>
  Array.from({ length: count }, (_, n) => row(n, over));

/** Summary `a<n>`; it stands for turn `t<n>`. */
export const summary = (n: number, over: Partial<CompactionSummary> = {}): CompactionSummary => ({
  id: `a${n}`,
  sessionId: SESSION,
  turnRangeStart: `t${n}`,
  turnRangeEnd: `t${n}`,
  content: `summary ${n}`,
  focusSections: ['key events'],
  createdAt: `2026-01-0${n + 1}T00:00:00.000Z`,
  ...over,
});

/** Two rows of each of `count` turns that are summarised, then `open` rows that are not. */
export function compactedStore(count: number, open: number, over: Partial<CompactionSummary> = {}): HistoryStore {
  const messages = rows(count * 2 + open).map((message, n) =>
    n < count * 2 ? { ...message, compactedAtTurnId: `a${Math.floor(n / 2)}` } : message,
  );
  return memoryStore(
    messages,
    Array.from({ length: count }, (_, n) => summary(n, over)),
  );
}

/** A clock whose timers fire when the test says so. */
export type TestClock = CompactionClock & { fire(): void; readonly pending: () => number; readonly waits: number[] };
export function testClock(now = Date.UTC(2026, 5, 1)): TestClock {
  const timers = new Set<() => void>();
  const waits: number[] = [];
  return {
    now: () => now,
    after(ms, fire) {
      waits.push(ms);
      timers.add(fire);
      return () => timers.delete(fire);
    },
    fire: () => [...timers].forEach((timer) => timer()),
    pending: () => timers.size,
    waits,
  };
}

export type Scene = { readonly tools: CompactionTools; readonly clock: TestClock };
export function scene(store: CompactionStore, estimate: Estimator = chars4): Scene {
  let made = 0;
  const clock = testClock();
  return {
    clock,
    tools: { store, estimate, clock, newId: () => `new${++made}`, failures: failureCounter() },
  };
}

/** What an agent hands to the gate, as loaded from the store. A window of 1,000 makes seven rows of 400 units due. */
export const paramsOf = (
  store: HistoryStore,
  provider: CompactProvider,
  over: Partial<CompactParams> = {},
): CompactParams => ({
  sessionId: SESSION,
  messages: store.messages(SESSION),
  summaries: store.summaries(SESSION),
  systemPrompt: '',
  contextWindow: 1000,
  inputWindow: 1000,
  locale: 'en',
  provider,
  ...over,
});

/** An answer with fresh segments of these messages and merged segments of these summaries. */
export const fresh = (...messageIds: string[]): CompactOutput['summaries'][number] => ({
  messageIds,
  replacesSummaryIds: [],
  content: `fresh ${messageIds.join(' ')}`,
  focusSections: ['key events'],
});
export const merge = (...replacesSummaryIds: string[]): CompactOutput['summaries'][number] => ({
  messageIds: [],
  replacesSummaryIds,
  content: `merged ${replacesSummaryIds.join(' ')}`,
  focusSections: ['key events', 'state of the world'],
});
export const answer =
  (...summaries: CompactOutput['summaries']): CompactProvider =>
  () =>
    Promise.resolve({ summaries });

/** A summary model that keeps its requests and answers with `say`. */
export function recordingModel(
  say: (request: SummaryRequest, n: number) => string,
  finishReason: string | null = 'stop',
): SummaryModel & { readonly requests: SummaryRequest[] } {
  const requests: SummaryRequest[] = [];
  const model: SummaryModel = (request) => {
    requests.push(request);
    return Promise.resolve({ text: say(request, requests.length), finishReason });
  };
  return Object.assign(model, { requests });
}

type Write = 'retagMessages' | 'deleteSummary' | 'saveSummary' | 'tagMessages';
/** The same store, but the n-th write (from 0) fails; `of` counts one kind of write alone. */
export function failingStore(store: CompactionStore, n: number, of?: Write): CompactionStore {
  let writes = 0;
  const guarded =
    <A extends readonly unknown[]>(kind: Write, write: (...args: A) => void) =>
    (...args: A): void => {
      if ((of === undefined || of === kind) && writes++ === n) throw new Error('disk full');
      write(...args);
    };
  const guard = (tx: CompactionTransaction): CompactionTransaction => ({
    ...tx,
    retagMessages: guarded('retagMessages', tx.retagMessages),
    deleteSummary: guarded('deleteSummary', tx.deleteSummary),
    saveSummary: guarded('saveSummary', tx.saveSummary),
    tagMessages: guarded('tagMessages', tx.tagMessages),
  });
  return { transaction: (work) => store.transaction((tx) => work(guard(tx))) };
}

/** Everything the store holds of the session. */
export const contentsOf = (store: HistoryStore): unknown => ({
  messages: store.messages(SESSION),
  summaries: store.summaries(SESSION),
});
