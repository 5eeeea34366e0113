/**
 * The recording as it stands: every HTTP attempt with its body, the kernel view, the reply. Bodies leave as the
 * text that was recorded; what the trace left out is counted, not guessed.
 */
import { z } from 'zod';
import type { WireDetail } from '../../shared/api.ts';
import type { CallRow, HttpAttempt } from '../../shared/model/index.ts';
import { scanPayload, type RequestScan } from '../cache/bytes/payload.ts';
import type { ByteRange } from '../cache/bytes/json-bytes.ts';
import type { OpenedSource } from './opened-source.ts';

const text = (bytes: Uint8Array, range: ByteRange): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + range.start, range.end - range.start).toString('utf8');

/** Total: a payload that cannot be read gives `payloadProblem` and whatever the reply still says. */
export function wireDetail(source: OpenedSource, row: CallRow): WireDetail {
  const payload = source.db.payloadById(row.id);
  const scan = scanPayload(payload);
  const reply = replyOf(source, row);
  if (!payload || scan.kind === 'unreadable') {
    return {
      attempts: [],
      kernel: null,
      payloadProblem: scan.kind === 'unreadable' ? scan.reason : 'null',
      reply,
      request: { slot: null, streaming: false, queueWaitMs: null, maxOutputTokens: null, defaults: null },
    };
  }
  const kernel = {
    ...(scan.messages ? { messages: jsonOf(text(payload, scan.messages)) } : {}),
    ...(scan.tools ? { tools: jsonOf(text(payload, scan.tools)) } : {}),
  };
  return {
    attempts: scan.requests.map((request) => attempt(payload, request)),
    kernel: scan.messages ? indented(kernel) : null,
    payloadProblem: null,
    reply,
    request: {
      slot: scan.slot,
      streaming: scan.streaming,
      queueWaitMs: scan.queueWaitMs,
      maxOutputTokens: scan.maxOutputTokens,
      defaults: scan.defaults ? text(payload, scan.defaults) : null,
    },
  };
}

function attempt(payload: Uint8Array, request: RequestScan): HttpAttempt {
  const { body, ...facts } = request;
  return { ...facts, body: body && request.sameBodyAs === null ? text(payload, body) : null };
}

const jsonOf = (json: string): unknown => {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return json;
  }
};

/** JSON with line breaks; a value nested too deeply for that stays on one line, or is named as such. */
function indented(value: unknown): string {
  try {
    return JSON.stringify(value, null, 2);
  } catch {
    return '"(nested too deeply to be shown)"';
  }
}

const ReplySchema = z.object({
  text: z.string().nullish().catch(null),
  reasoningContent: z.string().nullish().catch(null),
  toolCalls: z
    .array(
      z.object({
        id: z.string().nullable().catch(null),
        name: z.string().catch('?'),
        arguments: z.unknown().optional(),
      }),
    )
    .catch([]),
  finishReason: z.string().nullish().catch(null),
  error: z.unknown().optional(),
  durationMs: z.number().nullish().catch(null),
  diagnostics: z.unknown().optional(),
});

function replyOf(source: OpenedSource, row: CallRow): WireDetail['reply'] {
  if (row.replyId === null) return null;
  const recorded = source.db.payloadById(row.replyId);
  const raw = recorded ? jsonOf(Buffer.from(recorded).toString('utf8')) : null;
  const flat = typeof raw === 'object' && raw !== null ? (raw as Record<string, unknown>) : {};
  const nested =
    typeof flat['data'] === 'object' && flat['data'] !== null ? (flat['data'] as Record<string, unknown>) : {};
  const parsed = ReplySchema.safeParse({ ...nested, ...flat });
  if (!parsed.success) return null;
  const reply = parsed.data;
  return {
    text: reply.text ?? null,
    reasoning: reply.reasoningContent ?? null,
    toolCalls: reply.toolCalls.map((call) => ({
      id: call.id,
      name: call.name,
      arguments: typeof call.arguments === 'string' ? call.arguments : indented(call.arguments ?? null),
    })),
    finishReason: reply.finishReason ?? null,
    error: shown(reply.error),
    durationMs: reply.durationMs ?? null,
    usage: row.usage,
    diagnostics: shown(reply.diagnostics),
  };
}

const shown = (value: unknown): string | null =>
  value === undefined || value === null ? null : typeof value === 'string' ? value : indented(value);
