import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeWal, looksEncrypted, looksLike, parseDbHeader } from './header.ts';

const text = (content: string): Buffer => Buffer.from(content, 'utf8');

describe('what a file looks like', () => {
  test.each([
    ['json', text('{"messages": []}')],
    ['json', text('\n [1, 2]')],
    ['text', text('Dear diary,\n雾从石阶码头的缝隙里渗进来')],
    ['sql', text('PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;')],
    ['gzip', gzipSync('x')],
    ['zip', Buffer.from('504b030414000000', 'hex')],
    ['png', Buffer.from('89504e470d0a1a0a', 'hex')],
    ['sqlite-wal', Buffer.from('377f0682002de218', 'hex')],
    ['sqlite-journal', Buffer.from('d9d505f920a163d7', 'hex')],
    ['sqlite', text('SQLite format 3')],
    ['binary', Buffer.from([0, 1, 2, 3])],
  ])('%s', (kind, head) => expect(looksLike(head)).toBe(kind));

  test('a text that the first page cuts inside a character is still a text', () => {
    expect(looksLike(text('雾').subarray(0, 2))).toBe('text');
    expect(looksLike(Buffer.concat([text('fog '), text('雾').subarray(0, 1)]))).toBe('text');
  });
});

describe('an encrypted database', () => {
  test('whole pages of random bytes', () => expect(looksEncrypted(randomBytes(4096), 8192)).toBe(true));
  test('not with an odd size', () => expect(looksEncrypted(randomBytes(4096), 8191)).toBe(false));
  test('not when it is a known kind', () =>
    expect(looksEncrypted(gzipSync(randomBytes(5000)).subarray(0, 4096), 8192)).toBe(false));
  test('not when it is mostly zeros', () => expect(looksEncrypted(Buffer.alloc(4096), 8192)).toBe(false));
});

describe('a database header', () => {
  const header = (pages: number, changed: number, validFor: number): Buffer => {
    const head = Buffer.alloc(100);
    head.write('SQLite format 3\0', 'latin1');
    head.writeUInt16BE(4096, 16);
    head.writeUInt32BE(pages, 28);
    head.writeUInt32BE(changed, 24);
    head.writeUInt32BE(validFor, 92);
    return head;
  };
  test('page size and pages', () => expect(parseDbHeader(header(7, 3, 3))).toEqual({ pageSize: 4096, pages: 7 }));
  test('a count of another transaction is not trusted', () => expect(parseDbHeader(header(7, 4, 3))?.pages).toBeNull());
  test('1 stands for 65536', () => {
    const head = header(1, 0, 0);
    head.writeUInt16BE(1, 16);
    expect(parseDbHeader(head)?.pageSize).toBe(65536);
  });
  test('too short', () => expect(parseDbHeader(header(1, 1, 1).subarray(0, 99))).toBeNull());
});

describe('a write-ahead log', () => {
  test('no bytes: nothing in it', () => expect(judgeWal(Buffer.alloc(0), 4096)).toBe('none'));
  test('property: random bytes never fit', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 700 }), (b) => {
        expect(judgeWal(Buffer.from(b), 512)).toBe('foreign');
      }),
    );
  });
});
