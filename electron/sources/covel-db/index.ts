/**
 * The door of a covel.db. The user's file is never locked, and nothing in its folder is written, created or
 * removed, neither while a server writes to it nor when it crashed.
 */
import { createHash } from 'node:crypto';
import { basename, resolve } from 'node:path';
import { LensFailure, ok, type LensError, type Result } from '../../../shared/error.ts';
import { callRefsOf, findCallIn, payloadOf, repliesOf } from './calls.ts';
import { connect, type Connection } from './connection.ts';
import { errnoError, fileError } from './errors.ts';
import { historyOf, ledgerEventsOf, summariesOf } from './history.ts';
import { isWholeAlone, lookAt } from './look.ts';
import { closePlace, fromSnapshot, openPlace, type Place } from './place.ts';
import { problemBatches } from './problems.ts';
import { isCovel } from './schema.ts';
import { sessionIds, sessionsOf } from './sessions.ts';
import { fetchWal, sweepSnapshots } from './snapshot.ts';
import { turnsOf } from './turns.ts';
import { messagesOf, worldOf } from './world.ts';
import type { Change, CovelDb, SourceInfo } from './types.ts';

export type * from './types.ts';

/**
 * Opens a covel.db.
 * @param path any path; relative ones resolve against the working directory
 * @param options `snapshotRoot`: folder of ours for private copies of files that are being written to
 * @returns the door, or why not: not-found, is-directory, no-permission, empty-file, not-a-database, not-a-covel-db,
 * encrypted, truncated, copy-failed, read-failed
 */
export async function openCovelDb(path: string, options: { readonly snapshotRoot: string }): Promise<Result<CovelDb>> {
  const given = resolve(path);
  sweepSnapshots(options.snapshotRoot);
  const place = await openPlace(given, options.snapshotRoot);
  return place.ok ? ok(doorOf(given, place.value, options.snapshotRoot)) : place;
}

function doorOf(given: string, opened: Place, root: string): CovelDb {
  let place = opened;
  let known = sessionIds(place.connection);
  let closed = false;
  let away = false;
  let trouble: LensError | null = null;
  /** Signature of a state that could not be opened; the same twice in a row is no longer a file being written. */
  let refused: string | null = null;
  let polling: Promise<Change> | null = null;

  /**
   * Runs work on the connection. In place SQLite notices no change: what fails because the file changed
   * meanwhile is tried once more on a new connection.
   */
  function read<T>(work: (db: Connection) => T): T {
    if (closed) throw new LensFailure(fileError('file-gone', given));
    try {
      return work(place.connection);
    } catch (error) {
      if (error instanceof LensFailure) throw error;
      try {
        if (place.mode !== 'immutable' || place.connection.isDamage(error)) throw error;
        reopen();
        return work(place.connection);
      } catch (again) {
        throw again instanceof LensFailure ? again : new LensFailure(errnoError(again, given));
      }
    }
  }

  function reopen(): void {
    const connection = connect(place.look.path, 'in-place');
    if (!isCovel(connection.schema)) {
      connection.close();
      throw new LensFailure(fileError('read-failed', given, { reason: 'it is being rewritten' }));
    }
    place.connection.close();
    place = { ...place, connection };
  }

  /**
   * Takes the place of `PRAGMA data_version`, which tells of foreign commits only to a connection that
   * takes part in the locking of the user's folder: here the stamps of file and sidecars and the header of the -wal tell.
   */
  async function look(): Promise<Change> {
    const seen = await lookAt(given);
    if (closed) return 'none';
    if (!seen.ok) return lose(seen.error, seen.error.code);
    if (!away && seen.value.signature === place.look.signature) return 'none';
    if (await grewInLog()) return changed(true);
    const next = await openPlace(given, root);
    if (!next.ok) return closed ? 'none' : lose(next.error, seen.value.signature);
    if (closed) {
      closePlace(next.value);
      return 'none';
    }
    const sameFile = next.value.look.file === place.look.file;
    closePlace(place);
    place = next.value;
    return changed(sameFile);
  }

  function changed(sameFile: boolean): Change {
    const before = known;
    known = sessionIds(place.connection);
    away = false;
    refused = null;
    trouble = null;
    const now = new Set(known);
    return sameFile && (before.length === 0 || before.some((id) => now.has(id))) ? 'grew' : 'replaced';
  }

  /** What is loaded stays. Only a missing file is reported at once; others may just be half written. */
  function lose(error: LensError, signature: string): Change {
    trouble = error;
    const again = refused === signature;
    refused = signature;
    // A copy that failed leaves a file that is still there.
    if (away || error.code === 'copy-failed' || (error.code !== 'not-found' && !again)) return 'none';
    away = true;
    trouble = error.code === 'not-found' ? fileError('file-gone', given) : error;
    return 'gone';
  }

  /** New commits behind the ones already copied: the -wal alone is copied, and the private connection opened anew. */
  async function grewInLog(): Promise<boolean> {
    const { snapshot } = place;
    if (!snapshot || away) return false;
    const wal = await fetchWal(given, snapshot);
    if (!wal || closed || place.snapshot !== snapshot || isWholeAlone(wal.look)) return false;
    const next = { ...snapshot, look: wal.look };
    place.connection.close();
    wal.place();
    const reopened = fromSnapshot(given, next);
    // A copy that cannot be opened any more is gone; the caller opens the file anew.
    place = reopened.ok ? reopened.value : { ...place, snapshot: null };
    return reopened.ok;
  }

  const info = (): SourceInfo => ({
    path: given,
    name: basename(given),
    generation: place.connection.schema.generation,
    mode: place.mode,
    bytes: place.look.size + (place.mode === 'snapshot' ? place.look.wal.size : 0),
    identity: createHash('sha256').update(place.look.signature).digest('hex').slice(0, 32),
  });

  function* batches(): ReturnType<CovelDb['problemBatches']> {
    yield place.notes;
    yield* problemBatches(read);
  }

  return {
    get info() {
      return info();
    },
    get trouble() {
      return trouble;
    },
    sessions: () => read(sessionsOf),
    turns: (sessionId, newestRuns) => read((db) => turnsOf(db, sessionId, newestRuns)),
    callRefs: (sessionId) => read((db) => callRefsOf(db, sessionId)),
    findCall: (callId) => read((db) => findCallIn(db, callId)),
    replies: (sessionId) => read((db) => repliesOf(db, sessionId)),
    payload: (rowid) => read((db) => payloadOf(db, 'rowid', rowid)),
    payloadById: (eventId) => read((db) => payloadOf(db, 'id', eventId)),
    history: (sessionId) => read((db) => historyOf(db, sessionId)),
    summaries: (sessionId) => read((db) => summariesOf(db, sessionId)),
    world: (sessionId) => read((db) => worldOf(db, sessionId)),
    messages: (sessionId) => read((db) => messagesOf(db, sessionId)),
    ledgerEvents: (sessionId) => read((db) => ledgerEventsOf(db, sessionId)),
    problemBatches: batches,
    *problems() {
      for (const batch of batches()) yield* batch;
    },
    poll() {
      polling ??= look()
        .catch((error: unknown) => {
          trouble = errnoError(error, given);
          return 'none' as const;
        })
        .finally(() => {
          polling = null;
        });
      return closed ? Promise.resolve('none') : polling;
    },
    close() {
      if (closed) return;
      closed = true;
      closePlace(place);
    },
  };
}
