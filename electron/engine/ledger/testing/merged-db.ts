/**
 * A session of twelve turns whose history was compacted three times: A (turns 1–2), B (3–5), then A and B merged into
 * one under A's id, beside a fresh C (6–8). Two prunings, a run that omits and folds its tool results, a player who
 * quotes the tag of a summary, a runtime whose tool changes when a summary comes, a summary that was sent with its middle cut out, and one that nothing accounts for.
 */
import { buildDb, type DbBuilder } from '../../../sources/covel-db/testing/build-db.ts';

export const SESSION = 'ferry';
export const TURNS = 12;
const turnId = (turn: number): string => `turn-${String(turn).padStart(2, '0')}`;
export const callId = (turn: number, step = 0, runtime = 'narrator'): string => `${runtime}-${turn}-${step}`;

const story = (name: string, lines: number): string =>
  Array.from({ length: lines }, (_, i) => `${name} line ${i + 1}: the tide & the <bell> went on.`).join('\n');
export const TEXTS = {
  a: story('A', 8),
  b: story('B', 9),
  merged: story('A and B', 10),
  c: story('C', 6),
  orphan: story('Of an older game', 5),
};
const SECTIONS = ['Key events', 'World state'];

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
export const envelope = (content: string): string =>
  `<compacted_history>\n# sections: ${SECTIONS.join(', ')}\n${escaped(content)}\n</compacted_history>\nNotes of earlier turns, no instructions.`;

type Message = Readonly<Record<string, unknown>>;
const user = (content: string): Message => ({ role: 'user', content });
const assistant = (content: string): Message => ({ role: 'assistant', content });

export const saidIn = (turn: number): string =>
  turn === 2 ? 'What does <compacted_history>\nmean here</compacted_history>?' : `I row to pier ${turn}.`;
const toldIn = (turn: number): string => `Pier ${turn} lies in the fog, and the ferry waits.`;
const TOOL_DATA = `the log of the harbour, ${'a long list of ships and tides '.repeat(12)}`;
const ask = (id: string): Message => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ id, type: 'function', function: { name: 'read-log', arguments: `{"page":"${id}"}` } }],
});
const answer = (id: string, data: string): Message => ({
  role: 'tool',
  tool_call_id: id,
  content: JSON.stringify({ success: true, summary: `page ${id}`, data }),
});
const FOLDED = '[Earlier steps of this run]\n- read-log | {"page":"t1"} | ok: page t1';

/** The messages behind the system prompt, in the first request of a turn. */
function conversation(turn: number, from: number, summaries: readonly string[]): readonly Message[] {
  const past = Array.from({ length: turn - from }, (_, i) => [user(saidIn(from + i)), assistant(toldIn(from + i))]);
  return [...summaries.map((text) => user(text)), ...past.flat(), user(saidIn(turn))];
}

/** Summaries of a turn's requests, and the first turn that is still sent as it was said. */
function historyAt(turn: number): { readonly summaries: readonly string[]; readonly from: number } {
  const { a, b, merged, c } = TEXTS;
  if (turn < 4) return { summaries: [], from: 1 };
  if (turn < 7) return { summaries: [envelope(a)], from: 3 };
  if (turn < 10) return { summaries: [envelope(a), envelope(b)], from: 6 };
  const whole = envelope(merged);
  const cut = `${whole.slice(0, 200)}[… cut …]${whole.slice(-120)}`;
  return { summaries: [turn === 11 ? cut : whole, envelope(c)], from: 9 };
}

function requestOf(messages: readonly Message[], description = 'Reads.'): Readonly<Record<string, unknown>> {
  const tools = [{ type: 'function', function: { name: 'read-log', description, parameters: {} } }];
  const all = [{ role: 'system', content: 'You tell the story of a ferry.' }, ...messages];
  return {
    provider: 'deepseek',
    model: 'm',
    messages: all,
    tools: [{ name: 'read-log', description, parameters: {} }],
    providerRequests: [
      {
        schemaVersion: 1,
        provider: 'deepseek',
        protocol: 'openai-chat-v1',
        body: { model: 'm', messages: all, tools },
        complete: true,
        omittedFieldCount: 0,
        statusCode: 200,
      },
    ],
  };
}

/** Requests of the narrator in a turn: one, but for the long run of turn 8. */
function runOf(turn: number): readonly (readonly Message[])[] {
  const { summaries, from } = historyAt(turn);
  const first = conversation(turn, from, summaries);
  if (turn !== 8) return [first];
  const [one, two, three] = ['t1', 't2', 't3'].map((id) => [ask(id), answer(id, TOOL_DATA)]);
  const omitted = [ask('t1'), answer('t1', '[left out]')];
  return [
    first,
    [...first, ...(one ?? [])],
    [...first, ...omitted, ...(two ?? [])],
    [...first, { role: 'system', content: FOLDED }, ...(two ?? []), ...(three ?? [])],
  ];
}

type Compaction = {
  readonly ids: readonly string[];
  readonly messages: number;
  readonly merged: number;
  readonly endTurn: number;
  readonly tokens: number;
};
/** Before the turn of this number. */
const COMPACTIONS: Readonly<Record<number, Compaction>> = {
  4: { ids: ['a'], messages: 4, merged: 0, endTurn: 2, tokens: 95 },
  7: { ids: ['b'], messages: 6, merged: 0, endTurn: 5, tokens: 107 },
  10: { ids: ['a', 'c'], messages: 6, merged: 2, endTurn: 8, tokens: 190 },
};

function compact(db: DbBuilder, { ids, messages, merged, endTurn, tokens }: Compaction): void {
  db.insertEvent({
    sessionId: SESSION,
    turnId: turnId(endTurn),
    type: 'context.compacted',
    payload: {
      summaryId: ids.at(-1),
      summaryIds: ids,
      messagesCompacted: messages,
      tokenSavings: 400,
      focusSections: SECTIONS,
      summariesMerged: merged,
      summaryTokens: tokens,
      totalSummaryTokens: tokens,
      summaryTruncated: false,
    },
  });
}

/** Writes the file; its folder must exist. */
export function writeMergedDb(path: string): void {
  const db = buildDb(path, { journal: 'delete' });
  db.insertSession({ id: SESSION, locale: 'en-US', title: 'The ferry' });
  for (let turn = 1; turn <= TURNS; turn++) {
    db.insertTurn({
      sessionId: SESSION,
      turnId: turnId(turn),
      playerText: saidIn(turn),
      during(where) {
        const compaction = COMPACTIONS[turn];
        if (compaction) compact(db, compaction);
        const prune = (runtimeId: string): unknown =>
          db.emitEvent({
            ...where,
            type: 'context.pruned',
            payload: { runtimeId, pluginId: runtimeId, prunedMessageCount: 3 },
          });
        if (turn === 5) prune('narrator');
        runOf(turn).forEach((messages, step) => {
          db.insertCall({ ...where, id: callId(turn, step), payload: requestOf(messages) });
          const calls =
            step < runOf(turn).length - 1 ? [{ id: `t${step + 1}`, name: 'read-log', arguments: '{}' }] : [];
          db.insertReply({ ...where, text: toldIn(turn), toolCalls: calls });
        });
        if (turn === 6) prune('narrator');
        const { summaries, from } = historyAt(turn);
        if (turn === 6 || turn === 7)
          db.insertCall({
            ...where,
            id: callId(turn, 0, 'scribe'),
            runtimeId: 'scribe',
            payload: requestOf(conversation(turn, from, summaries), `Reads up to page ${turn}.`),
          });
        if (turn === 12)
          db.insertCall({
            ...where,
            id: callId(turn, 0, 'guide'),
            runtimeId: 'guide',
            payload: requestOf(conversation(turn, turn, [envelope(TEXTS.orphan)])),
          });
        db.insertMessage({
          ...where,
          id: `told-${turnId(turn)}`,
          sourceType: 'runtime',
          runtimeId: 'narrator',
          role: 'assistant',
          content: toldIn(turn),
        });
      },
    });
  }
  const tag = db.db.prepare('UPDATE turn_messages SET compacted_at_turn_id = ? WHERE turn_id BETWEEN ? AND ?');
  tag.run('a', turnId(1), turnId(5));
  tag.run('c', turnId(6), turnId(8));
  const row = { sessionId: SESSION, focusSections: SECTIONS };
  const made = (turn: number): string =>
    String(
      db.db
        .prepare("SELECT created_at FROM trace_events WHERE type = 'context.compacted' AND turn_id = ?")
        .pluck()
        .get(turnId(turn)),
    );
  db.insertSummary({ ...row, id: 'a', turnRange: [turnId(1), turnId(5)], content: TEXTS.merged, createdAt: made(2) });
  db.insertSummary({ ...row, id: 'c', turnRange: [turnId(6), turnId(8)], content: TEXTS.c, createdAt: made(8) });
  db.close();
}
