import { describe, expect, test } from 'vitest';
import { estimateTokens } from '../../shared/tokens.ts';
import { maybeCompact, type CompactParams } from './gate.ts';
import { memoryStore } from './memory-store.ts';
import { defaultStrategy, type StrategyOptions, type SummaryModel } from './strategy.ts';
import {
  chars4,
  compactedStore,
  contentsOf,
  paramsOf,
  PROMPTS,
  recordingModel,
  row,
  rows,
  scene,
  SESSION,
  summary,
} from './testing/scene.ts';
import type { CompactionMessage, CompactionResult, HistoryStore } from './types.ts';

const WINDOW = 32_768; // total 3,932, segment 1,310
const long = (n: number): CompactionMessage => row(n, { content: `${n} `.padEnd(4 * 2000, 'x') });
const longRows = (count: number, from = 0): CompactionMessage[] =>
  Array.from({ length: count }, (_, n) => long(from + n));

type Over = Partial<CompactParams> & { readonly strategy?: Partial<StrategyOptions> };
const compact = (
  store: HistoryStore,
  model: SummaryModel,
  { strategy, ...over }: Over = {},
  tools = scene(store).tools,
): Promise<CompactionResult> =>
  maybeCompact(
    paramsOf(store, defaultStrategy({ model, prompts: PROMPTS, estimate: chars4, ...strategy }), {
      contextWindow: WINDOW,
      inputWindow: WINDOW,
      ...over,
    }),
    tools,
  );

const tagged = (store: HistoryStore): string[] =>
  store.messages(SESSION).flatMap(({ id, compactedAtTurnId }) => (compactedAtTurnId === null ? [] : [id]));
const ids = (from: number, to: number): string[] => Array.from({ length: to - from + 1 }, (_, n) => `m${from + n}`);

describe('which rows', () => {
  test('all but the last two turns of the player and the last five rows', async () => {
    const store = memoryStore(longRows(12));
    await compact(
      store,
      recordingModel(() => 'so it was'),
    );
    expect(tagged(store)).toEqual(ids(0, 6)); // five rows reach further than two turns
    const chatty = longRows(12).map((message, n) => (n > 5 ? { ...message, role: 'assistant' as const } : message));
    const other = memoryStore(chatty);
    await compact(
      other,
      recordingModel(() => 'so it was'),
    );
    expect(tagged(other)).toEqual(ids(0, 1)); // m2 and m4 are the last two of the player
  });

  test('without protection of turns only the last five', async () => {
    const monologue = longRows(12).map((message) => ({ ...message, role: 'assistant' as const }));
    const store = memoryStore(monologue);
    const protection = { userTurns: 0, tail: 5 };
    expect(
      await compact(
        store,
        recordingModel(() => 'so'),
      ),
    ).toMatchObject({ kind: 'nothing-to-compact' });
    await compact(
      store,
      recordingModel(() => 'so'),
      { strategy: { protection } },
    );
    expect(tagged(store)).toEqual(ids(0, 6));
  });

  test('only as many as one request carries; the rest stays raw', async () => {
    const store = memoryStore(longRows(12));
    const model = recordingModel(() => 'so');
    await compact(store, model, { inputWindow: 6_500 });
    expect(tagged(store)).toEqual(ids(0, 2));
    const [request] = model.requests;
    const size = chars4(request?.system ?? '') + chars4(request?.user ?? '');
    expect(size).toBeLessThanOrEqual(6_500);
    expect(size + 2_000).toBeGreaterThan(6_500);
    expect(request?.user).toContain('[user]: 2 x');
    expect(request?.user).not.toContain('3 x');
  });

  test('the system prompt takes its part of the window', async () => {
    const store = memoryStore(longRows(12));
    await compact(
      store,
      recordingModel(() => 'so'),
      { inputWindow: 6_050 }, // three rows alone would fit
    );
    expect(tagged(store)).toEqual(ids(0, 1));
  });

  test('a first row larger than the window: nothing is compacted, no model is called, no row is cut', async () => {
    const store = memoryStore(longRows(12));
    const before = contentsOf(store);
    const model = recordingModel(() => 'so');
    const result = await compact(store, model, { inputWindow: 1_900 });
    expect(result).toMatchObject({ kind: 'failed', failure: { code: 'message-too-large' } });
    expect(model.requests).toEqual([]);
    expect(contentsOf(store)).toEqual(before);
  });

  test('rows without text are covered and not printed', async () => {
    const messages = longRows(12).map((message, n) => (n === 0 || n === 3 ? { ...message, content: ' ' } : message));
    const store = memoryStore(messages);
    const model = recordingModel(() => 'so');
    await compact(store, model);
    expect(tagged(store)).toEqual(ids(0, 6));
    expect(model.requests[0]?.user.match(/^\[/gm)).toHaveLength(5);
  });

  test('nothing but rows without text: nothing to compact', async () => {
    const messages = longRows(17).map((message, n) => (n < 7 ? { ...message, content: '' } : message));
    const store = memoryStore(messages.slice(0, 12).concat());
    const model = recordingModel(() => 'so');
    const result = await compact(store, model, { systemPrompt: 'p'.repeat(4 * 20_000) });
    expect(result.kind).toBe('nothing-to-compact');
    expect(model.requests).toEqual([]);
  });

  test('rows without text before one that does not fit: the row is what is wrong', async () => {
    const store = memoryStore(longRows(12).map((message, n) => (n === 0 ? { ...message, content: '' } : message)));
    const model = recordingModel(() => 'so');
    const result = await compact(store, model, { inputWindow: 1_900 });
    expect(result).toMatchObject({ failure: { code: 'message-too-large', message: 'message m1 does not fit' } });
    expect(model.requests).toEqual([]);
  });
});

describe('what the model reads', () => {
  test('system prompt, a line a row, and the length wanted', async () => {
    const short = rows(12).map((message, n) => ({ ...message, content: `text ${n}` }));
    const model = recordingModel(() => 'so');
    await compact(memoryStore(short), model, { systemPrompt: 'p'.repeat(4 * WINDOW) });
    expect(model.requests).toHaveLength(1);
    expect(model.requests[0]).toMatchObject({ purpose: 'segment', targetTokens: 128 });
    expect(model.requests[0]?.user).toBe(
      [
        '[user]: text 0',
        '[assistant]: text 1',
        '[user]: text 2',
        '[assistant]: text 3',
        '[user]: text 4',
        '[assistant]: text 5',
        '[user]: text 6',
        'Target length: at most 128 tokens.',
      ].join('\n\n'),
    );
    const system = model.requests[0]?.system ?? '';
    expect(system).toContain('\n- key events\n- relations between the characters\n- state of the world\n');
    expect(system).not.toMatch(/[{}]/);
  });

  test.each([
    ['en', 'Write the summary in English.', /\p{Script=Han}/u, false],
    ['ru', 'Write the summary in Russian.', /\p{Script=Han}/u, false],
    ['zh-Hant', 'Write the summary in Traditional Chinese.', /\p{Script=Han}/u, false],
    ['zh-CN', '摘要用简体中文书写。', /^\P{Script=Han}+$/mu, false],
    [null, 'Write the summary in English.', /\p{Script=Han}/u, false],
  ])('locale %s: its language is named once, in the language of the template', async (locale, line, foreign, has) => {
    const model = recordingModel(() => 'so');
    await compact(memoryStore(longRows(12)), model, { locale });
    const system = model.requests[0]?.system ?? '';
    expect(system.split(line)).toHaveLength(2);
    expect(foreign.test(system.replace(/\n+/g, '\n').trim())).toBe(has);
  });

  test('the instruction language may be forced; the language of the story stays', async () => {
    const model = recordingModel(() => 'so');
    await compact(memoryStore(longRows(12)), model, { locale: 'ru', strategy: { instructionLocale: 'zh' } });
    expect(model.requests[0]?.system).toContain('摘要用俄语书写。');
  });

  test('other focus sections are asked for and kept', async () => {
    const store = memoryStore(longRows(12));
    const model = recordingModel(() => 'so');
    await compact(store, model, { strategy: { focusSections: ['debts', '{language}'] } });
    expect(model.requests[0]?.system).toContain('\n- debts\n- {language}\n');
    expect(store.summaries(SESSION)[0]?.focusSections).toEqual(['debts', '{language}']);
  });
});

describe('what cannot be used', () => {
  const failing: readonly (readonly [string, string, Over & { model?: SummaryModel }])[] = [
    ['an empty reply', 'reply-empty', { model: recordingModel(() => ' \n') }],
    ['a model error', 'model-failed', { model: () => Promise.reject(new Error('503')) }],
    ['a reply that stopped at its length', 'reply-cut', { model: recordingModel(() => 'half of', 'length') }],
    ['the same in Anthropic’s word', 'reply-cut', { model: recordingModel(() => 'half of', 'max_tokens') }],
    ['the same in Gemini’s word', 'reply-cut', { model: recordingModel(() => 'half of', 'MAX_TOKENS') }],
    ['no template', 'no-template', { strategy: { prompts: { ...PROMPTS, en: { ...PROMPTS.en, template: null } } } }],
  ];
  test.each(failing)('%s: nothing is saved', async (_name, code, { model, ...over }) => {
    const store = memoryStore(longRows(12));
    const before = contentsOf(store);
    const result = await compact(store, model ?? recordingModel(() => 'so'), over);
    expect(result).toMatchObject({ kind: 'failed', failure: { code }, failuresInARow: 1 });
    expect(contentsOf(store)).toEqual(before);
  });

  test.each([
    ['empty', () => '', 'stop', 'reply-empty'],
    ['cut short', () => 'half', 'length', 'reply-cut'],
  ])('a merge that comes back %s: the fresh segment is not saved either', async (_name, say, finish, code) => {
    const store = compactedStore(8, 12);
    store.append(...longRows(12, 28));
    const before = contentsOf(store);
    const model: SummaryModel = ({ purpose }) =>
      Promise.resolve(
        purpose === 'merge' ? { text: say(), finishReason: finish } : { text: 'so', finishReason: 'stop' },
      );
    expect(await compact(store, model)).toMatchObject({ kind: 'failed', failure: { code } });
    expect(contentsOf(store)).toEqual(before);
  });

  test('old summaries that do not fit one request: nothing is saved', async () => {
    const store = compactedStore(8, 0, { content: 'z'.repeat(4 * 1_000) });
    store.append(...rows(14).map((message, n) => ({ ...message, id: `n${n}` })));
    const before = contentsOf(store);
    const model = recordingModel(() => 'so');
    const result = await compact(store, model, { contextWindow: 10_000, inputWindow: 1_500 });
    expect(result).toMatchObject({ kind: 'failed', failure: { code: 'merge-too-large' } });
    expect(contentsOf(store)).toEqual(before);
  });
});

describe('how long a summary is', () => {
  test('a reply over its target is cut and says so; the saved event tells it', async () => {
    const store = memoryStore(longRows(12));
    const result = await compact(
      store,
      recordingModel(() => 'y'.repeat(4 * 3_000)),
    );
    const content = store.summaries(SESSION)[0]?.content ?? '';
    expect(content).toMatch(/^y+\n\[… summary cut to its budget\]$/);
    expect(chars4(content)).toBe(1_310);
    expect(result).toMatchObject({ event: { summaryTruncated: true, summaryTokens: 1_310 } });
  });

  test('a window of 1,000 and both replies oversized: the total stays within 128', async () => {
    const store = memoryStore(
      rows(16).map((message, n) => (n < 2 ? { ...message, compactedAtTurnId: 'a0' } : message)),
      [summary(0, { content: 'o'.repeat(4 * 128) })],
    );
    const model = recordingModel(() => 'y'.repeat(4 * 3_000));
    const result = await compact(store, model, { contextWindow: 1_000, inputWindow: 2_000 });
    expect(result.kind).toBe('compacted');
    const sizes = store.summaries(SESSION).map(({ content }) => chars4(content));
    expect(sizes).toEqual([64, 64]);
    expect(model.requests.map(({ purpose, targetTokens }) => [purpose, targetTokens])).toEqual([
      ['segment', 128],
      ['merge', 64],
    ]);
    expect(model.requests[1]?.user).toBe(`${'o'.repeat(4 * 128)}\n\nTarget length: at most 64 tokens.`);
  });

  test('the size of the reply decides, not its target', async () => {
    const store = compactedStore(3, 0, { content: 'o'.repeat(4 * 1_000) });
    store.append(...longRows(12, 6));
    const model = recordingModel(() => 'brief');
    await compact(store, model);
    expect(model.requests[0]?.targetTokens).toBe(1_310); // 3,000 + 1,310 would not fit into 3,932
    expect(model.requests).toHaveLength(1);
    expect(store.summaries(SESSION)).toHaveLength(4);
  });
});

describe('rounds', () => {
  test('three rounds: three segments of their own, none merged, none read again', async () => {
    const store = memoryStore(longRows(14));
    const { tools } = scene(store);
    const model = recordingModel((_request, n) => `summary of round ${n}`);
    for (let round = 1; round <= 3; round++) {
      const before = store.summaries(SESSION);
      expect((await compact(store, model, {}, tools)).kind).toBe('compacted');
      expect(store.summaries(SESSION).slice(0, -1)).toEqual(before);
      store.append(...longRows(8, store.messages(SESSION).length));
    }
    expect(store.summaries(SESSION).map(({ content }) => content)).toEqual([
      'summary of round 1',
      'summary of round 2',
      'summary of round 3',
    ]);
    expect(model.requests.map(({ purpose }) => purpose)).toEqual(['segment', 'segment', 'segment']);
    for (const { user, system } of model.requests) expect(`${system}${user}`).not.toContain('summary of round');
  });

  test('eight segments and a fresh one: the oldest two are merged, eight remain, the others are identical', async () => {
    const store = compactedStore(8, 0, { content: 'o'.repeat(40) });
    store.append(...longRows(12, 16));
    const before = store.summaries(SESSION);
    const model = recordingModel(({ purpose }) => `${purpose} text`);
    await compact(store, model);
    const [merged, ...others] = store.summaries(SESSION);
    expect(merged).toEqual({ ...before[0], turnRangeEnd: 't1', content: 'merge text' });
    expect(others.slice(0, 6)).toEqual(before.slice(2));
    expect(others[6]).toMatchObject({ id: 'new1', content: 'segment text' });
    expect(others).toHaveLength(7);
    expect(model.requests[1]?.user.split('\n\n---\n\n')).toHaveLength(2);
  });

  test('a merged segment unites the focus sections of what it replaces', async () => {
    const sections = [['a', 'b'], ['b', 'c'], ['d']];
    const summaries = Array.from({ length: 8 }, (_, n) => summary(n, { focusSections: sections[n] ?? [] }));
    const store = memoryStore(compactedStore(8, 0).messages(SESSION), summaries);
    store.append(...longRows(12, 16));
    await compact(
      store,
      recordingModel(() => 'so'),
    );
    expect(store.summaries(SESSION)[0]?.focusSections).toEqual(['a', 'b', 'c']);
  });

  test('with the usual estimator and Chinese texts', async () => {
    const chinese = longRows(12).map((message) => ({ ...message, content: '雨落在旧港的石阶上。'.repeat(200) }));
    const store = memoryStore(chinese);
    const model = recordingModel(() => '旧港下了一夜雨。'.repeat(400));
    const strategy = { estimate: estimateTokens };
    await compact(store, model, { locale: 'zh-CN', strategy }, scene(store, estimateTokens).tools);
    const content = store.summaries(SESSION)[0]?.content ?? '';
    expect(content).toMatch(/\n\[……摘要已按预算截短\]$/);
    expect(estimateTokens(content)).toBeLessThanOrEqual(1_310);
    expect(estimateTokens(content)).toBeGreaterThan(1_300);
  });
});
