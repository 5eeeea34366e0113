/** The main job by keyboard alone: turn after turn, call after call, and in each the layout, the diff and the blocks. */
import { expect, test, type Page } from '@playwright/test';
import { callReport, diffReport, inLanes, turnsOf, type CallReport, type DiffReport } from './facts.ts';
import {
  atTurn,
  chosenCall,
  chosenPill,
  int,
  percent,
  place,
  read,
  rows,
  settled,
  showView,
  statusLine,
  verdict,
} from './window.ts';

/** Turns whose figures are compared with the command line's, each with a different cause. */
const COMPARED: readonly number[] = [2, 5, 10, 12, 23, 26];

type Report = { readonly call: CallReport; readonly diff: DiffReport };

/** Steps from the first turn to the last and back to both ends. `file` is the opened one. */
export async function stepsThroughTheSession(page: Page, file: string): Promise<void> {
  const turns = await turnsOf(file);
  expect(turns.length).toBeGreaterThanOrEqual(24);
  const reports = new Map<number, Report>();
  for (const turn of COMPARED) {
    const id = turns[turn - 1]?.calls[0]?.id ?? '';
    const [call, diff] = await Promise.all([callReport(file, id), diffReport(file, id)]);
    reports.set(turn, { call, diff });
  }

  const last = turns.length;
  const forward = turns
    .keys()
    .map((i) => i + 1)
    .toArray();
  await showView(page, 'layout');
  await page.keyboard.press('Home');
  for (const turn of forward)
    await test.step(`layout of turn ${turn}`, async () => {
      if (turn > 1) await page.keyboard.press('ArrowRight');
      await atTurn(page, turn);
      expect(await place(page)).toEqual({ turn, total: last });
      const first = turns[turn - 1]?.calls[0];
      expect(await chosenCall(page)).toBe(first?.id);
      if (first?.inputTokens) expect(await read(chosenPill(page))).toContain(int(first.inputTokens.value));
      await readLayout(page, turn, reports.get(turn));
    });
  await page.keyboard.press('ArrowRight');
  expect(await place(page)).toEqual({ turn: last, total: last });

  await showView(page, 'diff');
  for (const turn of forward.toReversed())
    await test.step(`diff of turn ${turn}`, async () => {
      if (turn < last) await page.keyboard.press('ArrowLeft');
      await atTurn(page, turn);
      await readDiff(page, turn, reports.get(turn));
    });
  await page.keyboard.press('ArrowLeft');
  expect((await place(page)).turn).toBe(1);

  await showView(page, 'context');
  for (const turn of forward)
    await test.step(`blocks of turn ${turn}`, async () => {
      if (turn > 1) await page.keyboard.press('ArrowRight');
      await atTurn(page, turn);
      await readContext(page, reports.get(turn));
    });
  await page.keyboard.press('Home');
  await atTurn(page, 1);
  await page.keyboard.press('End');
  await atTurn(page, last);
}

async function readLayout(page: Page, turn: number, report: Report | undefined): Promise<void> {
  const words = await read(verdict(page));
  if (turn === 1) expect(words).toContain('First call of narrator');
  else {
    expect(words).toMatch(/Prefix (held|broke).* · .*Shared [\d,]+ of [\d,]+ tokens \([<\d. ]+%\) with turn \d+\./);
    figuresFit(words);
  }
  expect(await rows(page).count()).toBeGreaterThan(4);
  if (!report) return;
  const { shared, cause } = report.diff;
  expect(words).toContain(`Shared ${int(shared.tokens.value)} of`);
  for (const sentence of cause.evidence) expect(words).toContain(sentence);
  if (cause.advice !== null) expect(words).toContain(cause.advice);
  const total = report.call.segments.reduce((sum, segment) => sum + segment.tokens.value, 0);
  await expect(page.locator('.strip-ruler')).toContainText(`${int(total)} tokens`);
}

async function readDiff(page: Page, turn: number, report: Report | undefined): Promise<void> {
  if (turn === 1) return expect(page.locator('#view-panel')).toContainText('Nothing to compare with');
  const words = await read(verdict(page));
  figuresFit(words);
  if (!report) return;
  const { shared, divergence } = report.diff;
  expect(words).toContain(`Shared ${int(shared.tokens.value)} of`);
  if (divergence) expect(words).toContain(`${divergence.part}, offset ${int(divergence.offset)}`);
}

/** The percentage is the ratio of the two figures that stand before it. */
function figuresFit(words: string): void {
  const [, part, whole, share] = /Shared ([\d,]+) of ([\d,]+) tokens \(([^)]+)\)/.exec(words) ?? [];
  const figure = (text: string | undefined): number => Number(text?.replaceAll(',', ''));
  expect(share).toBe(percent(figure(part) / figure(whole)));
}

async function readContext(page: Page, report: Report | undefined): Promise<void> {
  expect(await page.locator('.context-block').count()).toBeGreaterThan(0);
  if (!report) return;
  const here = page.locator('.context-block:not(.context-gone)');
  await expect(here.locator('h3 code')).toHaveText(report.call.turnContext.map((block) => block.tag ?? ''));
  for (const [i, block] of report.call.turnContext.entries()) {
    await expect(here.nth(i).locator('.context-tokens')).toHaveText(`${int(block.tokens.value)} tokens`);
    await expect(here.nth(i).locator('.context-state')).toHaveText(
      block.changedSincePreviousTurn === false ? /same/ : /changed|new/,
    );
  }
}

/** Through every call of one turn that has a tool loop and several runtimes; both ends hold. */
export async function stepsThroughTheCalls(page: Page, file: string, turn: number): Promise<void> {
  const order = inLanes((await turnsOf(file))[turn - 1]?.calls ?? []);
  expect(order.length).toBeGreaterThan(3);
  await page.keyboard.press('ArrowUp');
  for (const [i, call] of order.entries()) {
    if (i > 0) await page.keyboard.press('ArrowDown');
    await expect(statusLine(page)).toContainText(`${call.runtimeId} · step ${call.step} · attempt ${call.attempt}`);
    await settled(page);
    expect(await chosenCall(page)).toBe(call.id);
    expect(await read(statusLine(page))).toContain(call.protocol ?? '');
    await expect(verdict(page)).toBeVisible();
  }
  await page.keyboard.press('ArrowDown');
  expect(await chosenCall(page)).toBe(order.at(-1)?.id);
  await page.keyboard.press('ArrowUp');
  expect(await chosenCall(page)).toBe(order.at(-2)?.id);
}
