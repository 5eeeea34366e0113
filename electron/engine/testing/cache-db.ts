/**
 * Sessions in which the cache has something to tell, from one line a call. A request is a system block of some two
 * thousand tokens and the words said so far, the last of them marked where the protocol knows marks.
 */
import { buildDb, createClock, createIds } from '../../sources/covel-db/testing/build-db.ts';

export const SYSTEM = 'The tide sets the pace of every scene in this harbour town. '.repeat(140);

export type SceneCall = {
  /** Calls of one turn stand together. */
  readonly turn: number;
  /** Seconds after the session began; null: no clock was recorded. */
  readonly at: number | null;
  readonly runtime?: string;
  readonly attempt?: number;
  readonly provider?: string;
  readonly protocol?: string;
  readonly model?: string;
  readonly system?: string;
  /** Messages of the request, the player's first. */
  readonly said?: readonly string[];
  /** Fields of the body beside its texts. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** false: the body that was sent was not recorded. */
  readonly hasBody?: boolean;
  /** HTTP attempts that failed before, by provider. */
  readonly failedAt?: readonly string[];
  /** Of the answered attempt; null: not recorded. */
  readonly status?: number | null;
  readonly seconds?: number;
  /** As Covel records it; null: not reported. */
  readonly usage?: Readonly<Record<string, unknown>> | null;
  readonly error?: string;
};

const START = Date.parse('2026-11-20T08:00:00.000Z');

const block = (text: string, isMarked: boolean): object => ({
  type: 'text',
  text,
  ...(isMarked ? { cache_control: { type: 'ephemeral' } } : {}),
});

const rolesOf = (said: readonly string[]): readonly { readonly role: string; readonly content: string }[] =>
  said.map((content, i) => ({ role: i % 2 === 0 ? 'user' : 'assistant', content }));

const FIRST_WORDS: readonly string[] = ['Walk to the pier.'];

function bodyOf({ protocol, model, system = SYSTEM, said = FIRST_WORDS, body }: SceneCall): object {
  const messages = rolesOf(said);
  if (protocol === 'openai-chat-v1') {
    return { model, messages: [{ role: 'system', content: system }, ...messages], ...body };
  }
  if (protocol === 'google-generative-ai-v1') {
    const contents = messages.map(({ role, content }) => ({
      role: role === 'user' ? 'user' : 'model',
      parts: [{ text: content }],
    }));
    return { systemInstruction: { parts: [{ text: system }] }, contents, ...body };
  }
  const marked = messages.map(({ role, content }, i) => ({ role, content: [block(content, i === said.length - 1)] }));
  return { model, max_tokens: 1000, system: [block(system, true)], messages: marked, ...body };
}

/** Writes one session; ids of the calls are `call-1`, `call-2`, … in their order. */
export function writeCacheDb(path: string, sessionId: string, calls: readonly SceneCall[]): void {
  const db = buildDb(path, { ids: createIds(sessionId), clock: createClock('2026-11-20T08:00:00.000Z', 10) });
  db.insertSession({ id: sessionId });
  let number = 0;
  for (const [turn, own] of Map.groupBy(calls, (call) => call.turn)) {
    db.insertTurn({
      sessionId,
      turnId: `turn-${turn}`,
      playerText: (own[0]?.said ?? FIRST_WORDS).at(-1) ?? null,
      during(where) {
        for (const given of own) {
          const call = {
            provider: 'anthropic',
            protocol: 'anthropic-messages-v1',
            model: 'claude-sonnet-4-5',
            ...given,
          };
          const { at, runtime = 'narrator', attempt = 0, seconds = 2, status = 200, usage = null } = call;
          const startedAt = at === null ? null : new Date(START + at * 1000).toISOString();
          const clock = startedAt === null ? {} : { startedAt };
          const sent = { schemaVersion: 1, body: bodyOf(call), complete: true, omittedFieldCount: 0, ...clock };
          const failed = (call.failedAt ?? []).map((provider) => ({
            ...sent,
            provider,
            protocol: call.protocol,
            statusCode: 500,
          }));
          const answered = { ...sent, provider: call.provider, protocol: call.protocol, durationMs: seconds * 1000 };
          const who = { runtimeId: runtime, pluginId: runtime, attempt };
          db.emitEvent({
            ...where,
            id: `call-${++number}`,
            type: 'llm.calling',
            payload: {
              ...who,
              provider: call.provider,
              model: call.model,
              messages: [{ role: 'system', content: call.system ?? SYSTEM }, ...rolesOf(call.said ?? FIRST_WORDS)],
              ...(call.hasBody === false
                ? {}
                : {
                    providerRequests: [...failed, { ...answered, ...(status === null ? {} : { statusCode: status }) }],
                  }),
              ...clock,
            },
          });
          db.insertReply({
            ...where,
            runtimeId: runtime,
            attempt,
            usage: null,
            durationMs: seconds * 1000,
            ...(call.error === undefined ? {} : { error: call.error }),
            payload: usage === null ? {} : { usage },
          });
        }
      },
    });
  }
  db.close();
}
