/** `covel-lens turns <file> --session id`: the turns of a session, and under each its calls in order. */
import { fail, ok, type Result } from '../../shared/error.ts';
import type { Reports, TurnsReport } from '../engine/reports.ts';
import { findCommand, type Run } from './commands.ts';
import { badUsage } from './errors.ts';
import { usageOf } from './help.ts';
import { printable, type Io } from './io.ts';
import { printReport, withReports } from './reports.ts';
import { cut, layOut, number, seconds, UNKNOWN } from './table.ts';
import { say } from './texts.ts';

/** Cells that the facts of a turn take before the player's words. */
const FACTS_WIDTH = 60;
const MIN_WORDS = 20;
const WIDTH_WITHOUT_TERMINAL = 120;
const MAX_TEXT = 34;

export const run: Run = ({ positionals: [file = ''], text }, io) =>
  withReports(file, io, async (reports) => {
    const asked = text('session');
    const session = asked === null ? await onlySession(reports, io) : ok(asked);
    if (!session.ok) return session;
    return printReport(io, await reports.turns(session.value), (report) => list(report, io));
  });

/** `--session` may be left out where there is nothing to choose. */
async function onlySession(reports: Reports, io: Io): Promise<Result<string>> {
  const report = await reports.sessions();
  if (!report.ok) return report;
  const ids = report.value.sessions.map((session) => session.id);
  const [only] = ids;
  if (only !== undefined && ids.length === 1) return ok(only);
  const command = findCommand('turns');
  const message = say(io.language)('chooseSession', { n: ids.length, ids: ids.slice(0, 20).join(', ') });
  return fail(badUsage(message, command ? usageOf(command) : ''));
}

function list({ turns }: TurnsReport, { language, paint, columns }: Io): string {
  const t = say(language);
  if (turns.length === 0) return t('noTurns');
  const calls = turns.flatMap((turn) => turn.calls);
  const table = layOut(
    [
      { head: `  ${t('runtime')}`, max: MAX_TEXT },
      { head: t('step'), align: 'right' },
      { head: t('attempt'), align: 'right' },
      { head: t('model'), max: MAX_TEXT },
      { head: t('finish') },
      { head: t('seconds'), align: 'right' },
      { head: t('inputTokens'), align: 'right' },
      { head: t('read'), align: 'right' },
      { head: t('write'), align: 'right' },
      { head: t('uncached'), align: 'right' },
      { head: t('output'), align: 'right' },
      { head: t('callId') },
    ],
    calls.map((call) => [
      `  ${call.runtimeId}`,
      number(call.step),
      number(call.attempt),
      call.model ?? UNKNOWN,
      call.finishReason ?? UNKNOWN,
      seconds(call.durationMs),
      call.inputTokens === null ? UNKNOWN : `${tierMark(call.inputTokens.tier)}${number(call.inputTokens.value)}`,
      number(call.usage?.read ?? null),
      number(call.usage?.write ?? null),
      number(call.usage?.uncached ?? null),
      number(call.usage?.output ?? null),
      call.id,
    ]),
    paint,
  );
  const room = Math.max(MIN_WORDS, (columns ?? WIDTH_WITHOUT_TERMINAL) - FACTS_WIDTH);
  const written = [table.head];
  let next = 0;
  for (const turn of turns) {
    const facts = [turn.origin, turn.status, turn.startedAt].filter(Boolean).join(' · ');
    const words = turn.playerText === null ? '' : `  ${cut(printable(turn.playerText), room)}`;
    written.push(`${paint('bold', `${t('turn')} ${turn.index}`)}  ${paint('dim', printable(facts))}${words}`);
    if (turn.calls.length === 0) written.push(`  ${t('noCalls')}`);
    written.push(...table.rows.slice(next, next + turn.calls.length));
    next += turn.calls.length;
  }
  return [...written, '', paint('dim', t('tiers'))].join('\n');
}

const tierMark = (tier: string): string => (tier === 'billed' ? '' : '~');
