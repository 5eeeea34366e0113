/**
 * Committed history ends with the previous turn. What runtimes of earlier stages have told in this very run is added
 * behind the player's message as it will stand in the next turn's history, with a cue that the story now stands at its
 * end (seed 1, section 1).
 */
import { isBlank, messageOf, piece } from '../piece.ts';
import type { FrameworkTexts, HistoryRecord, SegmentedMessage, TurnInput } from '../types.ts';
import { rowMessage } from './history.ts';

/** A finished run of this execution. */
export type FinishedRun = {
  readonly runtimeId: string;
  /** null: a runtime without a stage, which comes after all stages. */
  readonly stage: string | null;
  readonly outputKind: string | null;
  readonly ok: boolean;
  readonly text: string;
  /** Taken over from the turn that is tried again: its text is in the history already. */
  readonly isSeed: boolean;
};

/**
 * The story that a runtime of `stage` may read: successful story runs of earlier stages, in stage order. Runs of its
 * own stage are not settled yet.
 */
export function storySoFar(
  runs: readonly FinishedRun[],
  stages: readonly string[],
  stage: string | null,
): readonly HistoryRecord[] {
  const rank = (name: string | null): number => {
    const at = name === null ? -1 : stages.indexOf(name);
    return at < 0 ? stages.length : at;
  };
  return runs
    .filter(
      (run) =>
        run.outputKind === 'story' && run.ok && !run.isSeed && !isBlank(run.text) && rank(run.stage) < rank(stage),
    )
    .toSorted((a, b) => rank(a.stage) - rank(b.stage))
    .map((run) => ({ role: 'assistant', content: run.text, name: run.runtimeId, sourceType: 'runtime' }));
}

/** Story messages and the cue behind them; nothing for no records. */
export function storyMessages(
  story: readonly HistoryRecord[] | undefined,
  turnId: string,
  texts: FrameworkTexts,
): readonly SegmentedMessage[] {
  if (!story || story.length === 0) return [];
  return [
    ...story.map((row) => rowMessage({ ...row, turnId: row.turnId ?? turnId }, 'story')),
    messageOf([piece('story-cue', 'user', 'story cue', texts.text('cue.story'), { turnId })]),
  ];
}

/** The current player message: the player's words, or a cue of the framework where there are none. */
export function playerMessage(
  { playerMessage: said, manualTrigger, turnId }: TurnInput,
  texts: FrameworkTexts,
): SegmentedMessage {
  const text = !isBlank(said)
    ? said
    : manualTrigger
      ? texts.text('cue.manual', { runtime: manualTrigger.runtimeId })
      : texts.text('cue.turn');
  return messageOf([piece('player', 'user', 'player', text, { turnId })]);
}
