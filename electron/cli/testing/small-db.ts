/**
 * A covel.db of two sessions that is small enough to check by hand. In the first, one runtime is asked in three
 * turns over Anthropic's protocol: turn 2 only extends the history, turn 3 also changes a word of the system text.
 */
import { buildDb } from '../../sources/covel-db/testing/build-db.ts';

export const SESSION = 'harbour';
export const OTHER_SESSION = 'tidewater';
export const CALLS = ['call-1', 'call-2', 'call-3'] as const;
export const ODD_CALL = 'call-odd';
/** What the player wrote in turn 2: wide characters, and what a terminal would obey. */
export const HOSTILE_WORDS = '敲门 \u001b[2J\u0007\u009b31m\u202e and wait';

const SYSTEM = `You tell the story of a harbour town. ${'The tide sets the pace of every scene. '.repeat(40)}`;
const STORY = ['The bell rings twice.', '门开了一条缝。'];
const WORDS = ['Walk to the pier.', HOSTILE_WORDS, 'Read the letter.'];

function bodyOf(turn: number): object {
  const system = turn === 2 ? SYSTEM.replace('harbour', 'mountain') : SYSTEM;
  const messages = WORDS.slice(0, turn + 1).flatMap((words, index) => [
    { role: 'user', content: [{ type: 'text', text: words }] },
    ...(index < turn ? [{ role: 'assistant', content: [{ type: 'text', text: STORY[index] }] }] : []),
  ]);
  return {
    model: 'claude-test',
    max_tokens: 1000,
    system: [{ type: 'text', text: system, cache_control: { type: 'ephemeral' } }],
    tools: [{ name: 'roll-dice', description: 'Rolls.', input_schema: { type: 'object', properties: {} } }],
    messages,
  };
}

/** Writes the file; its folder must exist. */
export function writeSmallDb(path: string): void {
  const db = buildDb(path);
  db.insertSession({ id: SESSION, worldId: 'coast', locale: 'en-US' });
  CALLS.forEach((id, turn) => {
    db.insertTurn({
      sessionId: SESSION,
      turnId: `turn-${turn + 1}`,
      playerText: WORDS[turn] ?? null,
      during(where) {
        db.insertCall({
          ...where,
          id,
          payload: {
            provider: 'anthropic',
            model: 'claude-test',
            providerRequests: [
              {
                schemaVersion: 1,
                provider: 'anthropic',
                protocol: 'anthropic-messages-v1',
                body: bodyOf(turn),
                complete: true,
                omittedFieldCount: 0,
                statusCode: 200,
              },
            ],
          },
        });
        db.insertReply({
          ...where,
          text: STORY[turn] ?? 'The letter is blank.',
          usage: { inputTokens: 500, outputTokens: 20, cachedInputTokens: turn === 1 ? 400 : 0 },
        });
      },
    });
  });
  db.insertSession({ id: OTHER_SESSION, worldId: null, locale: 'zh-CN' });
  db.insertTurn({
    sessionId: OTHER_SESSION,
    turnId: 'turn-odd',
    playerText: '你好',
    during(where) {
      db.insertEvent({ ...where, id: ODD_CALL, type: 'llm.calling', payload: '{"runtimeId":"narrator",' });
    },
  });
  db.close();
}
