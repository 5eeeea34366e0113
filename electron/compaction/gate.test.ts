import { describe, expect, test, vi } from 'vitest';
import { maybeCompact, estimateHistory } from './gate.ts';
import { memoryStore } from './memory-store.ts';
import {
  answer,
  chars4,
  compactedStore,
  contentsOf,
  failingStore,
  fresh,
  merge,
  paramsOf,
  row,
  rows,
  scene,
  SESSION,
  summary,
} from './testing/scene.ts';
import type { CompactProvider } from './types.ts';

const never: CompactProvider = () => new Promise(() => undefined);

describe('when history is compacted', () => {
  test('at the threshold the provider is not called', async () => {
    const store = memoryStore(rows(6)); // 6 × 100 tokens = 0.6 × 1,000
    const provider = vi.fn<CompactProvider>(answer(fresh('m0')));
    const result = await maybeCompact(paramsOf(store, provider), scene(store).tools);
    expect(result).toEqual({ kind: 'not-needed', estimatedTokens: 600, threshold: 600 });
    expect(provider).not.toHaveBeenCalled();
  });

  test('one token above it is', async () => {
    const store = memoryStore(rows(6));
    const result = await maybeCompact(paramsOf(store, answer(fresh('m0')), { systemPrompt: 'x' }), scene(store).tools);
    expect(result).toMatchObject({ kind: 'compacted', estimatedTokens: 601 });
  });

  test('tagged rows do not count, their summaries do, and so do system prompt and turn context', () => {
    const messages = [row(0, { compactedAtTurnId: 'a0' }), row(1)];
    const texts = { systemPrompt: 'p'.repeat(40), turnContext: 'c'.repeat(20) };
    const summaries = [summary(0, { content: 's'.repeat(16) })];
    expect(estimateHistory({ ...texts, messages, summaries }, chars4)).toBe(10 + 5 + 100 + 4);
    expect(estimateHistory({ systemPrompt: '', messages, summaries }, chars4)).toBe(104);
  });

  test('rows of another session neither count nor reach the provider', async () => {
    const store = memoryStore(rows(7));
    const provider = vi.fn<CompactProvider>(answer(fresh('m0')));
    const messages = [...rows(9, { sessionId: 'other' }), ...store.messages(SESSION)];
    await maybeCompact(paramsOf(store, provider, { messages }), scene(store).tools);
    expect(provider.mock.calls[0]?.[0]).toMatchObject({ estimatedTokens: 700, messages: rows(7) });
  });

  test('the provider gets windows, budget, estimate and locale', async () => {
    const store = compactedStore(1, 7);
    const provider = vi.fn<CompactProvider>(answer(fresh('m2')));
    await maybeCompact(paramsOf(store, provider, { inputWindow: 9000, locale: 'zh-CN' }), scene(store).tools);
    expect(provider.mock.calls[0]?.[0]).toEqual({
      messages: store.messages(SESSION).map((message) => ({
        ...message,
        compactedAtTurnId: message.id === 'm2' ? null : message.compactedAtTurnId,
      })),
      existingSummaries: [summary(0)],
      contextWindow: 1000,
      inputWindow: 9000,
      summaryBudget: { maxTokens: 128, maxSegmentTokens: 128, maxSegments: 8 },
      estimatedTokens: 703,
      locale: 'zh-CN',
    });
  });

  test.each([
    ['context', { contextWindow: 0 }],
    ['input', { inputWindow: Number.NaN }],
  ])('a %s window that leaves no room is a failure', async (_name, over) => {
    const store = memoryStore(rows(7));
    const provider = vi.fn<CompactProvider>(never);
    const result = await maybeCompact(paramsOf(store, provider, over), scene(store).tools);
    expect(result).toMatchObject({ kind: 'failed', failure: { code: 'bad-window' } });
    expect(provider).not.toHaveBeenCalled();
  });
});

describe('what is saved', () => {
  test('a fresh segment: range of its messages, new id, time of the clock', async () => {
    const store = memoryStore(rows(8));
    const result = await maybeCompact(paramsOf(store, answer(fresh('m0', 'm1', 'm2', 'm3'))), scene(store).tools);
    const saved = {
      id: 'new1',
      sessionId: SESSION,
      turnRangeStart: 't0',
      turnRangeEnd: 't1',
      content: 'fresh m0 m1 m2 m3',
      focusSections: ['key events'],
      createdAt: '2026-06-01T00:00:00.000Z',
    };
    expect(store.summaries(SESSION)).toEqual([saved]);
    expect(store.messages(SESSION).map((message) => message.compactedAtTurnId)).toEqual([
      ...Array<string>(4).fill('new1'),
      ...Array<null>(4).fill(null),
    ]);
    expect(result).toEqual({
      kind: 'compacted',
      estimatedTokens: 800,
      saved: [saved],
      event: {
        turnId: 't1',
        summaryId: 'new1',
        summaryIds: ['new1'],
        messagesCompacted: 4,
        tokenSavings: 400 - 5,
        focusSections: ['key events'],
        summariesMerged: 0,
        summaryTokens: 5,
        totalSummaryTokens: 5,
        summaryTruncated: false,
      },
    });
  });

  test('replacing the oldest and appending keeps id, start and time, and retags only those rows', async () => {
    const store = compactedStore(3, 8);
    const before = store.summaries(SESSION);
    const result = await maybeCompact(
      paramsOf(store, answer(merge('a0', 'a1'), { ...fresh('m6', 'm7'), truncated: true })),
      scene(store).tools,
    );
    const [merged, kept, added] = store.summaries(SESSION);
    expect(merged).toEqual({
      ...before[0],
      turnRangeEnd: 't1',
      content: 'merged a0 a1',
      focusSections: ['key events', 'state of the world'],
    });
    expect(kept).toBe(before[2]);
    expect(added).toMatchObject({ id: 'new1', turnRangeStart: 't3', turnRangeEnd: 't3' });
    const tags = store.messages(SESSION).map((message) => message.compactedAtTurnId);
    expect(tags.slice(0, 9)).toEqual(['a0', 'a0', 'a0', 'a0', 'a2', 'a2', 'new1', 'new1', null]);
    expect(result).toMatchObject({
      event: {
        summaryId: 'new1',
        summaryIds: ['a0', 'new1'],
        messagesCompacted: 2,
        summariesMerged: 2,
        tokenSavings: 200 + 3 + 3 - (3 + 3),
        totalSummaryTokens: 3 + 3 + 3,
        focusSections: ['key events', 'state of the world'],
        summaryTruncated: true,
      },
    });
  });

  test.each([
    ['the clock stands behind', '2030-01-01T00:00:00.000Z', '2030-01-01T00:00:00.001Z'],
    ['the clock stands behind a time without milliseconds', '2030-01-01T00:00:00Z', '2030-01-01T00:00:01.000Z'],
    ['the clock stands at the same instant', '2026-06-01T00:00:00.000Z', '2026-06-01T00:00:00.001Z'],
  ])('a fresh segment is later than every other: %s', async (_name, createdAt, expected) => {
    const store = compactedStore(1, 8, { createdAt });
    await maybeCompact(paramsOf(store, answer(fresh('m2'), fresh('m3'))), scene(store).tools);
    const times = store.summaries(SESSION).map((saved) => saved.createdAt);
    expect(times[1]).toBe(expected);
    expect(times).toEqual([...new Set(times)].sort());
  });

  test('where no time can follow, nothing is saved', async () => {
    const store = compactedStore(1, 8, { createdAt: 'zzz' });
    const before = contentsOf(store);
    const result = await maybeCompact(paramsOf(store, answer(fresh('m2'))), scene(store).tools);
    expect(result).toMatchObject({ kind: 'failed', failure: { code: 'store-failed' } });
    expect(contentsOf(store)).toEqual(before);
  });
});

describe('what changes nothing', () => {
  test.each([
    ['message-skipped', fresh('m1', 'm2')],
    ['message-foreign', fresh('m0', 'elsewhere')],
    ['message-duplicate', fresh('m0', 'm0')],
    ['message-reordered', fresh('m1', 'm0')],
    ['segment-over-budget', { ...fresh('m0'), content: 'z'.repeat(4 * 129) }],
  ])('%s', async (code, segment) => {
    const store = memoryStore(rows(8));
    const before = contentsOf(store);
    const result = await maybeCompact(paramsOf(store, answer(segment)), scene(store).tools);
    expect(result).toMatchObject({ kind: 'failed', failure: { code } });
    expect(contentsOf(store)).toEqual(before);
  });

  test('old and new together over the total', async () => {
    const store = compactedStore(2, 8, { content: 'z'.repeat(4 * 60) });
    const before = contentsOf(store);
    const provider = answer({ ...fresh('m4'), content: 'z'.repeat(4 * 9) });
    const result = await maybeCompact(paramsOf(store, provider), scene(store).tools);
    expect(result).toMatchObject({ failure: { code: 'total-over-budget', message: '129 tokens of 128' } });
    expect(contentsOf(store)).toEqual(before);
  });

  test.each([
    ['a filtered projection', (all: ReturnType<typeof rows>) => all.slice(1), fresh('m1', 'm2')],
    ['a reordered projection', ([a, b, ...rest]: ReturnType<typeof rows>) => [b, a, ...rest], fresh('m1', 'm0')],
    ['a row that is not stored', (all: ReturnType<typeof rows>) => [row(0, { id: 'made' }), ...all], fresh('made')],
  ])('%s is not compacted', async (_name, project, segment) => {
    const store = memoryStore(rows(8));
    const before = contentsOf(store);
    const messages = project(rows(8)).flatMap((message) => message ?? []);
    const { tools } = scene(store);
    const result = await maybeCompact(paramsOf(store, answer(segment), { messages }), tools);
    expect(result).toEqual({ kind: 'projection-differs', estimatedTokens: messages.length * 100 });
    expect(contentsOf(store)).toEqual(before);
    expect(tools.failures.failed(SESSION)).toEqual({ inARow: 1, notice: false });
  });

  test('a projection that only rewrites texts is compacted', async () => {
    const store = memoryStore(rows(8));
    const messages = rows(8, { content: 'w'.repeat(400) });
    const result = await maybeCompact(paramsOf(store, answer(fresh('m0')), { messages }), scene(store).tools);
    expect(result.kind).toBe('compacted');
  });

  test.each(['retagMessages', 'deleteSummary', 'saveSummary', 'tagMessages'] as const)(
    'a failing %s rolls everything back',
    async (write) => {
      const store = compactedStore(3, 8);
      const before = contentsOf(store);
      const provider = answer(merge('a0', 'a1'), fresh('m6'));
      const { tools } = scene(failingStore(store, 0, write));
      const result = await maybeCompact(paramsOf(store, provider), tools);
      expect(result).toMatchObject({ failure: { code: 'store-failed', message: 'disk full' } });
      expect(contentsOf(store)).toEqual(before);
    },
  );

  test.each([
    ['one more', [summary(0), summary(1), summary(2)]],
    ['one less', [summary(0)]],
    ['another text', [summary(0), summary(1, { content: 'changed' })]],
    ['another id', [summary(0), summary(1, { id: 'a9' })]],
  ])('summaries that changed meanwhile: %s', async (_name, now) => {
    const loaded = compactedStore(2, 8);
    const store = memoryStore(loaded.messages(SESSION), now);
    const before = contentsOf(store);
    const result = await maybeCompact(paramsOf(loaded, answer(fresh('m4'))), scene(store).tools);
    expect(result).toMatchObject({ kind: 'failed', failure: { code: 'summaries-changed' } });
    expect(contentsOf(store)).toEqual(before);
  });

  test('messages that were compacted meanwhile are not compacted again', async () => {
    const loaded = memoryStore(rows(8));
    const store = memoryStore(
      rows(8).map((message, n) => (n < 2 ? { ...message, compactedAtTurnId: 'gone' } : message)),
    );
    const result = await maybeCompact(paramsOf(loaded, answer(fresh('m0', 'm1'))), scene(store).tools);
    expect(result.kind).toBe('projection-differs');
  });
});

describe('providers that do not answer', () => {
  const store = memoryStore(rows(8));

  test('null: nothing to compact', async () => {
    const result = await maybeCompact(
      paramsOf(store, () => Promise.resolve(null)),
      scene(store).tools,
    );
    expect(result).toEqual({ kind: 'nothing-to-compact', estimatedTokens: 800 });
  });

  test.each([
    ['rejects', () => Promise.reject(new Error('down'))],
    [
      'throws',
      () => {
        throw new Error('down');
      },
    ],
  ])('one that %s', async (_name, provider: CompactProvider) => {
    const { tools, clock } = scene(store);
    const result = await maybeCompact(paramsOf(store, provider), tools);
    expect(result).toMatchObject({ kind: 'failed', failure: { code: 'provider-threw', message: 'down' } });
    expect(clock.pending()).toBe(0);
  });

  test('one that is silent for 60 seconds is told to stop; its late answer is not saved', async () => {
    const { tools, clock } = scene(store);
    const signals: AbortSignal[] = [];
    let late: (() => void) | undefined;
    const provider: CompactProvider = (_input, signal) => {
      signals.push(signal);
      return new Promise((resolve) => {
        late = () => resolve({ summaries: [fresh('m0')] });
      });
    };
    const running = maybeCompact(paramsOf(store, provider), tools);
    expect(clock.waits).toEqual([60_000]);
    clock.fire();
    expect(await running).toMatchObject({ kind: 'failed', failure: { code: 'timeout' } });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    late?.();
    await Promise.resolve();
    expect(store.summaries(SESSION)).toEqual([]);
  });

  test('a cancelled turn: before, during and just after the answer; it is no failure', async () => {
    const { tools, clock } = scene(store);
    const provider = vi.fn<CompactProvider>(never);
    const run = (signal: AbortSignal, asked: CompactProvider = provider) =>
      maybeCompact(paramsOf(store, asked, { signal }), tools);
    expect(await run(AbortSignal.abort())).toEqual({ kind: 'cancelled' });
    expect(provider).not.toHaveBeenCalled();

    const during = new AbortController();
    const running = run(during.signal);
    during.abort();
    expect(await running).toEqual({ kind: 'cancelled' });
    expect(provider.mock.calls[0]?.[1].aborted).toBe(true);

    const after = new AbortController();
    const answering = run(after.signal, async () => {
      after.abort();
      return { summaries: [fresh('m0')] };
    });
    expect(await answering).toEqual({ kind: 'cancelled' });
    expect(store.summaries(SESSION)).toEqual([]);
    expect(clock.pending()).toBe(0);
    expect(tools.failures.failed(SESSION).inARow).toBe(1);
  });
});

test.each([0, 1, 2, 3, 4, 5, 6])('a turn cancelled %i ticks after the answer never saves afterwards', async (ticks) => {
  const store = memoryStore(rows(8));
  const turn = new AbortController();
  const abortIn = (left: number): void => {
    if (left === 0) turn.abort();
    else queueMicrotask(() => abortIn(left - 1));
  };
  const savedAfterwards: boolean[] = [];
  const newId = (): string => {
    savedAfterwards.push(turn.signal.aborted);
    return 'new1';
  };
  const provider: CompactProvider = () => {
    abortIn(ticks);
    return Promise.resolve({ summaries: [fresh('m0')] });
  };
  const result = await maybeCompact(paramsOf(store, provider, { signal: turn.signal }), {
    ...scene(store).tools,
    newId,
  });
  expect(savedAfterwards).not.toContain(true);
  expect(store.summaries(SESSION)).toHaveLength(result.kind === 'compacted' ? 1 : 0);
});

describe('failures in a row', () => {
  test('every third is told; a success forgets them; sessions do not mix', async () => {
    const { tools } = scene(memoryStore(rows(8)));
    const broken: CompactProvider = () => Promise.reject(new Error('down'));
    const run = async (provider: CompactProvider, sessionId = SESSION) => {
      const store = memoryStore(rows(8, { sessionId }));
      const params = paramsOf(store, provider, { sessionId, messages: rows(8, { sessionId }) });
      const result = await maybeCompact(params, { ...tools, store });
      return result.kind === 'failed' ? [result.failuresInARow, result.notice] : result.kind;
    };
    expect(await run(broken)).toEqual([1, false]);
    expect(await run(broken)).toEqual([2, false]);
    expect(await run(broken, 's2')).toEqual([1, false]);
    expect(await run(broken)).toEqual([3, true]);
    expect(await run(broken)).toEqual([4, false]);
    expect(await run(answer(fresh('m0')))).toBe('compacted');
    expect(await run(broken)).toEqual([1, false]);
    for (const expected of [2, 3, 4, 5]) expect(await run(broken)).toEqual([expected, expected === 3]);
    expect(await run(broken)).toEqual([6, true]);
  });
});
