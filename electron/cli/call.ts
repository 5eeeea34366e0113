/** `covel-lens call <file> <call-id>`: what one request consists of, where it can be cached, what it cost. */
import { ok } from '../../shared/error.ts';
import { labelText, partText, sentence } from '../../shared/language/index.ts';
import type { AssembledReport, CallReport } from '../engine/reports.ts';
import type { Run } from './commands.ts';
import { printable, type Io } from './io.ts';
import { printReport, withReports } from './reports.ts';
import { MAX_TEXT, segmentTable } from './segment-table.ts';
import { layOut, lines, number, UNKNOWN } from './table.ts';
import { say } from './texts.ts';

export const run: Run = ({ positionals: [file = '', callId = ''], flag }, io) =>
  withReports(file, io, async (reports) => {
    const report = await reports.call(callId);
    if (!report.ok || !flag('assembled')) return printReport(io, report, (call) => text(call, io));
    const anew = await reports.assembled(callId);
    if (!anew.ok) return anew;
    const both = ok({ ...report.value, assembled: anew.value });
    return printReport(io, both, (call) => `${text(call, io)}\n\n${assembledText(call.assembled, io)}`);
  });

/** What the request is when it is assembled anew: its segments with their sources, and the verdict. */
function assembledText({ segments, first, equal }: AssembledReport, io: Io): string {
  const { language } = io;
  const t = say(language);
  const own = (key: string, values: Readonly<Record<string, string | number>> = {}): string =>
    sentence(language, { key, values });
  const rows = segments.map(({ id, kind, origin, chars, from }) => [
    id,
    language === 'zh' ? own(`kind.${kind}`) : kind,
    labelText(language, origin.label, kind),
    number(chars),
    own(`from.${from}`),
  ]);
  const heads = [
    { head: t('segment') },
    { head: t('kind') },
    { head: t('origin'), max: MAX_TEXT },
    { head: t('chars'), align: 'right' as const },
    { head: t('takenFrom') },
  ];
  const verdict = equal
    ? [own('reassembly.equal')]
    : first
      ? [
          own('reassembly.differs', {
            where: partText(language, first.where),
            name: first.kind === null ? UNKNOWN : labelText(language, first.segment ?? '', first.kind),
            n: first.offset,
          }),
          first.why,
          `${t('was')} ${printable(first.recorded ?? t('noPart'))}`,
          `${t('now')} ${printable(first.assembled ?? t('noPart'))}`,
        ]
      : [];
  return [io.paint('bold', t('assembledAnew')), lines(layOut(heads, rows, io.paint)), ...verdict].join('\n');
}

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
  parts.push('', usage(call, io), prediction(call, io));
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

function usage({ usage: billed, usageProblems }: CallReport, { language, paint }: Io): string {
  const t = say(language);
  const problems = usageProblems.map((problem) => sentence(language, { key: `usage-problem.${problem}`, values: {} }));
  const said = billed
    ? t('usage', {
        read: number(billed.read),
        write: number(billed.write),
        uncached: number(billed.uncached),
        output: number(billed.output),
      })
    : t('noUsage');
  const flagged =
    problems.length === 0 ? [] : [paint('yellow', t('contradictsHere', { problems: problems.join('; ') }))];
  return [said, ...flagged].join('\n');
}

const TIERS = { billed: 'tierBilled', counted: 'tierCounted', estimated: 'tierEstimated' } as const;

/** The figures beside the bill, and why. */
function prediction({ prediction: predicted, notes }: CallReport, { language, paint }: Io): string {
  const t = say(language);
  const limits = notes.map((note) => paint('yellow', printable(note)));
  if (!predicted) return [t('noPrediction'), ...limits].join('\n');
  const { rule, read, write, uncached, tier, why } = predicted;
  const values = { read: number(read), write: number(write), uncached: number(uncached) };
  return [
    t('prediction', { rule, ...values, tier: t(TIERS[tier]) }),
    ...why.map((reason) => `  ${printable(reason)}`),
    ...limits,
  ].join('\n');
}
