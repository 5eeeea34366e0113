/** The session that all windows share: what a page may ask for is really set in Chromium, by the app's own handlers. */
import type { Connection } from './cdp.ts';
import { toChromium } from './protocol.ts';
import { strict } from './strict.ts';

type Requested = { getURL(): string };
type RequestHandler = (contents: Requested, permission: string, answer: (granted: boolean) => void) => void;

let requestHandler: RequestHandler | null = null;

export const session = strict('session', {
  setPermissionRequestHandler: (handler: RequestHandler) => void (requestHandler = handler),
  // Kept by the app only; not modelled.
  setPermissionCheckHandler: (_handler: unknown) => undefined,
  setDevicePermissionHandler: (_handler: unknown) => undefined,
  webRequest: strict('session.webRequest', { onBeforeRequest: (_filter: unknown, _listener: unknown) => undefined }),
});

/** Electron's names of permissions, and Chromium's. */
const PERMISSIONS = [
  ['geolocation', 'geolocation'],
  ['notifications', 'notifications'],
  ['clipboard-read', 'clipboard-read'],
  ['media', 'camera'],
  ['media', 'microphone'],
] as const;

/** Asks the app's handler for each permission once and tells Chromium. Without a handler Electron grants all. */
export async function applyPermissions(browser: Connection, address: string): Promise<void> {
  const { origin } = new URL(toChromium(address));
  const asked = PERMISSIONS.map(async ([permission, name]) => {
    const granted = await new Promise<boolean>((resolve) => {
      if (requestHandler) requestHandler({ getURL: () => address }, permission, resolve);
      else resolve(true);
    });
    const setting = granted ? 'granted' : 'denied';
    await browser.send('Browser.setPermission', { permission: { name }, setting, origin });
  });
  await Promise.all(asked);
}
