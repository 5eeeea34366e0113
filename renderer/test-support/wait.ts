/** Waits in tests for what becomes true after some tasks; a test that waits in vain fails with the reason. */

/** Resolves as soon as `check` holds; rejects after some seconds. */
export async function until(check: () => boolean, what = String(check)): Promise<void> {
  const end = Date.now() + 4000;
  while (!check()) {
    if (Date.now() > end) throw new Error(`Waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
