/** What a stream said, collected. For tests. */
import type { Json, Protocol } from '../../../../shared/model/index.ts';
import { streamOf } from '../index.ts';
import { createSse } from '../sse.ts';
import type { Reply, ReplyFault, ReplyOptions, ReplyStream, StreamEvent } from '../types.ts';
import { optionsFor } from './answers.ts';

export type Collected = {
  readonly events: readonly StreamEvent[];
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly string[];
  /** What ended the stream; null: nothing did. */
  readonly last: Reply | ReplyFault | null;
};

export function collected(events: readonly StreamEvent[]): Collected {
  const join = (type: 'text-delta' | 'reasoning-delta'): string =>
    events.flatMap((event) => (event.type === type ? event.text : [])).join('');
  const last = events.at(-1);
  return {
    events,
    text: join('text-delta'),
    reasoning: join('reasoning-delta'),
    calls: events.flatMap((event) => (event.type === 'tool-call' ? event.call.name : [])),
    last: last?.type === 'done' ? last.reply : last?.type === 'fault' ? last.fault : null,
  };
}

/** Feeds events, then ends the connection. */
export function feed(
  protocol: Protocol,
  events: readonly (Json | string)[],
  options: ReplyOptions = optionsFor(protocol),
): Collected {
  const stream = streamOf(protocol)(options);
  const data = (event: Json | string): string => (typeof event === 'string' ? event : JSON.stringify(event));
  return collected([...events.flatMap((event) => stream.event(data(event))), ...stream.end()]);
}

/** Feeds bytes in chunks, then ends the connection. */
export function feedBytes(stream: ReplyStream, chunks: readonly Uint8Array[]): Collected {
  const sse = createSse();
  const events = chunks.flatMap((chunk) => sse.push(chunk)).flatMap((data) => stream.event(data));
  return collected([...events, ...stream.end()]);
}
