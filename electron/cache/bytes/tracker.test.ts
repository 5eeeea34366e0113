import { describe, expect, test } from 'vitest';
import { slowKey, slowShared } from './testing/slow-key.ts';
import { createCallTracker, type TrackedCall } from './tracker.ts';

type Row = {
  turn: string;
  runtime?: string | null;
  attempt?: number;
  text?: string;
  body?: object | null;
  id?: string;
};

const payloadOf = ({ runtime = 'narrator', attempt = 0, text = 'x', body }: Row): Buffer =>
  Buffer.from(
    JSON.stringify({
      ...(body !== null && {
        providerRequests: [
          {
            protocol: 'openai-chat-v1',
            body: body ?? { messages: [{ role: 'user', content: text }] },
            statusCode: 200,
          },
        ],
      }),
      ...(runtime !== null && { runtimeId: runtime }),
      messages: [{ role: 'user', content: text }],
      attempt,
    }),
  );

/** Tracks the rows; ids are `0`, `1`, … unless given. */
function track(...rows: Row[]): TrackedCall[] {
  const tracker = createCallTracker();
  return rows.map((row, n) => tracker.track({ id: row.id ?? String(n), turnId: row.turn, payload: payloadOf(row) }));
}
const places = (calls: readonly TrackedCall[]) =>
  calls.map(({ step, attempt, baselineId, firstOfTurn }) => [step, attempt, baselineId, firstOfTurn]);

describe('steps and baselines', () => {
  test('a turn’s first call is compared with the first call of the turn before', () => {
    expect(places(track({ turn: 'A' }, { turn: 'A' }, { turn: 'B' }))).toEqual([
      [0, 0, null, true],
      [1, 0, '0', false],
      [0, 0, '0', true],
    ]);
  });

  test('a later step with the step before', () => {
    expect(places(track({ turn: 'A' }, { turn: 'A' }, { turn: 'A' })).at(-1)).toEqual([2, 0, '1', false]);
  });

  test('a retry with the attempt before, a step behind it with the last attempt of the step before', () => {
    const rows = [{ turn: 'A' }, { turn: 'A', attempt: 1 }, { turn: 'A', attempt: 2 }, { turn: 'A' }];
    const calls = track(...rows);
    expect(places(calls)).toEqual([
      [0, 0, null, true],
      [0, 1, '0', false],
      [0, 2, '1', false],
      [1, 0, '2', false],
    ]);
    expect(calls.map(({ opensGroup }) => opensGroup)).toEqual([true, false, false, true]);
  });

  test('a turn that begins with a retry opens its group all the same', () => {
    expect(places(track({ turn: 'A' }, { turn: 'B', attempt: 1 }))).toEqual([
      [0, 0, null, true],
      [0, 1, '0', true],
    ]);
  });

  test('runtimes do not mix', () => {
    const calls = track(
      { turn: 'A' },
      { turn: 'A', runtime: 'guide' },
      { turn: 'A' },
      { turn: 'B', runtime: 'guide' },
      { turn: 'B', runtime: null },
    );
    expect(calls.map(({ baselineId }) => baselineId)).toEqual([null, null, '0', '1', null]);
  });

  test('a turn that comes back after another one goes on where it stopped', () => {
    const calls = track({ turn: 'A' }, { turn: 'A' }, { turn: 'B' }, { turn: 'A' }, { turn: 'B' }, { turn: 'C' });
    expect(places(calls)).toEqual([
      [0, 0, null, true],
      [1, 0, '0', false],
      [0, 0, '0', true],
      [2, 0, '1', false],
      [1, 0, '2', false],
      [0, 0, '2', true],
    ]);
    // The last call of A was given up when B began; that of B is still there.
    expect(calls.map(({ prefix }) => prefix?.kind ?? null)).toEqual([
      null,
      'identical',
      'identical',
      null,
      'identical',
      'identical',
    ]);
  });

  test('a payload that cannot be read stands apart', () => {
    const tracker = createCallTracker();
    tracker.track({ id: 'a', turnId: 'A', payload: payloadOf({ turn: 'A' }) });
    for (const payload of [null, Buffer.from('{'), Buffer.from('[]')]) {
      expect(tracker.track({ id: 'b', turnId: 'A', payload })).toMatchObject({
        scan: { kind: 'unreadable' },
        size: null,
        baselineId: null,
        prefix: null,
      });
    }
    expect(tracker.track({ id: 'c', turnId: 'A', payload: payloadOf({ turn: 'A' }) })).toMatchObject({
      step: 1,
      baselineId: 'a',
    });
  });

  test('a concealed call has no size, and neither it nor the next one is measured', () => {
    const tracker = createCallTracker();
    const concealed = Buffer.from('{"runtimeId":"narrator"}');
    tracker.track({ id: 'a', turnId: 'A', payload: payloadOf({ turn: 'A' }) });
    expect(tracker.track({ id: 'b', turnId: 'B', payload: concealed })).toMatchObject({
      size: null,
      kernelOnly: true,
      baselineId: 'a',
      prefix: null,
    });
    expect(tracker.track({ id: 'c', turnId: 'C', payload: payloadOf({ turn: 'C' }) })).toMatchObject({
      baselineId: 'b',
      prefix: null,
    });
  });

  test('a call without a body is compared on the kernel view', () => {
    const [, call] = track({ turn: 'A', text: 'one', body: { messages: [] } }, { turn: 'B', text: 'two', body: null });
    expect(call).toMatchObject({
      kernelOnly: true,
      prefix: { kind: 'differs', first: { label: 'message 1 (user)', offset: 26 } },
    });
  });
});

describe('memory', () => {
  test('the payload may be overwritten after the call', () => {
    const tracker = createCallTracker();
    const payload = payloadOf({ turn: 'A', text: 'same' });
    const memory = Buffer.from(payload);
    tracker.track({ id: 'a', turnId: 'A', payload: memory });
    memory.fill(0);
    expect(tracker.track({ id: 'b', turnId: 'B', payload }).prefix?.kind).toBe('identical');
  });

  test('what many runtimes keep is bounded; a baseline that was given up is named but not measured', () => {
    const tracker = createCallTracker({ keptBytes: 1_000_000 });
    const text = 'x'.repeat(100_000);
    const call = (runtime: string, turn: string) =>
      tracker.track({ id: `${runtime}${turn}`, turnId: turn, payload: payloadOf({ turn, runtime, text }) });
    for (const runtime of ['a', 'b', 'c', 'd', 'e', 'f']) call(runtime, '1');
    expect(call('a', '2')).toMatchObject({ baselineId: 'a1', prefix: null });
    expect(call('f', '2')).toMatchObject({ baselineId: 'f1', prefix: { kind: 'identical' } });
  });
});

describe('long requests', () => {
  const long = (n: number): string => `${n} "lamp" 雾灯在岸边亮着\n`.repeat(60);
  const message = (n: number, mark = false) => ({
    role: n % 2 ? 'assistant' : 'user',
    content: [{ type: 'text', text: long(n), ...(mark && { cache_control: { type: 'ephemeral' } }) }],
  });
  const body = (turn: number, from: number, edited: number) => ({
    system: [
      { type: 'text', text: long(-1), cache_control: { type: 'ephemeral' } },
      { type: 'text', text: long(-2) },
    ],
    messages: [
      ...Array.from({ length: 20 + 2 * turn - from }, (_, n) =>
        message(n + from === edited ? 1000 : n + from, n === 17 + turn),
      ),
      { role: 'user', content: `context ${turn}` },
    ],
    tools: [{ name: 'roll', input_schema: {} }],
  });

  test.each([
    ['growing', (turn: number) => body(turn, 0, -1)],
    ['with a sliding window', (turn: number) => body(turn, turn, -1)],
    ['with a message edited each turn', (turn: number) => body(turn, 0, turn)],
  ])('%s: every pair is measured as its texts', (_, bodyOf) => {
    const tracker = createCallTracker();
    for (let turn = 0; turn < 8; turn++) {
      const now = bodyOf(turn);
      const payload = Buffer.from(
        JSON.stringify({
          providerRequests: [{ protocol: 'anthropic-messages-v1', body: now, statusCode: 200 }],
          runtimeId: 'r',
          messages: now.messages,
        }),
      );
      const { prefix } = tracker.track({ id: String(turn), turnId: String(turn), payload });
      if (turn === 0) continue;
      const slow = slowShared(
        slowKey('anthropic-messages-v1', bodyOf(turn - 1)),
        slowKey('anthropic-messages-v1', now),
      );
      expect(prefix).toMatchObject({
        kind: slow.kind,
        first: slow.first,
        was: slow.was,
        now: slow.now,
        shared: { chars: slow.shared.length },
      });
    }
  });
});
