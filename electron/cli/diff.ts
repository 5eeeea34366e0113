/** `covel-lens diff <file> <call-id> [<other-call-id>]`: where a request parts from its baseline, and why. */
import type { DiffReport } from '../engine/reports.ts';
import { labelText, partText, sentence } from '../../shared/language/index.ts';
import type { Run } from './commands.ts';
import { printable, type Io } from './io.ts';
import { printReport, withReports } from './reports.ts';
import { layOut, lines, number, percent } from './table.ts';
import { say } from './texts.ts';

const MAX_TEXT = 40;

export const run: Run = ({ positionals: [file = '', callId = '', otherId] }, io) =>
  withReports(file, io, async (reports) =>
    printReport(io, await reports.diff(callId, otherId ?? null), (report) => text(report, io)),
  );

function text({ a, b, shared, divergence, cause, changed }: DiffReport, { language, paint }: Io): string {
  const t = say(language);
  const parts = [
    paint('bold', printable(t('diffSides', { a, b }))),
    t('sharedLine', {
      tokens: number(shared.tokens.value),
      chars: number(shared.chars),
      percent: percent(shared.share),
    }),
  ];
  if (divergence) {
    const { part, offset, segment, was, now } = divergence;
    const where = segment === null ? t('noSegment') : t('inSegment', { segment });
    parts.push(
      printable(t('divergenceLine', { part: partText(language, part), offset: number(offset), segment: where })),
    );
    if (was !== null) parts.push(`  ${paint('red', `${t('was')}:`)} ${printable(JSON.stringify(was))}`);
    if (now !== null) parts.push(`  ${paint('green', `${t('now')}:`)} ${printable(JSON.stringify(now))}`);
  } else {
    parts.push(t('noDivergence'));
  }
  const name = sentence(language, { key: `cause.${cause.kind}`, values: {} });
  parts.push('', paint('bold', t('causeLine', { cause: name })));
  parts.push(...cause.evidence.map((line) => `  ${printable(line)}`));
  if (cause.advice !== null) parts.push(printable(t('adviceLine', { advice: cause.advice })));
  if (changed.length > 0) {
    const table = layOut(
      [
        { head: t('segment') },
        { head: t('change') },
        { head: t('kind') },
        { head: t('origin'), max: MAX_TEXT },
        { head: t('estimatedTokens'), align: 'right' },
      ],
      changed.map(({ segment, change, kind, label, tokens }) => [
        segment,
        t(change),
        language === 'zh' ? sentence(language, { key: `kind.${kind}`, values: {} }) : kind,
        labelText(language, label, kind),
        number(tokens.value),
      ]),
      paint,
    );
    parts.push('', paint('bold', t('changedSegments')), lines(table));
  }
  return parts.join('\n');
}
