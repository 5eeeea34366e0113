/** The screens of browser mode, the same scenarios, in the desktop shell: what a person does must not depend on the host. */
import { SAMPLE } from '../screens/facts.ts';
import * as cache from '../screens/cache.ts';
import { blocksOfTurn } from '../screens/context.ts';
import * as diff from '../screens/diff.ts';
import * as frame from '../screens/frame.ts';
import * as layout from '../screens/layout.ts';
import * as ledger from '../screens/ledger.ts';
import { stepsThroughTheCalls } from '../screens/stepping.ts';
import { chartJumps, sessionsSwitch } from '../screens/timeline.ts';
import { goToTurn, opened, witness } from '../screens/window.ts';
import * as wire from '../screens/wire.ts';
import { expect, test } from './launch.ts';

test.use({ args: [SAMPLE] });

test('calls, layout, diff, blocks and wire', async ({ desktop: { page } }) => {
  test.slow();
  const watched = witness(page, page.url().replace(/[^/]*$/, ''));
  await opened(page);
  await goToTurn(page, 8);
  await stepsThroughTheCalls(page, SAMPLE, 8);
  await goToTurn(page, 27);
  await page.keyboard.press('1');
  for (let i = 0; i < 8; i++) await page.keyboard.press('ArrowUp');
  await layout.stripAndTableGoTogether(page);
  await layout.jAndK(page);
  await diff.editorIsAtTheDifference(page, 10, '白榆');
  await diff.changedSegmentOpens(page, 10, 'character-notes');
  await blocksOfTurn(page, 2, [
    ['runtime-inputs', 'changed'],
    ['memory-blocks', 'new'],
    ['world-dimensions', 'same'],
    ['player-character', 'same'],
  ]);
  await ledger.ledgerIsTheReport(page, SAMPLE);
  await ledger.brokenCallsAreReached(page, SAMPLE);
  await cache.cacheIsTheReport(page, SAMPLE);
  await cache.causesLeadToTheirCalls(page);
  await cache.predictionIsTheReport(page, SAMPLE, 10);
  await wire.retriedAfter429(page, SAMPLE, 3);
  await wire.kernelView(page, 9);
  expect(watched.complaints).toEqual([]);
});

test('sessions, chart, search, palette, help, language, theme, panels', async ({ desktop: { page } }) => {
  test.slow();
  const watched = witness(page, page.url().replace(/[^/]*$/, ''));
  await opened(page);
  await sessionsSwitch(page);
  await chartJumps(page, 20);
  await frame.searchFindsAndJumps(page, '绕过柜台', 21);
  await frame.paletteRunsCommands(page);
  await frame.helpListsTheKeys(page);
  await frame.languageAndThemeAreKept(page);
  await frame.panelsKeepTheirSizes(page);
  expect(watched.complaints).toEqual([]);
});
