/**
 * A stream of server-sent events is bytes: a chunk may end inside a character, a line end or an event. Lines end with
 * LF, CRLF or CR; several data lines are one text; an event counts only with the blank line behind it, so an unfinished
 * tail says nothing (assembler page, 8.9).
 */
import { createParser } from 'eventsource-parser';
import type { ReplyStream, StreamEvent } from './types.ts';

/** Characters that an unfinished event may hold before the stream is given up. */
const LARGEST_EVENT = 64 * 1024 * 1024;

export type SseReader = {
  /** Data of the events that these bytes complete. */
  push(bytes: Uint8Array): readonly string[];
};

export function createSse(largestEvent: number = LARGEST_EVENT): SseReader {
  const decoder = new TextDecoder('utf-8');
  let ready: string[] = [];
  let tooLarge = false;
  const parser = createParser({
    onEvent: ({ data }) => ready.push(data),
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') tooLarge = true;
    },
    maxBufferSize: largestEvent,
  });
  return {
    push(bytes) {
      if (tooLarge) return [];
      parser.feed(decoder.decode(bytes, { stream: true }));
      const events = ready;
      ready = [];
      return events;
    },
  };
}

/**
 * The events of a reply from the chunks of its body. Stops after `done` or `fault`; leaving the loop early, or its end,
 * cancels the body (`return` of its iterator). Errors of `chunks` itself are the caller's.
 */
export async function* readReplyEvents(
  chunks: AsyncIterable<Uint8Array>,
  reply: ReplyStream,
): AsyncGenerator<StreamEvent, void, undefined> {
  const sse = createSse();
  for await (const bytes of chunks) {
    for (const data of sse.push(bytes)) {
      for (const event of reply.event(data)) {
        yield event;
        if (event.type === 'done' || event.type === 'fault') return;
      }
    }
  }
  yield* reply.end();
}
