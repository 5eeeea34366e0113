/**
 * A call is released whole or not at all. Calls without an id get one that a repeated request would get again: made
 * from the request's body and the call's place (assembler page, 8.9).
 */
import type { FinishReason, ReplyOptions, ReplyToolCall, ReplyWarning } from './types.ts';

/** A call as it was read; `index` is its place in the protocol's own count, `arguments` `''` where nothing came. */
export type RawCall = {
  readonly index: number;
  readonly id: string | null;
  readonly name: string | null;
  readonly arguments: string;
};

export function callId({ requestBody, sha256Hex }: ReplyOptions, index: number): string {
  return `call_${sha256Hex(`${requestBody}\n${index}`).slice(0, 24)}`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

export type Released = {
  readonly calls: readonly ReplyToolCall[];
  /** Ids of the released calls by `RawCall.index`: what goes back natively must name the same calls. */
  readonly ids: ReadonlyMap<number, string>;
  readonly warnings: readonly ReplyWarning[];
};

/**
 * The calls of a reply in the order given. `end`: a reply that was cut off releases only calls with whole arguments, a
 * filtered one none.
 */
export function releaseCalls(raw: readonly RawCall[], end: FinishReason, options: ReplyOptions): Released {
  const calls: ReplyToolCall[] = [];
  const ids = new Map<number, string>();
  const warnings = new Set<ReplyWarning>();
  for (const call of raw) {
    const text = call.arguments.trim() === '' ? '{}' : call.arguments;
    const cut = end === 'length' && !isJson(call.arguments);
    if (call.name === null) warnings.add('call-without-name');
    else if (end === 'content_filter' || cut) warnings.add('call-dropped');
    else {
      const id = call.id ?? callId(options, call.index);
      ids.set(call.index, id);
      calls.push({ id, name: call.name, arguments: text });
    }
  }
  return { calls, ids, warnings: [...warnings] };
}
