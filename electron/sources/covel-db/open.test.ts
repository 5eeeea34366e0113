import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { unwrap } from '../../../shared/error.ts';
import { errnoError } from './errors.ts';
import { openCovelDb, type CovelDb } from './index.ts';
import { buildDb, createClock, createIds, type DbBuilder } from './testing/build-db.ts';
import { startWriter } from './testing/start-writer.ts';
import { fingerprint, tempFolder } from './testing/temp.ts';

// Other processes are started and awaited.
vi.setConfig({ testTimeout: 60_000 });

const S = 'fog-1';

/** Two sessions' worth of ordinary turns. */
function fill(builder: DbBuilder, turns = 3): void {
  builder.insertSession({ id: S, title: 'Fog' });
  for (let i = 1; i <= turns; i++)
    builder.insertTurn({
      sessionId: S,
      playerText: `step ${i}`,
      during(turn) {
        builder.insertCall({ ...turn, payload: { messages: [{ role: 'user', content: 'x'.repeat(9000) }] } });
        builder.insertReply(turn);
      },
    });
}

function made(path: string, options: Parameters<typeof buildDb>[1] = {}, turns = 3): void {
  const builder = buildDb(path, options);
  fill(builder, turns);
  builder.close();
}

async function opened(path: string, snapshots: string): Promise<CovelDb> {
  const db = unwrap(await openCovelDb(path, { snapshotRoot: snapshots }));
  onTestFinished(() => db.close());
  return db;
}

const codes = (db: CovelDb): string[] => [...db.problems()].map(({ code }) => code);

describe('files that are refused, before SQLite sees them', () => {
  const refused: readonly (readonly [code: string, name: string, make: (path: string) => void, says: string])[] = [
    ['not-found', 'missing', () => {}, 'no file'],
    ['is-directory', 'a folder', (path) => mkdirSync(path), 'is a folder'],
    ['empty-file', 'an empty file', (path) => writeFileSync(path, ''), '0 bytes'],
    ['not-a-database', 'a text', (path) => writeFileSync(path, 'Once upon a time'), 'text'],
    ['not-a-database', 'a JSON', (path) => writeFileSync(path, '{"a":1}'), 'looks like JSON'],
    ['not-a-database', 'an archive', (path) => writeFileSync(path, gzipSync('x'.repeat(99))), 'gzip'],
    ['encrypted', 'an encrypted database', (path) => writeFileSync(path, randomBytes(16384)), 'encrypted'],
    ['truncated', 'less than a header', (path) => writeFileSync(path, 'SQLite format 3\0 and no more'), 'cut off'],
    [
      'not-a-covel-db',
      'another database',
      (path) => new Database(path).exec('CREATE TABLE recipes (id)').close(),
      'recipes',
    ],
    [
      'not-a-covel-db',
      'a database without tables',
      (path) => new Database(path).exec('PRAGMA user_version = 1').close(),
      '—',
    ],
    [
      'not-a-covel-db',
      'a table of the same name',
      (path) => new Database(path).exec('CREATE TABLE trace_events (id, note)').close(),
      'trace_events',
    ],
    [
      'not-a-database',
      'a damaged header',
      (path) => {
        made(path);
        const bytes = readFileSync(path);
        bytes.writeUInt16BE(777, 16);
        writeFileSync(path, bytes);
      },
      'damaged SQLite',
    ],
    [
      'truncated',
      'cut inside the first page',
      (path) => {
        made(path);
        truncateSync(path, 1000);
      },
      '1,000 of',
    ],
  ];
  test.each(refused)('%s: %s', async (code, _name, make, says) => {
    const { files, snapshots } = tempFolder();
    const path = join(files, 'covel.db');
    make(path);
    const before = fingerprint(files);
    const result = await openCovelDb(path, { snapshotRoot: snapshots });
    const error = result.ok ? null : result.error;
    expect(error?.code).toBe(code);
    expect(error?.message).toContain(says);
    expect(error?.hint).toMatch(/./);
    expect(`${error?.message} ${error?.hint}`).not.toMatch(/[{}]/);
    expect(fingerprint(files)).toEqual(before);
    expect(existsSync(snapshots) ? readdirSync(snapshots) : []).toEqual([]);
  });

  test.each([
    ['EACCES', 'no-permission'],
    ['EPERM', 'no-permission'],
    ['ENOTDIR', 'not-found'],
    ['EIO', 'read-failed'],
  ])('%s is %s', (errno, code) => {
    expect(errnoError(Object.assign(new Error(errno), { code: errno }), '/x/covel.db').code).toBe(code);
  });
});

describe('files read in place: nothing is created, nothing changes', () => {
  const cases: readonly (readonly [name: string, prepare: (path: string) => void])[] = [
    ['a rollback-journal file', (path) => made(path, { journal: 'delete' })],
    ['a WAL-mode file without its -wal', (path) => made(path)],
    [
      'an empty -wal with a -shm',
      (path) => {
        made(path);
        writeFileSync(`${path}-wal`, '');
        writeFileSync(`${path}-shm`, Buffer.alloc(32768));
      },
    ],
    [
      'a journal whose header was cleared',
      (path) => {
        made(path, { journal: 'delete' });
        writeFileSync(`${path}-journal`, Buffer.alloc(512));
      },
    ],
    [
      'a read-only file in a read-only folder',
      (path) => {
        made(path);
        chmodSync(path, 0o444);
        chmodSync(join(path, '..'), 0o555);
      },
    ],
  ];
  test.each(cases)('%s', async (_name, prepare) => {
    const { files, snapshots } = tempFolder();
    const path = join(files, 'covel.db');
    prepare(path);
    onTestFinished(() => chmodSync(files, 0o755));
    const before = fingerprint(files);
    const db = await opened(path, snapshots);
    expect(db.info).toMatchObject({ mode: 'immutable', generation: 'G6', name: 'covel.db' });
    expect(db.sessions()).toMatchObject([{ id: S, title: 'Fog', turns: 3, attempts: 3 }]);
    expect(codes(db)).toEqual([]);
    expect(await db.poll()).toBe('none');
    db.close();
    expect(fingerprint(files)).toEqual(before);
    expect(existsSync(snapshots) ? readdirSync(snapshots) : []).toEqual([]);
  });

  test('a path that needs escaping, through a link', async () => {
    const { files, snapshots } = tempFolder();
    const path = join(files, '雾 #1?%41 & co.db');
    made(path);
    const link = join(files, 'link.db');
    symlinkSync(path, link);
    const db = await opened(link, snapshots);
    expect(db.info).toMatchObject({ name: 'link.db', path: link });
    expect(db.sessions()).toHaveLength(1);
  });

  test('large pages', async () => {
    const { files, snapshots } = tempFolder();
    const path = join(files, 'covel.db');
    made(path, { pageSize: 65536 });
    expect((await opened(path, snapshots)).sessions()).toHaveLength(1);
  });
});

describe('files read from a private copy', () => {
  test('a server crashed: rows only in the -wal, no -shm', async () => {
    const { files, snapshots } = tempFolder();
    const path = join(files, 'covel.db');
    made(path);
    const writer = await startWriter({ path, seed: 'w', startedAt: '2026-10-13T00:00:00.000Z', autoCheckpoint: 0 });
    await writer.order({ do: 'turn', sessionId: S, playerText: 'only in the log' });
    await writer.order({ do: 'crash' });
    rmSync(`${path}-shm`);
    const before = fingerprint(files);
    const db = await opened(path, snapshots);
    expect(db.info.mode).toBe('snapshot');
    expect(db.turns(S, false).map((turn) => turn.playerText)).toEqual([
      'step 1',
      'step 2',
      'step 3',
      'only in the log',
    ]);
    expect(readdirSync(snapshots)).toHaveLength(1);
    expect(await db.poll()).toBe('none');
    db.close();
    expect(fingerprint(files)).toEqual(before);
    expect(readdirSync(snapshots)).toEqual([]);
  });

  test('a first page only in the -wal: the file itself is still empty of tables', async () => {
    const { files, snapshots } = tempFolder();
    const path = join(files, 'covel.db');
    const writer = await startWriter({ path, seed: 'w', startedAt: '2026-10-13T00:00:00.000Z', autoCheckpoint: 0 });
    await writer.order({ do: 'turn', sessionId: 'unlisted', playerText: 'x' });
    await writer.order({ do: 'crash' });
    const db = await opened(path, snapshots);
    expect(db.sessions()).toMatchObject([{ id: 'unlisted', createdAt: null, worldId: null, turns: 1 }]);
    expect(codes(db)).toEqual(['session-missing']);
  });

  test('a hot journal: the unfinished transaction is taken back in the copy', async () => {
    const { files, snapshots } = tempFolder();
    const live = join(files, 'live.db');
    const path = join(files, 'covel.db');
    made(live, { journal: 'delete' });
    const server = new Database(live);
    onTestFinished(() => void server.close());
    server.pragma('cache_size = 1');
    server.pragma('cache_spill = 1');
    server.exec('BEGIN');
    server.exec("UPDATE trace_events SET payload = 'half written' || zeroblob(20000)");
    copyFileSync(live, path);
    copyFileSync(`${live}-journal`, `${path}-journal`);
    server.exec('ROLLBACK');
    const before = fingerprint(files);
    const db = await opened(path, snapshots);
    expect(db.info.mode).toBe('snapshot');
    expect(db.turns(S, false).map((turn) => turn.status)).toEqual(['committed', 'committed', 'committed']);
    expect(codes(db)).toEqual([]);
    db.close();
    expect(fingerprint(files)).toEqual(before);
  });

  test('no room for the copy', async () => {
    const { files } = tempFolder();
    const path = join(files, 'covel.db');
    made(path);
    const writer = await startWriter({ path, seed: 'w', startedAt: '2026-10-13T00:00:00.000Z', autoCheckpoint: 0 });
    await writer.order({ do: 'turn', sessionId: S, playerText: 'x' });
    const blocked = join(files, 'not-a-folder');
    writeFileSync(blocked, '');
    const result = await openCovelDb(path, { snapshotRoot: join(blocked, 'snapshots') });
    expect(result.ok ? 'opened' : result.error.code).toBe('copy-failed');
  });

  test('what processes that are gone left behind is swept', async () => {
    const { files, snapshots } = tempFolder();
    const path = join(files, 'covel.db');
    made(path);
    mkdirSync(join(snapshots, 'covel-2147483646-abc'), { recursive: true });
    mkdirSync(join(snapshots, `covel-${process.pid}-abc`));
    await opened(path, snapshots);
    expect(readdirSync(snapshots)).toEqual([`covel-${process.pid}-abc`]);
  });
});

describe('a -wal of another database', () => {
  /** The -wal of another file with another state, left by a crash. */
  async function foreignWal(folder: string, pageSize: number): Promise<Buffer> {
    const path = join(folder, 'other.db');
    const builder = buildDb(path, {
      pageSize,
      ids: createIds('other'),
      clock: createClock('2025-01-01T00:00:00.000Z'),
    });
    builder.insertSession({ id: 'other' });
    builder.close();
    const writer = await startWriter({ path, seed: 'o', startedAt: '2026-10-13T00:00:00.000Z', autoCheckpoint: 0 });
    for (let i = 0; i < 5; i++) await writer.order({ do: 'turn', sessionId: 'other', playerText: `other ${i}` });
    await writer.order({ do: 'crash' });
    return readFileSync(`${path}-wal`);
  }
  const spoil = (wal: Buffer, at: number): Buffer => {
    const copy = Buffer.from(wal);
    copy[at] = (copy[at] ?? 0) ^ 0xff;
    return copy;
  };
  test.each([
    ['another page size', 8192, (wal: Buffer) => wal],
    ['a spoilt header', 4096, (wal: Buffer) => spoil(wal, 17)],
    ['a first frame with other salts', 4096, (wal: Buffer) => spoil(wal, 32 + 9)],
    ['a first frame with a wrong checksum', 4096, (wal: Buffer) => spoil(wal, 32 + 24 + 100)],
    ['frames that are valid but belong elsewhere', 4096, (wal: Buffer) => wal],
    ['no log at all', 4096, () => Buffer.from('hello')],
  ])('%s: ignored and flagged', async (_name, pageSize, change) => {
    const { files, snapshots } = tempFolder();
    const elsewhere = tempFolder().files;
    const path = join(files, 'covel.db');
    made(path, {}, 40);
    writeFileSync(`${path}-wal`, change(await foreignWal(elsewhere, pageSize)));
    const before = fingerprint(files);
    const db = await opened(path, snapshots);
    expect(db.info.mode).toBe('immutable');
    expect(codes(db)).toEqual(['wal-mismatch']);
    expect(db.turns(S, false)).toHaveLength(40);
    expect(await db.poll()).toBe('none');
    db.close();
    expect(fingerprint(files)).toEqual(before);
  });
});

describe('a file that is cut off', () => {
  test.each([0.95, 0.7, 0.4])('at %d of its length: what is left is shown and flagged', async (share) => {
    const { files, snapshots } = tempFolder();
    const path = join(files, 'covel.db');
    made(path, {}, 120);
    const size = readFileSync(path).length;
    truncateSync(path, Math.floor(size * share) + 77);
    const before = fingerprint(files);
    const db = await opened(path, snapshots);
    const rows = db.turns(S, false);
    expect(rows.length).toBeGreaterThan(120 * share * 0.7);
    expect(rows.length).toBeLessThanOrEqual(120);
    expect(rows[0]).toMatchObject({ index: 1, playerText: 'step 1', status: 'committed', attempts: 1 });
    const starts = rows.map((turn) => turn.startedAt ?? '\uffff');
    expect(starts.every((at, i) => i === 0 || (starts[i - 1] ?? '') <= at)).toBe(true);
    const calls = db.callRefs(S);
    expect(calls.length).toBeGreaterThan(120 * share * 0.7);
    expect(db.payload(calls[0]?.rowid ?? -1)?.length).toBeGreaterThan(9000);
    expect(db.findCall(calls[0]?.id ?? '')).toMatchObject({ rowid: calls[0]?.rowid, sessionId: S });
    expect(db.sessions()).toMatchObject([{ id: S, title: 'Fog' }]);
    db.history(S);
    db.replies(S);
    expect(codes(db)).toEqual(expect.arrayContaining(['truncated', 'damaged']));
    db.close();
    expect(fingerprint(files)).toEqual(before);
  });

  test('property of every cut: opened with a flag, or refused with a code, never a throw', async () => {
    const { files, snapshots } = tempFolder();
    const whole = join(files, 'whole.db');
    made(whole, {}, 12);
    const bytes = readFileSync(whole);
    const outcomes: string[] = [];
    for (let cut = 0; cut < bytes.length; cut += 9973) {
      const path = join(files, 'cut.db');
      writeFileSync(path, bytes.subarray(0, cut));
      const result = await openCovelDb(path, { snapshotRoot: snapshots });
      if (!result.ok) {
        outcomes.push(result.error.code);
        continue;
      }
      for (const session of result.value.sessions()) result.value.turns(session.id, false);
      outcomes.push(codes(result.value).includes('truncated') ? 'flagged' : `opened at ${cut}`);
      result.value.close();
    }
    expect(new Set(outcomes)).toEqual(new Set(['empty-file', 'truncated', 'flagged']));
  });
});
