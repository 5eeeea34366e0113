/** Two places know what a call is compared with: the measure on bytes, and whoever asks for a comparison. One rule. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openCovelDb } from '../sources/covel-db/index.ts';
import { buildDb, createClock, createIds } from '../sources/covel-db/testing/build-db.ts';
import { unwrap } from '../../shared/error.ts';
import type { CallRow } from '../../shared/model/index.ts';
import { defaultBaseline } from './baseline.ts';
import { openSource, type OpenedSource } from './opened-source.ts';
import { readCacheRules } from './open-sources.ts';
import { NO_SIDE_DB } from './side-db.ts';

const root = mkdtempSync(join(tmpdir(), 'baseline-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function opened(path: string): Promise<OpenedSource> {
  const db = unwrap(await openCovelDb(path, { snapshotRoot: join(root, 'snapshots') }));
  return openSource(db, { sideDb: NO_SIDE_DB, rules: readCacheRules('resources') });
}

/** Both answers for every call of a session that has a measured baseline. */
async function answers(source: OpenedSource, sessionId: string) {
  const rows = await source.index(sessionId).complete();
  const place = (row: CallRow | null | undefined): string =>
    row ? `${row.turnIndex} ${row.runtimeId} ${row.step}.${row.attempt}` : 'none';
  const byId = new Map(rows.map((row) => [row.id, row]));
  return rows.map((row) => ({
    call: place(row),
    measured: place(byId.get(row.prefix?.baselineId ?? '')),
    asked: place(defaultBaseline(source, row, sessionId)),
  }));
}

test('retries inside a tool loop: each call against the one before, each turn against the first call before', async () => {
  const path = join(root, 'retries.db');
  const db = buildDb(path, {
    ids: createIds('b'),
    clock: createClock('2026-10-12T08:00:00.000Z', 10),
    journal: 'delete',
  });
  db.insertSession({ id: 's', title: 'T' });
  const turn = (attempts: readonly number[]): void => {
    db.insertTurn({
      sessionId: 's',
      during: (where) => {
        for (const [i, attempt] of attempts.entries()) {
          for (const runtimeId of i === 0 ? ['narrator', 'guide'] : ['narrator'])
            db.insertCall({ ...where, runtimeId, attempt, payload: { messages: [{ role: 'user', content: `${i}` }] } });
        }
      },
    });
  };
  db.transaction(() => {
    turn([0, 1, 0, 1, 2, 0]);
    turn([0, 1, 0]);
  });
  db.close();
  const source = await opened(path);
  const found = await answers(source, 's');
  source.close();
  expect(found.map(({ call, asked }) => [call, asked])).toEqual([
    ['1 narrator 0.0', 'none'],
    ['1 guide 0.0', 'none'],
    ['1 narrator 0.1', '1 narrator 0.0'],
    ['1 narrator 1.0', '1 narrator 0.1'],
    ['1 narrator 1.1', '1 narrator 1.0'],
    ['1 narrator 1.2', '1 narrator 1.1'],
    ['1 narrator 2.0', '1 narrator 1.2'],
    ['2 narrator 0.0', '1 narrator 0.0'],
    ['2 guide 0.0', '1 guide 0.0'],
    ['2 narrator 0.1', '2 narrator 0.0'],
    ['2 narrator 1.0', '2 narrator 0.1'],
  ]);
  expect(found.map(({ measured }) => measured)).toEqual(found.map(({ asked }) => asked));
});

test('every call of the sample', async () => {
  const source = await opened('resources/sample/covel.db');
  for (const { id } of source.db.sessions()) {
    const found = await answers(source, id);
    expect(found.length).toBeGreaterThan(20);
    expect(found.map(({ measured }) => measured)).toEqual(found.map(({ asked }) => asked));
  }
  source.close();
});
