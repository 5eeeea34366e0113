/** A covel.db for one test: built, opened, and its folder compared at the end. */
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { unwrap } from '../../../../shared/error.ts';
import { openCovelDb, type CovelDb } from '../index.ts';
import { buildDb, type BuildOptions, type DbBuilder } from './build-db.ts';
import { fingerprint, tempFolder } from './temp.ts';

export const S = 'fog-1';

/** Builds a file, opens it, and checks at the end that its folder did not change. */
export async function built(work: (builder: DbBuilder) => void, options: BuildOptions = {}): Promise<CovelDb> {
  const { files, snapshots } = tempFolder();
  const builder = buildDb(join(files, 'covel.db'), options);
  builder.insertSession({ id: S, title: 'Fog', worldId: 'fog' });
  work(builder);
  builder.close();
  const before = fingerprint(files);
  const db = unwrap(await openCovelDb(join(files, 'covel.db'), { snapshotRoot: snapshots }));
  onTestFinished(() => {
    db.close();
    expect(fingerprint(files)).toEqual(before);
  });
  return db;
}

export const turn = (
  builder: DbBuilder,
  playerText: string | null,
  more: Partial<Parameters<DbBuilder['insertTurn']>[0]> = {},
): string => builder.insertTurn({ sessionId: S, playerText, ...more });
export const texts = (db: CovelDb): (string | null)[] => db.turns(S, false).map((row) => row.playerText);
export const flags = (db: CovelDb): string[] => [...db.problems()].map(({ code, row }) => `${code} ${row}`);
