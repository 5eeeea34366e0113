/**
 * The window as a person reads it, the same on every host. Sentences are compared in English; places are found by
 * role and name, or by id where a place has no name in the language on screen.
 */
import { expect, type Locator, type Page } from '@playwright/test';

/** What the page must never do: complain, break its policy, or ask anybody but its own origin. */
export type Witness = { readonly complaints: readonly string[]; readonly requests: readonly string[] };

const OWN = ['data:', 'blob:', 'devtools:'];

/** Starts to listen; call it before the page is opened. `origin`: scheme, host and port that requests may go to. */
export function witness(page: Page, origin: string): Witness {
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    const url = request.url();
    requests.push(url);
    if (!url.startsWith(origin) && !OWN.some((scheme) => url.startsWith(scheme))) complaints.push(`request to ${url}`);
  });
  page.on('websocket', (socket) => {
    if (!socket.url().startsWith(origin.replace(/^http/, 'ws'))) complaints.push(`socket to ${socket.url()}`);
  });
  return { complaints, requests };
}

export const statusLine = (page: Page): Locator => page.locator('footer.status');
export const verdict = (page: Page): Locator => page.getByTestId('verdict');
export const inspector = (page: Page): Locator => page.getByRole('complementary', { name: 'Segment' });
/** The segment table: lines stand in it by `data-line`. */
export const table = (page: Page): Locator => page.locator('.segments');
export const rows = (page: Page): Locator => table(page).locator('[data-line]');
export const chosenPill = (page: Page): Locator => page.locator('.turn-strip [role="option"][aria-selected="true"]');
export const turnRow = (page: Page, turn: number): Locator => page.locator(`#turn-row-${turn}`);

/** Figures are followed by narrow spaces; sentences are easier to compare without. */
export const plain = (text: string): string =>
  text
    .replaceAll(/[\u202f\u00a0]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
export const int = (value: number): string => value.toLocaleString('en-US');
/** A share as the window prints it. */
export function percent(share: number): string {
  const value = share < 1 && share * 100 > 99.9 ? 99.9 : share * 100;
  return share > 0 && value < 0.1 ? '< 0.1 %'.replace('< ', '<') : `${value.toFixed(1)} %`;
}

export const read = async (place: Locator): Promise<string> => plain(await place.innerText());

/** Everything that was asked for is on screen. Looks once a frame, where an expectation would look ever more rarely. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => !document.querySelector('.ui-loading, #view-panel [aria-busy="true"]'));
}

/** A session is listed and its newest turn drawn. */
export async function opened(page: Page): Promise<void> {
  await expect(statusLine(page)).toContainText(/\d+/);
  await expect(page.locator('.turns [aria-selected="true"]')).toBeVisible();
  await expect(page.locator('.status-indexing')).toHaveCount(0);
  await settled(page);
}

/** Where the window is: number of the turn and how many there are. */
export async function place(page: Page): Promise<{ readonly turn: number; readonly total: number }> {
  const found = /Turn ([\d,]+) of ([\d,]+)/.exec(await read(statusLine(page)));
  const figure = (at: number): number => Number(found?.[at]?.replaceAll(',', ''));
  return { turn: figure(1), total: figure(2) };
}

export async function atTurn(page: Page, turn: number): Promise<void> {
  await page.waitForFunction(
    (wanted) => document.querySelector('.turns [aria-selected="true"] .turn-n')?.textContent === wanted,
    int(turn),
  );
  await settled(page);
}

/** Through the palette, as with `/ 12 Enter`. */
export async function goToTurn(page: Page, turn: number): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.locator('.palette-input').fill(String(turn));
  await page.locator('[cmdk-item][data-value="go"]').waitFor();
  await page.keyboard.press('Enter');
  await atTurn(page, turn);
}

export const VIEW_KEYS = { layout: '1', diff: '2', context: '3', ledger: '4', wire: '5', cache: '6' } as const;

export async function showView(page: Page, view: keyof typeof VIEW_KEYS): Promise<void> {
  await page.keyboard.press(VIEW_KEYS[view]);
  await expect(page.locator(`#view-tab-${view}`)).toHaveAttribute('aria-selected', 'true');
  await settled(page);
}

/** The id of the chosen call. */
export async function chosenCall(page: Page): Promise<string> {
  return ((await chosenPill(page).getAttribute('id')) ?? '').replace(/^call-/, '');
}

/** Steps down the calls of the turn until one of this runtime, step and attempt is chosen. */
export async function goToCall(page: Page, runtime: string, step = 0, attempt = 0): Promise<void> {
  const words = `${runtime} · step ${step} · attempt ${attempt}`;
  for (let i = 0; i < 12 && !(await read(statusLine(page))).includes(words); i++)
    await page.keyboard.press('ArrowDown');
  await expect(statusLine(page)).toContainText(words);
  await settled(page);
}
