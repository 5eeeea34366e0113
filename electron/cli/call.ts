/** `covel-lens call <file> <call-id>`: what one request consists of, where it can be cached, what it cost. */
import type { CallReport } from '../engine/reports.ts';
import type { Run } from './commands.ts';
import { printable, type Io } from './io.ts';
import { printReport, withReports } from './reports.ts';
import { MAX_TEXT, segmentTable } from './segment-table.ts';
import { layOut, lines, number, UNKNOWN } from './table.ts';
import { say } from './texts.ts';

export const run: Run = ({ positionals: [file = '', callId = ''] }, io) =>
  withReports(file, io, async (reports) => printReport(io, await reports.call(callId), (report) => text(report, io)));

function text(call: CallReport, io: Io): string {
  const t = say(io.language);
  const facts = [call.runtimeId, call.protocol, call.provider, call.model].map((fact) => fact ?? UNKNOWN);
  const parts = [
    `${io.paint('bold', printable(call.id))}  ${printable(facts.join(' · '))}`,
    io.paint('dim', printable(`${t('session')} ${call.sessionId} · ${t('turn')} ${call.turnId}`)),
  ];
  if (call.view === 'kernel') parts.push(io.paint('yellow', t('kernelOnly')));
  if (call.omittedFields) parts.push(io.paint('yellow', t('incomplete', { n: call.omittedFields })));
  parts.push('', segmentTable(call.segments, io));
  if (call.breakpoints.length > 0) parts.push('', io.paint('bold', t('breakpoints')), breakpoints(call, io));
  if (call.turnContext.length > 0) parts.push('', io.paint('bold', t('turnContext')), turnContext(call, io));
  parts.push('', usage(call, io));
  return parts.join('\n');
}

function breakpoints(call: CallReport, { language, paint }: Io): string {
  const t = say(language);
  const minimum = (isBelow: boolean | null): string =>
    isBelow === null ? UNKNOWN : t(isBelow ? 'belowMinimum' : 'reached');
  return lines(
    layOut(
      [
        { head: t('breakpointKind') },
        { head: t('path'), max: MAX_TEXT },
        { head: t('ttl') },
        { head: t('after') },
        { head: t('prefixTokens'), align: 'right' },
        { head: t('minimum') },
      ],
      call.breakpoints.map(({ kind, path, ttl, afterSegment, prefixTokens, belowMinimum }) => [
        kind,
        path,
        ttl ?? UNKNOWN,
        afterSegment ?? UNKNOWN,
        number(prefixTokens.value),
        minimum(belowMinimum),
      ]),
      paint,
    ),
  );
}

function turnContext(call: CallReport, { language, paint }: Io): string {
  const t = say(language);
  const since = (isChanged: boolean | null): string =>
    isChanged === null ? UNKNOWN : t(isChanged ? 'isChanged' : 'isSame');
  return lines(
    layOut(
      [
        { head: t('tag'), max: MAX_TEXT },
        { head: t('chars'), align: 'right' },
        { head: t('estimatedTokens'), align: 'right' },
        { head: t('changed') },
      ],
      call.turnContext.map(({ tag, chars, tokens, changedSincePreviousTurn }) => [
        tag ?? t('noTag'),
        number(chars),
        number(tokens.value),
        since(changedSincePreviousTurn),
      ]),
      paint,
    ),
  );
}

function usage({ usage: billed }: CallReport, { language }: Io): string {
  const t = say(language);
  if (!billed) return t('noUsage');
  return t('usage', {
    read: number(billed.read),
    write: number(billed.write),
    uncached: number(billed.uncached),
    output: number(billed.output),
  });
}
