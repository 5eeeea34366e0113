import { describe, expect, test } from 'vitest';
import { assembleRun, type PipelineSteps, type SharedView } from './pipeline.ts';
import { brief, params, segment } from './testing/params.ts';
import { en } from './testing/texts.ts';
import type { HistoryRecord, SummaryRecord } from './types.ts';

const player = (content: string, turnId: string): HistoryRecord => ({
  role: 'user',
  sourceType: 'player',
  content,
  turnId,
});
const said = (content: string, turnId: string, name = 'narrator'): HistoryRecord => ({
  role: 'assistant',
  sourceType: 'runtime',
  name,
  content,
  turnId,
});
const HISTORY = [
  player('p1', 't1'),
  said('s1', 't1'),
  said('{"data":1}', 't1', 'tracker'),
  player('p2', 't2'),
  said('s2', 't2'),
];
const SUMMARIES: readonly SummaryRecord[] = [{ id: 'x', content: 'Long ago.', focusSections: [] }];

const steps = (rest: Partial<PipelineSteps> = {}): PipelineSteps => ({
  load: () => Promise.resolve({ history: HISTORY, summaries: SUMMARIES }),
  transforms: [],
  window: null,
  barrier: () => Promise.resolve(false),
  hooks: [],
  ...rest,
});
const short = (all: readonly string[]): readonly string[] =>
  all.map((text) => (text.startsWith('U:<compacted_history>') ? 'summary' : text));
const given = params({ promptSegments: [segment('Turn.', { volatility: 'turn' })] });

describe('the order of work', () => {
  test('shared history: filtered, with summaries, one barrier that sees the turn context and the transformed rows', async () => {
    const views: SharedView[] = [];
    const context = await assembleRun(
      given,
      steps({
        transforms: [(history) => Promise.resolve(history.filter(({ content }) => content !== 's1'))],
        barrier: (view) => {
          views.push(view);
          return Promise.resolve(false);
        },
      }),
      en,
    );
    expect(short(brief(context))).toEqual(['summary', 'U:p1', 'U:p2', 'A:s2', 'S:Turn.', 'U:I knock.']);
    expect(views).toHaveLength(1);
    expect(views[0]).toMatchObject({ systemPrompt: context.systemPrompt, turnContext: 'Turn.', summaries: SUMMARIES });
    expect(views[0]?.history.map(({ content }) => content)).toEqual(['p1', '{"data":1}', 'p2', 's2']);
  });

  test('after a compaction history and summaries are loaded again and transformed again', async () => {
    let loads = 0;
    let transforms = 0;
    const context = await assembleRun(
      given,
      steps({
        load: () =>
          Promise.resolve(
            ++loads === 1 ? { history: HISTORY, summaries: [] } : { history: HISTORY.slice(3), summaries: SUMMARIES },
          ),
        transforms: [(history) => Promise.resolve((transforms++, history))],
        barrier: () => Promise.resolve(true),
      }),
      en,
    );
    expect([loads, transforms]).toEqual([2, 2]);
    expect(short(brief(context))).toEqual(['summary', 'U:p2', 'A:s2', 'S:Turn.', 'U:I knock.']);
  });

  test('a declared window: newest turns, no summaries, no barrier', async () => {
    const barrier = (): Promise<boolean> => Promise.reject(new Error('must not be asked'));
    const context = await assembleRun(given, steps({ window: { maxTurns: 1 }, barrier }), en);
    expect(brief(context)).toEqual(['U:p2', 'A:s2', 'S:Turn.', 'U:I knock.']);
    const withSummaries = await assembleRun(
      given,
      steps({ window: { maxTurns: 1, includeSummaries: true }, barrier }),
      en,
    );
    expect(short(brief(withSummaries))).toEqual(['summary', 'U:p2', 'A:s2', 'S:Turn.', 'U:I knock.']);
  });

  test('maxTurns 0 still sends the player’s words and the story of this turn', async () => {
    const context = await assembleRun(
      { ...given, executionStory: [{ role: 'assistant', content: 'Now.' }] },
      steps({ window: { maxTurns: 0 } }),
      en,
    );
    expect(brief(context)).toEqual(['S:Turn.', 'U:I knock.', 'A:Now.', `U:${en.text('cue.story')}`]);
  });

  test('a runtime reads its own data', async () => {
    const context = await assembleRun(
      { ...given, manifest: { name: 'tracker', pluginId: 'tracker' } },
      steps({ window: { maxTurns: 5 } }),
      en,
    );
    expect(brief(context)).toContain('A:{"data":1}');
  });

  test('the budget is checked again behind the hooks', async () => {
    const context = await assembleRun(
      {
        ...given,
        estimator: (text) => Math.ceil(text.length / 4),
        contextBudget: { maxInputTokens: 60, reservedForResponse: 10 },
      },
      steps({
        load: () => Promise.resolve({ history: [player('p'.repeat(40), 't1')], summaries: [] }),
        hooks: [
          ({ messages }) =>
            Promise.resolve({ messages: [{ role: 'assistant', content: 'x'.repeat(200) }, ...messages] }),
        ],
      }),
      en,
    );
    expect(context.prunedMessageCount).toBe(1);
    expect(brief(context)).toEqual([
      `S:${en.text('history.pruned-marker')}`,
      `U:${'p'.repeat(40)}`,
      'S:Turn.',
      'U:I knock.',
    ]);
  });
});
