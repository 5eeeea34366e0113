import { describe, expect, test } from 'vitest';
import { storySoFar, type FinishedRun } from './story.ts';

const run = (runtimeId: string, stage: string | null, rest: Partial<FinishedRun> = {}): FinishedRun => ({
  runtimeId,
  stage,
  outputKind: 'story',
  ok: true,
  text: `text of ${runtimeId}`,
  isSeed: false,
  ...rest,
});
const STAGES = ['pre-turn', 'narrative', 'post-turn'];
const RUNS = [
  run('epilogue', 'post-turn'),
  run('narrator', 'narrative'),
  run('prologue', 'pre-turn'),
  run('after', null),
  run('failed', 'narrative', { ok: false }),
  run('tracker', 'narrative', { outputKind: null }),
  run('seed', 'narrative', { isSeed: true }),
  run('silent', 'narrative', { text: ' ' }),
];

describe('the story that a runtime reads', () => {
  test.each([
    ['pre-turn', []],
    ['narrative', ['prologue']],
    ['post-turn', ['prologue', 'narrator']],
    [null, ['prologue', 'narrator', 'epilogue']],
  ])('in stage %s', (stage, expected) =>
    expect(storySoFar(RUNS, STAGES, stage).map(({ name }) => name)).toEqual(expected),
  );

  test('stands as it will in the next turn’s history', () =>
    expect(storySoFar(RUNS, STAGES, 'narrative')).toEqual([
      { role: 'assistant', content: 'text of prologue', name: 'prologue', sourceType: 'runtime' },
    ]));
});
