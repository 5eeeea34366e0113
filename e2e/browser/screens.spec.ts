/** Every screen of a call in browser mode, on the sample session. What each turn shows stands in its PLAN. */
import { callReport, SAMPLE, turnsOf } from '../screens/facts.ts';
import * as cache from '../screens/cache.ts';
import { blocksOfTurn, changesAreMarked } from '../screens/context.ts';
import * as diff from '../screens/diff.ts';
import * as frame from '../screens/frame.ts';
import * as layout from '../screens/layout.ts';
import * as ledger from '../screens/ledger.ts';
import { stepsThroughTheCalls, stepsThroughTheSession } from '../screens/stepping.ts';
import { chartJumps, marksStandWhereTheyBelong, playGoesOn, sessionsSwitch } from '../screens/timeline.ts';
import { goToTurn, int } from '../screens/window.ts';
import * as wire from '../screens/wire.ts';
import { test } from './window.ts';

test('27 turns by keyboard: layout, diff and blocks of each', async ({ page }) => {
  test.slow();
  await stepsThroughTheSession(page, SAMPLE);
});

test('calls of a turn by keyboard', async ({ page }) => {
  await goToTurn(page, 8);
  await stepsThroughTheCalls(page, SAMPLE, 8);
});

test('layout: every segment is what the body holds', async ({ page }) => {
  await layout.segmentsAreTheBody(page, SAMPLE, 12);
});

test('layout: recorded and assembled', async ({ page }) => {
  await layout.assembledBesideRecorded(page, 10);
});

test('layout: strip and table go together, history opens, j and k step', async ({ page }) => {
  await layout.stripAndTableGoTogether(page);
  await layout.historyOpensAndCloses(page);
  await layout.jAndK(page);
});

test('prefix diff: the editor stands at the difference', async ({ page }) => {
  await diff.editorIsAtTheDifference(page, 10, '白榆');
  await diff.editorIsAtTheDifference(page, 5, 'read-postmark');
  await diff.changedSegmentOpens(page, 10, 'character-notes');
});

test('prefix diff: baselines', async ({ page }) => {
  await diff.baselineChangesTheVerdict(page, SAMPLE, 20);
  await diff.firstCallSaysSo(page);
  await diff.laterStepOnlyGrew(page, 6);
});

test('turn context: blocks and their changes', async ({ page }) => {
  await blocksOfTurn(page, 1, [
    ['runtime-inputs', 'nothing earlier'],
    ['world-dimensions', 'nothing earlier'],
    ['player-character', 'nothing earlier'],
  ]);
  await blocksOfTurn(page, 2, [
    ['runtime-inputs', 'changed'],
    ['memory-blocks', 'new'],
    ['world-dimensions', 'same'],
    ['player-character', 'same'],
  ]);
  await blocksOfTurn(page, 5, [
    ['runtime-inputs', 'changed'],
    ['memory-blocks', 'changed'],
    ['world-dimensions', 'changed'],
    ['player-character', 'same'],
  ]);
  await changesAreMarked(page, 'world-dimensions', '中', '浓');
});

test('ledger: summaries, their messages, the calls they cost', async ({ page }) => {
  await ledger.ledgerIsTheReport(page, SAMPLE);
  await ledger.replacedMessagesOpen(page, SAMPLE);
  await ledger.brokenCallsAreReached(page, SAMPLE);
});

test('cache: figures of the command line', async ({ page }) => {
  await cache.cacheIsTheReport(page, SAMPLE);
});

test('cache: causes, chart and pauses lead to turns and calls', async ({ page }) => {
  await cache.causesLeadToTheirCalls(page);
  await cache.chartOfTheSession(page, 12);
  await cache.pausesAreOnTheRuler(page, 4);
});

test('layout: prediction beside the bill', async ({ page }) => {
  await cache.predictionIsTheReport(page, SAMPLE, 10);
  await cache.predictionIsTheReport(page, SAMPLE, 25);
});

test('wire: attempts, replies, failures, kernel view', async ({ page }) => {
  await wire.retriedAfter429(page, SAMPLE, 3);
  await wire.fallbackHasTwoProtocols(page, 15);
  const { usage } = await callReport(SAMPLE, (await turnsOf(SAMPLE))[1]?.calls[1]?.id ?? '');
  const figures = (['uncached', 'read', 'write', 'output'] as const).map((bucket) => int(usage?.[bucket] ?? -1));
  await wire.repliesAreWhole(page, SAMPLE, 2, figures);
  await wire.failureIsSaid(page, 14, 'guide', 'upstream 504 after 30 s');
  await wire.kernelView(page, 9);
});

test('timeline: marks, sessions', async ({ page }) => {
  await marksStandWhereTheyBelong(page, 27, {
    8: ['retry'],
    9: ['image'],
    12: ['compaction'],
    14: ['failure'],
    16: ['failure'],
    18: ['pruning'],
    22: ['compaction'],
    23: ['interrupted'],
  });
  await sessionsSwitch(page);
});

test('timeline: chart and play', async ({ page }) => {
  await chartJumps(page, 5);
  await chartJumps(page, 20);
  await playGoesOn(page);
});

test('search, palette and help', async ({ page }) => {
  await frame.searchFindsAndJumps(page, '绕过柜台', 21);
  await frame.searchFindsNothing(page);
  await frame.paletteRunsCommands(page);
  await frame.helpListsTheKeys(page);
});

test('language and theme are kept', async ({ page }) => {
  await frame.languageAndThemeAreKept(page);
});

test('panels toggle, resize and are kept', async ({ page }) => {
  await frame.panelsToggle(page);
  await frame.panelsKeepTheirSizes(page);
});
