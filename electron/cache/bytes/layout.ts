/**
 * A recorded call repeats most of an earlier one of its runtime, byte for byte. So the places of its values are
 * taken over from that earlier call, the guide, as far as the bytes are equal, and only what is new is walked.
 * A guide never changes the result; it only saves time.
 */
import { commonRun, isSameRun } from './byte-prefix.ts';
import {
  asBuffer,
  isArrayAt,
  isNullAt,
  isObjectAt,
  skipSpace,
  valueEnd,
  walkEntries,
  walkItems,
  type ByteRange,
} from './json-bytes.ts';

export type Field = ByteRange & {
  /** Starts and ends of its items by turns, where it is an array. */
  readonly bounds: readonly number[] | null;
  /** For each item the index of an equal one in the guide's array of this name, or -1. */
  readonly twins: readonly number[] | null;
  /** No array, and equal to the guide's value of this name. */
  readonly isTwin: boolean;
};
export type Fields = ReadonlyMap<string, Field>;

/**
 * Names the fields of an object. What a reader found out about them stands here and goes away with them: a WeakMap would
 * keep it until the next full collection of garbage.
 */
export type FieldsId = { kept: { readonly by: object } | null };

/** Identities of the fields of an object, and of the guide's that its twins are found in. */
export type Origin = { readonly id: FieldsId; readonly guide: FieldsId | null };

export type BodyLayout = ByteRange & { readonly fields: Fields; readonly origin: Origin };

/** An entry of `providerRequests`; `body` is null when it has none of its own. */
export type RequestLayout = { readonly fields: Fields; readonly body: BodyLayout | null };

export type Layout = {
  readonly bytes: Buffer;
  /** The payload's fields; those nested under `data` take the place of flat ones of the same name. */
  readonly fields: Fields;
  readonly origin: Origin;
  readonly requests: readonly RequestLayout[];
};

export type Unreadable = 'null' | 'invalid-json' | 'not-an-object';

/** How many items ahead of the guide's place a known item is looked for. */
const LOOK_AHEAD = 256;

/** Finds the values of a payload. Of several guides the one that begins most alike is used. */
export function layOut(payload: Uint8Array, guides: readonly Layout[] = []): Layout | Unreadable {
  const bytes = asBuffer(payload);
  const end = bytes.length;
  const start = skipSpace(bytes, 0, end);
  const fields = new Map<string, Field>();
  const nested = new Map<string, Field>();
  let requests: RequestLayout[] = [];
  let nestedRequests: RequestLayout[] | null = null;
  let guide: Layout | null = null;

  const read = (into: Map<string, Field>, key: string, at: number): number => {
    if (key === 'providerRequests') {
      guide = closest(bytes, at, key, guides);
      const found: RequestLayout[] = [];
      const to = isArrayAt(bytes, at) ? readRequests(bytes, at, end, guide, found) : valueEnd(bytes, at, end);
      if (into === nested) nestedRequests = found;
      else requests = found;
      into.set(key, { start: at, end: to, bounds: null, twins: null, isTwin: false });
      return to;
    }
    if (key === 'messages' || key === 'tools') guide ??= closest(bytes, at, key, guides);
    return readField(bytes, at, end, into, key, guide, guide?.fields);
  };

  const to = walkEntries(bytes, start, end, (key, at) => {
    if (key !== 'data' || !isObjectAt(bytes, at)) return read(fields, key, at);
    nested.clear();
    nestedRequests = null;
    return walkEntries(bytes, at, end, (inner, innerAt) => read(nested, inner, innerAt));
  });
  if (to < 0 || skipSpace(bytes, to, end) !== end) return reasonOf(bytes, start, end);
  for (const [key, field] of nested) fields.set(key, field);
  return { bytes, fields, origin: originOf(guide), requests: nestedRequests ?? requests };
}

const originOf = (guide: { readonly origin: Origin } | null | undefined): Origin => ({
  id: { kept: null },
  guide: guide?.origin.id ?? null,
});

function reasonOf(bytes: Buffer, start: number, end: number): Unreadable {
  if (isObjectAt(bytes, start)) return 'invalid-json';
  const to = valueEnd(bytes, start, end);
  return to < 0 || skipSpace(bytes, to, end) !== end ? 'invalid-json' : 'not-an-object';
}

/** The guide whose value of this key has the most bytes in common with the one at `at`. */
function closest(bytes: Buffer, at: number, key: string, guides: readonly Layout[]): Layout | null {
  let best: Layout | null = null;
  let most = 0;
  for (const guide of guides) {
    const field = guide.fields.get(key);
    if (!field) continue;
    const length = Math.min(LONGEST_LOOK, field.end - field.start, bytes.length - at);
    const common = commonRun(bytes, at, guide.bytes, field.start, length);
    if (common > most) {
      most = common;
      best = guide;
    }
  }
  return best;
}

/** A guide that is equal so far is good enough. */
const LONGEST_LOOK = 16384;

function readRequests(bytes: Buffer, at: number, end: number, guide: Layout | null, into: RequestLayout[]): number {
  return walkItems(bytes, at, end, (itemAt) => {
    const fields = new Map<string, Field>();
    let body: BodyLayout | null = null;
    const guided = guide?.requests[into.length]?.body ?? guide?.requests.findLast((request) => request.body)?.body;
    let to = -1;
    if (isObjectAt(bytes, itemAt)) {
      to = walkEntries(bytes, itemAt, end, (key, valueAt) => {
        if (key !== 'body' || !isObjectAt(bytes, valueAt)) return readField(bytes, valueAt, end, fields, key, null);
        const bodyFields = new Map<string, Field>();
        const bodyEnd = walkEntries(bytes, valueAt, end, (name, fieldAt) =>
          readField(bytes, fieldAt, end, bodyFields, name, guide, guided?.fields),
        );
        body = { start: valueAt, end: bodyEnd, fields: bodyFields, origin: originOf(guided) };
        return bodyEnd;
      });
    } else {
      to = valueEnd(bytes, itemAt, end);
    }
    into.push({ fields, body });
    return to;
  });
}

/** The fields of an object, its arrays walked; null when it is malformed or no object. */
export function fieldsOf(bytes: Buffer, range: ByteRange): Fields | null {
  const fields = new Map<string, Field>();
  const to = walkEntries(bytes, range.start, range.end, (key, at) =>
    readField(bytes, at, range.end, fields, key, null),
  );
  return to === range.end ? fields : null;
}

/** One value as a field, its items walked when it is an array; null when it is malformed. */
export function fieldAt(bytes: Buffer, range: ByteRange): Field | null {
  const { start, end } = range;
  const bounds: number[] | null = isArrayAt(bytes, start) ? [] : null;
  if (bounds && walkBounds(bytes, start, end, bounds) !== end) return null;
  return { start, end, bounds, twins: null, isTwin: false };
}

function readField(
  bytes: Buffer,
  at: number,
  end: number,
  into: Map<string, Field>,
  key: string,
  guide: Layout | null,
  guideFields?: Fields,
): number {
  const known = guideFields?.get(key);
  let bounds: number[] | null = null;
  let twins: number[] | null = null;
  let isTwin = false;
  let to = -1;
  if (isArrayAt(bytes, at)) {
    bounds = [];
    if (guide && known?.bounds) {
      twins = [];
      to = guidedBounds(bytes, at, end, bounds, twins, guide.bytes, known.bounds);
    } else {
      to = walkBounds(bytes, at, end, bounds);
    }
  } else {
    isTwin = guide !== null && known !== undefined && isSameValue(bytes, at, end, guide.bytes, known.start, known.end);
    to = isTwin && known ? at + known.end - known.start : valueEnd(bytes, at, end);
  }
  if (to >= 0 && !(bounds === null && isNullAt(bytes, at)))
    into.set(key, { start: at, end: to, bounds, twins, isTwin });
  else into.delete(key);
  return to;
}

function walkBounds(bytes: Buffer, at: number, end: number, bounds: number[]): number {
  return walkItems(bytes, at, end, (itemAt) => {
    const to = valueEnd(bytes, itemAt, end);
    bounds.push(itemAt, to);
    return to;
  });
}

/**
 * Does the guide's value stand at `at`? Only strings and containers say by themselves where they end; a few bytes
 * are looked at before memory is compared.
 */
function isSameValue(bytes: Buffer, at: number, end: number, guide: Buffer, from: number, to: number): boolean {
  const length = to - from;
  if (length < 2 || at + length > end) return false;
  const half = length >> 1;
  if (bytes[at + length - 1] !== guide[to - 1] || bytes[at + half] !== guide[from + half]) return false;
  return isClosed(guide, to) && isSameRun(bytes, at, guide, from, length);
}

/** Walks the items of an array, by the guide's where they are equal. Answers the array's end, or -1. */
function guidedBounds(
  bytes: Buffer,
  at: number,
  end: number,
  bounds: number[],
  twins: number[],
  guide: Buffer,
  known: readonly number[],
): number {
  const count = known.length / 2;
  /** The guide's item that should come next. */
  let next = 0;
  return walkItems(bytes, at, end, (itemAt) => {
    for (let k = next; k < Math.min(count, next + LOOK_AHEAD); k++) {
      const from = known[2 * k] as number;
      if (!isSameValue(bytes, itemAt, end, guide, from, known[2 * k + 1] as number)) continue;
      next = takeRun(bytes, itemAt, end, bounds, twins, guide, known, k);
      return bounds[bounds.length - 1] as number;
    }
    const to = valueEnd(bytes, itemAt, end);
    bounds.push(itemAt, to);
    twins.push(-1);
    return to;
  });
}

/** Takes over the guide's items from `k` on as long as the bytes are equal, the commas between them included. */
function takeRun(
  bytes: Buffer,
  at: number,
  end: number,
  bounds: number[],
  twins: number[],
  guide: Buffer,
  known: readonly number[],
  k: number,
): number {
  const count = known.length / 2;
  const shift = at - (known[2 * k] as number);
  const equalFrom = known[2 * k + 1] as number;
  const rest = Math.min((known[2 * count - 1] as number) - equalFrom, end - shift - equalFrom);
  const equalTo = equalFrom + commonRun(bytes, equalFrom + shift, guide, equalFrom, rest);
  let next = k;
  do {
    bounds.push((known[2 * next] as number) + shift, (known[2 * next + 1] as number) + shift);
    twins.push(next);
    next++;
  } while (
    next < count &&
    (known[2 * next + 1] as number) <= equalTo &&
    isClosed(guide, known[2 * next + 1] as number)
  );
  return next;
}

/** Is the value that ends here a string or a container, and so the same wherever its bytes stand? */
function isClosed(bytes: Buffer, end: number): boolean {
  const last = bytes[end - 1];
  return last === 0x22 || last === 0x5d || last === 0x7d;
}
