import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { LensFailure, unwrap } from '../../../shared/error.ts';
import { openCovelDb, type CovelDb } from './index.ts';
import { buildDb, createClock, createIds } from './testing/build-db.ts';
import { startWriter, type Writer } from './testing/start-writer.ts';
import { fingerprint, tempFolder } from './testing/temp.ts';

// Other processes are started and awaited.
vi.setConfig({ testTimeout: 60_000 });

const S = 'fog-1';

function made(path: string, session = S, turns = 1): void {
  const builder = buildDb(path, { ids: createIds(session), clock: createClock('2026-10-12T08:00:00.000Z') });
  builder.insertSession({ id: session });
  for (let i = 1; i <= turns; i++)
    builder.insertTurn({
      sessionId: session,
      playerText: `${session} ${i}`,
      during: (turn) => builder.insertCall({ ...turn, payload: { messages: ['x'.repeat(6000)] } }),
    });
  builder.close();
}

async function setup(autoCheckpoint = 0): Promise<{ path: string; files: string; snapshots: string; writer: Writer }> {
  const { files, snapshots } = tempFolder();
  const path = join(files, 'covel.db');
  made(path);
  const writer = await startWriter({ path, seed: 'w', startedAt: '2026-10-13T00:00:00.000Z', autoCheckpoint });
  return { path, files, snapshots, writer };
}

async function opened(path: string, snapshots: string): Promise<CovelDb> {
  const db = unwrap(await openCovelDb(path, { snapshotRoot: snapshots }));
  onTestFinished(() => db.close());
  return db;
}

const texts = (db: CovelDb, session = S): (string | null)[] => db.turns(session, true).map((row) => row.playerText);

describe('a server that is writing, in another process', () => {
  test('new turns are seen, the folder stays as the server left it', async () => {
    const { path, files, snapshots, writer } = await setup();
    const db = await opened(path, snapshots);
    expect(db.info.mode).toBe('immutable');
    const identity = db.info.identity;
    for (let i = 1; i <= 4; i++) {
      await writer.order({ do: 'turn', sessionId: S, playerText: `live ${i}` });
      const idle = fingerprint(files);
      expect(await db.poll()).toBe('grew');
      expect(db.info.mode).toBe('snapshot');
      expect(texts(db)).toHaveLength(1 + i);
      expect(texts(db).at(-1)).toBe(`live ${i}`);
      expect([...db.problems()]).toEqual([]);
      expect(await db.poll()).toBe('none');
      expect(fingerprint(files)).toEqual(idle);
      expect(readdirSync(snapshots)).toHaveLength(1);
    }
    expect(db.info.identity).not.toBe(identity);
    await writer.order({ do: 'open-turn', sessionId: S });
    expect(await db.poll()).toBe('grew');
    expect(db.turns(S, true).at(-1)?.status).toBe('running');
    db.close();
    expect(readdirSync(snapshots)).toEqual([]);
  });

  test("through checkpoints, a log begun anew, and the server's end", async () => {
    const { path, files, snapshots, writer } = await setup();
    await writer.order({ do: 'turn', sessionId: S, playerText: 'a' });
    const db = await opened(path, snapshots);
    expect(db.info.mode).toBe('snapshot');
    await writer.order({ do: 'checkpoint' });
    expect(await db.poll()).toBe('grew');
    expect([db.info.mode, texts(db).length]).toEqual(['immutable', 2]);
    await writer.order({ do: 'turn', sessionId: S, playerText: 'b' });
    expect(await db.poll()).toBe('grew');
    expect([db.info.mode, texts(db).at(-1)]).toEqual(['snapshot', 'b']);
    await writer.order({ do: 'turn', sessionId: S, playerText: 'c' });
    await writer.order({ do: 'close' });
    const idle = fingerprint(files);
    expect(await db.poll()).toBe('grew');
    expect([db.info.mode, texts(db).at(-1)]).toEqual(['immutable', 'c']);
    expect(readdirSync(snapshots)).toEqual([]);
    expect(fingerprint(files)).toEqual(idle);
  });

  test('a log that wraps again and again while it is followed', async () => {
    const { path, snapshots, writer } = await setup(8);
    const db = await opened(path, snapshots);
    for (let i = 1; i <= 25; i++) {
      await writer.order({ do: 'turn', sessionId: S, playerText: `w ${i}` });
      expect(await db.poll()).toBe('grew');
      expect(texts(db).at(-1)).toBe(`w ${i}`);
      expect(db.callRefs(S)).toHaveLength(1 + i);
      expect([...db.problems()]).toEqual([]);
    }
  });

  test('polls at the same time are one, and a poll while orders run never fails', async () => {
    const { path, snapshots, writer } = await setup(8);
    const db = await opened(path, snapshots);
    const polls: Promise<string>[] = [];
    for (let i = 1; i <= 15; i++) {
      const order = writer.order({ do: 'turn', sessionId: S, playerText: `p ${i}` });
      const first = db.poll();
      expect(db.poll()).toBe(first);
      polls.push(first);
      await Promise.all([first, order]);
      expect(texts(db).length).toBeGreaterThan(0);
    }
    expect(new Set(await Promise.all(polls))).not.toContain('gone');
    await db.poll();
    expect(texts(db).at(-1)).toBe('p 15');
  });

  test('a rollback-journal server', async () => {
    const { files, snapshots } = tempFolder();
    const path = join(files, 'covel.db');
    const builder = buildDb(path, { journal: 'delete' });
    builder.insertSession({ id: S });
    builder.close();
    const writer = await startWriter({
      path,
      seed: 'w',
      startedAt: '2026-10-13T00:00:00.000Z',
      autoCheckpoint: 0,
      journal: 'delete',
    });
    const db = await opened(path, snapshots);
    await writer.order({ do: 'turn', sessionId: S, playerText: 'x' });
    expect(await db.poll()).toBe('grew');
    expect([db.info.mode, texts(db)]).toEqual(['immutable', ['x']]);
  });
});

describe('a file that is exchanged while it is open', () => {
  async function start(): Promise<{ path: string; files: string; db: CovelDb }> {
    const { files, snapshots } = tempFolder();
    const path = join(files, 'covel.db');
    made(path, S, 3);
    return { path, files, db: await opened(path, snapshots) };
  }

  test('renamed over: replaced', async () => {
    const { path, files, db } = await start();
    made(join(files, 'new.db'), 'other', 2);
    renameSync(join(files, 'new.db'), path);
    expect(texts(db)).toHaveLength(3);
    expect(await db.poll()).toBe('replaced');
    expect(db.sessions().map(({ id }) => id)).toEqual(['other']);
  });

  test('copied over in place: replaced', async () => {
    const { path, files, db } = await start();
    made(join(files, 'new.db'), 'other', 30);
    copyFileSync(join(files, 'new.db'), path);
    expect(await db.poll()).toBe('replaced');
    expect(texts(db, 'other')).toHaveLength(30);
  });

  test('deleted: told once, what is loaded stays readable; back again: told', async () => {
    const { path, files, db } = await start();
    const [call] = db.callRefs(S);
    copyFileSync(path, join(files, 'backup'));
    unlinkSync(path);
    expect(await db.poll()).toBe('gone');
    expect(db.trouble?.code).toBe('file-gone');
    expect(await db.poll()).toBe('none');
    expect(texts(db)).toHaveLength(3);
    expect(db.payload(call?.rowid ?? 0)?.length).toBeGreaterThan(6000);
    renameSync(join(files, 'backup'), path);
    expect(await db.poll()).toBe('replaced');
    expect(db.trouble).toBeNull();
    expect(texts(db)).toHaveLength(3);
  });

  test('moved away and back: the same file, yet told', async () => {
    const { path, files, db } = await start();
    renameSync(path, join(files, 'away'));
    expect(await db.poll()).toBe('gone');
    renameSync(join(files, 'away'), path);
    expect(await db.poll()).toBe('grew');
  });

  test('replaced by something unreadable: gone once it stays so', async () => {
    const { path, db } = await start();
    rmSync(path);
    writeFileSync(path, 'no database');
    expect(await db.poll()).toBe('none');
    expect(await db.poll()).toBe('gone');
    expect(db.trouble?.code).toBe('not-a-database');
    expect(texts(db)).toHaveLength(3);
    rmSync(path);
    mkdirSync(path);
    expect(await db.poll()).toBe('none');
  });

  test('emptied in place under a reader: a failure with a code, not the end of the process', async () => {
    const { path, db } = await start();
    const [call] = db.callRefs(S);
    const size = statSync(path).size;
    truncateSync(path, 0);
    expect(() => db.payload(call?.rowid ?? 0)).toThrow(LensFailure);
    truncateSync(path, size);
    expect(() => db.turns(S, false)).toThrow(LensFailure);
    made(join(path, '..', 'new.db'), S, 5);
    copyFileSync(join(path, '..', 'new.db'), path);
    expect(texts(db)).toHaveLength(5);
  });

  test('rewritten by another tool without a -wal', async () => {
    const { path, db } = await start();
    const other = new Database(path);
    other.pragma('journal_mode = delete');
    other.exec("DELETE FROM trace_events WHERE type = 'llm.calling'; VACUUM");
    other.close();
    expect(await db.poll()).toBe('grew');
    expect(db.callRefs(S)).toEqual([]);
    expect(texts(db)).toHaveLength(3);
  });

  test('closed: polls say none, reads fail with a code', async () => {
    const { db } = await start();
    db.close();
    db.close();
    expect(await db.poll()).toBe('none');
    expect(() => db.sessions()).toThrow(LensFailure);
  });
});
