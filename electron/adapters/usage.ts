/**
 * Covel records usage with the cache counts inside the input: `inputTokens` is everything that was read, cached
 * and cache-written tokens are disjoint parts of it (storage page, section 3, llm.responded).
 */
import type { Usage } from '../../shared/model/index.ts';
import { tokens } from '../../shared/units.ts';

export type RecordedUsage = {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly cachedInputTokens: number | null;
  readonly cacheWriteInputTokens: number | null;
};

/**
 * Disjoint buckets in tokens that add up to the recorded input. A part that was not reported is null; usage that
 * contradicts itself (more cached than input) leaves `uncached` unknown. null when nothing was reported, which
 * an error's 0/0 counts as.
 */
export function usageBuckets(recorded: RecordedUsage | null, isError: boolean): Usage | null {
  if (!recorded) return null;
  const { inputTokens: input, outputTokens: output, cachedInputTokens: read, cacheWriteInputTokens: write } = recorded;
  if (input === null && output === null && read === null && write === null) return null;
  if (isError && !input && !output) return null;
  const rest = input === null ? null : input - (read ?? 0) - (write ?? 0);
  return {
    uncached: rest === null || rest < 0 ? null : tokens(rest),
    read: read === null ? null : tokens(read),
    write: write === null ? null : tokens(write),
    output: output === null ? null : tokens(output),
  };
}

/** The provider's whole input, or null where it is not known. */
export function billedInput(usage: Usage | null): number | null {
  if (usage?.uncached == null) return null;
  return usage.uncached + (usage.read ?? 0) + (usage.write ?? 0);
}
