/**
 * The payload of an `llm.calling` event is a JSON object of some hundred kilobytes: the bodies that were sent
 * (`providerRequests`) and the kernel's own view (`messages`, `tools`). Its small facts are read at once, the
 * large values stay bytes (storage page, section 3, "llm.calling").
 */
import type { HttpAttempt } from '../../../shared/model/index.ts';
import { decodeNumber, decodeString, type ByteRange } from './json-bytes.ts';
import { layOut, type Fields, type Layout, type RequestLayout } from './layout.ts';

/** An HTTP attempt whose body is a place in the payload: an object, `bodyRef` resolved; null where a reference leads nowhere. */
export type RequestScan = Omit<HttpAttempt, 'body'> & { readonly body: ByteRange | null };

export type CallScan = {
  readonly kind: 'call';
  readonly runtimeId: string | null;
  readonly pluginId: string | null;
  readonly slot: string | null;
  readonly model: string | null;
  readonly provider: string | null;
  readonly attempt: number;
  readonly startedAt: string | null;
  readonly streaming: boolean;
  readonly queueWaitMs: number | null;
  readonly maxOutputTokens: number | null;
  /** Counter of the emitter inside its turn (payload `seq`). */
  readonly emitted: number | null;
  readonly defaults: ByteRange | null;
  readonly requests: readonly RequestScan[];
  /** Arrays of the kernel view. */
  readonly messages: ByteRange | null;
  readonly tools: ByteRange | null;
};

export type PayloadScan =
  CallScan | { readonly kind: 'unreadable'; readonly reason: 'null' | 'invalid-json' | 'not-an-object' };

/**
 * Reads the facts of one payload. Keys may stand in any order, data may be nested under `data` (its fields win);
 * a value of a wrong type is null. Ranges are offsets into `bytes`. Never throws.
 */
export function scanPayload(bytes: Uint8Array | null): PayloadScan {
  if (bytes === null) return { kind: 'unreadable', reason: 'null' };
  const layout = layOut(bytes);
  return typeof layout === 'string' ? { kind: 'unreadable', reason: layout } : scanLayout(layout);
}

/** The request whose body is shown and measured: the last that was answered (status 2xx), else the last with a body. */
export function chosenRequest(scan: PayloadScan): RequestScan | null {
  if (scan.kind !== 'call') return null;
  const sent = scan.requests.filter((request) => request.body !== null);
  const answered = sent.findLast(({ statusCode }) => statusCode !== null && statusCode >= 200 && statusCode < 300);
  return answered ?? sent.at(-1) ?? null;
}

export function scanLayout({ bytes, fields, requests }: Layout): CallScan {
  const read = reader(bytes, fields);
  const attempt = read.number('attempt');
  return {
    kind: 'call',
    runtimeId: read.string('runtimeId'),
    pluginId: read.string('pluginId'),
    slot: read.string('slot'),
    model: read.string('model'),
    provider: read.string('provider'),
    attempt: attempt !== null && Number.isInteger(attempt) && attempt > 0 ? attempt : 0,
    startedAt: read.string('startedAt'),
    streaming: read.boolean('streaming') === true,
    queueWaitMs: read.number('queueWaitMs'),
    maxOutputTokens: read.number('maxOutputTokens'),
    emitted: read.number('seq'),
    defaults: read.range('defaults'),
    requests: requests.map((request, index) => scanRequest(bytes, request, index, requests)),
    messages: read.array('messages'),
    tools: read.array('tools'),
  };
}

function scanRequest(
  bytes: Buffer,
  { fields, body }: RequestLayout,
  index: number,
  all: readonly RequestLayout[],
): RequestScan {
  const read = reader(bytes, fields);
  const target = body === null ? read.number('bodyRef') : null;
  const referred = target !== null && target < index ? (all[target]?.body ?? null) : null;
  const own = body ?? referred;
  return {
    index,
    provider: read.string('provider'),
    protocol: read.string('protocol'),
    body: own && { start: own.start, end: own.end },
    sameBodyAs: referred === null ? null : target,
    complete: read.boolean('complete'),
    omittedFields: read.number('omittedFieldCount'),
    startedAt: read.string('startedAt'),
    durationMs: read.number('durationMs'),
    statusCode: read.number('statusCode'),
    failed: read.boolean('failed') === true,
    transportAttempt: read.number('transportAttempt'),
    logicalAttempt: read.number('logicalAttempt'),
    retryReason: read.string('transportRetryReason'),
  };
}

/** Reads fields of the wanted type; everything else is null. */
function reader(bytes: Buffer, fields: Fields) {
  return {
    string(key: string): string | null {
      const field = fields.get(key);
      return field ? decodeString(bytes, field) : null;
    },
    number(key: string): number | null {
      const field = fields.get(key);
      return field ? decodeNumber(bytes, field) : null;
    },
    boolean(key: string): boolean | null {
      const first = bytes[fields.get(key)?.start ?? -1];
      return first === 0x74 ? true : first === 0x66 ? false : null;
    },
    range(key: string): ByteRange | null {
      const field = fields.get(key);
      return field ? { start: field.start, end: field.end } : null;
    },
    array(key: string): ByteRange | null {
      const field = fields.get(key);
      return field?.bounds ? { start: field.start, end: field.end } : null;
    },
  };
}
