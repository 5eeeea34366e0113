import { describe, expect, test } from 'vitest';
import { memoryStore } from './memory-store.ts';
import { contentsOf, row, rows, SESSION, summary } from './testing/scene.ts';

describe('the store in memory', () => {
  test('summaries sort by time, then id, by UTF-16 units', () => {
    const createdAt = '2026-01-01T00:00:00.000Z';
    const store = memoryStore(
      [],
      [summary(1, { id: 'b' }), summary(0, { id: 'a', createdAt }), summary(0, { id: 'Z', createdAt })],
    );
    expect(store.summaries(SESSION).map(({ id }) => id)).toEqual(['Z', 'a', 'b']);
  });

  test('the prefix is bounded, of one session, and without tagged rows', () => {
    const store = memoryStore([row(0, { compactedAtTurnId: 'a0' }), row(1, { sessionId: 'other' }), row(2), row(3)]);
    const read = (limit: number): string[] =>
      store.transaction((tx) => tx.uncompactedPrefix(SESSION, limit).map(({ id }) => id));
    expect([read(0), read(1), read(9)]).toEqual([[], ['m2'], ['m2', 'm3']]);
  });

  test('writes are seen inside the transaction and kept only when it ends well', () => {
    const store = memoryStore(rows(2));
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
  });

  test.each([
    ['a summary that exists', 'summary a0 exists', 'saveSummary'],
    ['a summary that does not exist', 'no summary zz', 'deleteSummary'],
    ['a message that is tagged or unknown', '2 of 3 messages', 'tagMessages'],
  ] as const)('%s cannot be written', (_name, message, write) => {
    const store = memoryStore([row(0, { compactedAtTurnId: 'a0' }), row(1)], [summary(0)]);
    const run = (): void =>
      store.transaction((tx) => {
        if (write === 'saveSummary') tx.saveSummary(summary(0));
        else if (write === 'deleteSummary') tx.deleteSummary('zz');
        else tx.tagMessages(['m0', 'm1', 'zz'], 'a0');
      });
    expect(run).toThrow(message);
  });

  test('a later commit appends rows', () => {
    const store = memoryStore(rows(1));
    store.append(row(1), row(2));
    expect(store.messages(SESSION)).toEqual(rows(3));
  });
});
