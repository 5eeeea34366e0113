/** One turn of several runtimes, from the pipeline of the assembler through the barrier and the gate to what each is sent. */
import { expect, test } from 'vitest';
import { messageText } from '../assembler/piece.ts';
import { assembleRun } from '../assembler/pipeline.ts';
import { params } from '../assembler/testing/params.ts';
import { en } from '../assembler/testing/texts.ts';
import type { AssembledContext, HistoryRecord } from '../assembler/types.ts';
import { turnBarrier } from './barrier.ts';
import { maybeCompact } from './gate.ts';
import { memoryStore } from './memory-store.ts';
import { defaultStrategy } from './strategy.ts';
import { chars4, PROMPTS, recordingModel, row, rows, scene, SESSION } from './testing/scene.ts';
import type { CompactionMessage, CompactionResult } from './types.ts';

const asHistory = ({ role, content, turnId, sourceType, compactedAtTurnId }: CompactionMessage): HistoryRecord => ({
  role,
  content,
  turnId,
  compactedAtTurnId,
  ...(sourceType === undefined ? {} : { sourceType }),
});
const startsOf = ({ messages }: AssembledContext): readonly string[] =>
  messages.map((message) => messageText(message).split(/\s/, 1)[0] ?? '');

test('shared runtimes compact once and read the same; a window neither waits nor sees it; the next turn keeps the prefix', async () => {
  const store = memoryStore(rows(12));
  const { tools } = scene(store);
  const model = recordingModel(() => 'The story so far.');
  const provider = defaultStrategy({ model, prompts: PROMPTS, estimate: chars4 });
  const asked: CompactionResult['kind'][] = [];

  const turn = (n: number) => {
    const barrier = turnBarrier<CompactionResult>();
    return (name: string, maxTurns: number | null): Promise<AssembledContext> =>
      assembleRun(
        params({
          promptTemplate: 'Body.',
          manifest: { name, pluginId: name },
          turnInput: { turnId: `turn ${n}`, playerMessage: `Go ${n}.` },
        }),
        {
          load: () =>
            Promise.resolve({
              history: store
                .messages(SESSION)
                .filter((one) => one.compactedAtTurnId === null)
                .map(asHistory),
              summaries: store.summaries(SESSION),
            }),
          transforms: [],
          window: maxTurns === null ? null : { maxTurns },
          hooks: [],
          async barrier({ systemPrompt, turnContext }) {
            const passage = await barrier.enter({ maxTurns }, async () => {
              const result = await maybeCompact(
                {
                  sessionId: SESSION,
                  messages: store.messages(SESSION),
                  summaries: store.summaries(SESSION),
                  systemPrompt,
                  turnContext,
                  contextWindow: 1500,
                  inputWindow: 1500,
                  locale: 'en',
                  provider,
                },
                tools,
              );
              asked.push(result.kind);
              return result;
            });
            return passage.kind === 'shared' && passage.result.kind === 'compacted';
          },
        },
        en,
      );
  };

  const first = turn(1);
  const [narrator, critic, guide] = await Promise.all([
    first('narrator', null),
    first('critic', null),
    first('guide', 1),
  ]);
  expect(model.requests).toHaveLength(1);
  expect(asked).toEqual(['compacted']);
  expect(startsOf(narrator)).toEqual(['<compacted_history>', '7', '8', '9', '10', '11', 'Go']);
  expect(critic.messages).toEqual(narrator.messages);
  expect(startsOf(guide)).toEqual(['10', '11', 'Go']);

  store.append(row(12), row(13));
  const later = await turn(2)('narrator', null);
  expect(asked).toEqual(['compacted', 'not-needed']);
  expect(later.systemPrompt).toBe(narrator.systemPrompt);
  expect(later.messages.slice(0, 6)).toEqual(narrator.messages.slice(0, 6));
  expect(startsOf(later).slice(6)).toEqual(['12', '13', 'Go']);
});
