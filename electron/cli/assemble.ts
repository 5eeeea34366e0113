/** `covel-lens assemble <input.json>`: what the assembler makes of an input, with the address of every segment. */
import { readFile } from 'node:fs/promises';
import { assembleJson, type AssembleReport } from '../engine/assemble.ts';
import { fail, type Result } from '../../shared/error.ts';
import { lensError } from '../../shared/language/index.ts';
import { segmentTable } from './call.ts';
import { findCommand, type Run } from './commands.ts';
import { badUsage } from './errors.ts';
import { usageOf } from './help.ts';
import { printable, type Io } from './io.ts';
import { resources } from './package.ts';
import { printReport } from './reports.ts';
import { say } from './texts.ts';

export const run: Run = async ({ positionals: [file = ''], text }, io) => {
  const spec = findCommand('assemble');
  if (text('protocol') !== null) {
    return fail(
      badUsage('--protocol cannot be used yet: the wire body is not built so far', spec ? usageOf(spec) : ''),
    );
  }
  const input = await readInput(file);
  if (!input.ok) return input;
  const forced = process.env['COVEL_INSTRUCTION_LOCALE'];
  const report = await assembleJson(input.value, resources, forced === 'en' || forced === 'zh' ? forced : null);
  return printReport(io, report, (found) => table(found, io));
};

/** `-` reads what is piped in. */
async function readInput(file: string): Promise<Result<string>> {
  try {
    return { ok: true, value: await readFile(file === '-' ? '/dev/stdin' : file, 'utf8') };
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException;
    if (code === 'ENOENT') return fail(lensError('not-found', { path: file }));
    if (code === 'EISDIR') return fail(lensError('is-directory', { path: file }));
    if (code === 'EACCES') return fail(lensError('no-permission', { path: file }));
    return fail(lensError('read-failed', { path: file, reason: message }));
  }
}

function table(report: AssembleReport, io: Io): string {
  const t = say(io.language);
  const counted = t('assembled', {
    messages: report.messages.length,
    pruned: report.prunedMessageCount,
    users: report.currentTurnUserMessages,
  });
  return [
    segmentTable(report.segments, io),
    '',
    counted,
    ...(report.overBudget ? [io.paint('yellow', printable(t('overBudget')))] : []),
  ].join('\n');
}
