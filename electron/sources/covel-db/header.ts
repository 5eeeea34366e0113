/**
 * What the first bytes of a SQLite file and of its sidecars say (SQLite's file format document, sections 1.3
 * "The Database Header", 3 "The Rollback Journal" and 4 "The Write-Ahead Log"). All of it can be judged without
 * letting SQLite open the user's file.
 */

/** Bytes to read from the start of a database file: its header, and enough to tell what another file is. */
export const HEAD_BYTES = 4096;
export const WAL_HEADER_BYTES = 32;
const WAL_FRAME_BYTES = 24;

const MAGIC = Buffer.from('SQLite format 3\0', 'latin1');
const JOURNAL_MAGIC = Buffer.from('d9d505f920a163d7', 'hex');
const WAL_MAGIC = 0x377f0682;

export type DbHeader = {
  /** Bytes. */
  readonly pageSize: number;
  /** Pages the file should have; null when the header's count is not to be trusted. */
  readonly pages: number | null;
};

/** The header of a SQLite database; null when the bytes are not one. */
export function parseDbHeader(head: Buffer): DbHeader | null {
  if (head.length < 100 || !head.subarray(0, 16).equals(MAGIC)) return null;
  const size = head.readUInt16BE(16);
  const pageSize = size === 1 ? 65536 : size;
  const pages = head.readUInt32BE(28);
  // The count was written by the same transaction as the rest only when both change counters agree.
  const trusted = pages > 0 && head.readUInt32BE(24) === head.readUInt32BE(92);
  return { pageSize, pages: trusted ? pages : null };
}

/** A rollback journal whose header was not cleared: a transaction runs, or its writer died. */
export const isHotJournal = (head: Buffer): boolean => head.subarray(0, 8).equals(JOURNAL_MAGIC);

/**
 * What SQLite would do with a -wal file.
 * `none`: no file, or nothing committed in it. `usable`: its frames belong over the database. `foreign`: SQLite
 * ignores it, because its header, page size, salts or checksums do not fit.
 */
export type WalVerdict = 'none' | 'usable' | 'foreign';

/** Bytes of a -wal to read for a verdict: its header and its first frame. */
export const walProbeBytes = (pageSize: number): number => WAL_HEADER_BYTES + WAL_FRAME_BYTES + pageSize;

/** @param probe the first walProbeBytes(pageSize) bytes of the -wal, or as many as it has */
export function judgeWal(probe: Buffer, pageSize: number): WalVerdict {
  if (probe.length === 0) return 'none';
  if (probe.length < WAL_HEADER_BYTES) return 'foreign';
  const magic = probe.readUInt32BE(0);
  if ((magic & ~1) >>> 0 !== WAL_MAGIC) return 'foreign';
  const bigEndian = (magic & 1) === 1;
  if (probe.readUInt32BE(8) !== pageSize) return 'foreign';
  const header = walSum(probe.subarray(0, 24), bigEndian, [0, 0]);
  if (header[0] !== probe.readUInt32BE(24) || header[1] !== probe.readUInt32BE(28)) return 'foreign';
  if (probe.length < walProbeBytes(pageSize)) return 'none';
  const frame = probe.subarray(WAL_HEADER_BYTES, walProbeBytes(pageSize));
  if (!frame.subarray(8, 16).equals(probe.subarray(16, 24))) return 'foreign';
  const page = walSum(frame.subarray(WAL_FRAME_BYTES), bigEndian, walSum(frame.subarray(0, 8), bigEndian, header));
  return page[0] === frame.readUInt32BE(16) && page[1] === frame.readUInt32BE(20) ? 'usable' : 'foreign';
}

type Sum = readonly [number, number];

/** The running checksum of a write-ahead log over a multiple of 8 bytes. */
function walSum(bytes: Buffer, bigEndian: boolean, seed: Sum): Sum {
  let [a, b] = seed;
  for (let i = 0; i + 8 <= bytes.length; i += 8) {
    const x = bigEndian ? bytes.readUInt32BE(i) : bytes.readUInt32LE(i);
    const y = bigEndian ? bytes.readUInt32BE(i + 4) : bytes.readUInt32LE(i + 4);
    a = (a + x + b) >>> 0;
    b = (b + y + a) >>> 0;
  }
  return [a, b];
}

const starts =
  (hex: string, at = 0) =>
  (head: Buffer): boolean =>
    head.subarray(at, at + hex.length / 2).equals(Buffer.from(hex, 'hex'));

/** First match wins. The names fill the sentence "looks like …". */
const KINDS: readonly (readonly [name: string, matches: (head: Buffer, text: string | null) => boolean])[] = [
  ['gzip', starts('1f8b')],
  ['zip', starts('504b0304')],
  ['zip', starts('504b0506')],
  ['7z', starts('377abcaf271c')],
  ['xz', starts('fd377a585a00')],
  ['zstd', starts('28b52ffd')],
  ['bzip2', starts('425a68')],
  ['png', starts('89504e470d0a1a0a')],
  ['jpeg', starts('ffd8ff')],
  ['pdf', starts('25504446')],
  ['tar', starts('7573746172', 257)],
  ['sqlite-wal', starts('377f0682')],
  ['sqlite-wal', starts('377f0683')],
  ['sqlite-journal', isHotJournal],
  ['postgres-dump', starts('5047444d50')],
  ['sqlite', (head) => head.subarray(0, 15).equals(MAGIC.subarray(0, 15))],
  ['json', (_head, text) => text !== null && /^\s*[[{]/.test(text)],
  ['sql', (_head, text) => text !== null && /^\s*(--|PRAGMA\b|BEGIN\b|CREATE\b|INSERT\b)/i.test(text)],
  ['text', (_head, text) => text !== null],
];

/** What a file that is no SQLite database looks like; `binary` when nothing tells. */
export function looksLike(head: Buffer): string {
  const text = asText(head);
  return KINDS.find(([, matches]) => matches(head, text))?.[0] ?? 'binary';
}

/** Control characters other than tab, line ends and form feed do not stand in a text. */
const isControl = (c: string): boolean => c < '\t' || (c > '\r' && c < ' ');

function asText(head: Buffer): string | null {
  // The last character may be cut; a lenient decoder would hide what is not text at all.
  for (let cut = 0; cut < 4; cut++) {
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(head.subarray(0, head.length - cut));
      for (const character of text) if (isControl(character)) return null;
      return text;
    } catch {
      continue;
    }
  }
  return null;
}

/**
 * An encrypted database has no header at all: whole pages of bytes that look random.
 * @param size of the whole file in bytes
 */
export function looksEncrypted(head: Buffer, size: number): boolean {
  return size >= 1024 && size % 512 === 0 && looksLike(head) === 'binary' && entropy(head) > 7;
}

/** Bits per byte. */
function entropy(bytes: Buffer): number {
  const counts = new Map<number, number>();
  for (const byte of bytes) counts.set(byte, (counts.get(byte) ?? 0) + 1);
  let bits = 0;
  for (const n of counts.values()) bits -= (n / bytes.length) * Math.log2(n / bytes.length);
  return bits;
}
