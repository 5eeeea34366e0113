/**
 * A pill says at a glance what a call cost: billed figures where the provider reported them, else what the comparison
 * with the baseline lets one expect. The two are never mixed in one bar.
 */
import type { CallRow } from '../../../shared/model/index.ts';
import { isKnownRuntime } from '../../app/runtime-name.ts';
import { shareOf } from '../parts/share.ts';

export type PillBar =
  /** Shares of the input tokens that were billed; they add up to 1. */
  | { readonly kind: 'billed'; readonly read: number; readonly write: number; readonly uncached: number }
  /** Share of the tokens that the baseline already had. */
  | { readonly kind: 'estimated'; readonly shared: number }
  | { readonly kind: 'none' };

/** The little bar of a call. A part that was not reported counts as nothing; with none reported there is no billed bar. */
export function pillBar(call: CallRow): PillBar {
  const { read = null, write = null, uncached = null } = call.usage ?? {};
  const total = (read ?? 0) + (write ?? 0) + (uncached ?? 0);
  // Without a read or a write figure the provider said nothing about its cache.
  if (total > 0 && (read !== null || write !== null))
    return {
      kind: 'billed',
      read: (read ?? 0) / total,
      write: (write ?? 0) / total,
      uncached: (uncached ?? 0) / total,
    };
  const shared = shareOf(call);
  return shared === null ? { kind: 'none' } : { kind: 'estimated', shared };
}

/** `unreadable`: the recording is damaged. `concealed`: the runtime keeps its prompt out of the trace. */
export type PillState = 'ok' | 'failed' | 'running' | 'unreadable' | 'concealed';
/** Words by which providers and Covel say that a call did not end well. */
const BAD_FINISH: ReadonlySet<string> = new Set(['error', 'content-filter', 'content_filter', 'refusal', 'SAFETY']);

/** A damaged call is never paired with its reply, and a concealed one is known as such at once: neither is running. */
export function pillState(call: CallRow): PillState {
  if (call.empty && !isKnownRuntime(call.runtimeId)) return 'unreadable';
  if (call.error !== null || BAD_FINISH.has(call.finishReason ?? '')) return 'failed';
  if (call.empty) return 'concealed';
  return call.replyId === null ? 'running' : 'ok';
}
