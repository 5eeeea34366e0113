/**
 * The built window is a closed set of files. It is listed once, at the start, and a request can only name a member
 * of that list: no path of a request ever reaches the file system, so there is nothing to traverse.
 */
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
};

export type StaticFile = { readonly path: string; readonly type: string; readonly bytes: number };

/** By URL path, as a browser writes it: `/index.html`, `/assets/main-4f.js`; `/` is the page. */
export type StaticFiles = ReadonlyMap<string, StaticFile>;

/** Lists the plain files under `folder` whose type is known; links and source maps are left out. Rejects when there is no folder. */
export async function listStaticFiles(folder: string): Promise<StaticFiles> {
  const files = new Map<string, StaticFile>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const type = TYPES[extname(entry.name)];
    if (!entry.isFile() || !type) continue;
    const path = join(entry.parentPath, entry.name);
    const parts = path.slice(folder.length).split(/[\\/]/).filter(Boolean);
    const { size } = await stat(path);
    files.set(`/${parts.map(encodeURIComponent).join('/')}`, { path, type, bytes: size });
  }
  const index = files.get('/index.html');
  if (index) files.set('/', index);
  return files;
}

/** Sends one listed file; a file that has vanished since ends the connection. Never rejects. */
export async function sendStaticFile(file: StaticFile, isHead: boolean, response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'Content-Type': file.type, 'Content-Length': file.bytes });
  if (isHead) {
    response.end();
    return;
  }
  // `end` keeps the reply to the announced length, also when the file has grown since it was listed.
  const source = file.bytes === 0 ? [] : createReadStream(file.path, { end: file.bytes - 1 });
  await pipeline(source, response).catch(() => response.destroy());
}
