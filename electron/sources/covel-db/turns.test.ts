import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { S, built, texts, turn } from './testing/built.ts';
import { cut } from './values.ts';

describe('turns', () => {
  test('statuses', async () => {
    const db = await built((builder) => {
      turn(builder, 'done');
      turn(builder, 'aborted', { end: 'failed' });
      turn(builder, 'crashed', { end: 'none' });
      const id = turn(builder, 'refused', { end: 'none' });
      builder.insertEvent({
        sessionId: S,
        turnId: id,
        type: 'turn.completed',
        payload: { committed: false, error: 'no' },
      });
      const old = turn(builder, 'old', { end: 'none' });
      builder.insertEvent({
        sessionId: S,
        turnId: old,
        type: 'turn.completed',
        payload: { durationMs: 1, resultCount: 1 },
      });
      const row = turn(builder, 'end event lost', { end: 'none' });
      builder.insertResult({ sessionId: S, turnId: row, commitStatus: 'committed' });
      turn(builder, 'now', { end: 'none' });
    });
    const expected = ['committed', 'failed', 'interrupted', 'failed', 'committed', 'committed'];
    expect(db.turns(S, true).map((row) => row.status)).toEqual([...expected, 'running']);
    expect(db.turns(S, false).map((row) => row.status)).toEqual([...expected, 'interrupted']);
  });

  test('background jobs are no turns; gateway calls and calls without a start are', async () => {
    const db = await built((builder) => {
      turn(builder, 'picture', { turnId: 'story', traceId: 'stream' });
      for (const type of ['gateway.calling', 'asset.progress'])
        builder.emitEvent({ sessionId: S, turnId: 'job', traceId: 'stream', type, payload: {} });
      turn(builder, 'later');
      const asset = { modality: 'image', meta: {} };
      builder.emitEvent({
        sessionId: S,
        turnId: 'job',
        traceId: 'stream',
        type: 'asset.generated',
        payload: { asset },
      });
      builder.emitEvent({
        sessionId: S,
        turnId: 'job',
        traceId: 'stream',
        type: 'asset.generated',
        payload: { asset: { modality: 'audio' } },
      });
      builder.insertMessage({
        sessionId: S,
        turnId: 'job',
        sourceType: 'system',
        role: 'user',
        content: 'A picture was shown.',
        ui: [{ type: 'asset.generate' }],
      });
      builder.insertResult({ sessionId: S, turnId: 'background', origin: 'background' });
      turn(builder, null, {
        turnId: 'gateway',
        during: (t) => builder.emitEvent({ ...t, type: 'gateway.calling', payload: {} }),
      });
      builder.insertCall({ sessionId: S, turnId: 'manual' });
    });
    expect(db.turns(S, false).map((row) => [row.turnId, row.images])).toMatchObject([
      ['story', 1],
      [expect.any(String), 0],
      ['gateway', 0],
      ['manual', 0],
    ]);
    expect(db.sessions()).toMatchObject([{ turns: 4, attempts: 1 }]);
    expect(db.history(S).filter((row) => row.picture)).toMatchObject([
      { turnId: 'job', turnIndex: null, sourceType: 'system' },
    ]);
  });

  test('a compaction is filed under an earlier turn and counts for the one that ran', async () => {
    const db = await built((builder) => {
      const first = turn(builder, 'one');
      turn(builder, 'two', {
        during: (t) => {
          builder.insertEvent({
            ...t,
            turnId: first,
            type: 'context.compacted',
            payload: { data: { summaryId: 's' } },
          });
          builder.emitEvent({ ...t, type: 'context.pruned', payload: { prunedMessageCount: 3 } });
        },
      });
    });
    expect(db.turns(S, false).map((row) => [row.compactions, row.pruned])).toEqual([
      [0, 0],
      [1, 1],
    ]);
    expect(db.ledgerEvents(S)).toMatchObject([
      { type: 'context.compacted', payload: { summaryId: 's' } },
      { type: 'context.pruned', payload: { prunedMessageCount: 3 } },
    ]);
  });

  test('swept traces: turns live on in messages and results, also under a late compaction', async () => {
    const db = await built((builder) => {
      const ids = ['one', 'two', 'three'].map((text) => turn(builder, text));
      builder.insertMessage({
        sessionId: S,
        turnId: 'opening',
        sourceType: 'runtime',
        role: 'assistant',
        content: 'Fog.',
        createdAt: '2026-01-01',
      });
      builder.insertResult({ sessionId: S, turnId: 'silent', origin: 'continuation' });
      builder.db.exec('DELETE FROM trace_events');
      builder.db.exec(`DELETE FROM turn_results WHERE turn_id = '${ids[1]}'`);
      turn(builder, 'four', {
        during: (t) => builder.insertEvent({ ...t, turnId: ids[0] ?? '', type: 'context.compacted', payload: {} }),
      });
    });
    expect(db.turns(S, false)).toMatchObject([
      { turnId: 'opening', swept: true, status: 'unknown', playerText: null, attempts: 0 },
      { playerText: 'one', swept: true, status: 'committed', origin: 'player' },
      { playerText: 'two', swept: true, status: 'unknown', origin: null },
      { playerText: 'three', swept: true },
      { turnId: 'silent', swept: true, origin: 'continuation' },
      { playerText: 'four', swept: false, status: 'committed', compactions: 1 },
    ]);
  });

  test("the player's words: 200 units, no half character, NUL and lone surrogates survive", async () => {
    const lone = 'x\ud800y';
    const long = 'a'.repeat(199) + '😀tail';
    const han = '雾'.repeat(300);
    const db = await built((builder) => {
      for (const text of [long, han, 'nul\0inside', '']) turn(builder, text);
      turn(builder, lone, { end: 'failed' });
    });
    expect(texts(db)).toEqual(['a'.repeat(199), '雾'.repeat(200), 'nul\0inside', '', lone]);
    expect(db.history(S)[2]?.content).toBe('nul\0inside');
  });

  test('property: a cut keeps a prefix and never ends in half a pair', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), (text, units) => {
        const short = cut(text, units + 1);
        expect(text.startsWith(short)).toBe(true);
        expect(short.length).toBeLessThanOrEqual(units + 1);
        expect(short.isWellFormed()).toBe(true);
        expect(short.length).toBeGreaterThanOrEqual(Math.min(text.length, units));
      }),
    );
  });
});
