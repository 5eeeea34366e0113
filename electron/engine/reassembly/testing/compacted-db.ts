/**
 * A session of nine turns as Covel would record it, played through our own assembler and compaction: before turn 4 a
 * summary of turns 1–2, before turn 6 one of turn 3, before turn 8 both merged into one beside a fresh one of turns 4–5.
 * Each turn calls the narrator with the whole history and a guide with the newest turn and the summaries.
 */
import { assembleRun } from '../../../assembler/pipeline.ts';
import { en } from '../../../assembler/testing/texts.ts';
import type { HistoryRecord } from '../../../assembler/types.ts';
import {
  failureCounter,
  maybeCompact,
  memoryStore,
  type CompactionMessage,
  type CompactOutput,
} from '../../../compaction/index.ts';
import { buildDb, type DbBuilder } from '../../../sources/covel-db/testing/build-db.ts';

export const SESSION = 'lighthouse';
export const TURNS = 9;
export const callId = (turn: number, runtime = 'narrator'): string => `${runtime}-${turn}`;
const turnId = (turn: number): string => `turn-${turn}`;
const said = (turn: number): string => `I climb to landing ${turn} & look <down>.`;
const told = (turn: number): string => `Landing ${turn} smells of oil. The lamp is ${10 - turn} stairs away.`;

const rowIds = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from + 1 }, (_, i) => [`said-${from + i}`, `told-${from + i}`]).flat();
const segment = (
  content: string,
  messageIds: readonly string[],
  replacesSummaryIds: readonly string[] = [],
): CompactOutput['summaries'][number] => ({
  messageIds,
  replacesSummaryIds,
  content,
  focusSections: ['key events', 'state of the <world>'],
});
/** What the summary plugin answers before the turn of this number. */
const ANSWERS: Readonly<Record<number, CompactOutput>> = {
  4: { summaries: [segment('The climb began & <fog> came.\n\nTwo landings.', rowIds(1, 2))] },
  6: { summaries: [segment('Landing 3 was empty.', rowIds(3, 3))] },
  8: {
    summaries: [
      segment('The climb began, three landings.', [], ['sum1', 'sum2']),
      segment('Landings 4 and 5 smelled of oil.', rowIds(4, 5)),
    ],
  },
};

const recordOf = ({
  role,
  content,
  turnId: turn,
  sourceType,
  compactedAtTurnId,
}: CompactionMessage): HistoryRecord => ({
  role,
  content,
  turnId: turn,
  ...(sourceType === undefined ? {} : { sourceType }),
  ...(role === 'assistant' ? { sourcePluginId: 'narrator', sourceRuntimeId: 'narrator' } : {}),
  compactedAtTurnId,
});

export type CompactedDbOptions = {
  /** Events do not tell how many messages a compaction took. */
  readonly withoutCounts?: boolean;
  /** Changes the written file afterwards. */
  readonly tamper?: (db: DbBuilder['db']) => void;
};

/** Writes the file; its folder must exist. */
export async function writeCompactedDb(
  path: string,
  { withoutCounts, tamper }: CompactedDbOptions = {},
): Promise<void> {
  const db = buildDb(path, { journal: 'delete' });
  db.insertSession({ id: SESSION, locale: 'en-US', title: 'The lighthouse' });
  const store = memoryStore([]);
  const failures = failureCounter();
  let made = 0;
  for (let turn = 1; turn <= TURNS; turn++) {
    const output = ANSWERS[turn];
    if (output) {
      const result = await maybeCompact(
        {
          sessionId: SESSION,
          messages: store.messages(SESSION),
          summaries: store.summaries(SESSION),
          systemPrompt: '',
          contextWindow: 100,
          inputWindow: 100,
          locale: 'en-US',
          provider: () => Promise.resolve(output),
        },
        {
          store,
          estimate: (text) => Math.ceil(text.length / 4),
          clock: { now: () => Date.parse(db.clock.tick()), after: () => () => undefined },
          newId: () => `sum${++made}`,
          failures,
        },
      );
      if (result.kind !== 'compacted') throw new Error(`turn ${turn}: ${JSON.stringify(result)}`);
      const { turnId: filedUnder, messagesCompacted, ...event } = result.event;
      db.insertEvent({
        sessionId: SESSION,
        turnId: filedUnder,
        type: 'context.compacted',
        payload: withoutCounts ? event : { ...event, messagesCompacted },
      });
    }
    const request = async (runtime: string, window: { maxTurns: number; includeSummaries: boolean } | null) => {
      const { systemPrompt, messages } = await assembleRun(
        {
          promptTemplate: `Body of the ${runtime}.`,
          manifest: { name: runtime, pluginId: runtime, ...(runtime === 'narrator' ? { outputKind: 'story' } : {}) },
          turnInput: {
            sessionId: SESSION,
            turnId: turnId(turn),
            origin: 'player',
            playerMessage: said(turn),
            locale: 'en-US',
          },
        },
        {
          load: () =>
            Promise.resolve({
              history: store
                .messages(SESSION)
                .filter(({ compactedAtTurnId }) => compactedAtTurnId === null)
                .map(recordOf),
              summaries: store.summaries(SESSION),
            }),
          transforms: [],
          window,
          barrier: () => Promise.resolve(false),
          hooks: [],
        },
        en,
      );
      return [{ role: 'system', content: systemPrompt }, ...messages.map(({ role, content }) => ({ role, content }))];
    };
    const requests = {
      narrator: await request('narrator', null),
      guide: await request('guide', { maxTurns: 1, includeSummaries: true }),
    };
    db.insertTurn({
      sessionId: SESSION,
      turnId: turnId(turn),
      playerText: said(turn),
      during(where) {
        for (const [runtimeId, messages] of Object.entries(requests)) {
          const id = callId(turn, runtimeId);
          db.insertCall({ ...where, id, runtimeId, payload: { provider: 'p', model: 'm', messages, tools: [] } });
          db.insertReply({ ...where, runtimeId, text: told(turn) });
        }
      },
    });
    db.insertMessage({
      sessionId: SESSION,
      turnId: turnId(turn),
      id: `told-${turn}`,
      sourceType: 'runtime',
      pluginId: 'narrator',
      runtimeId: 'narrator',
      role: 'assistant',
      content: told(turn),
    });
    const row = { sessionId: SESSION, turnId: turnId(turn), compactedAtTurnId: null };
    store.append(
      { ...row, id: `said-${turn}`, role: 'user', content: said(turn), sourceType: 'player' },
      { ...row, id: `told-${turn}`, role: 'assistant', content: told(turn), sourceType: 'runtime' },
    );
  }
  const tag = db.db.prepare('UPDATE turn_messages SET compacted_at_turn_id = ? WHERE turn_id = ?');
  for (const message of store.messages(SESSION)) tag.run(message.compactedAtTurnId, message.turnId);
  for (const { turnRangeStart, turnRangeEnd, ...one } of store.summaries(SESSION)) {
    db.insertSummary({ ...one, turnRange: [turnRangeStart, turnRangeEnd] });
  }
  tamper?.(db.db);
  db.close();
}
