/**
 * A private copy of a database that is being written to. The copy is a true state as long as the header of the
 * -wal stays the same from before to after it: everything that a checkpoint moves into the database in that time also
 * stands in the -wal that is copied last, and lies over the copied database again. A new header means that the log
 * began anew and earlier frames are lost; then the copy is made again. The -shm is never copied: SQLite makes its own.
 */
import { constants, readdirSync, renameSync, rmSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { fail, ok, type Result } from '../../../shared/error.ts';
import { errnoOf, fileError, reasonOf } from './errors.ts';
import { isWholeAlone, lookAt, type Look } from './look.ts';

export type Snapshot = {
  readonly folder: string;
  /** The copied database. */
  readonly path: string;
  /** The state that was copied. */
  readonly look: Look;
};

const PREFIX = 'covel-';
const TRIES = 5;

/**
 * Copies a database with its -wal or -journal into a fresh folder of ours.
 * @param given path as the user knows it, for messages
 * @param look state to copy; a newer one is taken when the file changes meanwhile
 * @returns the copy, or null when the file meanwhile became whole without a sidecar
 */
export async function takeSnapshot(given: string, look: Look, root: string): Promise<Result<Snapshot | null>> {
  let folder: string;
  try {
    await mkdir(root, { recursive: true });
    folder = await mkdtemp(join(root, `${PREFIX}${process.pid}-`));
  } catch (error) {
    return fail(fileError('copy-failed', given, { reason: reasonOf(error) }));
  }
  const taken = await copyInto(given, look, folder);
  if (!taken.ok || taken.value === null) dropSnapshot(folder);
  return taken;
}

async function copyInto(given: string, first: Look, folder: string): Promise<Result<Snapshot | null>> {
  const path = join(folder, 'covel.db');
  let look = first;
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const sidecar = look.hotJournal ? '-journal' : '-wal';
    try {
      await Promise.all(['-wal', '-journal', '-shm'].map((end) => rm(`${path}${end}`, { force: true })));
      await copyFile(look.path, path, constants.COPYFILE_FICLONE);
      await copyFile(`${look.path}${sidecar}`, `${path}${sidecar}`, constants.COPYFILE_FICLONE);
    } catch (error) {
      // The writer may just have removed its sidecar.
      if (errnoOf(error) !== 'ENOENT') return fail(fileError('copy-failed', given, { reason: reasonOf(error) }));
    }
    const after = await lookAt(given);
    if (!after.ok) return after;
    if (isWholeAlone(after.value)) return ok(null);
    const quiet = after.value.signature === look.signature;
    const sameLog = sidecar === '-wal' && after.value.file === look.file && after.value.wal.header === look.wal.header;
    if (quiet || (sameLog && attempt === TRIES)) {
      if (sidecar === '-journal') rollBack(path);
      return ok({ folder, path, look });
    }
    look = after.value;
    await sleep(20 * attempt);
  }
  return fail(fileError('copy-failed', given, { reason: 'it is being written to all the time' }));
}

/** Lets SQLite take back the unfinished transaction in the copy. */
function rollBack(path: string): void {
  const db = new DatabaseSync(path);
  try {
    db.prepare('SELECT count(*) FROM sqlite_master').get();
  } finally {
    db.close();
  }
}

/**
 * Brings a newer -wal with the same header beside the copy, under another name.
 * @returns the state it belongs to, and `place`, which puts it in its place while no connection is open; null when
 * the log was begun anew or the file is another one: then everything must be copied again
 */
export async function fetchWal(given: string, snapshot: Snapshot): Promise<{ look: Look; place: () => void } | null> {
  const old = snapshot.look;
  const fits = (look: Look): boolean =>
    look.file === old.file && look.wal.header === old.wal.header && !look.hotJournal;
  if (old.hotJournal) return null;
  const fresh = `${snapshot.path}-wal.new`;
  try {
    const before = await lookAt(given);
    if (!before.ok || !fits(before.value)) return null;
    await copyFile(`${before.value.path}-wal`, fresh, constants.COPYFILE_FICLONE);
    const after = await lookAt(given);
    if (!after.ok || !fits(after.value)) return null;
    return {
      look: before.value,
      place() {
        renameSync(fresh, `${snapshot.path}-wal`);
        // A stale index would hide the new frames.
        rmSync(`${snapshot.path}-shm`, { force: true });
      },
    };
  } catch {
    return null;
  }
}

export function dropSnapshot(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Removes the folders of processes that ended without cleaning up. */
export function sweepSnapshots(root: string): void {
  let names: string[];
  try {
    names = readdirSync(root);
  } catch {
    return;
  }
  for (const name of names) {
    const pid = /^covel-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) dropSnapshot(join(root, name));
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errnoOf(error) === 'EPERM';
  }
}
