/** A limit is measured as the prefix report measures it: a call without a body counts, with its neighbours, in the kernel's view. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { unwrap } from '../../shared/error.ts';
import { openForReports } from './reports.ts';
import { writeCacheDb } from './testing/cache-db.ts';

const root = mkdtempSync(join(tmpdir(), 'check-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('the share of every pair is that of the prefix report, with a body or without', async () => {
  const path = join(root, 'mixed.db');
  const said = ['Walk to the pier.', 'The bell rings.', 'Open the door.', 'It creaks.', 'Go in.'];
  writeCacheDb(path, 's', [
    { turn: 1, at: 0 },
    { turn: 2, at: 60, said: said.slice(0, 3), hasBody: false },
    { turn: 3, at: 120, said },
    { turn: 4, at: 180, said: [...said, 'Dust.', 'Look around.'] },
  ]);
  const reports = unwrap(await openForReports(path, { userData: root, resources: 'resources', language: 'en' }));
  const [entry] = unwrap(await reports.prefix({ sessionId: 's', measure: 'lens', show: false }));
  const limits = { minShared: 1, maxMissTokens: null, runtimeId: null, sessionId: null };
  const { broken } = unwrap(await reports.check(limits));
  const shares = (entry?.pairs ?? []).map(({ shared, size }) => shared / size);
  expect(shares).toHaveLength(3);
  expect(broken.map(({ share }) => share)).toEqual(shares);
  // Nothing of the history was lost, whichever of the two views it is measured in.
  expect(unwrap(await reports.check({ ...limits, minShared: null, maxMissTokens: 0 }))).toMatchObject({ broken: [] });
  reports.close();
});
