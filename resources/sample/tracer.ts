/**
 * Writes what a turn leaves in the trace. Times are real times of the story: a call's row is written after its answer
 * began, as Covel does it.
 */
import { createIds, type DbBuilder } from '../../electron/sources/covel-db/testing/build-db.ts';
import type { Story } from './story.ts';
import type { RuntimeId, Target } from './plan.ts';
import type { SampleProvider } from './provider.ts';
import { textsOf, type Assembled } from './runtimes.ts';
import { recordedBody, type SampleRequest } from './wire.ts';

export type Where = { readonly sessionId: string; readonly turnId: string; readonly traceId: string };
export type Reply = {
  readonly text: string;
  readonly toolCalls?: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
  readonly error?: string;
};

/** The same request after one more tool step. */
export const grown = (assembled: Assembled, id: string, name: string, args: object, result: object): Assembled => ({
  ...assembled,
  messages: [
    ...assembled.messages,
    { role: 'assistant', content: '', toolCalls: [{ id, name, arguments: JSON.stringify(args) }] },
    { role: 'tool', content: JSON.stringify(result), toolCallId: id },
  ],
});

/** What a target can read: a message with pictures goes only to models that see (seed 1, section 1). */
const readable = (assembled: Assembled, target: Target): Assembled =>
  target.sees
    ? assembled
    : { ...assembled, messages: assembled.messages.filter(({ content }) => typeof content === 'string') };

/** The events of one session, on a clock of its own that starts at `start` (ms). */
export function createTracer(db: DbBuilder, { sessionId, locale }: Story, start: number, provider: SampleProvider) {
  const texts = {
    opener: textsOf(locale).text('conversation.opener'),
    responseFormat: textsOf(locale).text('response-format'),
  };
  let now = start;
  const at = (ms = 0): string => new Date(now + ms).toISOString();
  const pass = (ms: number): string => {
    now += ms;
    return at();
  };
  const callIds = createIds(`${sessionId}:tool`);
  const toolCallId = (): string => `call_${callIds().replaceAll('-', '').slice(0, 24)}`;

  /** One `llm.calling` row with its reply; `first` is a target that failed before this one answered. */
  function call(
    where: Where,
    runtimeId: RuntimeId,
    target: Target,
    whole: Assembled,
    reply: Reply,
    options: {
      readonly attempt?: number;
      readonly toolChoice?: SampleRequest['toolChoice'];
      readonly http429?: boolean;
      readonly first?: Target;
    } = {},
  ): void {
    const streaming = runtimeId === 'narrator';
    const pluginId = runtimeId.split('/')[0] ?? runtimeId;
    const recorded = (to: Target) =>
      recordedBody(to.protocol, to.provider, {
        ...readable(whole, to),
        model: to.model,
        toolChoice: options.toolChoice ?? 'auto',
        isPlain: !streaming,
        streaming,
        maxOutputTokens: 8192,
        sessionId,
        runtimeId,
        texts,
      });
    const assembled = readable(whole, target);
    const { body, omitted } = recorded(target);
    const startedAt = at();
    const entry = (to: Target, index: number, status: number, part: object, retry: object = {}): object => ({
      provider: to.provider,
      protocol: to.protocol,
      complete: omitted === 0,
      omittedFieldCount: omitted,
      transportAttempt: index,
      startedAt: at(),
      durationMs: 300 + ((now / 10) % 400),
      logicalAttempt: index,
      ...retry,
      statusCode: status,
      ...part,
    });
    const requests: object[] = [];
    if (options.first) {
      const failed = entry(options.first, 0, 529, {
        schemaVersion: 1,
        body: recorded(options.first).body,
      });
      requests.push(failed);
      pass(2200);
      requests.push(entry(target, 0, 200, { schemaVersion: 1, body }, { logicalAttempt: 1 }));
    } else if (options.http429) {
      requests.push(entry(target, 0, 429, { schemaVersion: 1, body }));
      pass(1500);
      requests.push(entry(target, 1, 200, { schemaVersion: 2, bodyRef: 0 }, { transportRetryReason: 'http-429' }));
    } else requests.push(entry(target, 0, reply.error ? 504 : 200, { schemaVersion: 1, body }));
    const output = reply.text + (reply.toolCalls ?? []).map((one) => one.name + one.arguments).join('');
    const usage = reply.error
      ? { inputTokens: 0, outputTokens: 0 }
      : provider.bill(body, target.protocol, target.model, now, output);
    const durationMs = reply.error ? 30_002 : 700 + usage.outputTokens * 18;
    const defaults =
      runtimeId === 'narrator'
        ? {}
        : {
            defaults: {
              reasoningEffort: 'disabled',
              ...(options.toolChoice && options.toolChoice !== 'auto' ? { toolChoice: options.toolChoice } : {}),
            },
          };
    pass(Math.min(durationMs, 900));
    db.emitEvent({
      ...where,
      type: 'llm.calling',
      createdAt: at(),
      payload: {
        providerRequests: requests,
        ...defaults,
        maxOutputTokens: 8192,
        runtimeId,
        pluginId,
        slot: target.slot,
        model: target.model,
        provider: target.provider,
        messages: assembled.messages,
        tools: assembled.tools,
        attempt: options.attempt ?? 0,
        startedAt,
        queueWaitMs: 0,
        ...(streaming ? { streaming: true } : {}),
      },
    });
    pass(Math.max(0, durationMs - 900));
    db.emitEvent({
      ...where,
      type: 'llm.responded',
      createdAt: at(),
      payload: {
        runtimeId,
        pluginId,
        ...(reply.error
          ? { finishReason: 'error', error: reply.error }
          : {
              text: reply.text,
              toolCalls: reply.toolCalls ?? [],
              finishReason: reply.toolCalls?.length ? 'tool_calls' : 'stop',
            }),
        usage,
        durationMs,
        attempt: options.attempt ?? 0,
        ...(streaming ? { streaming: true } : {}),
      },
    });
    pass(40);
  }

  function tool(where: Where, runtimeId: RuntimeId, id: string, name: string, args: object, result: object): void {
    const pluginId = runtimeId.split('/')[0] ?? runtimeId;
    const head = {
      runtimeId,
      pluginId,
      toolName: name,
      toolCallId: id,
      label: `${pluginId}/${name}`,
      approvalStatus: 'auto-allowed',
    };
    db.emitEvent({
      ...where,
      type: 'tool.calling',
      createdAt: pass(3),
      payload: { ...head, arguments: JSON.stringify(args), source: 'builtin' },
    });
    db.emitEvent({
      ...where,
      type: 'tool.completed',
      createdAt: pass(6),
      payload: { ...head, result: JSON.stringify(result), parsedResult: result, durationMs: 6, success: true },
    });
  }

  function runtime(where: Where, runtimeId: RuntimeId, work: () => void, error: string | null = null): void {
    const pluginId = runtimeId.split('/')[0] ?? runtimeId;
    const began = now;
    db.insertEvent({ ...where, type: 'runtime.started', createdAt: pass(5), payload: { runtimeId, pluginId } });
    work();
    const payload =
      error === null
        ? { runtimeId, pluginId, status: 'success', durationMs: now - began }
        : { runtimeId, pluginId, error };
    db.insertEvent({
      ...where,
      type: error === null ? 'runtime.completed' : 'runtime.failed',
      createdAt: pass(5),
      payload,
    });
  }

  function begin(player: string): Where & { readonly startedAt: string } {
    const turnId = db.newId();
    const where = { sessionId, turnId, traceId: db.newId(), startedAt: at() };
    db.insertEvent({
      ...where,
      type: 'turn.started',
      createdAt: where.startedAt,
      payload: {
        runtimeCount: 4,
        origin: 'player',
        requestId: db.newId(),
        recoveryAction: { type: 'send_message', payload: { content: player } },
      },
    });
    pass(20);
    return where;
  }

  /** Milliseconds since an instant. */
  const elapsed = (since: string): number => now - Date.parse(since);

  return { at, pass, begin, call, runtime, tool, toolCallId, elapsed };
}
