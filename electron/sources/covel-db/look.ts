/**
 * A look at the file and its sidecars without SQLite. SQLite would create -shm and -wal beside a WAL-mode file
 * even when told to only read (toolchain page, section 3), so it never sees the user's file unless the look says
 * that reading in place (`immutable=1`, which makes nothing) is right.
 */
import { open, realpath, stat, type FileHandle } from 'node:fs/promises';
import { fail, ok, type Result } from '../../../shared/error.ts';
import { errnoError, errnoOf, fileError } from './errors.ts';
import {
  HEAD_BYTES,
  WAL_HEADER_BYTES,
  isHotJournal,
  judgeWal,
  looksEncrypted,
  looksLike,
  parseDbHeader,
  walProbeBytes,
  type DbHeader,
  type WalVerdict,
} from './header.ts';

/** SQLite's smallest page. */
const LEAST_BYTES = 512;

export type Look = {
  /** Where the file really is, links followed; sidecars stand beside it. */
  readonly path: string;
  readonly header: DbHeader;
  /** Bytes. */
  readonly size: number;
  /** Device and inode: another value is another file. */
  readonly file: string;
  readonly stamp: string;
  readonly wal: {
    readonly verdict: WalVerdict;
    readonly size: number;
    readonly stamp: string;
    /** Hex of its header (salts); empty without one. Stays while only frames are added. */
    readonly header: string;
  };
  readonly hotJournal: boolean;
  /** The whole state in one string; equal strings mean that nothing changed. */
  readonly signature: string;
  /** Bytes that the header promises; null when unknown. */
  readonly expected: number | null;
};

/** Looks at a file. Errors: every code of a file that SQLite need not even see. */
export async function lookAt(given: string): Promise<Result<Look>> {
  let path: string;
  try {
    path = await realpath(given);
    const what = await stat(path);
    if (what.isDirectory()) return fail(fileError('is-directory', given));
    // Reading a pipe or a device would wait for ever.
    if (!what.isFile()) return fail(fileError('not-a-database', given, { looksLike: 'device' }));
  } catch (error) {
    return fail(errnoError(error, given));
  }
  try {
    const main = await probe(path, HEAD_BYTES);
    if (main === null) return fail(fileError('not-found', given));
    if (main.size === 0) return fail(fileError('empty-file', given));
    const header = parseDbHeader(main.head);
    if (header === null) {
      const like = looksLike(main.head);
      if (like === 'sqlite') return fail(fileError('truncated', given, { bytes: main.size, expected: LEAST_BYTES }));
      if (looksEncrypted(main.head, main.size)) return fail(fileError('encrypted', given));
      return fail(fileError('not-a-database', given, { looksLike: like }));
    }
    const wal = await probe(`${path}-wal`, walProbeBytes(header.pageSize));
    const journal = await probe(`${path}-journal`, 8);
    const walHeader = wal?.head.subarray(0, WAL_HEADER_BYTES).toString('hex') ?? '';
    // An empty -wal says nothing; its coming and going is no change.
    const walStamp = wal !== null && wal.size > 0 ? wal.stamp : '';
    const hotJournal = journal !== null && isHotJournal(journal.head);
    return ok({
      path,
      header,
      size: main.size,
      file: main.file,
      stamp: main.stamp,
      wal: {
        verdict: wal === null ? 'none' : judgeWal(wal.head, header.pageSize),
        size: wal?.size ?? 0,
        stamp: walStamp,
        header: walHeader,
      },
      hotJournal,
      signature: [main.file, main.stamp, walStamp, walHeader, hotJournal ? journal.stamp : ''].join(' '),
      expected: header.pages === null ? null : header.pages * header.pageSize,
    });
  } catch (error) {
    return fail(errnoError(error, given));
  }
}

type Probe = { readonly head: Buffer; readonly size: number; readonly file: string; readonly stamp: string };

/** The first bytes and the state of a file, from one handle; null when it is not there. */
async function probe(path: string, bytes: number): Promise<Probe | null> {
  let handle: FileHandle;
  try {
    handle = await open(path, 'r');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw error;
  }
  try {
    const state = await handle.stat({ bigint: true });
    const buffer = Buffer.alloc(bytes);
    const { bytesRead } = await handle.read(buffer, 0, bytes, 0);
    return {
      head: buffer.subarray(0, bytesRead),
      size: Number(state.size),
      file: `${state.dev}:${state.ino}`,
      stamp: `${state.size}@${state.mtimeNs}`,
    };
  } finally {
    await handle.close();
  }
}

/** In place where the file alone is the whole truth; else from a private copy that takes its sidecar along. */
export const isWholeAlone = (look: Look): boolean => look.wal.verdict !== 'usable' && !look.hotJournal;

export const isTruncated = (look: Look): boolean => look.expected !== null && look.expected > look.size;
