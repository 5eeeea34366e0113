/** Cache: what the rules predict and the provider billed, the dearest causes, and the way to the calls behind them. */
import { expect, type Locator, type Page } from '@playwright/test';
import { cacheReport, callReport, type CacheReport } from './facts.ts';
import { atTurn, chosenCall, goToTurn, int, percent, place, read, rows, settled, showView, verdict } from './window.ts';

const card = (page: Page, n: number) => page.locator('.cache-card').nth(n);
const causes = (page: Page) => page.getByRole('treegrid', { name: 'Causes by wasted tokens' });
const causeRows = (page: Page) => causes(page).locator('.cache-line-cause');
const callRows = (page: Page) => causes(page).locator('.cache-line-call');
const runtimeRows = (page: Page) => page.getByRole('table', { name: 'Runtimes' }).locator('tbody tr');
const short = (runtimeId: string): string => runtimeId.slice(runtimeId.lastIndexOf('/') + 1);
const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);

/** What is printed is the amount, to the last digit that is printed. */
function expectMoney(shown: string, usd: number | null): void {
  if (usd === null) return expect(shown).toMatch(/^–/);
  const decimals = /\.(\d+)$/.exec(shown)?.[1]?.length ?? 0;
  expect(Math.abs(Number(shown.replaceAll(/[$,]/g, '')) - usd)).toBeLessThanOrEqual(0.5000001 * 10 ** -decimals);
}
const expectCount = (shown: string, value: number | null): void =>
  value === null ? expect(shown).toMatch(/^–/) : expect(shown).toBe(int(value));

const cellsOf = async (row: Locator): Promise<readonly string[]> =>
  (await row.locator('th, td').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim());

/** Cards, causes, runtimes and calibration hold the figures of `covel-lens cache`. */
export async function cacheIsTheReport(page: Page, file: string): Promise<void> {
  const report = await cacheReport(file);
  await showView(page, 'cache');
  await expect(causeRows(page).first()).toBeVisible();
  await figuresOfCards(page, report);
  await figuresOfRuntimes(page, report);
  await figuresOfCauses(page, report);
  await figuresOfCalibration(page, report);
}

async function figuresOfCards(page: Page, { runtimes, calibration }: CacheReport): Promise<void> {
  expect(await read(card(page, 1).locator('b'))).toBe(int(sum(runtimes.map((row) => row.wastedTokens))));
  const [, wasted, cost] =
    /^(\$[\d.,]+) of (\$[\d.,]+)/.exec(await read(card(page, 1).locator('.cache-card-sub'))) ?? [];
  expectMoney(wasted ?? '', sum(runtimes.map((row) => row.wastedUsd ?? 0)));
  expectMoney(cost ?? '', sum(runtimes.map((row) => row.costUsd ?? 0)));
  expect(await read(card(page, 2).locator('b'))).toBe(`${calibration.matched} of ${calibration.calls}`);
  await expect(card(page, 2)).toContainText(`calls within ${calibration.toleranceTokens} tokens`);
  const dearest = runtimes.toSorted((a, b) => (b.costUsd ?? 0) - (a.costUsd ?? 0))[0];
  expect(await read(card(page, 3).locator('b'))).toBe(short(dearest?.runtimeId ?? ''));
}

async function figuresOfRuntimes(page: Page, { runtimes }: CacheReport): Promise<void> {
  await expect(runtimeRows(page)).toHaveCount(runtimes.length);
  for (const [i, row] of runtimes.entries()) {
    const cells = await cellsOf(runtimeRows(page).nth(i));
    expect(cells[0]).toBe(short(row.runtimeId));
    expect(cells[2]?.replace(/^\d+ of \d+ /, '').replaceAll(/\s/g, '')).toBe(
      row.hitRate === null ? '–Notreported' : percent(row.hitRate).replaceAll(/\s/g, ''),
    );
    const counts = [row.calls, row.inputTokens, row.read, row.predictedRead, row.write, row.wastedTokens];
    for (const [n, at] of [1, 3, 4, 5, 6, 7].entries()) expectCount(cells[at] ?? '', counts[n] ?? null);
    expectMoney(cells[8] ?? '', row.costUsd);
    expectMoney(cells[9] ?? '', row.wastedUsd);
  }
}

async function figuresOfCauses(page: Page, { runtimes }: CacheReport): Promise<void> {
  const told = runtimes
    .flatMap((runtime) => runtime.causes.map((cause) => ({ ...cause, runtimeId: runtime.runtimeId })))
    .map(({ runtimeId, calls, tokens }) => [short(runtimeId), int(calls), int(tokens)].join(' '));
  const shown: string[] = [];
  let last = Infinity;
  for (let i = 0; i < (await causeRows(page).count()); i++) {
    const [, runtime, calls, tokens] = await cellsOf(causeRows(page).nth(i));
    shown.push([runtime, calls, tokens].join(' '));
    const size = Number(tokens?.replaceAll(',', ''));
    expect(size).toBeLessThanOrEqual(last);
    last = size;
  }
  expect(shown.toSorted()).toEqual(told.toSorted());
}

async function figuresOfCalibration(page: Page, { calibrationByProvider, calibration }: CacheReport): Promise<void> {
  const open = card(page, 2).getByRole('button', { name: 'by provider' });
  await open.focus();
  await page.keyboard.press('Enter');
  const lines = page.locator('.cache-providers tbody tr');
  await expect(lines).toHaveCount(calibrationByProvider.length);
  for (const [i, one] of calibrationByProvider.entries())
    expect((await cellsOf(lines.nth(i))).slice(0, 3)).toEqual([one.provider, String(one.matched), String(one.calls)]);
  await expect(page.locator('.cache-misses tbody tr')).toHaveCount(calibration.calls - calibration.matched);
  await open.click();
  await expect(lines).toHaveCount(0);
}

/** By keyboard alone: to a cause, its calls, the difference of one, and back to the same line. */
export async function causesLeadToTheirCalls(page: Page): Promise<void> {
  await showView(page, 'cache');
  await causes(page).focus();
  await page.keyboard.press('ArrowDown');
  await expect(causeRows(page).nth(1)).toHaveAttribute('aria-selected', 'true');
  const [name, , calls] = await cellsOf(causeRows(page).nth(1));
  await page.keyboard.press('Enter');
  await expect(causeRows(page).nth(1)).toHaveAttribute('aria-expanded', 'true');
  await expect(callRows(page)).toHaveCount(Number(calls));
  await page.keyboard.press('j');
  const chosen = callRows(page).first();
  await expect(chosen).toHaveAttribute('aria-selected', 'true');
  const turn = Number(/turn (\d+)/.exec(await read(chosen))?.[1]);
  await page.keyboard.press('Enter');
  await expect(page.locator('#view-tab-diff')).toHaveAttribute('aria-selected', 'true');
  await atTurn(page, turn);
  await settled(page);
  expect(await read(verdict(page))).toContain(name?.replace(/^[▸▾] /, '') ?? '?');

  await showView(page, 'cache');
  await expect(callRows(page).first()).toHaveAttribute('aria-selected', 'true');
  await causeRows(page).nth(1).click();
  await expect(callRows(page)).toHaveCount(0);
}

/** A click on the chart jumps, the keys move the same frame, and the words beneath follow. */
export async function chartOfTheSession(page: Page, turn: number): Promise<void> {
  await showView(page, 'cache');
  const chart = page.getByRole('region', { name: 'Input tokens per turn, all runtimes' });
  await expect(chart.locator('.recharts-bar-rectangle').first()).toBeVisible();
  const { total } = await place(page);
  const box = await chart.locator('.cache-chart-columns').boundingBox();
  if (!box) throw new Error('the chart has no place');
  await page.mouse.click(box.x + (box.width * (turn - 0.5)) / total, box.y + box.height / 2);
  await atTurn(page, turn);
  await expect(chart.locator('.cache-chart-words')).toContainText(`Turn ${turn} ·`);
  await page.mouse.move(0, 0);
  await page.keyboard.press('ArrowRight');
  await atTurn(page, turn + 1);
  await expect(chart.locator('.cache-chart-words')).toContainText(`Turn ${turn + 1} ·`);
  const frame = await chart.locator('.cache-chart-current').boundingBox();
  expect(frame?.x).toBeCloseTo(box.x + (box.width * turn) / total, 0);
}

/** The line of time of a runtime: the pause that was longer than the lifetime is drawn, said, and leads to its call. */
export async function pausesAreOnTheRuler(page: Page, turn: number): Promise<void> {
  await goToTurn(page, 1);
  await showView(page, 'cache');
  const ruler = page.getByRole('figure', { name: 'Time between requests, narrator' });
  await expect(ruler.locator('.ruler-line .ruler-expired')).toHaveCount(1);
  await expect(ruler.locator('.ruler-words')).toContainText('1 of');
  await page.getByRole('button', { name: 'dimension-tracker' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('figure', { name: 'Time between requests, dimension-tracker' })).toBeVisible();
  await page.getByRole('button', { name: 'narrator', exact: true }).click();
  await ruler.getByRole('button', { name: `turn ${turn} after` }).click();
  await expect(page.locator('#view-tab-diff')).toHaveAttribute('aria-selected', 'true');
  await atTurn(page, turn);
  await expect(verdict(page)).toContainText('Cache expired');
}

/** Under the strip and in the table stands what the command line predicts for the call, beside what was billed. */
export async function predictionIsTheReport(page: Page, file: string, turn: number): Promise<void> {
  await goToTurn(page, turn);
  await showView(page, 'layout');
  const { segments, prediction, segmentStates, usage } = await callReport(file, await chosenCall(page));
  const predicted = page.getByTestId('predicted');
  await expect(predicted).toContainText(`read ${int(prediction?.read ?? -1)}`);
  await expect(predicted).toContainText(`written ${int(prediction?.write ?? -1)}`);
  await expect(predicted).toContainText(prediction?.tier ?? '?');
  await expect(page.getByTestId('billed')).toContainText(`read ${int(usage?.read ?? -1)}`);
  const words: Readonly<Record<string, string>> = { read: 'read', write: 'written', uncached: 'uncached' };
  const single = segments.filter(({ kind }) => kind === 'runtime-body' || kind === 'world-lore');
  expect(single.length).toBeGreaterThan(0);
  for (const { id, origin, kind } of single) {
    const name = kind === 'runtime-body' ? 'Runtime body' : origin.label;
    await expect(rows(page).filter({ hasText: name }).locator('.segments-cache')).toHaveText(
      words[segmentStates[id] ?? ''] ?? '?',
    );
  }
}
