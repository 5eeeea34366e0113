/**
 * A provider may send anything, and a relay in between breaks more. Whatever comes: no reader throws or hangs, a stream
 * ends once, and a reply that was cut is never taken for a whole one.
 */
import { describe, expect, test } from 'vitest';
import { PROTOCOLS, type Json, type Protocol } from '../../../shared/model/index.ts';
import { isFault, parseReplyOf, streamOf, type StreamEvent } from './index.ts';
import { createSse } from './sse.ts';
import { bodyOf, cutEvery, eventsOf, optionsFor, SAMPLE, sseOf } from './testing/answers.ts';
import { feed, feedBytes } from './testing/collect.ts';

/** Mutations of bodies, of events and of bytes for each protocol: 10,000 together. */
const BODIES = 1000;
const STREAMS = 1000;
const BYTES = 500;

/** Small seeded generator (mulberry32): the same run every time. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * below);
  };
}

/** Stands for a value nested deeper than most code can follow; put in as text, because the test could not write it. */
const DEEP = '@deep';
const textOf = (value: Json): string =>
  JSON.stringify(value).replaceAll(`"${DEEP}"`, `${'[{"a":'.repeat(5000)}1${'}]'.repeat(5000)}`);
const ODD: readonly Json[] = [
  null, true, 0, -1, 1.5, 1e308, '', '12', 'x', '\ud800', '[DONE]', [], {}, [null], { a: {} }, DEEP, { a: DEEP },
  JSON.parse('{"__proto__":{"index":5},"constructor":1}') as Json,
]; // prettier-ignore

/** A copy with one place changed: a value replaced, a field dropped, doubled or renamed, a list turned round. */
function mutate(value: Json, random: (below: number) => number): Json {
  const places: { readonly holder: Record<string, Json> | Json[]; readonly key: string | number }[] = [];
  const copy = structuredClone({ root: value }) as Record<string, Json>;
  const stack: Json[] = [copy];
  for (let here = stack.pop(); here !== undefined; here = stack.pop()) {
    if (typeof here !== 'object' || here === null) continue;
    for (const key of Array.isArray(here) ? here.keys() : Object.keys(here)) {
      places.push({ holder: here as Record<string, Json>, key });
      stack.push((here as Record<string, Json>)[key] as Json);
    }
  }
  const { holder, key } = places[random(places.length)] as (typeof places)[number];
  const at = holder as Record<string, Json>;
  const odd = ODD[random(ODD.length)] as Json;
  switch (random(6)) {
    case 0:
      if (Array.isArray(holder)) holder.splice(Number(key), 1);
      else if (key !== 'root') delete at[key];
      break;
    case 1:
      if (Array.isArray(holder)) holder.push(at[key] as Json, odd);
      else at[`${key}_`] = odd;
      break;
    case 2:
      if (Array.isArray(holder)) holder.reverse();
      else at[key] = [at[key] as Json, odd];
      break;
    case 3: {
      const other = places[random(places.length)] as (typeof places)[number];
      at[key] = structuredClone((other.holder as Record<string, Json>)[other.key] as Json);
      break;
    }
    default:
      at[key] = odd;
  }
  return copy['root'] as Json;
}

function checkEnds(events: readonly StreamEvent[]): void {
  const ends = events.filter((event) => event.type === 'done' || event.type === 'fault');
  if (ends.length !== 1 || events.at(-1) !== ends[0]) throw new Error('a stream must end exactly once, at its end');
}

describe.each(PROTOCOLS)('%s', { timeout: 60_000 }, (protocol) => {
  test('mutated bodies', () => {
    const random = randomOf(4);
    const parse = parseReplyOf(protocol);
    let faults = 0;
    for (let n = 0; n < BODIES; n++) {
      let body: Json = bodyOf(protocol, SAMPLE);
      for (let i = random(3); i >= 0; i--) body = mutate(body, random);
      if (isFault(parse(JSON.parse(textOf(body)) as Json, optionsFor(protocol)))) faults++;
    }
    // Both happen, so the run has tried both.
    expect(faults).toBeGreaterThan(20);
    expect(faults).toBeLessThan(BODIES - 20);
  });

  test('mutated events, left out, doubled and swapped', () => {
    const random = randomOf(5);
    const whole = eventsOf(protocol, SAMPLE, cutEvery(20));
    let faults = 0;
    for (let n = 0; n < STREAMS; n++) {
      const events: Json[] = [...whole];
      for (let i = random(3); i >= 0; i--) {
        const at = random(events.length);
        switch (random(4)) {
          case 0:
            events.splice(at, 1);
            break;
          case 1:
            events.splice(random(events.length), 0, events[at] as Json);
            break;
          default:
            events[at] = mutate(events[at] as Json, random);
        }
      }
      const stream = streamOf(protocol)(optionsFor(protocol));
      const out = [...events.flatMap((event) => stream.event(textOf(event))), ...stream.end(), ...stream.end()];
      checkEnds(out);
      if (out.at(-1)?.type === 'fault') faults++;
    }
    expect(faults).toBeGreaterThan(20);
    expect(faults).toBeLessThan(STREAMS - 20);
  });

  test('mutated bytes', () => {
    const random = randomOf(6);
    const whole = new TextEncoder().encode(sseOf(protocol, eventsOf(protocol, SAMPLE, cutEvery(20)), '\r\n'));
    let faults = 0;
    for (let n = 0; n < BYTES; n++) {
      const bytes = whole.slice();
      for (let i = random(8); i >= 0; i--) bytes[random(bytes.length)] = random(256);
      const size = 1 + random(200);
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.subarray(i * size, (i + 1) * size),
      );
      const seen = feedBytes(streamOf(protocol)(optionsFor(protocol)), chunks);
      checkEnds(seen.events);
      if (seen.last !== null && isFault(seen.last)) faults++;
    }
    expect(faults).toBeGreaterThan(50);
    expect(faults).toBeLessThan(BYTES);
  });

  test('cut at any byte before its end: a fault, no call, never a reply', () => {
    const text = sseOf(protocol, eventsOf(protocol, SAMPLE, cutEvery(10)));
    const bytes = new TextEncoder().encode(text);
    const whole = feedBytes(streamOf(protocol)(optionsFor(protocol)), [bytes]).last;
    // Chat's and Gemini's terminal stand in an event behind which only usage and `[DONE]` come.
    const terminal = new TextEncoder().encode(text.slice(0, endOf(protocol, text))).length;
    const sse = createSse();
    const stream = streamOf(protocol)(optionsFor(protocol));
    for (let n = 0; n < terminal; n++) {
      // The same reader up to this byte, and then the end of the connection in a reader of its own.
      const said = sse.push(bytes.subarray(n, n + 1)).flatMap((data) => stream.event(data));
      if (n + 1 < terminal && said.some((event) => event.type === 'done' || event.type === 'tool-call'))
        throw new Error(`done at byte ${n}`);
      if (n % 17 !== 0 && n < terminal - 40) continue;
      const { last, calls } = feedBytes(streamOf(protocol)(optionsFor(protocol)), [bytes.subarray(0, n)]);
      expect([last !== null && isFault(last), calls]).toEqual([true, []]);
    }
    expect(feedBytes(streamOf(protocol)(optionsFor(protocol)), [bytes.subarray(0, terminal)]).last).toMatchObject({
      text: (whole as { text: string }).text,
    });
  });

  test('long replies take time in proportion', () => {
    const time = (n: number): number => {
      const answer = { ...SAMPLE, text: 'word 字 '.repeat(n), reasoning: 'thought '.repeat(n) };
      const events = eventsOf(protocol, answer, cutEvery(4)).map((event) => JSON.stringify(event));
      const from = performance.now();
      expect(feed(protocol, events).text).toHaveLength(answer.text.length);
      return performance.now() - from;
    };
    time(500);
    const small = Math.min(time(500), time(500), time(500));
    // 16 times as long; quadratic work would be 256 times as much.
    expect(Math.min(time(8000), time(8000))).toBeLessThan(Math.max(small, 5) * 80);
  });
});

/** Where the event that ends the reply ends. */
function endOf(protocol: Protocol, text: string): number {
  const at = (mark: string): number => text.indexOf('\n\n', text.lastIndexOf(mark)) + 2;
  switch (protocol) {
    case 'openai-chat-v1':
      return at('"finish_reason":"tool_calls"');
    case 'google-generative-ai-v1':
      return at('"finishReason":"STOP"');
    case 'anthropic-messages-v1':
    case 'openai-responses-v1':
      return text.length;
  }
}
