/**
 * What was sent to whom, and whether it was answered, as the recording tells. After a fallback or a retry the attempt that
 * was answered counts (storage page, section 3, "llm.calling"): the others left nothing in its provider's cache.
 */
import { createHash } from 'node:crypto';
import { decodeString } from '../cache/bytes/json-bytes.ts';
import type { CallKey } from '../cache/bytes/key-bytes.ts';
import type { Fields } from '../cache/bytes/layout.ts';
import { chosenRequest, type RequestScan } from '../cache/bytes/payload.ts';
import type { TrackedCall } from '../cache/bytes/tracker.ts';
import { say } from '../../shared/language/types.ts';
import { isProtocol, type CallRow, type Protocol, type Sentence } from '../../shared/model/index.ts';
import { prefixTokens } from '../../shared/tokens.ts';
import { tokens, type Tokens } from '../../shared/units.ts';

export type Sent = {
  /** The HTTP attempt that was answered, else the last one; null: none was recorded. */
  readonly request: RequestScan | null;
  /** null: no body of a known protocol was recorded. */
  readonly protocol: Protocol | null;
  readonly provider: string | null;
  readonly model: string | null;
  /** Of that attempt, in milliseconds since 1970. */
  readonly startedAt: number | null;
};

/** A call of which nothing can be read but its row. */
export const unreadSent = ({ provider, model, startedAt }: CallRow): Sent => ({
  request: null,
  protocol: null,
  provider,
  model,
  startedAt: timeOf(startedAt),
});

/** Gemini's body has no model; it stands in the address, and Covel records it beside the body. */
export function sentOf({ bytes, scan }: CallKey, body: Fields | null, row: CallRow): Sent {
  const request = chosenRequest(scan);
  const model = body?.get('model');
  return {
    request,
    protocol: body && isProtocol(request?.protocol) ? request.protocol : null,
    provider: request?.provider ?? row.provider,
    model: (model && decodeString(bytes, model)) ?? row.model,
    startedAt: timeOf(request?.startedAt ?? null) ?? timeOf(scan.startedAt),
  };
}

function timeOf(text: string | null): number | null {
  const time = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? null : time;
}

/** Until the headers of the answer, where that is recorded: from then on others can read what this request wrote. */
export function durationOf({ request, startedAt }: Sent, row: CallRow): number | null {
  if (request?.durationMs != null) return request.durationMs;
  const began = timeOf(row.startedAt);
  if (row.durationMs === null || began === null || startedAt === null) return row.durationMs;
  return Math.max(0, began + row.durationMs - startedAt);
}

/**
 * Covel writes the row of a call when the answer begins, or when the call has failed. An error that came with usage was
 * answered before it failed.
 */
export function isAnswered(request: RequestScan | null, row: CallRow): boolean {
  const status = request?.statusCode ?? null;
  const isRefused = request?.failed === true || (status !== null && (status < 200 || status >= 300));
  return !isRefused && !(row.finishReason === 'error' && row.usage === null);
}

/** What a call must have in common with its baseline to have only grown: as many parts, and equal settings. */
export type Frame = { readonly parts: number; readonly digest: string };

/** `digest`: of all that is no part of the key text. */
export function frameOf(key: CallKey, body: Fields | null, { protocol, provider, model }: Sent): Frame {
  const hash = createHash('sha1').update(JSON.stringify([protocol, provider, model]));
  for (const [name, { start, end }] of body ?? []) {
    if (!key.fields.has(name)) hash.update(`${name}:`).update(key.bytes.subarray(start, end));
  }
  return { parts: key.parts.length, digest: hash.digest('base64') };
}

export type Growth = { readonly parts: number; readonly tokens: Tokens };

/** What was added, where every part of the baseline stands at the beginning and nothing else of it is different. */
export function growthOf({ prefix }: TrackedCall, before: Frame | undefined, own: Frame | undefined): Growth | null {
  if (!prefix || !before || !own || before.digest !== own.digest) return null;
  if (prefix.kind !== 'differs' || prefix.first?.part !== before.parts) return null;
  const added = prefixTokens(prefix.size) - prefixTokens(prefix.shared);
  return { parts: own.parts - before.parts, tokens: tokens(added) };
}

/** An attempt that another provider refused left nothing in the cache of the one that answered. */
export function failedElsewhere({ scan }: TrackedCall): readonly Sentence[] {
  const chosen = chosenRequest(scan);
  if (scan.kind !== 'call' || !chosen) return [];
  const providers = new Set(
    scan.requests.flatMap(({ provider }) => (provider !== null && provider !== chosen.provider ? [provider] : [])),
  );
  return [...providers].map((provider) => say('note.failed-elsewhere', { provider }));
}
