/**
 * One read-only connection. `immutable=1` makes SQLite believe that nobody writes: it takes no lock and makes no
 * file, but it also notices no change: `poll` reopens after every change, and errors are judged by whether the file changed.
 */
import { closeSync, fstatSync, openSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { readSchema, type Schema } from './schema.ts';

export type Row = readonly SQLOutputValue[];

export type Connection = {
  readonly schema: Schema;
  /** `PRAGMA encoding` is not UTF-8: bytes of a text must be made from its string. */
  readonly wideText: boolean;
  /** The file ends before its last page. */
  readonly cutOff: boolean;
  /** Tables of which a list could not be read to its end. */
  readonly damage: Set<string>;
  all(sql: string, ...values: SQLInputValue[]): Row[];
  get(sql: string, ...values: SQLInputValue[]): Row | undefined;
  /** Rows until the end or until the first one that cannot be read; `whole` tells which. Throws when the file changed. */
  some(sql: string, ...values: SQLInputValue[]): { readonly rows: Row[]; readonly whole: boolean };
  /** The error tells of damage in the file itself, not of a change under this connection. */
  isDamage(error: unknown): boolean;
  close(): void;
};

const IO_ERROR = 10;
const CORRUPT = 11;
const NOT_A_DB = 26;

function codeOf(error: unknown): number | null {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & 0xff
    : null;
}
/** SQLite found pages that contradict each other, or none (or only a part of one) where one must be. */
export const isCorrupt = (error: unknown): boolean => [CORRUPT, IO_ERROR].includes(codeOf(error) ?? 0);
export const isNotADatabase = (error: unknown): boolean => codeOf(error) === NOT_A_DB;

/** `file:` address of a path with SQLite's parameters; on Windows a share needs two more slashes. */
function uriOf(path: string): string {
  const url = pathToFileURL(path);
  return `${url.host === '' ? url.href : `file:////${url.host}${url.pathname}`}?immutable=1`;
}

/**
 * Opens a file for reading. Throws what SQLite throws.
 * @param place `in-place`: immutable; `private`: a copy of ours that may carry a -wal
 */
export function connect(path: string, place: 'in-place' | 'private'): Connection {
  const fd = openSync(path, 'r');
  let db: DatabaseSync | null = null;
  try {
    db = new DatabaseSync(place === 'in-place' ? uriOf(path) : path, { readOnly: true, defensive: false });
    return wrap(db, fd);
  } catch (error) {
    db?.close();
    closeSync(fd);
    throw error;
  }
}

function wrap(db: DatabaseSync, fd: number): Connection {
  const opened = fstatSync(fd);
  const isDamage = (error: unknown): boolean => {
    if (!isCorrupt(error)) return false;
    const now = fstatSync(fd);
    return now.size === opened.size && now.mtimeMs === opened.mtimeMs;
  };
  const prepared = new Map<string, StatementSync>();
  const statement = (sql: string): StatementSync => {
    let found = prepared.get(sql);
    if (!found) {
      found = db.prepare(sql);
      found.setReturnArrays(true);
      prepared.set(sql, found);
    }
    return found;
  };
  const all = (sql: string, ...values: SQLInputValue[]): Row[] => statement(sql).all(...values) as unknown as Row[];
  // Never mapped: another program that shortens the file would end the process with a bus error, every page read counts
  // as memory in use, and one pass over 870 MB of payloads takes as long (0.5 to 0.8 s) as with plain reads.
  all('PRAGMA mmap_size = 0');

  let schema: Schema;
  let cutOff = false;
  try {
    schema = readSchema(all);
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    // SQLite refuses a file that is shorter than its header says, unless it is told that its schema may be mended.
    all('PRAGMA writable_schema = ON');
    prepared.clear();
    schema = readSchema(all);
    cutOff = true;
  }
  const wideText = all('PRAGMA encoding')[0]?.[0] !== 'UTF-8';

  return {
    schema,
    wideText,
    cutOff,
    damage: new Set(),
    all,
    get: (sql, ...values) => statement(sql).get(...values) as unknown as Row | undefined,
    some(sql, ...values) {
      try {
        return { rows: all(sql, ...values), whole: true };
      } catch (error) {
        if (!isDamage(error)) throw error;
      }
      const rows: Row[] = [];
      try {
        for (const row of statement(sql).iterate(...values)) rows.push(row as unknown as Row);
        return { rows, whole: true };
      } catch (error) {
        if (!isDamage(error)) throw error;
        return { rows, whole: false };
      }
    },
    isDamage,
    close() {
      if (!db.isOpen) return;
      prepared.clear();
      db.close();
      closeSync(fd);
    },
  };
}
