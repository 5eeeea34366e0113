/** `covel-lens cache <file>`: what the cache should have done, what was billed, what was wasted, and why. */
import type { CacheReport } from '../engine/cache-report.ts';
import { sentence } from '../../shared/language/index.ts';
import type { Run } from './commands.ts';
import { printable, type Io } from './io.ts';
import { printReport, withReports } from './reports.ts';
import { dollars, layOut, lines, number, percent, UNKNOWN } from './table.ts';
import { say } from './texts.ts';

const MAX_TEXT = 34;
const MAX_IDS = 10;

export const run: Run = ({ positionals: [file = ''], text }, io) =>
  withReports(file, io, async (reports) => {
    const report = await reports.cache(text('session'));
    if (!report.ok) return report;
    const [only] = report.value;
    // The contract has one object; only a file of several sessions needs several.
    if (io.isJson && only && report.value.length === 1) return printReport(io, { ok: true, value: only }, () => '');
    return printReport(io, report, (sessions) => sessions.map((one) => summary(one, io)).join('\n\n'));
  });

function summary(report: CacheReport, io: Io): string {
  const { language, paint } = io;
  const t = say(language);
  const parts = [paint('bold', `${t('session')} ${printable(report.sessionId)}`)];
  if (report.runtimes.length === 0) return [...parts, t('noRequests')].join('\n');
  parts.push(runtimes(report, io), '', paint('bold', t('causes')), causes(report, io), '', calibration(report, io));
  const unpriced = report.runtimes.reduce((sum, row) => sum + row.unpriced, 0);
  if (unpriced > 0) parts.push(paint('yellow', t('unpriced', { n: number(unpriced) })));
  const unreported = report.runtimes.reduce((sum, row) => sum + row.unreported, 0);
  if (unreported > 0) parts.push(paint('yellow', t('unreported', { n: number(unreported) })));
  if (report.flagged.length > 0) {
    const ids = report.flagged.slice(0, MAX_IDS).join(', ') + (report.flagged.length > MAX_IDS ? ' …' : '');
    parts.push(paint('yellow', printable(t('contradicts', { n: number(report.flagged.length), ids }))));
  }
  for (const { note, calls } of report.notes)
    parts.push(paint('yellow', printable(t('noteOf', { n: number(calls), note }))));
  parts.push(paint('dim', t('cacheDates', { rules: report.rulesAsOf, prices: report.pricesAsOf })));
  return parts.join('\n');
}

function runtimes(report: CacheReport, { language, paint }: Io): string {
  const t = say(language);
  return lines(
    layOut(
      [
        { head: t('runtime'), max: MAX_TEXT },
        { head: t('calls'), align: 'right' },
        { head: t('inputTokens'), align: 'right' },
        { head: t('read'), align: 'right' },
        { head: t('write'), align: 'right' },
        { head: t('predictedRead'), align: 'right' },
        { head: t('hitRate'), align: 'right' },
        { head: t('wasted'), align: 'right' },
        { head: t('cost'), align: 'right' },
        { head: t('wastedCost'), align: 'right' },
      ],
      report.runtimes.map((row) => [
        row.runtimeId,
        number(row.calls),
        number(row.inputTokens),
        number(row.read),
        number(row.write),
        number(row.predictedRead),
        row.hitRate === null ? UNKNOWN : percent(row.hitRate),
        number(row.wastedTokens),
        dollars(row.costUsd),
        dollars(row.wastedUsd),
      ]),
      paint,
    ),
  );
}

/** Over all runtimes, the most wasted first. */
function causes(report: CacheReport, { language, paint }: Io): string {
  const t = say(language);
  const rows = report.runtimes
    .flatMap(({ runtimeId, causes: own }) => own.map((cause) => ({ runtimeId, ...cause })))
    .toSorted((a, b) => b.tokens - a.tokens);
  if (rows.length === 0) return `  ${t('noCauses')}`;
  const word = (key: string): string => sentence(language, { key, values: {} });
  return lines(
    layOut(
      [
        { head: t('cause') },
        { head: t('runtime'), max: MAX_TEXT },
        { head: t('calls'), align: 'right' },
        { head: t('wasted'), align: 'right' },
        { head: t('wastedCost'), align: 'right' },
        { head: t('whatToDo') },
      ],
      rows.map(({ kind, runtimeId, calls, tokens, usd }) => [
        word(`cause.${kind}`),
        runtimeId,
        number(calls),
        number(tokens),
        dollars(usd),
        word(`todo.${kind}`),
      ]),
      paint,
    ),
  );
}

function calibration({ calibration: all, calibrationByProvider }: CacheReport, { language }: Io): string {
  const t = say(language);
  if (all.calls === 0) return t('noCalibration');
  const held = ({ calls, matched }: { readonly calls: number; readonly matched: number }) => ({
    matched: number(matched),
    calls: number(calls),
    percent: percent(matched / calls),
  });
  return [
    t('calibration', { ...held(all), tolerance: number(all.toleranceTokens) }),
    ...calibrationByProvider.map((one) => `  ${printable(one.provider)}: ${t('calibrationOf', held(one))}`),
  ].join('\n');
}
