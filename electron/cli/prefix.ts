/**
 * `covel-lens prefix <file>`: what the first request of each turn shares with that of the turn before, per runtime.
 * The table follows Covel's own report (storage page, section 4): means over the pairs, and the first difference of
 * the last pair, which is the one that the next turn will most likely meet again.
 */
import type { PrefixEntry } from '../cache/prefix-report.ts';
import { fail, ok, type Result } from '../../shared/error.ts';
import type { Language } from '../../shared/language/index.ts';
import { partText } from '../../shared/language/labels.ts';
import { findCommand, type Run } from './commands.ts';
import { badUsage } from './errors.ts';
import { usageOf } from './help.ts';
import { printable, type Io } from './io.ts';
import { withReports } from './reports.ts';
import { layOut, number, percent, UNKNOWN } from './table.ts';
import { say } from './texts.ts';

const RUNTIME_WIDTH = 34;
const DIFFERENCE_WIDTH = 60;

export const run: Run = ({ positionals: [file = ''], text, flag }, io) =>
  withReports(file, io, async (reports) => {
    const runtime = text('show');
    const report = await reports.prefix({
      sessionId: text('session'),
      measure: flag('covel') ? 'covel' : 'lens',
      show: runtime !== null,
    });
    if (!report.ok) return report;
    const known = runtime === null ? ok(undefined) : knowsRuntime(report.value, runtime, io);
    if (!known.ok) return known;
    if (io.isJson) await io.printJson(report.value);
    else await io.print(runtime === null ? summary(report.value, io) : differences(report.value, runtime, io));
    return ok(undefined);
  });

function knowsRuntime(entries: readonly PrefixEntry[], name: string, io: Io): Result<void> {
  const names = [...new Set(entries.map((entry) => entry.runtimeId))];
  if (names.includes(name)) return ok(undefined);
  const command = findCommand('prefix');
  const message = say(io.language)('noRuntime', { name, names: names.slice(0, 20).join(', ') || UNKNOWN });
  return fail(badUsage(message, command ? usageOf(command) : ''));
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** Figures of one line: `total` requests in tokens, what they shared, and over how many pairs. */
function measured(pairs: PrefixEntry['pairs']): { readonly size: number; readonly shared: number } {
  return { size: sum(pairs.map((pair) => pair.tokens)), shared: sum(pairs.map((pair) => pair.sharedTokens)) };
}

const share = ({ size, shared }: { readonly size: number; readonly shared: number }): string =>
  size === 0 ? UNKNOWN : percent(shared / size);

function summary(entries: readonly PrefixEntry[], { language, paint }: Io): string {
  const t = say(language);
  if (entries.length === 0) return t('noRequests');
  const sessions = [...Map.groupBy(entries, (entry) => entry.sessionId)];
  const rows = sessions.flatMap(([, list]) => {
    const all = list.flatMap((entry) => entry.pairs);
    const total = measured(all);
    return [
      ...list.map(({ runtimeId, turns, calls, pairs }) => {
        const last = pairs.at(-1);
        const each = measured(pairs);
        return [
          `  ${runtimeId}`,
          number(turns),
          number(calls),
          last ? number(each.size / pairs.length) : UNKNOWN,
          last ? number(each.shared / pairs.length) : UNKNOWN,
          last ? share(each) : UNKNOWN,
          last ? place(last, language) : t('oneTurn'),
        ];
      }),
      [
        `  ${t('total')}`,
        '',
        number(sum(list.map((entry) => entry.calls))),
        number(total.size),
        number(total.shared),
        share(total),
        '',
      ],
    ];
  });
  const table = layOut(
    [
      { head: `  ${t('runtime')}`, max: RUNTIME_WIDTH },
      { head: t('turns'), align: 'right' },
      { head: t('calls'), align: 'right' },
      { head: t('requestTokens'), align: 'right' },
      { head: t('shared'), align: 'right' },
      { head: '%', align: 'right' },
      { head: t('firstDifference'), max: DIFFERENCE_WIDTH },
    ],
    rows,
    paint,
  );
  const written = [table.head];
  let next = 0;
  for (const [sessionId, list] of sessions) {
    const end = next + list.length;
    written.push(paint('bold', `${t('session')} ${printable(sessionId)}`));
    written.push(...table.rows.slice(next, end), paint('bold', table.rows[end] ?? ''));
    next = end + 1;
  }
  return [...written, '', paint('dim', t('noBill'))].join('\n');
}

type Pair = PrefixEntry['pairs'][number];

/** `(identical)` and `(request ends earlier)` have no offset to speak of. */
const place = ({ firstDifference, offset }: Pair, language: Language): string => {
  const part = partText(language, firstDifference);
  return firstDifference.startsWith('(') ? part : `${part} @ ${number(offset)}`;
};

function differences(entries: readonly PrefixEntry[], runtimeId: string, { language, paint }: Io): string {
  const t = say(language);
  const label = (key: 'was' | 'now'): string => paint(key === 'was' ? 'red' : 'green', `${t(key)}:`);
  const quoted = (text: string | null | undefined): string =>
    text === null || text === undefined ? t('noPart') : printable(JSON.stringify(text));
  return entries
    .filter((entry) => entry.runtimeId === runtimeId)
    .flatMap((entry) =>
      entry.pairs.length === 0
        ? [`${printable(entry.sessionId)}  ${printable(runtimeId)}  ${t('oneTurn')}`]
        : entry.pairs.map((pair, index) => {
            const head = `${printable(entry.sessionId)}  ${printable(runtimeId)}  ${t('turn')} ${index + 1} -> ${index + 2}`;
            const same = pair.firstDifference === '(identical)';
            const texts = same
              ? []
              : [`  ${label('was')} ${quoted(pair.was)}`, `  ${label('now')} ${quoted(pair.now)}`];
            return [`${paint('bold', head)}  ${printable(place(pair, language))}`, ...texts].join('\n');
          }),
    )
    .join('\n');
}
