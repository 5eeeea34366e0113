/**
 * A -wal carries no name of its database, but two numbers must agree with it. Every page that the last commit counts and
 * the file does not have stands in the log, and a database only gets smaller when all of it was rewritten (VACUUM). And
 * frames of page 1 carry the change counter of the file plus one, until a checkpoint moves them there.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const HEADER = 32;
const FRAME = 24;
/** Byte offset in page 1. */
const CHANGE_COUNTER = 24;

/**
 * Whether a -wal may belong to a database. A foreign log of a database of the same size can pass.
 * @param path of the private copy; its -wal stands beside it and is known to be valid by itself
 */
export function walFits(path: string, pageSize: number): boolean {
  const log = committed(`${path}-wal`, pageSize);
  if (log === null) return true;
  const { counter, pages } = baseOf(path, pageSize);
  if (log.pages < pages && log.written.size < log.pages) return false;
  let missing = 0;
  for (let page = pages + 1; page <= log.pages; page++) if (!log.written.has(page)) missing++;
  // A page that was allocated and freed again in one transaction need not be written.
  if (missing * 2 > log.pages - pages) return false;
  return log.first === null || log.last === null || (log.first - 1 <= counter && counter <= log.last);
}

type Committed = {
  /** Change counters in the first and last committed frame of page 1. */
  readonly first: number | null;
  readonly last: number | null;
  readonly written: ReadonlySet<number>;
  /** Pages of the database after the last commit. */
  readonly pages: number;
};

/** What the committed frames say; null without any. */
function committed(wal: string, pageSize: number): Committed | null {
  const fd = openSync(wal, 'r');
  try {
    const header = Buffer.alloc(HEADER);
    if (readSync(fd, header, 0, HEADER, 0) < HEADER) return null;
    const salts = header.subarray(16, 24);
    const frame = Buffer.alloc(FRAME + 100);
    const written = new Set<number>();
    let first: number | null = null;
    let last: number | null = null;
    let done: Committed | null = null;
    for (let at = HEADER; readSync(fd, frame, 0, frame.length, at) === frame.length; at += FRAME + pageSize) {
      // Frames of an earlier run of the log may follow behind the valid ones.
      if (!frame.subarray(8, 16).equals(salts)) break;
      const page = frame.readUInt32BE(0);
      written.add(page);
      if (page === 1) last = frame.readUInt32BE(FRAME + CHANGE_COUNTER);
      first ??= last;
      const pages = frame.readUInt32BE(4);
      if (pages > 0) done = { first, last, written, pages };
    }
    return done;
  } finally {
    closeSync(fd);
  }
}

function baseOf(path: string, pageSize: number): { readonly counter: number; readonly pages: number } {
  const fd = openSync(path, 'r');
  try {
    const head = Buffer.alloc(100);
    readSync(fd, head, 0, head.length, 0);
    return { counter: head.readUInt32BE(CHANGE_COUNTER), pages: Math.floor(fstatSync(fd).size / pageSize) };
  } finally {
    closeSync(fd);
  }
}
