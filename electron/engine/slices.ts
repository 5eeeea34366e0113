/** The engine has one thread: long work gives way to other requests at least every 12 milliseconds. */

const SLICE_MS = 12;

/** Resolves at once inside a slice; at its end after everything that waited had its turn. */
export function createSlices(): () => Promise<void> {
  let until = performance.now() + SLICE_MS;
  return async () => {
    if (performance.now() <= until) return;
    await new Promise((resolve) => setImmediate(resolve));
    until = performance.now() + SLICE_MS;
  };
}
