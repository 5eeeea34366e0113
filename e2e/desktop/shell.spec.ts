/** The desktop shell as a person and as hostile text meet it: the built main process, preload script and window. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, launch, test } from './launch.ts';

const sample = resolve(import.meta.dirname, '..', '..', 'resources', 'sample', 'covel.db');
const turns = (page: Page) => page.getByRole('listbox', { name: 'Turns' }).getByRole('option');

test.describe('with a file on the command line', () => {
  test.use({ args: [sample] });

  test('the window opens it and shows its turns', async ({ desktop: { page } }) => {
    await expect(turns(page).first()).toBeVisible();
    await expect(page.locator('.status')).toContainText(/Turn \d+ of \d+/);
    await expect(page.locator('.layout-pane')).toContainText('tokens');
  });

  test('an item of the menu does what the key does', async ({ desktop: { app, page } }) => {
    await expect(page.getByRole('tab', { name: 'Layout' })).toHaveAttribute('aria-selected', 'true');
    await app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('view.diff')?.click());
    await expect(page.getByRole('tab', { name: 'Prefix diff' })).toHaveAttribute('aria-selected', 'true');
    await app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('help.keys')?.click());
    await expect(page.getByRole('dialog')).toBeVisible();
  });

  test('the menu follows the language of the window', async ({ desktop: { app, page } }) => {
    const labels = () => app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.items.map((item) => item.label));
    await expect(turns(page).first()).toBeVisible();
    expect(await labels()).toContain('File');
    await page.getByRole('button', { name: '中文' }).click();
    await expect.poll(labels).toContain('文件');
  });

  test('a crash of the engine is said, the engine runs again, and the file is open at the same place', async ({
    desktop: { app, page },
  }) => {
    await expect(turns(page).first()).toBeVisible();
    await page.keyboard.press('Home');
    await expect(page.locator('.status')).toContainText('Turn 1 of');
    await app.evaluate(crashEngine);
    await expect(page.locator('.notice')).toContainText('The engine stopped and was started again.');
    await expect(page.locator('.notice')).toContainText('open again');
    await expect(page.locator('.status')).toContainText('Turn 1 of');
    await page.keyboard.press('ArrowRight');
    await expect(page.locator('.status')).toContainText('Turn 2 of');
    await expect(page.locator('.layout-pane')).toContainText('tokens');
  });

  test('a reload begins anew and leaves nothing behind', async ({ desktop: { page } }) => {
    await expect(turns(page).first()).toBeVisible();
    await page.reload();
    await expect(turns(page).first()).toBeVisible();
  });
});

test.describe('without a file', () => {
  test('Start; the open dialog of the system opens one', async ({ desktop: { app, page } }) => {
    await expect(page.getByRole('button', { name: /open/i }).first()).toBeVisible();
    await app.evaluate(({ dialog }, path) => {
      dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] });
    }, sample);
    await app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('file.open')?.click());
    await expect(turns(page).first()).toBeVisible();
  });

  test('a dismissed dialog changes nothing', async ({ desktop: { app, page } }) => {
    await app.evaluate(({ dialog }) => {
      dialog.showOpenDialog = () => Promise.resolve({ canceled: true, filePaths: [] });
    });
    expect(await page.evaluate(() => window.lensHost?.openDialog())).toBeNull();
    await expect(turns(page)).toHaveCount(0);
  });

  test('a second start hands its file to the running window', async ({ desktop: { app, page } }) => {
    await expect(page.getByRole('button', { name: /open/i }).first()).toBeVisible();
    await app.evaluate(({ app: running }, file) => running.emit('second-instance', {}, [], '/', { file }), sample);
    await expect(turns(page).first()).toBeVisible();
    expect(app.windows()).toHaveLength(1);
  });
});

test.describe('the bridge', () => {
  test('is frozen, holds four functions, and nothing else leaks into the page', async ({ desktop: { page } }) => {
    const seen = await page.evaluate(() => {
      const attempts = [
        () => Object.assign(window, { lensHost: null }),
        () => Object.assign(window.lensHost ?? {}, { send: null }),
        () => Reflect.deleteProperty(window, 'lensHost'),
      ];
      const refused = attempts.map((attempt) => {
        try {
          return attempt() === false;
        } catch {
          return true;
        }
      });
      return {
        refused,
        isFrozen: Object.isFrozen(window.lensHost),
        keys: Object.keys(window.lensHost ?? {}).sort(),
        leaked: ['process', 'require', 'module', 'Buffer', 'global', 'electron', 'ipcRenderer'].filter(
          (name) => name in window,
        ),
      };
    });
    expect(seen).toEqual({
      refused: [true, true, true],
      isFrozen: true,
      keys: ['kind', 'onMessage', 'openDialog', 'pathForFile', 'send'],
      leaked: [],
    });
  });

  test('answers an unknown method and a wrong argument with an error, and ignores what is no message', async ({
    desktop: { page },
  }) => {
    const answers = await page.evaluate(async () => {
      const host = window.lensHost;
      if (!host) return null;
      const got: { t: string; id?: number; error?: { code: string } }[] = [];
      host.onMessage((message) => void got.push(message));
      const send = (message: unknown): void => host.send(message as Parameters<typeof host.send>[0]);
      send({ t: 'call', id: 9001, method: 'fs.readFile', arg: { path: '/etc/passwd' } });
      send({ t: 'call', id: 9002, method: '__proto__', arg: {} });
      send({ t: 'call', id: 9003, method: 'turns.list', arg: { sourceId: 1 } });
      send('nonsense');
      send({ t: 'event', event: { name: 'source.lost' } });
      send({ t: 'call', id: 9004, method: 'app.info', arg: {} });
      while (!got.some((message) => message.id === 9004)) await new Promise((resolve) => setTimeout(resolve, 20));
      return got.filter(({ id = 0 }) => id > 9000).map(({ t, id, error }) => [id, t, error?.code]);
    });
    expect(answers).toEqual(
      expect.arrayContaining([
        [9001, 'error', 'bad-argument'],
        [9002, 'error', 'bad-argument'],
        [9003, 'error', 'bad-argument'],
        [9004, 'value', undefined],
      ]),
    );
    expect(answers).toHaveLength(4);
  });
});

test.describe('the page', () => {
  test('cannot leave, and cannot open another window', async ({ desktop: { app, page } }) => {
    const address = page.url();
    await page.evaluate(() => {
      location.href = 'https://example.test/';
    });
    await page.evaluate(() => void window.open('https://example.test/'));
    await page.evaluate(() => {
      const link = Object.assign(document.createElement('a'), { href: 'https://example.test/', target: '_blank' });
      document.body.append(link);
      link.click();
      link.remove();
    });
    // Long enough for a window or another page to show itself.
    await page.waitForTimeout(500);
    expect(page.url()).toBe(address);
    expect(app.windows()).toHaveLength(1);
    expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
    await expect(page.locator('.frame')).toBeVisible();
  });

  test('gets no permission', async ({ desktop: { page } }) => {
    expect(await page.evaluate(() => Notification.requestPermission())).toBe('denied');
    const states = await page.evaluate(() =>
      Promise.all(
        (['geolocation', 'notifications', 'camera', 'microphone'] as PermissionName[]).map(
          async (name) => (await navigator.permissions.query({ name })).state,
        ),
      ),
    );
    expect(states).not.toContain('granted');
  });

  test('runs no text as code, loads no inline script, and reaches no one', async ({ desktop: { page } }) => {
    const tried = await page.evaluate(async () => {
      const violations: string[] = [];
      document.addEventListener('securitypolicyviolation', (event) => violations.push(event.effectiveDirective));
      const marks = window as unknown as Record<string, unknown>;
      Reflect.apply(setTimeout, window, ['window.ranTimer = true', 0]);
      const script = Object.assign(document.createElement('script'), { textContent: 'window.ranScript = true' });
      document.body.append(script);
      const image = new Image();
      image.src = 'https://example.test/pixel.png';
      const reached = await fetch('https://example.test/').then(
        () => true,
        () => false,
      );
      await new Promise((resolve) => setTimeout(resolve, 200));
      script.remove();
      return { ran: [marks['ranTimer'], marks['ranScript']], reached, violations: [...new Set(violations)].sort() };
    });
    expect(tried.ran).toEqual([undefined, undefined]);
    expect(tried.reached).toBe(false);
    expect(tried.violations).toEqual(expect.arrayContaining(['connect-src', 'img-src', 'script-src-elem']));
  });
});

test('the window comes back where it was, and the user’s folder holds only what is ours', async ({ desktop }) => {
  const { app, page, home } = desktop;
  const window = await app.browserWindow(page);
  const bounds = await window.evaluate((opened: { getNormalBounds(): unknown }) => opened.getNormalBounds());
  await app.close();
  expect(JSON.parse(readFileSync(join(home, 'window.json'), 'utf8'))).toEqual({ bounds, isMaximized: false });
  expect(existsSync(join(home, 'window'))).toBe(true);
  const again = await launch(home);
  const same = await again.app.browserWindow(again.page);
  expect(await same.evaluate((opened: { getNormalBounds(): unknown }) => opened.getNormalBounds())).toEqual(bounds);
  await again.app.close();
});

/** Throws inside the engine's thread, over the inspector: the app itself has no such hook. Runs in the main process. */
async function crashEngine(): Promise<void> {
  const inspector = process.getBuiltinModule('node:inspector');
  const session = new inspector.Session();
  session.connect();
  const threads: string[] = [];
  session.on('NodeWorker.attachedToWorker', ({ params }) => threads.push(params.sessionId));
  const post = (method: string, params: object): Promise<void> =>
    new Promise((resolve, reject) =>
      session.post(method, params, (error) => (error ? reject(new Error(error.message)) : resolve())),
    );
  await post('NodeWorker.enable', { waitForDebuggerOnStart: false });
  while (threads.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  const expression = "setTimeout(() => { throw new Error('crashed by a test') }, 0)";
  const message = JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } });
  await post('NodeWorker.sendMessageToWorker', { sessionId: threads[0] ?? '', message });
  await new Promise((resolve) => setTimeout(resolve, 200));
  session.disconnect();
}
