/**
 * Where a file is read: in place when it alone is the whole truth, else from a private copy that takes its
 * -wal or -journal along. A -wal names no database, so a foreign one can only be told by what comes out when it is laid
 * over the file: then the file is read without it, and the user is told.
 */
import { fail, ok, type LensError, type Result } from '../../../shared/error.ts';
import type { ReadMode } from '../../../shared/api.ts';
import type { Problem } from '../../../shared/model/index.ts';
import { connect, isCorrupt, isNotADatabase, type Connection } from './connection.ts';
import { errnoError, fileError, reasonOf } from './errors.ts';
import { tracedSessions } from './events.ts';
import { isTruncated, isWholeAlone, lookAt, type Look } from './look.ts';
import { isCovel } from './schema.ts';
import { sessionIds } from './sessions.ts';
import { dropSnapshot, takeSnapshot, type Snapshot } from './snapshot.ts';
import { walFits } from './wal-fit.ts';

export type Place = {
  readonly connection: Connection;
  readonly mode: ReadMode;
  readonly look: Look;
  readonly snapshot: Snapshot | null;
  /** What is wrong with the file as a whole. */
  readonly notes: readonly Problem[];
};

/**
 * Opens a covel.db for reading and leaves its folder as it is.
 * @param given path as the user knows it
 * @param root folder for private copies
 */
export async function openPlace(given: string, root: string): Promise<Result<Place>> {
  const look = await lookAt(given);
  if (!look.ok) return look;
  if (isWholeAlone(look.value)) return inPlace(given, look.value, look.value.wal.verdict === 'foreign');
  const taken = await takeSnapshot(given, look.value, root);
  if (!taken.ok) return taken;
  // The server closed the file in between: now it is whole.
  if (taken.value === null) return openPlace(given, root);
  return fromSnapshot(given, taken.value);
}

/** Opens a copy. Where its -wal does not belong to it, the copy is dropped and the file is read in place. */
export function fromSnapshot(given: string, snapshot: Snapshot): Result<Place> {
  const fits = snapshot.look.hotJournal || walFits(snapshot.path, snapshot.look.header.pageSize);
  const base = attempt(() => connect(snapshot.path, 'in-place'));
  const whole = attempt(() => connect(snapshot.path, 'private'));
  try {
    if (whole.ok && fits && belongsTogether(base.ok ? base.value : null, whole.value)) {
      const notes = isTruncated(snapshot.look) && whole.value.cutOff ? [cutOffNote(snapshot.look)] : [];
      return ok({ connection: whole.value, mode: 'snapshot', look: snapshot.look, snapshot, notes });
    }
    if (whole.ok) whole.value.close();
    dropSnapshot(snapshot.folder);
    if (base.ok && isCovel(base.value.schema)) return inPlace(given, snapshot.look, true);
    if (whole.ok) return fail(notCovel(given, whole.value));
    return fail(openError(given, snapshot.look, whole.error));
  } finally {
    if (base.ok) base.value.close();
  }
}

/** Opens the file where it stands. */
export function inPlace(given: string, look: Look, walIgnored: boolean): Result<Place> {
  const opened = attempt(() => connect(look.path, 'in-place'));
  if (!opened.ok) return fail(openError(given, look, opened.error));
  const connection = opened.value;
  const refuse = (error: LensError): Result<Place> => {
    connection.close();
    return fail(error);
  };
  if (!isCovel(connection.schema)) return refuse(notCovel(given, connection));
  if (connection.cutOff && isBare(connection)) return refuse(truncated(given, look));
  const notes: Problem[] = [];
  if (walIgnored) notes.push(FOREIGN_WAL);
  if (connection.cutOff || isTruncated(look)) notes.push(cutOffNote(look));
  return ok({ connection, mode: 'immutable', look, snapshot: null, notes });
}

export function closePlace(place: Place): void {
  place.connection.close();
  if (place.snapshot) dropSnapshot(place.snapshot.folder);
}

const FOREIGN_WAL: Problem = {
  code: 'wal-mismatch',
  message: 'The -wal file beside the database does not belong to it and is ignored; the newest turns may be missing.',
  row: 'file/-wal',
};

const cutOffNote = (look: Look): Problem => ({
  code: 'truncated',
  message: `The file is cut off: ${look.size} of ${look.expected ?? '?'} bytes are there. What can be read is shown.`,
  row: 'file/database',
});

/** A -wal that fits leaves a sound database in which not every session was exchanged. */
function belongsTogether(base: Connection | null, whole: Connection): boolean {
  if (!isCovel(whole.schema)) return false;
  if (base === null || !isCovel(base.schema)) return true;
  if (!isSound(whole) && isSound(base)) return false;
  const before = sessionIds(base);
  if (before.length === 0) return true;
  const after = new Set(sessionIds(whole));
  return before.some((id) => after.has(id));
}

/** Whether the table of sessions and its indexes agree; small enough to be checked at every opening. */
function isSound(db: Connection): boolean {
  if (!db.schema.columns.has('sessions')) return true;
  try {
    return db.get("PRAGMA integrity_check('sessions')")?.[0] === 'ok';
  } catch {
    return false;
  }
}

/** Nothing of a cut file can be listed. */
const isBare = (db: Connection): boolean => sessionIds(db).length === 0 && tracedSessions(db).length === 0;

type Attempt<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown };

function attempt<T>(work: () => T): Attempt<T> {
  try {
    return { ok: true, value: work() };
  } catch (error) {
    return { ok: false, error };
  }
}

function openError(given: string, look: Look, error: unknown): LensError {
  if (isCorrupt(error))
    return isTruncated(look) ? truncated(given, look) : fileError('read-failed', given, { reason: reasonOf(error) });
  if (isNotADatabase(error)) return fileError('not-a-database', given, { looksLike: 'sqlite' });
  return errnoError(error, given);
}

const truncated = (given: string, look: Look): LensError =>
  fileError('truncated', given, { bytes: look.size, expected: look.expected ?? look.size });

function notCovel(given: string, { schema: { tables } }: Connection): LensError {
  const named = tables.slice(0, 8).join(', ') + (tables.length > 8 ? ', …' : '');
  return fileError('not-a-covel-db', given, { tables: named === '' ? '—' : named });
}
