/**
 * The npm package `electron` has no binary until its first start downloads one, and asking the package for it starts
 * that download. So it is looked for on the disk: `path.txt` names it, `ELECTRON_OVERRIDE_DIST_PATH` replaces its
 * folder (electron 45).
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Absolute path of Electron's executable for the package at `root`; null where there is none. */
export function electronBinary(root: string, env: Readonly<Record<string, string | undefined>>): string | null {
  const folder = join(root, 'node_modules', 'electron');
  const named = readOrNull(join(folder, 'path.txt'));
  const override = env['ELECTRON_OVERRIDE_DIST_PATH'];
  const path = override ? join(override, named ?? 'electron') : named && join(folder, 'dist', named);
  return path && existsSync(path) ? path : null;
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
}
