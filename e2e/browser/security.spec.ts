/**
 * What a browser enforces for us can only be seen in a browser: cookies that stay ours, a policy that holds the page
 * in, and a foreign page that gets nowhere.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, type Page } from '@playwright/test';
import { serve, type Served } from './serve.ts';

let host: Served;

test.beforeEach(async () => {
  host = await serve('--sample');
});

test.afterEach(async () => {
  expect(await host.stop()).toBe(0);
});

/** Opens the window with its token, and collects what the browser complains about. */
async function openWindow(page: Page): Promise<readonly string[]> {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(host.url);
  await page.waitForLoadState('networkidle');
  return complaints;
}

test('the token leaves the address bar, works once, and the policy of the page is kept', async ({ page, browser }) => {
  const complaints = await openWindow(page);
  expect(page.url()).toBe(`${host.origin}/`);
  expect(await page.evaluate(() => document.cookie)).toBe('');
  expect(complaints).toEqual([]);

  const other = await browser.newContext();
  const second = await other.newPage();
  expect((await second.goto(host.url))?.status()).toBe(403);
  await expect(second.getByRole('heading')).toHaveText('This address has been used');
  expect((await second.goto(`${host.origin}/`))?.status()).toBe(401);
  await other.close();

  expect((await page.reload())?.status()).toBe(200);
  expect((await page.goto(host.url))?.url()).toBe(`${host.origin}/`);
});

test('the name localhost is refused', async ({ page }) => {
  await openWindow(page);
  const answer = await page.goto(host.origin.replace('127.0.0.1', 'localhost'));
  expect(answer?.status()).toBe(403);
});

test('text that became code could not run, load or speak to anyone', async ({ page }) => {
  await openWindow(page);
  const tried = await page.evaluate(async () => {
    const attempt = async (work: () => unknown): Promise<string> => {
      try {
        await work();
        return 'done';
      } catch (error) {
        return error instanceof Error ? error.name : 'refused';
      }
    };
    const inline = document.createElement('script');
    inline.textContent = 'window.ran = true';
    document.body.append(inline);
    const image = new Image();
    const loaded = new Promise<string>((resolve) => {
      image.onload = () => resolve('done');
      image.onerror = () => resolve('refused');
    });
    image.src = 'http://127.0.0.1:9/x.png';
    return {
      inline: 'ran' in window,
      // What the test itself runs is exempt from the policy; what it starts for later is not.
      eval: await attempt(
        () =>
          new Promise((resolve, reject) => {
            setTimeout(() => {
              try {
                // oxlint-disable-next-line no-implied-eval -- what must be refused
                resolve(new Function('return 1')());
              } catch (error) {
                reject(error instanceof Error ? error : new Error('refused'));
              }
            });
          }),
      ),
      fetch: await attempt(() => fetch('http://127.0.0.1:9/')),
      image: await loaded,
      framed: await attempt(() => {
        const frame = document.createElement('iframe');
        frame.src = '/';
        document.body.append(frame);
        return new Promise((resolve, reject) => {
          frame.onload = () => (frame.contentDocument?.title ? resolve(null) : reject(new Error('refused')));
        });
      }),
    };
  });
  expect(tried).toEqual({ inline: false, eval: 'EvalError', fetch: 'TypeError', image: 'refused', framed: 'Error' });
});

test('the editors keep the policy of the page', async ({ page }) => {
  const complaints = await openWindow(page);
  await expect(page.locator('.turns [aria-selected="true"]')).toBeVisible();
  await page.keyboard.press('2');
  await expect(page.getByTestId('text-diff').locator('.view-line').first()).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('5');
  const lines = page.getByTestId('code-text').locator('.view-line');
  await expect(lines.first()).toBeVisible();
  // Styles that Monaco writes into its markup are set all the same: no two lines stand on one another.
  const tops = await lines.evaluateAll((all) => all.map((line) => line.getBoundingClientRect().top));
  expect(new Set(tops).size).toBe(tops.length);
  await lines.first().click();
  await page.keyboard.press('Control+f');
  await expect(page.locator('.find-widget.visible')).toBeVisible();
  await page.keyboard.type('model');
  await expect(page.locator('.findMatch, .currentFindMatch').first()).toBeVisible();
  expect(complaints).toEqual([]);
});

test('a page of another port can neither ask nor listen, though the browser holds our cookie', async ({ page }) => {
  await openWindow(page);
  const foreign = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' });
    response.end('<!doctype html><title>foreign</title>');
  });
  await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
  try {
    await page.goto(`http://127.0.0.1:${(foreign.address() as AddressInfo).port}/`);
    const tried = await page.evaluate(async (origin) => {
      const socket = new Promise<string>((resolve) => {
        const opened = new WebSocket(`${origin.replace('http', 'ws')}/engine`);
        opened.onopen = () => resolve('open');
        opened.onerror = () => resolve('refused');
      });
      const asked = (init: RequestInit): Promise<string> =>
        fetch(`${origin}/files?name=a.db`, { credentials: 'include', ...init }).then(
          () => 'answered',
          () => 'refused',
        );
      return { socket: await socket, read: await asked({}), put: await asked({ method: 'PUT', body: 'x' }) };
    }, host.origin);
    expect(tried).toEqual({ socket: 'refused', read: 'refused', put: 'refused' });
  } finally {
    foreign.closeAllConnections();
    foreign.close();
  }
});
