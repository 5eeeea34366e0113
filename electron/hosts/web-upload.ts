/**
 * A page cannot tell where a dropped file lies on the disk, and the engine opens paths. So the file's bytes are
 * sent once over loopback into a private folder, and the window opens the path it is answered.
 * The folder carries our process id: what a crashed host left behind is found and removed by the next one.
 */
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fail, ok, type LensError, type Result } from '../../shared/error.ts';

export const MAX_UPLOAD_BYTES = 4 * 1024 ** 3;

export type Uploads = {
  /** Streams the request's body into a file named after `name`. Errors: `bad-argument` (too large), `copy-failed`. */
  receive(request: IncomingMessage, name: string): Promise<Result<string>>;
  /** Removes everything that was received. */
  clear(): Promise<void>;
};

/** UTF-16 units; three bytes each at most, which every file system takes. */
const MAX_NAME = 80;
const UNSAFE = /[\p{Cc}<>:"|?*\ufffd]/gu;

/** A name that is safe on every file system and stays inside its folder; the extension is kept. */
export function safeName(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? '';
  const plain = last.slice(-MAX_NAME).toWellFormed().replace(UNSAFE, '_');
  return plain.replace(/^[. ]+|[. ]+$/g, '') || 'dropped.db';
}

const tooLarge = (limit: number): LensError => ({
  code: 'bad-argument',
  message: `The file is larger than ${Math.floor(limit / 1024 ** 2)} MB, the most that a browser may hand over.`,
  hint: 'Open it by its path, or name it on the command line.',
  values: { limit },
});

/** Nothing is created before the first file arrives. */
export function createUploads(userData: string, limit: number = MAX_UPLOAD_BYTES): Uploads {
  const root = join(userData, 'dropped');
  let own: Promise<string> | null = null;

  async function folder(): Promise<string> {
    await mkdir(root, { recursive: true, mode: 0o700 });
    return mkdtemp(join(root, `${process.pid}-`));
  }

  return {
    async receive(request, name) {
      if (Number(request.headers['content-length'] ?? 0) > limit) return fail(tooLarge(limit));
      let place: string | null = null;
      const guard = byteLimit(limit);
      try {
        place = await mkdtemp(join(await (own ??= folder()), 'f-'));
        const path = join(place, safeName(name));
        // The request outlives a failure, so that the answer can still be sent.
        const body = request.iterator({ destroyOnReturn: false });
        await pipeline(body, guard.stream, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
        return ok(path);
      } catch (thrown) {
        if (place) await rm(place, { recursive: true, force: true });
        if (guard.isOver()) return fail(tooLarge(limit));
        if (!place) own = null;
        const detail = thrown instanceof Error ? thrown.message : String(thrown);
        return fail({
          code: 'copy-failed',
          message: `The file could not be stored: ${detail}.`,
          hint: 'Make room on the disk, or open the file by its path.',
          values: { path: name, detail },
        });
      }
    },
    async clear() {
      const made = await own?.catch(() => null);
      own = null;
      if (made) await rm(made, { recursive: true, force: true });
    },
  };
}

function byteLimit(limit: number): { readonly stream: Transform; isOver(): boolean } {
  let seen = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      seen += chunk.length;
      if (seen > limit) done(new Error('too large'));
      else done(null, chunk);
    },
  });
  return { stream, isOver: () => seen > limit };
}

/** Removes what hosts that no longer run have left behind. Never rejects. */
export async function sweepUploads(userData: string, isRunning: (pid: number) => boolean = runs): Promise<void> {
  const root = join(userData, 'dropped');
  const names = await readdir(root).catch(() => []);
  const dead = names.filter((name) => /^\d+-/.test(name) && !isRunning(Number.parseInt(name, 10)));
  await Promise.all(dead.map((name) => rm(join(root, name), { recursive: true, force: true }).catch(() => undefined)));
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0); // signal 0 only asks
    return true;
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM';
  }
}
