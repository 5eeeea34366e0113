/** A fresh folder for each test, and proof that nothing in it changed: the promise is about the folder, not only the file. */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder that is removed after the test: `files` for the user's file, `snapshots` for private copies. */
export function tempFolder(): { readonly files: string; readonly snapshots: string } {
  const root = mkdtempSync(join(tmpdir(), 'covel-lens-test-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const files = join(root, 'files');
  const snapshots = join(root, 'snapshots');
  mkdirSync(files);
  return { files, snapshots };
}

/** Names, sizes, modification times and contents of everything in a folder. */
export function fingerprint(folder: string): readonly string[] {
  return readdirSync(folder)
    .sort()
    .map((name) => {
      const path = join(folder, name);
      const { size, mtimeMs } = statSync(path);
      const hash = statSync(path).isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : 'folder';
      return `${name} ${size} ${mtimeMs} ${hash}`;
    });
}
