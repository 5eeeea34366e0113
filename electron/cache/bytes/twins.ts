/**
 * From one request to the next most items of a list stay as they are; some come in, some go, and the rest move.
 * An item and its equal in the earlier list are called twins here.
 */
import { commonRun, isSameRun } from './byte-prefix.ts';
import type { ByteRange } from './json-bytes.ts';

/** How many items ahead of the place in the other list a twin is looked for. */
const LOOK_AHEAD = 256;

export function isSameField(bytes: Buffer, range: ByteRange, other: Buffer, otherRange: ByteRange): boolean {
  const length = range.end - range.start;
  return length === otherRange.end - otherRange.start && isSameRun(bytes, range.start, other, otherRange.start, length);
}

/** For each item its twin's index in the other list, or -1. Bounds are starts and ends by turns. */
export function twinsOf(
  bytes: Buffer,
  bounds: readonly number[],
  other: Buffer,
  otherBounds: readonly number[],
): number[] {
  const twins: number[] = [];
  let j = 0;
  for (let k = 0; 2 * k < bounds.length;) {
    const taken = equalItems(bytes, bounds, k, other, otherBounds, j);
    for (let n = 0; n < taken; n++) twins.push(j + n);
    k += taken;
    j += taken;
    if (2 * k >= bounds.length) break;
    const twin = nextTwin(bytes, bounds[2 * k] as number, bounds[2 * k + 1] as number, other, otherBounds, j);
    if (twin < 0) {
      twins.push(-1);
      k++;
    } else {
      j = twin;
    }
  }
  return twins;
}

function nextTwin(
  bytes: Buffer,
  start: number,
  end: number,
  other: Buffer,
  otherBounds: readonly number[],
  from: number,
): number {
  const length = end - start;
  for (let c = from; c < Math.min(otherBounds.length / 2, from + LOOK_AHEAD); c++) {
    const otherStart = otherBounds[2 * c] as number;
    const isSameLength = (otherBounds[2 * c + 1] as number) - otherStart === length;
    if (isSameLength && isSameRun(bytes, start, other, otherStart, length)) return c;
  }
  return -1;
}

/** How many items from `k` on are those of the other list from `j` on, found by comparing the lists as memory. */
function equalItems(
  bytes: Buffer,
  bounds: readonly number[],
  k: number,
  other: Buffer,
  otherBounds: readonly number[],
  j: number,
): number {
  const from = bounds[2 * k] as number;
  const otherFrom = otherBounds[2 * j];
  if (otherFrom === undefined) return 0;
  const length = Math.min(bounds.at(-1) as number, bytes.length) - from;
  const otherLength = (otherBounds.at(-1) as number) - otherFrom;
  const common = commonRun(bytes, from, other, otherFrom, Math.min(length, otherLength));
  let n = 0;
  for (; 2 * (k + n) < bounds.length && 2 * (j + n) < otherBounds.length; n++) {
    const end = (bounds[2 * (k + n) + 1] as number) - from;
    const isAligned =
      (bounds[2 * (k + n)] as number) - from === (otherBounds[2 * (j + n)] as number) - otherFrom &&
      end === (otherBounds[2 * (j + n) + 1] as number) - otherFrom;
    if (!isAligned || end > common) break;
  }
  return n;
}
