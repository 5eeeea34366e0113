/** `covel-lens ledger <file>`: what was taken away from the prompts of a session, and which calls that cost. */
import type { LedgerReport } from '../engine/reports.ts';
import type { Run } from './commands.ts';
import { printable, type Io } from './io.ts';
import { printReport, withReports } from './reports.ts';
import { layOut, lines, number, UNKNOWN } from './table.ts';
import { say, type Say } from './texts.ts';

const MAX_BROKE = 60;

export const run: Run = ({ positionals: [file = ''], text }, io) =>
  withReports(file, io, async (reports) => {
    const report = await reports.ledger(text('session'));
    if (!report.ok) return report;
    const [only] = report.value;
    // The contract has one object; only a file of several sessions needs several.
    if (io.isJson && only && report.value.length === 1) return printReport(io, { ok: true, value: only }, () => '');
    return printReport(io, report, (ledgers) => ledgers.map((ledger) => table(ledger, io)).join('\n\n'));
  });

type Summary = LedgerReport['summaries'][number];

const turnText = (t: Say, n: number | null): string => (n === null ? UNKNOWN : t('turnOf', { n }));

function rangeText(t: Say, [from, to]: Summary['turns']): string {
  if (from === null && to === null) return UNKNOWN;
  return from === to ? turnText(t, to) : t('turnsOf', { from: from ?? '?', to: to ?? '?' });
}

const known = (t: Say, value: boolean | null): string => (value === null ? UNKNOWN : t(value ? 'yes' : 'no'));

function table({ sessionId, summaries, pruned, toolGroups }: LedgerReport, { language, paint }: Io): string {
  const t = say(language);
  const parts = [paint('bold', `${t('session')} ${printable(sessionId)}`)];
  if (summaries.length === 0) parts.push(t('noSummaries'));
  else
    parts.push(
      lines(
        layOut(
          [
            { head: t('state') },
            { head: t('covers') },
            { head: t('messages'), align: 'right' },
            { head: t('estimatedTokens'), align: 'right' },
            { head: t('budget'), align: 'right' },
            { head: t('merged'), align: 'right' },
            { head: t('truncated') },
            { head: t('writtenIn') },
            { head: t('broke'), max: MAX_BROKE },
          ],
          summaries.map((one) => [
            t(one.live ? 'live' : 'vanished'),
            rangeText(t, one.turns),
            number(one.messages),
            number(one.tokens?.value ?? null),
            number(one.budget?.segment ?? null),
            number(one.mergedFrom),
            known(t, one.truncated),
            turnText(t, one.madeIn),
            one.broke.map((call) => `${call.runtimeId} (${call.turnIndex})`).join(', ') || UNKNOWN,
          ]),
          paint,
        ),
      ),
      paint('dim', t('noBudget')),
    );
  parts.push('', paint('bold', t('prunings')));
  if (pruned.length === 0) parts.push(`  ${t('noPrunings')}`);
  for (const one of pruned) {
    const values = { turn: turnText(t, one.turnIndex), runtime: one.runtimeId ?? UNKNOWN, n: number(one.messages) };
    parts.push(`  ${printable(t('pruningLine', { ...values, call: one.callId ?? t('noCallOf') }))}`);
  }
  parts.push('', paint('bold', t('toolGroups')));
  if (toolGroups.length === 0) parts.push(`  ${t('noToolGroups')}`);
  for (const one of toolGroups) {
    const line = t('toolGroupLine', {
      turn: turnText(t, one.turnIndex),
      runtime: one.runtimeId,
      tools: one.tools.join(', '),
      kind: t(one.kind),
      before: number(one.before.value),
      after: number(one.after?.value ?? null),
      call: one.callId,
    });
    parts.push(`  ${printable(line)}`);
  }
  return parts.join('\n');
}
