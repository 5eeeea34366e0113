import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCovelDb, type CovelDb } from '../sources/covel-db/index.ts';
import { unwrap } from '../../shared/error.ts';
import type { CallRow } from '../../shared/model/index.ts';
import { createCallViews } from './call-view.ts';
import { openSource } from './opened-source.ts';
import { readCacheRules } from './open-sources.ts';
import { NO_SIDE_DB } from './side-db.ts';

const root = mkdtempSync(join(tmpdir(), 'call-view-'));
const noHistory = () => ({ rows: [], playerText: null });
let db: CovelDb;
let sessionId: string;
let runtimes: readonly (readonly [string, readonly CallRow[]])[];

beforeAll(async () => {
  db = unwrap(await openCovelDb('resources/sample/covel.db', { snapshotRoot: root }));
  sessionId = db.sessions()[0]?.id ?? '';
  const source = openSource(db, { sideDb: NO_SIDE_DB, rules: readCacheRules('resources') });
  const rows = (await source.index(sessionId).complete()).filter((row) => !row.empty);
  runtimes = [...Map.groupBy(rows, (row) => row.runtimeId)].filter(([, own]) => own.length > 2);
});
afterAll(() => {
  db.close();
  rmSync(root, { recursive: true });
});

test('of each runtime only the views used last are kept', () => {
  const views = createCallViews(db, noHistory, { bytes: Infinity, ofRuntime: 2 });
  const [[, a], [, b]] = runtimes as [(typeof runtimes)[0], (typeof runtimes)[0]];
  const get = (row: CallRow | undefined) => views.get(row as CallRow, sessionId);
  const [first, second, other] = [get(a[0]), get(a[1]), get(b[0])];
  expect(get(a[0])).toBe(first);
  const third = get(a[2]);
  // The second was used before the first was used again.
  expect(get(a[0])).toBe(first);
  expect(get(a[2])).toBe(third);
  expect(get(b[0])).toBe(other);
  expect(get(a[1])).not.toBe(second);
});

test('of all only as many bytes as said, but always the last one', () => {
  const [[, [one, two]]] = runtimes as [(typeof runtimes)[0]];
  const views = createCallViews(db, noHistory, { bytes: (two?.payloadBytes ?? 0) + 1, ofRuntime: Infinity });
  const get = (row: CallRow | undefined) => views.get(row as CallRow, sessionId);
  const view = get(one);
  const next = get(two);
  expect(get(two)).toBe(next);
  expect(get(one)).not.toBe(view);
});
