/** What every store of compactions must do, as tests: the gate relies on it. */
import { describe, expect, test } from 'vitest';
import { maybeCompact } from '../gate.ts';
import type { CompactionMessage, CompactionSummary, HistoryStore } from '../types.ts';
import {
  answer,
  contentsOf,
  failingStore,
  fresh,
  merge,
  paramsOf,
  row,
  rows,
  scene,
  SESSION,
  summary,
} from './scene.ts';

/** @param make a store of its own with these rows, in their order, and these summaries, in any order */
export function storeContract(
  make: (messages: readonly CompactionMessage[], summaries?: readonly CompactionSummary[]) => HistoryStore,
): void {
  describe('what every store of compactions does', () => {
    test('rows and summaries come back as they were given', () => {
      const given = [
        row(0, { compactedAtTurnId: 'a0' }),
        row(1, { sourceType: 'system' }),
        row(2, { content: '\0 "雨" 😀' }),
      ];
      const store = make(given, [summary(0, { content: '"quoted"', focusSections: ['a, b', ''] })]);
      expect(store.messages(SESSION)).toEqual(given);
      expect(store.summaries(SESSION)).toEqual([summary(0, { content: '"quoted"', focusSections: ['a, b', ''] })]);
      expect([store.messages('other'), store.summaries('other')]).toEqual([[], []]);
    });

    test('summaries sort by time, then id, by UTF-16 units', () => {
      const createdAt = '2026-01-01T00:00:00.000Z';
      const ids = ['Z', 'a', '\u{1f600}', '\uffee'];
      const store = make([], [summary(1, { id: 'b' }), ...ids.toReversed().map((id) => summary(0, { id, createdAt }))]);
      expect(store.summaries(SESSION).map(({ id }) => id)).toEqual([...ids, 'b']);
    });

    test('the prefix is bounded, of one session, and without tagged rows', () => {
      const store = make([row(0, { compactedAtTurnId: 'a0' }), row(1, { sessionId: 'other' }), row(2), row(3)]);
      const read = (limit: number): string[] =>
        store.transaction((tx) => tx.uncompactedPrefix(SESSION, limit).map(({ id }) => id));
      expect([read(0), read(1), read(9)]).toEqual([[], ['m2'], ['m2', 'm3']]);
    });

    test('writes are seen inside the transaction and kept only when it ends well', () => {
      const store = make(rows(2));
      const before = contentsOf(store);
      expect(() =>
        store.transaction((tx) => {
          tx.saveSummary(summary(0));
          tx.tagMessages(['m0'], 'a0');
          expect(tx.summaries(SESSION)).toEqual([summary(0)]);
          expect(tx.uncompactedPrefix(SESSION, 9)).toEqual([row(1)]);
          throw new Error('stop');
        }),
      ).toThrow('stop');
      expect(contentsOf(store)).toEqual(before);
      expect(store.transaction((tx) => (tx.saveSummary(summary(0)), 'done'))).toBe('done');
      expect(store.summaries(SESSION)).toEqual([summary(0)]);
    });

    test.each(['saveSummary', 'deleteSummary', 'tagMessages'] as const)(
      'what is not there cannot be written: %s',
      (write) => {
        const store = make([row(0, { compactedAtTurnId: 'a0' }), row(1)], [summary(0)]);
        const before = contentsOf(store);
        const run = (): void =>
          store.transaction((tx) => {
            tx.saveSummary(summary(1));
            if (write === 'saveSummary') tx.saveSummary(summary(0));
            else if (write === 'deleteSummary') tx.deleteSummary('zz');
            else tx.tagMessages(['m0', 'm1', 'zz'], 'a0');
          });
        expect(run).toThrow(write === 'tagMessages' ? '2 of 3 messages' : /./);
        expect(contentsOf(store)).toEqual(before);
      },
    );

    test('a later commit appends rows', () => {
      const store = make(rows(1));
      store.append(row(1), row(2));
      expect(store.messages(SESSION)).toEqual(rows(3));
    });

    const compacted = () => {
      const messages = rows(14).map((message, n) =>
        n < 6 ? { ...message, compactedAtTurnId: `a${Math.floor(n / 2)}` } : message,
      );
      return make(messages, [summary(0), summary(1), summary(2)]);
    };

    test('a compaction through the gate: oldest merged, fresh appended, only those rows tagged', async () => {
      const store = compacted();
      const result = await maybeCompact(
        paramsOf(store, answer(merge('a0', 'a1'), fresh('m6', 'm7'))),
        scene(store).tools,
      );
      expect(result).toMatchObject({ kind: 'compacted', event: { summaryIds: ['a0', 'new1'], summariesMerged: 2 } });
      expect(store.summaries(SESSION)).toEqual([
        {
          ...summary(0),
          turnRangeEnd: 't1',
          content: 'merged a0 a1',
          focusSections: ['key events', 'state of the world'],
        },
        summary(2),
        expect.objectContaining({ id: 'new1', turnRangeStart: 't3', turnRangeEnd: 't3' }),
      ]);
      const tags = store.messages(SESSION).map((message) => message.compactedAtTurnId);
      expect(tags.slice(0, 9)).toEqual(['a0', 'a0', 'a0', 'a0', 'a2', 'a2', 'new1', 'new1', null]);
    });

    test.each(['retagMessages', 'deleteSummary', 'saveSummary', 'tagMessages'] as const)(
      'a failing %s rolls everything back',
      async (write) => {
        const store = compacted();
        const before = contentsOf(store);
        const { tools } = scene(failingStore(store, 0, write));
        const result = await maybeCompact(paramsOf(store, answer(merge('a0', 'a1'), fresh('m6'))), tools);
        expect(result).toMatchObject({ kind: 'failed', failure: { code: 'store-failed', message: 'disk full' } });
        expect(contentsOf(store)).toEqual(before);
        const again = await maybeCompact(paramsOf(store, answer(merge('a0', 'a1'), fresh('m6'))), scene(store).tools);
        expect(again.kind).toBe('compacted');
      },
    );

    test('summaries that changed while the provider worked: refused, and what the other wrote stays', async () => {
      const store = compacted();
      const slow = paramsOf(store, async () => {
        await maybeCompact(paramsOf(store, answer(fresh('m6', 'm7'))), scene(store).tools);
        return { summaries: [fresh('m6')] };
      });
      const result = await maybeCompact(slow, scene(store).tools);
      expect(result).toMatchObject({ kind: 'failed', failure: { code: 'summaries-changed' } });
      expect(store.summaries(SESSION)).toHaveLength(4);
      expect(store.messages(SESSION).filter(({ compactedAtTurnId }) => compactedAtTurnId === 'new1')).toHaveLength(2);
    });
  });
}
