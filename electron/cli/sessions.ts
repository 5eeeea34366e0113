/** `covel-lens sessions <file>`: every session with its counts, and the rows that could not be read as they should. */
import type { SessionsReport } from '../engine/reports.ts';
import type { Run } from './commands.ts';
import { printable, type Io } from './io.ts';
import { printReport, withReports } from './reports.ts';
import { layOut, lines, number, UNKNOWN } from './table.ts';
import { say } from './texts.ts';

const SHOWN_PROBLEMS = 10;
const MAX_TEXT = 40;

export const run: Run = ({ positionals: [file = ''] }, io) =>
  withReports(file, io, async (reports) => printReport(io, await reports.sessions(), (report) => text(report, io)));

function text({ sessions, problems }: SessionsReport, { language, paint }: Io): string {
  const t = say(language);
  const table = layOut(
    [
      { head: t('session') },
      { head: t('world'), max: MAX_TEXT },
      { head: t('locale') },
      { head: t('status') },
      { head: t('created') },
      { head: t('turns'), align: 'right' },
      { head: t('calls'), align: 'right' },
      { head: t('attempts'), align: 'right' },
      { head: t('summaries'), align: 'right' },
    ],
    sessions.map((session) => [
      session.id,
      session.worldId ?? UNKNOWN,
      session.locale ?? UNKNOWN,
      session.status ?? UNKNOWN,
      session.createdAt ?? UNKNOWN,
      ...[session.turns, session.calls, session.attempts, session.summaries].map(number),
    ]),
    paint,
  );
  const parts = [sessions.length === 0 ? t('noSessions') : lines(table)];
  if (problems.length > 0) {
    const shown = problems.slice(0, SHOWN_PROBLEMS);
    const left = problems.length - shown.length;
    parts.push(
      '',
      paint('yellow', t('flagged', { n: number(problems.length) })),
      ...shown.map(({ code, row, message }) => `  ${code}  ${printable(row)}  ${printable(message)}`),
      ...(left > 0 ? [`  ${t('more', { n: number(left) })}`] : []),
    );
  }
  return parts.join('\n');
}
