/** Whatever happens in whatever order, what is stored stays consistent. */
import { expect, test } from 'vitest';
import fc from 'fast-check';
import { maybeCompact } from './gate.ts';
import { summaryBudget } from './limits.ts';
import { defaultStrategy } from './strategy.ts';
import {
  chars4,
  compactedStore,
  contentsOf,
  failingStore,
  paramsOf,
  PROMPTS,
  row,
  scene,
  SESSION,
} from './testing/scene.ts';
import {
  FAULT_CODES,
  type CompactionMessage,
  type CompactionResult,
  type CompactionSummary,
  type CompactionTools,
  type CompactOutput,
  type CompactProvider,
  type HistoryStore,
} from './types.ts';

type Step =
  | { readonly kind: 'append'; readonly sizes: readonly number[]; readonly notes: boolean }
  | {
      readonly kind: 'compact';
      readonly window: number;
      readonly input: number;
      readonly replies: readonly number[];
      readonly finish: 'stop' | 'length';
      readonly failAt: number | null;
    }
  | { readonly kind: 'propose'; readonly output: CompactOutput }
  | { readonly kind: 'hide'; readonly row: number };

const append = fc.record({
  kind: fc.constant('append' as const),
  sizes: fc.array(fc.integer({ min: 0, max: 900 }), { minLength: 1, maxLength: 12 }),
  notes: fc.boolean(),
});
const compact = fc.record({
  kind: fc.constant('compact' as const),
  window: fc.constantFrom(50, 400, 1_000, 3_200, 10_000),
  input: fc.constantFrom(60, 500, 1_000, 10_000),
  replies: fc.array(fc.oneof(fc.nat(60), fc.nat(3_000)), { minLength: 2, maxLength: 2 }),
  finish: fc.constantFrom('stop' as const, 'stop' as const, 'stop' as const, 'length' as const),
  failAt: fc.option(fc.nat(4), { freq: 4 }),
});
const someIds = (prefix: string, max: number) =>
  fc.array(
    fc.nat(max).map((n) => `${prefix}${n}`),
    { maxLength: 6 },
  );
const segment = fc.record({
  messageIds: fc.oneof(
    someIds('m', 12),
    fc.nat(12).map((n) => Array.from({ length: n }, (_, k) => `m${k}`)),
  ),
  replacesSummaryIds: someIds('a', 3),
  content: fc.string({ maxLength: 600 }),
  focusSections: fc.constant([]),
});
const propose = fc.record({
  kind: fc.constant('propose' as const),
  output: fc.record({ summaries: fc.array(segment, { maxLength: 3 }) }),
});
const hide = fc.record({ kind: fc.constant('hide' as const), row: fc.nat(20) });
const steps: fc.Arbitrary<Step[]> = fc.array(fc.oneof(append, compact, compact, propose, hide), { maxLength: 14 });

/** Tags form a run from the oldest row; each run of one tag is a live summary, in order, with that range. */
function expectConsistent(messages: readonly CompactionMessage[], summaries: readonly CompactionSummary[]): void {
  const open = messages.findIndex((message) => message.compactedAtTurnId === null);
  const covered = open === -1 ? messages : messages.slice(0, open);
  const rest = open === -1 ? [] : messages.slice(open);
  expect(rest.every((message) => message.compactedAtTurnId === null)).toBe(true);
  const ranges: { id: string; start: string; end: string }[] = [];
  for (const { compactedAtTurnId, turnId } of covered) {
    const last = ranges.at(-1);
    if (last?.id === compactedAtTurnId) last.end = turnId;
    else ranges.push({ id: compactedAtTurnId ?? '', start: turnId, end: turnId });
  }
  expect(ranges).toEqual(summaries.map(({ id, turnRangeStart: start, turnRangeEnd: end }) => ({ id, start, end })));
  const times = summaries.map(({ createdAt }) => createdAt);
  expect(times).toEqual([...new Set(times)].sort());
}

function appendRows(store: HistoryStore, sizes: readonly number[], notes: boolean): void {
  const from = store.messages(SESSION).length;
  const made = sizes.map((size, n) => row(from + n, { content: 'x'.repeat(size) }));
  const note = notes ? [row(from + sizes.length, { role: 'user', sourceType: 'system', content: 'a picture' })] : [];
  store.append(...made, ...note);
}

const tokensOf = (summaries: readonly { readonly content: string }[]): number =>
  summaries.reduce((sum, { content }) => sum + chars4(content), 0);

type Limits = { readonly maxTokens: number; readonly maxSegmentTokens: number; readonly maxSegments: number };
function expectWithinLimits(summaries: readonly CompactionSummary[], result: CompactionResult, limits: Limits): void {
  if (result.kind !== 'compacted') return;
  expect(tokensOf(summaries)).toBeLessThanOrEqual(limits.maxTokens);
  expect(tokensOf(summaries)).toBe(result.event.totalSummaryTokens);
  expect(summaries.length).toBeLessThanOrEqual(limits.maxSegments);
  for (const { content } of result.saved) expect(chars4(content)).toBeLessThanOrEqual(limits.maxSegmentTokens);
}

/** What the default strategy proposes is never refused: it fails in its own words or not at all. */
const inOwnWords = (step: Step, result: CompactionResult): boolean =>
  step.kind !== 'compact' || result.kind !== 'failed' || [...FAULT_CODES, 'store-failed'].includes(result.failure.code);

/** Runs one step; null for a step that compacts nothing by its nature. */
function run(step: Step, store: HistoryStore, tools: CompactionTools): Promise<CompactionResult> | null {
  if (step.kind === 'append') {
    appendRows(store, step.sizes, step.notes);
    return null;
  }
  if (step.kind === 'compact') {
    const params = paramsOf(store, strategyOf(step), { contextWindow: step.window, inputWindow: step.input });
    return maybeCompact(params, step.failAt === null ? tools : { ...tools, store: failingStore(store, step.failAt) });
  }
  if (step.kind === 'propose')
    return maybeCompact(
      paramsOf(store, () => Promise.resolve(step.output)),
      tools,
    );
  const messages = store.messages(SESSION).filter((_, n) => n !== step.row);
  return maybeCompact(paramsOf(store, answerWithFirst, { messages }), tools);
}

test('any sequence of compactions leaves messages and summaries consistent', async () => {
  const seen = { compacted: 0, merged: 0, refused: 0, undone: 0 };
  const start = fc.record({ live: fc.nat(8), size: fc.integer({ min: 1, max: 400 }) });
  await fc.assert(
    fc.asyncProperty(start, steps, async ({ live, size }, sequence) => {
      const store = compactedStore(live, 20, { content: 'o'.repeat(size) });
      const { tools } = scene(store);
      for (const step of sequence) {
        const before = contentsOf(store);
        const result = await run(step, store, tools);
        expectConsistent(store.messages(SESSION), store.summaries(SESSION));
        if (result === null) continue;
        const limits = summaryBudget(step.kind === 'compact' ? step.window : 1_000);
        expectWithinLimits(store.summaries(SESSION), result, limits);
        const changed = JSON.stringify(contentsOf(store)) !== JSON.stringify(before);
        expect(changed).toBe(result.kind === 'compacted');
        expect(inOwnWords(step, result)).toBe(true);
        seen.compacted += Number(result.kind === 'compacted');
        seen.merged += Number(result.kind === 'compacted' && result.event.summariesMerged > 0);
        seen.refused += Number(result.kind === 'failed');
        seen.undone += Number(result.kind === 'failed' && result.failure.code === 'store-failed');
      }
    }),
    { numRuns: 400 },
  );
  // Every road was taken.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(10);
});

const strategyOf = (step: Extract<Step, { readonly kind: 'compact' }>): CompactProvider => {
  let n = 0;
  return defaultStrategy({
    model: () => Promise.resolve({ text: 'y'.repeat(step.replies[n++] ?? 1), finishReason: step.finish }),
    prompts: { en: { ...PROMPTS.en, template: 'Sum up: {focus} {language}' }, zh: PROMPTS.zh },
    estimate: chars4,
  });
};

const answerWithFirst: CompactProvider = ({ messages }) =>
  Promise.resolve({
    summaries: [
      {
        messageIds: messages
          .filter((message) => message.compactedAtTurnId === null)
          .slice(0, 3)
          .map(({ id }) => id),
        replacesSummaryIds: [],
        content: 'first three',
        focusSections: [],
      },
    ],
  });
