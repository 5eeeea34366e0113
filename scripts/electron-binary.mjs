// The npm package `electron` holds no binary: it is fetched on demand, and even `require('electron')` tries to.
// So the package is never imported here; its two files on disk say whether the binary has arrived.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('..', import.meta.url));

/**
 * @param {string} [root] Folder of the package that has `electron` installed.
 * @param {Readonly<Record<string, string | undefined>>} [env]
 * @returns {string | null} Absolute path of Electron's executable; null where it is not present. Never downloads.
 */
export function electronBinary(root = here, env = process.env) {
  const folder = join(root, 'node_modules', 'electron');
  let name = null;
  try {
    name = readFileSync(join(folder, 'path.txt'), 'utf8').trim();
  } catch {
    // Not fetched yet.
  }
  const override = env.ELECTRON_OVERRIDE_DIST_PATH;
  const binary = override ? join(override, name ?? 'electron') : name ? join(folder, 'dist', name) : null;
  return binary !== null && existsSync(binary) ? binary : null;
}

/**
 * Fetches the binary with the installer that the package itself brings along.
 * @returns {Promise<{ binary: string | null, reason: string }>} `reason` is one short line when there is no binary.
 */
export async function fetchElectron() {
  const installer = join(here, 'node_modules', 'electron', 'install.js');
  if (!existsSync(installer)) return { binary: null, reason: 'the package electron is not installed' };
  const child = spawn(process.execPath, [installer], { stdio: ['ignore', 'inherit', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (said += text));
  await new Promise((resolve) => child.once('close', resolve));
  const line = said.split('\n').find((text) => /error/i.test(text)) ?? said.split('\n')[0] ?? '';
  const detail = line.replace(/^\s*(\w*Error: ?)+/, '').trim() || 'no reason given';
  return { binary: electronBinary(), reason: `its program could not be fetched: ${detail}` };
}
