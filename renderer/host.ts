/**
 * The window runs in two places. In the desktop app a preload script hands over one frozen bridge; in browser mode
 * there is none, and a file that a person drops must first be uploaded to our own loopback host to have a path.
 */
import { LensFailure, type LensError } from '../shared/error.ts';
import type { ClientMessage, EngineMessage } from '../shared/rpc.ts';

/** What the preload script exposes as `window.lensHost`. */
export type LensHost = {
  readonly kind: 'desktop';
  send(message: ClientMessage): void;
  onMessage(listener: (message: EngineMessage) => void): unknown;
  /** Absolute path of a dropped or chosen file; empty when it has none. */
  pathForFile(file: File): string;
  /** The system's open dialog; null when it was dismissed. */
  openDialog(): Promise<string | null>;
};

declare global {
  interface Window {
    readonly lensHost?: LensHost;
  }
}

/** The desktop bridge, or null in browser mode. */
export const desktopHost = (): LensHost | null => (typeof window === 'undefined' ? null : (window.lensHost ?? null));

/** `mod` is the Command key on Apple systems and Control elsewhere. */
export const isApple = (): boolean => typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);

const uploadFailed = (name: string, message: string): LensError => ({
  code: 'copy-failed',
  message,
  hint: '',
  values: { path: name },
});

/**
 * A path that the engine can open, for a file that a person chose or dropped. Browser mode uploads it with
 * `PUT /files?name=…`. Rejects with LensFailure (`copy-failed`) when the upload is refused.
 */
export async function pathOfFile(file: File): Promise<string> {
  const host = desktopHost();
  if (host) return host.pathForFile(file);
  const answer = await fetch(`/files?name=${encodeURIComponent(file.name)}`, { method: 'PUT', body: file }).catch(
    (cause: unknown) => {
      throw new LensFailure(uploadFailed(file.name, String(cause)));
    },
  );
  if (!answer.ok) throw new LensFailure(uploadFailed(file.name, `HTTP ${answer.status}`));
  const body: unknown = await answer.json();
  if (typeof body === 'object' && body !== null && 'path' in body && typeof body.path === 'string') return body.path;
  throw new LensFailure(uploadFailed(file.name, 'No path in the answer.'));
}
