/** The store under our user data, with real SQLite files. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  maybeCompact,
  memoryStore,
  type CompactionMessage,
  type CompactionSummary,
  type HistoryStore,
} from '../compaction/index.ts';
import {
  answer,
  contentsOf,
  fresh,
  merge,
  paramsOf,
  row,
  rows,
  scene,
  SESSION,
  summary,
} from '../compaction/testing/scene.ts';
import { storeContract } from '../compaction/testing/store-contract.ts';
import { unwrap } from '../../shared/error.ts';
import { openCompactions, type BranchStore } from './compaction-store.ts';

const root = mkdtempSync(join(tmpdir(), 'compactions-'));
afterAll(() => rmSync(root, { recursive: true }));

function opened(userData: string) {
  const kept = unwrap(openCompactions(userData));
  onTestFinished(() => kept.close());
  return kept;
}
const folder = (): string => mkdtempSync(join(root, 'user-'));
const file = (userData: string): string => join(userData, 'compactions.db');

function filled(
  messages: readonly CompactionMessage[],
  summaries: readonly CompactionSummary[] = [],
  userData = folder(),
) {
  const store = opened(userData).branch('main');
  store.begin(messages, summaries);
  return store;
}

storeContract(filled);

describe('what stays', () => {
  test('everything, when the file is opened again; a branch begins once', async () => {
    const userData = folder();
    const first = unwrap(openCompactions(userData));
    const store = first.branch('main');
    expect(store.begin(rows(12), [])).toBe(true);
    await maybeCompact(paramsOf(store, answer(fresh('m0', 'm1'))), scene(store).tools);
    const before = contentsOf(store);
    first.close();
    const again = opened(userData).branch('main');
    expect(contentsOf(again)).toEqual(before);
    expect(again.begin(rows(3), [summary(0)])).toBe(false);
    expect(contentsOf(again)).toEqual(before);
  });

  test('branches do not mix, although their rows have the same ids', async () => {
    const kept = opened(folder());
    const [one, two] = ['one', 'two'].map((name) => kept.branch(name)) as [BranchStore, BranchStore];
    for (const store of [one, two]) store.begin(rows(12), []);
    await maybeCompact(paramsOf(one, answer(fresh('m0', 'm1'))), scene(one).tools);
    expect(one.summaries(SESSION)).toHaveLength(1);
    expect(contentsOf(two)).toEqual({ messages: rows(12), summaries: [] });
  });

  test('a beginning that fails leaves the branch empty', () => {
    const store = opened(folder()).branch('main');
    expect(() => store.begin([row(0), row(1), row(0)], [])).toThrow('UNIQUE');
    expect(contentsOf(store)).toEqual({ messages: [], summaries: [] });
    expect(() => store.append(row(2), row(2))).toThrow('UNIQUE');
    expect(contentsOf(store)).toEqual({ messages: [], summaries: [] });
  });

  test('the file is ours alone', () => {
    const userData = folder();
    opened(userData);
    expect(statSync(file(userData)).mode & 0o077).toBe(0);
  });
});

describe('a write that the database itself refuses', () => {
  test.each([
    ['a summary', 'INSERT ON summaries'],
    ['a tag', 'UPDATE OF summary_id ON messages'],
    ['a deletion', 'DELETE ON summaries'],
  ])('%s: nothing is kept, and the next compaction works', async (_, when) => {
    const userData = folder();
    const tagged = rows(12).map((message, n) => (n < 4 ? { ...message, compactedAtTurnId: `a${n >> 1}` } : message));
    const store = filled(tagged, [summary(0), summary(1)], userData);
    const before = contentsOf(store);
    const other = new Database(file(userData));
    onTestFinished(() => void other.close());
    other.exec(`CREATE TRIGGER broken BEFORE ${when} BEGIN SELECT RAISE(ABORT, 'disk I/O error'); END`);
    const run = () => maybeCompact(paramsOf(store, answer(merge('a0', 'a1'), fresh('m4'))), scene(store).tools);
    expect(await run()).toMatchObject({ failure: { code: 'store-failed', message: 'disk I/O error' } });
    expect(contentsOf(store)).toEqual(before);
    other.exec('DROP TRIGGER broken');
    expect((await run()).kind).toBe('compacted');
    expect(other.pragma('integrity_check', { simple: true })).toBe('ok');
  });
});

describe('two writers', () => {
  const both = (): readonly [HistoryStore, HistoryStore] => {
    const userData = folder();
    const store = filled(rows(12), [], userData);
    return [store, opened(userData).branch('main')];
  };

  test('the one that was slower writes nothing', async () => {
    const [one, two] = both();
    const result = await maybeCompact(
      paramsOf(one, async () => {
        await maybeCompact(paramsOf(two, answer(fresh('m0', 'm1', 'm2'))), scene(two).tools);
        return { summaries: [fresh('m0', 'm1')] };
      }),
      scene(one).tools,
    );
    expect(result).toMatchObject({ kind: 'failed', failure: { code: 'summaries-changed' } });
    expect(one.summaries(SESSION).map(({ content }) => content)).toEqual(['fresh m0 m1 m2']);
    expect(contentsOf(one)).toEqual(contentsOf(two));
  });

  test('rows that the other one compacted and whose summary is gone again are not compacted twice', async () => {
    const [one, two] = both();
    const result = await maybeCompact(
      paramsOf(one, () => {
        two.transaction((tx) => tx.tagMessages(['m0'], 'gone'));
        return Promise.resolve({ summaries: [fresh('m0', 'm1')] });
      }),
      scene(one).tools,
    );
    expect(result.kind).toBe('projection-differs');
    expect(one.summaries(SESSION)).toEqual([]);
  });

  test('inside a transaction the other one cannot write, and finds what was written when it can', () => {
    const userData = folder();
    const store = filled(rows(2), [], userData);
    const other = new Database(file(userData), { timeout: 0 });
    onTestFinished(() => void other.close());
    store.transaction((tx) => {
      tx.saveSummary(summary(0));
      expect(() => other.exec("UPDATE messages SET content = 'x'")).toThrow('locked');
      expect(other.prepare('SELECT count(*) FROM summaries').pluck().get()).toBe(0);
    });
    expect(other.prepare('SELECT count(*) FROM summaries').pluck().get()).toBe(1);
  });

  test('one that never lets go: the compaction fails, nothing is written', { timeout: 10_000 }, async () => {
    const userData = folder();
    const store = filled(rows(12), [], userData);
    const before = contentsOf(store);
    const other = new Database(file(userData));
    onTestFinished(() => void other.close());
    other.exec('BEGIN IMMEDIATE');
    const result = await maybeCompact(paramsOf(store, answer(fresh('m0'))), scene(store).tools);
    expect(result).toMatchObject({ failure: { code: 'store-failed', message: 'database is locked' } });
    expect(contentsOf(store)).toEqual(before);
    other.exec('ROLLBACK');
    expect((await maybeCompact(paramsOf(store, answer(fresh('m0'))), scene(store).tools)).kind).toBe('compacted');
  });
});

describe('a file that cannot be used', () => {
  test('another kind of file: told, and left as it is', () => {
    const userData = folder();
    writeFileSync(file(userData), 'not a database, but long enough to be looked at as one '.repeat(20));
    const before = readFileSync(file(userData), 'utf8');
    expect(openCompactions(userData)).toMatchObject({
      ok: false,
      error: { code: 'side-file-failed', values: { path: file(userData) } },
    });
    expect(readFileSync(file(userData), 'utf8')).toBe(before);
  });

  test('one of a later version', () => {
    const userData = folder();
    unwrap(openCompactions(userData)).close();
    const db = new Database(file(userData));
    db.pragma('user_version = 99');
    db.close();
    expect(openCompactions(userData)).toMatchObject({ ok: false, error: { code: 'side-file-failed' } });
  });

  test('a folder that cannot be made', () => {
    const userData = folder();
    writeFileSync(join(userData, 'in-the-way'), '');
    expect(openCompactions(join(userData, 'in-the-way', 'data')).ok).toBe(false);
  });
});

test('any sequence of transactions leaves the same as the store in memory', () => {
  const id = fc.nat({ max: 5 });
  const operation = fc.oneof(
    fc.record({ kind: fc.constant('save' as const), n: id }),
    fc.record({ kind: fc.constant('delete' as const), n: id }),
    fc.record({ kind: fc.constant('tag' as const), n: id, rows: fc.array(fc.nat({ max: 7 }), { maxLength: 3 }) }),
    fc.record({ kind: fc.constant('retag' as const), n: id, from: fc.array(id, { maxLength: 2 }) }),
    fc.record({ kind: fc.constant('throw' as const) }),
  );
  const kept = opened(folder());
  const seen = { ended: 0, undone: 0 };
  let branch = 0;
  fc.assert(
    fc.property(fc.array(fc.array(operation, { maxLength: 4 }), { maxLength: 6 }), (transactions) => {
      const store = kept.branch(`b${branch++}`);
      store.begin(rows(6), []);
      const memory = memoryStore(rows(6));
      const run = (target: HistoryStore, operations: (typeof transactions)[number]): boolean => {
        try {
          target.transaction((tx) => {
            for (const one of operations) {
              if (one.kind === 'save') tx.saveSummary(summary(one.n));
              else if (one.kind === 'delete') tx.deleteSummary(`a${one.n}`);
              else if (one.kind === 'tag')
                tx.tagMessages(
                  one.rows.map((n) => `m${n}`),
                  `a${one.n}`,
                );
              else if (one.kind === 'retag')
                tx.retagMessages(
                  one.from.map((n) => `a${n}`),
                  `a${one.n}`,
                );
              else throw new Error('stop');
            }
          });
          return true;
        } catch {
          return false;
        }
      };
      for (const operations of transactions) {
        const ended = run(store, operations);
        expect(run(memory, operations)).toBe(ended);
        expect(contentsOf(store)).toEqual(contentsOf(memory));
        seen.ended += Number(ended && operations.length > 0);
        seen.undone += Number(!ended && operations.length > 1);
      }
    }),
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(30);
});
