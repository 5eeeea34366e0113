import { statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { unwrap } from '../../../shared/error.ts';
import { openCovelDb } from './index.ts';
import { buildDb, createClock, type BuildOptions } from './testing/build-db.ts';
import { S, built, flags, texts, turn } from './testing/built.ts';
import { tempFolder } from './testing/temp.ts';
import type { Generation } from './types.ts';

describe('generations', () => {
  const generations: readonly Generation[] = ['G1', 'G2', 'G3', 'G4', 'G5', 'G6'];
  test.each(generations)('%s is told by its columns and read alike', async (generation) => {
    const db = await built(
      (builder) => {
        turn(builder, 'one', { during: (t) => (builder.insertCall(t), builder.insertReply(t)) });
        turn(builder, 'two', { during: (t) => builder.insertCall(t) });
        turn(builder, 'lost', { end: 'failed' });
        builder.insertSummary({ sessionId: S, turnRange: ['a', 'b'], content: 'Then', focusSections: ['x'] });
      },
      { generation },
    );
    expect(db.info.generation).toBe(generation);
    expect(db.sessions()).toMatchObject([
      {
        id: S,
        worldId: 'fog',
        title: generation === 'G1' ? null : 'Fog',
        turns: 3,
        attempts: 2,
        calls: null,
        summaries: 1,
      },
    ]);
    expect(db.turns(S, false)).toMatchObject([
      { index: 1, playerText: 'one', status: 'committed', origin: 'player', attempts: 1 },
      { index: 2, playerText: 'two', status: 'committed', attempts: 1 },
      { index: 3, playerText: 'lost', status: 'failed', failures: 1, attempts: 0 },
    ]);
    expect(db.history(S).map((row) => [row.content, row.turnIndex])).toEqual([
      ['one', 1],
      ['two', 2],
    ]);
    expect(db.summaries(S)).toMatchObject([{ content: 'Then', focusSections: ['x'], turnRange: ['a', 'b'] }]);
    expect(flags(db)).toEqual([]);
  });

  test('only the trace: every other table is missing', async () => {
    const without = ['sessions', 'turn_messages', 'turn_results', 'session_summaries', 'lorebook_entries'];
    const db = await built((builder) => turn(builder, 'one', { during: (t) => builder.insertCall(t) }), { without });
    expect(db.sessions()).toMatchObject([{ id: S, title: null, createdAt: null, turns: 1, attempts: 1, summaries: 0 }]);
    expect(texts(db)).toEqual(['one']);
    expect([db.history(S), db.summaries(S)]).toEqual([[], []]);
    expect(flags(db)).toEqual([`session-missing sessions/${S}`]);
  });

  test('tables whose module is not here are left alone', async () => {
    const db = await built((builder) => {
      builder.db.unsafeMode(true);
      builder.db.pragma('writable_schema = ON');
      builder.db.exec(`INSERT INTO sqlite_master VALUES ('table', 'vec_mem_m1', 'vec_mem_m1', 0,
        'CREATE VIRTUAL TABLE vec_mem_m1 USING vec0(embedding float[4])')`);
    });
    expect(db.sessions()).toHaveLength(1);
    expect(flags(db)).toEqual([]);
  });
});

describe('order', () => {
  const still = (): BuildOptions => ({ clock: createClock('2026-10-12T08:00:00.000Z', 0) });
  test('rows of equal time: by seq of the column, not by rowid', async () => {
    const db = await built((builder) => {
      for (const [id, seq] of [
        ['c', 2],
        ['a', 0],
        ['b', 1],
      ] as const)
        builder.insert('trace_events', {
          id,
          session_id: S,
          type: 'llm.calling',
          trace_id: 't',
          turn_id: 't',
          payload: '{}',
          created_at: 'x',
          seq,
        });
    });
    expect(db.callRefs(S).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });
  test.each(['flat', 'nested'])('before that column: by seq of the payload (%s)', async (shape) => {
    const db = await built(
      (builder) => {
        for (const [id, seq] of [
          ['c', 2],
          ['a', 0],
          ['b', 1],
        ] as const)
          builder.insertEvent({
            id,
            sessionId: S,
            turnId: 't',
            type: 'llm.calling',
            payload: shape === 'flat' ? { seq } : { data: { seq } },
          });
      },
      { ...still(), generation: 'G4' },
    );
    expect(db.callRefs(S).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });
  test('before that column, with a payload that is no JSON: by rowid', async () => {
    const db = await built(
      (builder) => {
        for (const id of ['b', 'a'])
          builder.insertEvent({ id, sessionId: S, turnId: 't', type: 'llm.calling', payload: '{' });
      },
      { ...still(), generation: 'G2' },
    );
    expect(db.callRefs(S).map(({ id }) => id)).toEqual(['b', 'a']);
  });
  test('turns by their first event, sessions by creation and id', async () => {
    const db = await built((builder) => {
      builder.insertSession({ id: 'z', createdAt: '2020-01-01T00:00:00.000Z' });
      builder.insertSession({ id: 'a', createdAt: '2020-01-01T00:00:00.000Z' });
      builder.insertEvent({ sessionId: S, turnId: 'late', type: 'turn.started', payload: {}, createdAt: '2026-01-02' });
      builder.insertEvent({ sessionId: S, turnId: 'early', type: 'hook.fired', payload: {}, createdAt: '2026-01-01' });
      builder.insertEvent({
        sessionId: S,
        turnId: 'early',
        type: 'turn.started',
        payload: {},
        createdAt: '2026-01-03',
      });
    });
    expect(db.sessions().map(({ id }) => id)).toEqual(['a', 'z', S]);
    expect(db.turns(S, false).map((row) => [row.turnId, row.startedAt])).toEqual([
      ['early', '2026-01-01'],
      ['late', '2026-01-02'],
    ]);
  });
});

describe('calls and replies', () => {
  test('small facts of replies, flat and nested', async () => {
    const usage = { inputTokens: 100, outputTokens: 5, cachedInputTokens: 60 };
    const db = await built((builder) => {
      turn(builder, 'x', {
        turnId: 't',
        during: (t) => {
          builder.insertReply({ ...t, usage, durationMs: 12, finishReason: 'tool_calls' });
          builder.insertEvent({
            ...t,
            type: 'llm.responded',
            payload: {
              runtimeId: 'flat',
              data: { seq: 7, runtimeId: 'guide', attempt: 1, error: 'late', finishReason: 'error' },
            },
          });
          builder.insertEvent({ ...t, type: 'llm.responded', payload: null });
          builder.insertEvent({ ...t, type: 'llm.responded', payload: '{"runtimeId": "half' });
          builder.insertEvent({ ...t, type: 'llm.responded', payload: { attempt: '1', usage: [] } });
          builder.insertEvent({
            ...t,
            type: 'llm.responded',
            payload: `{"runtimeId":"deep","x":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
          });
        },
      });
    });
    const nothing = {
      emitted: null,
      runtimeId: null,
      attempt: 0,
      finishReason: null,
      error: null,
      durationMs: null,
      usage: null,
    };
    expect(db.replies(S)).toMatchObject([
      {
        emitted: 0,
        runtimeId: 'narrator',
        attempt: 0,
        finishReason: 'tool_calls',
        durationMs: 12,
        usage: { ...usage, cacheWriteInputTokens: null },
      },
      { ...nothing, emitted: 7, runtimeId: 'guide', attempt: 1, finishReason: 'error', error: 'late' },
      nothing,
      nothing,
      nothing,
      { ...nothing, runtimeId: 'deep' },
    ]);
  });

  test('payloads as bytes, by rowid and by id; a call by its id', async () => {
    const db = await built((builder) => {
      builder.insertEvent({
        id: 'call',
        sessionId: S,
        turnId: 't',
        type: 'llm.calling',
        payload: '{"a":"雾\\ud800\\u0000"}',
      });
      builder.insertEvent({ id: 'null', sessionId: S, turnId: 't', type: 'llm.calling', payload: null });
      builder.insertEvent({ id: 'other', sessionId: S, turnId: 't', type: 'hook.fired', payload: {} });
    });
    const [call, empty] = db.callRefs(S);
    expect(call?.payloadBytes).toBe(23);
    expect(empty?.payloadBytes).toBe(0);
    expect(Buffer.from(db.payload(call?.rowid ?? 0) ?? []).toString('utf8')).toBe('{"a":"雾\\ud800\\u0000"}');
    expect(db.payloadById('call')).toEqual(db.payload(call?.rowid ?? 0));
    expect([db.payload(empty?.rowid ?? 0), db.payload(99), db.payloadById('nowhere')]).toEqual([null, null, null]);
    expect(db.findCall('call')).toMatchObject({ ...call, sessionId: S });
    expect([db.findCall('other'), db.findCall('nowhere')]).toEqual([null, null]);
  });

  test('a UTF-16 database gives the same bytes and texts', async () => {
    const { files, snapshots } = tempFolder();
    const path = join(files, 'covel.db');
    const { default: Database } = await import('better-sqlite3');
    new Database(path).exec("PRAGMA encoding = 'UTF-16le'; CREATE TABLE x (a); DROP TABLE x").close();
    const builder = buildDb(path);
    builder.insertSession({ id: S });
    turn(builder, '雾'.repeat(300), { during: (t) => builder.insertCall({ ...t, id: 'call' }) });
    builder.close();
    const db = unwrap(await openCovelDb(path, { snapshotRoot: snapshots }));
    onTestFinished(() => db.close());
    expect(texts(db)).toEqual(['雾'.repeat(200)]);
    expect(Buffer.from(db.payloadById('call') ?? []).toString('utf8')).toMatch(/^\{"flowId":/);
  });
});

describe('problems', () => {
  test('every kind of flagged row, with its table and id', async () => {
    const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
    const db = await built((builder) => {
      const event = (id: string, type: string, payload: string | null): void =>
        void builder.insertEvent({ id, sessionId: S, turnId: 't', type, payload });
      event('n', 'llm.calling', null);
      event('fine', 'hook.fired', null);
      event('half', 'llm.calling', '{"a":');
      event('list', 'llm.responded', '[1]');
      event('deep', 'tool.calling', `{"a":${deep}}`);
      event('odd1', 'weather.changed', '{}');
      event('odd2', 'weather.changed', '{}');
      builder.db.prepare("UPDATE trace_events SET payload = CAST(payload AS BLOB) WHERE id = 'odd2'").run();
      builder.insertMessage({
        id: 'm',
        sessionId: S,
        turnId: 't',
        sourceType: 'player',
        role: 'user',
        content: 'x',
        ui: '[',
      });
      builder.insertSummary({ id: 's', sessionId: S, turnRange: ['t', 't'], content: 'x', focusSections: 'none' });
      builder.insertResult({ id: 'r', sessionId: S, turnId: 't', runtimeResults: '{' });
      builder.db.prepare("UPDATE sessions SET metadata = '{' WHERE id = ?").run(S);
      builder.insertCall({ sessionId: 'ghost', turnId: 'g' });
    });
    expect(flags(db).toSorted()).toEqual([
      'deep-json trace_events/deep',
      'invalid-json session_summaries/s',
      `invalid-json sessions/${S}`,
      'invalid-json trace_events/half',
      'invalid-json turn_messages/m',
      'invalid-json turn_results/r',
      'payload-null trace_events/n',
      'session-missing sessions/ghost',
      'unknown-event-type trace_events/odd1',
      'wrong-type trace_events/list',
      'wrong-type trace_events/odd2',
    ]);
    const messages = [...db.problems()].map(({ message }) => message);
    expect(messages).toContainEqual(expect.stringMatching(/^2 × event type weather\.changed/));
    expect(db.sessions().find(({ id }) => id === S)?.title).toBeNull();
    expect(db.turns(S, false)).toHaveLength(1);
  });

  test('more rows than a batch: all are found, and the check pauses in between', async () => {
    const db = await built((builder) => {
      builder.transaction(() => {
        for (let i = 0; i < 700; i++)
          builder.insertEvent({
            id: `e${i}`,
            sessionId: S,
            turnId: 't',
            type: 'hook.fired',
            payload: i % 100 === 99 ? '{' : '{}',
          });
      });
    });
    expect(flags(db)).toHaveLength(7);
    expect([...db.problemBatches()].length).toBeGreaterThan(8);
  });

  test('concealed calls are no problem', async () => {
    const db = await built((builder) => {
      builder.insertCall({ sessionId: S, turnId: 't', payload: { slot: 'story', model: 'm' } });
    });
    expect(flags(db)).toEqual([]);
    expect(db.callRefs(S)).toHaveLength(1);
  });
});

describe('query plans', () => {
  test('lists of the newest schema find their rows by index and leave payloads alone', () => {
    const { files } = tempFolder();
    const builder = buildDb(join(files, 'covel.db'));
    onTestFinished(() => builder.close());
    const plan = (sql: string): string =>
      builder.db
        .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
        .all('s', 't')
        .map(({ detail }) => detail)
        .join('; ');
    const events = 'FROM trace_events WHERE session_id = ? AND type = ?';
    expect(plan(`SELECT rowid, turn_id, created_at, octet_length(payload) ${events}`)).toContain(
      'trace_events_type_idx',
    );
    expect(plan(`SELECT turn_id, count(*) ${events} GROUP BY +turn_id`)).toContain('trace_events_type_idx');
    expect(plan('SELECT rowid, seq FROM trace_events WHERE session_id = ? AND created_at = ?')).toContain(
      'COVERING INDEX trace_events_created_idx',
    );
    expect(plan('SELECT min(rowid) FROM trace_events WHERE session_id = ? AND turn_id = ?')).toContain(
      'COVERING INDEX trace_events_turn_id_idx',
    );
  });

  test('a list does not read the payload of a call: it works where the payload is cut off', async () => {
    const { files, snapshots } = tempFolder();
    const path = join(files, 'covel.db');
    const builder = buildDb(path, { journal: 'delete' });
    builder.insertSession({ id: S });
    turn(builder, 'x', { during: (t) => builder.insertCall({ ...t, payload: { messages: ['x'.repeat(900_000)] } }) });
    builder.close();
    // The overflow chain of the call is the end of the file.
    truncateSync(path, statSync(path).size - 500_000);
    const db = unwrap(await openCovelDb(path, { snapshotRoot: snapshots }));
    onTestFinished(() => db.close());
    expect(db.turns(S, false)).toMatchObject([{ attempts: 1, playerText: 'x' }]);
    expect(db.callRefs(S)[0]?.payloadBytes).toBeGreaterThan(900_000);
    expect(db.payload(db.callRefs(S)[0]?.rowid ?? 0)).toBeNull();
  });
});
