/** `covel-lens check <file> --min-shared 80%`: for CI; ends with 1 when a turn no longer begins as the one before. */
import { fail, ok, type Result } from '../../shared/error.ts';
import { sentence } from '../../shared/language/index.ts';
import type { BrokenLimit, CheckReport } from '../engine/check-report.ts';
import type { Args } from './arguments.ts';
import { findCommand, type Run } from './commands.ts';
import { badUsage } from './errors.ts';
import { usageOf } from './help.ts';
import { printable, type Io } from './io.ts';
import { withReports } from './reports.ts';
import { number, percent, UNKNOWN } from './table.ts';
import { say } from './texts.ts';

export const run: Run = (args, io) => {
  const limits = readLimits(args, io);
  if (!limits.ok) return Promise.resolve(limits);
  return withReports(args.positionals[0] ?? '', io, async (reports) => {
    const runtimeId = args.text('runtime');
    const done = await reports.check({ ...limits.value, runtimeId, sessionId: args.text('session') });
    if (!done.ok) return done;
    const { runtimes, ...report } = done.value;
    if (runtimeId !== null && !runtimes.includes(runtimeId)) {
      const names = runtimes.slice(0, 20).join(', ') || UNKNOWN;
      return usageError(say(io.language)('noRuntime', { name: runtimeId, names }));
    }
    await (io.isJson ? io.printJson(report) : io.print(verdict(report, io)));
    return ok(report.ok ? undefined : 'check-failed');
  });
};

type Limits = { readonly minShared: number | null; readonly maxMissTokens: number | null };

function usageError(message: string): Result<never> {
  const command = findCommand('check');
  return fail(badUsage(message, command ? usageOf(command) : ''));
}

/** `80%` or `0.8`; a bare `80` could mean either, and `1` is all of it. */
export function readShare(text: string): number | null {
  const found = /^(\d+(?:\.\d+)?)\s*(%?)$/.exec(text.trim());
  if (!found) return null;
  const share = Number(found[1]) / (found[2] === '%' ? 100 : 1);
  return share <= 1 ? share : null;
}

function readLimits({ text }: Args, { language }: Io): Result<Limits> {
  const t = say(language);
  const asked = { share: text('min-shared'), tokens: text('max-miss-tokens') };
  if (asked.share === null && asked.tokens === null) return usageError(t('noLimit'));
  const minShared = asked.share === null ? null : readShare(asked.share);
  if (asked.share !== null && minShared === null) return usageError(t('badShare', { text: asked.share }));
  if (asked.tokens !== null && !/^\d{1,15}$/.test(asked.tokens))
    return usageError(t('badTokens', { text: asked.tokens }));
  return ok({ minShared, maxMissTokens: asked.tokens === null ? null : Number(asked.tokens) });
}

function verdict({ broken, judged }: Pick<CheckReport, 'broken' | 'judged'>, io: Io): string {
  const { language, paint } = io;
  const t = say(language);
  if (judged === 0) return paint('yellow', t('nothingJudged'));
  if (broken.length === 0) return paint('green', t('checkOk', { n: number(judged) }));
  const sessions = [...Map.groupBy(broken, (one) => one.sessionId)].flatMap(([sessionId, own]) => [
    paint('bold', `${t('session')} ${printable(sessionId)}`),
    ...own.map((one) => `  ${line(one, io)}`),
  ]);
  return [...sessions, paint('red', t('checkBroken', { n: number(broken.length), judged: number(judged) }))].join('\n');
}

function line(
  { rule, runtimeId, turnIndex, callId, share, missTokens, limit, cause }: BrokenLimit,
  { language }: Io,
): string {
  const t = say(language);
  const where = `${t('turnOf', { n: turnIndex })}, ${runtimeId}`;
  const what =
    rule === 'min-shared'
      ? t('brokenShare', { share: percent(share), limit: percent(limit) })
      : t('brokenTokens', { tokens: number(missTokens), limit: number(limit) });
  const why = sentence(language, { key: `cause.${cause}`, values: {} });
  return printable(t('brokenLine', { where, what, why, call: callId }));
}
