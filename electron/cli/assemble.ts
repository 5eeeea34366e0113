/** `covel-lens assemble <input.json>`: what the assembler makes of an input, with the address of every segment. */
import { readFile } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import { assembleJson, type AssembleReport } from '../engine/assemble.ts';
import { fail, ok, type Result } from '../../shared/error.ts';
import { findCommand, type Run } from './commands.ts';
import { badUsage } from './errors.ts';
import { usageOf } from './help.ts';
import { printable, type Io } from './io.ts';
import { resources } from './package.ts';
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
  if (!report.ok) return report;
  await (io.isJson ? io.printJson(report.value) : io.print(await table(report.value, io)));
  return ok(undefined);
};

/** `-` reads what is piped in. */
async function readInput(file: string): Promise<Result<string>> {
  try {
    return ok(await (file === '-' ? textOf(process.stdin) : readFile(file, 'utf8')));
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException;
    const { lensError } = await import('../../shared/language/index.ts');
    if (code === 'ENOENT') return fail(lensError('not-found', { path: file }));
    if (code === 'EISDIR') return fail(lensError('is-directory', { path: file }));
    if (code === 'EACCES') return fail(lensError('no-permission', { path: file }));
    return fail(lensError('read-failed', { path: file, reason: message }));
  }
}

async function table(report: AssembleReport, io: Io): Promise<string> {
  const { segmentTable } = await import('./segment-table.ts');
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
