/**
 * `covel-lens assemble <input.json>`: what the assembler makes of an input, with the address of every segment;
 * `--protocol` adds what that protocol sends of it.
 */
import { assembleJson, type AssembleReport } from '../engine/assemble.ts';
import { readProtocol } from '../engine/convert.ts';
import { ok } from '../../shared/error.ts';
import type { Run } from './commands.ts';
import { forcedLanguage, readInput } from './input.ts';
import { printable, type Io } from './io.ts';
import { resources } from './package.ts';
import { say } from './texts.ts';

export const run: Run = async ({ positionals: [file = ''], text }, io) => {
  const asked = text('protocol');
  const protocol = asked === null ? null : readProtocol(asked);
  if (protocol !== null && !protocol.ok) return protocol;
  const input = await readInput(file);
  if (!input.ok) return input;
  const report = await assembleJson(input.value, resources, forcedLanguage(), protocol?.value ?? null);
  if (!report.ok) return report;
  await (io.isJson ? io.printJson(report.value) : io.print(await table(report.value, io)));
  return ok(undefined);
};

async function table(report: AssembleReport, io: Io): Promise<string> {
  const { segmentTable } = await import('./segment-table.ts');
  const { wireLines } = await import('./wire-table.ts');
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
    ...(report.wire ? ['', ...wireLines(report.wire, io)] : []),
  ].join('\n');
}
