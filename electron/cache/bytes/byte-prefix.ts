/**
 * Comparing memory runs at some 10 GB/s, but it only tells that two runs differ, not where. So equal stretches
 * are passed in growing steps, and the place is found by halving the step that differs.
 */

const FIRST_STEP = 4096;
const LARGEST_STEP = 65536;
/** Below this many bytes a loop is cheaper than a call. */
const BY_HAND = 32;

/** Are `length` bytes of `a` from `aFrom` those of `b` from `bFrom`? Both runs must lie inside their buffers. */
export function isSameRun(a: Buffer, aFrom: number, b: Buffer, bFrom: number, length: number): boolean {
  if (length > BY_HAND) return a.compare(b, bFrom, bFrom + length, aFrom, aFrom + length) === 0;
  for (let i = 0; i < length; i++) if (a[aFrom + i] !== b[bFrom + i]) return false;
  return true;
}

/** How many bytes `a` from `aFrom` and `b` from `bFrom` have in common, at most `length`. */
export function commonRun(a: Buffer, aFrom: number, b: Buffer, bFrom: number, length: number): number {
  let done = 0;
  let step = FIRST_STEP;
  while (done < length) {
    const size = Math.min(step, length - done);
    if (!isSameRun(a, aFrom + done, b, bFrom + done, size))
      return done + splitRun(a, aFrom + done, b, bFrom + done, size);
    done += size;
    step = Math.min(step * 2, LARGEST_STEP);
  }
  return length;
}

/** The same for runs that are known to differ. */
function splitRun(a: Buffer, aFrom: number, b: Buffer, bFrom: number, length: number): number {
  let low = 0;
  let high = length;
  while (high - low > BY_HAND) {
    const middle = (low + high) >> 1;
    if (isSameRun(a, aFrom + low, b, bFrom + low, middle - low)) low = middle;
    else high = middle;
  }
  while (a[aFrom + low] === b[bFrom + low]) low++;
  return low;
}
