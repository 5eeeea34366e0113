/**
 * What the four streams have in common: an event is JSON, `[DONE]` and the end of the connection are no end of a reply
 * by themselves, a reply ends once, and its tool calls come out whole, just before it (assembler page, 8.9).
 */
import type { Json } from '../../../shared/model/index.ts';
import { field, isObject } from '../json.ts';
import { errorFault, errorIn, malformed } from './failure.ts';
import { isFault, type Accumulator, type ReplyStream, type StreamEvent } from './types.ts';

function parsed(data: string): Json | undefined {
  try {
    return JSON.parse(data) as Json;
  } catch {
    return undefined;
  }
}

export function createReplyStream(accumulator: Accumulator): ReplyStream {
  let ended = false;

  const run = (work: (emit: (event: StreamEvent) => void) => void): readonly StreamEvent[] => {
    if (ended) return [];
    const events: StreamEvent[] = [];
    work((event) => events.push(event));
    return events;
  };

  const close = (emit: (event: StreamEvent) => void): void => {
    ended = true;
    const result = accumulator.close(emit);
    if (isFault(result)) {
      emit({ type: 'fault', fault: result });
      return;
    }
    for (const call of result.toolCalls) emit({ type: 'tool-call', call });
    emit({ type: 'done', reply: result });
  };

  return {
    event: (data) =>
      run((emit) => {
        const text = data.trim();
        if (text === '') return;
        if (text === '[DONE]') return close(emit);
        const json = parsed(text);
        const error = errorIn(json) ?? (field(json, 'type') === 'error' ? json : undefined);
        const result = !isObject(json)
          ? malformed('an event of the stream is no JSON object')
          : error === undefined
            ? accumulator.add(json, emit)
            : errorFault(error, null);
        if (result === 'terminal') close(emit);
        else if (result !== null) {
          ended = true;
          emit({ type: 'fault', fault: result });
        }
      }),
    end: () => run(close),
  };
}

/** The fault of a stream that ended before its reply did. */
export const cutOff = (what: string) => malformed(`the stream ended before the reply did: no ${what} came`);
