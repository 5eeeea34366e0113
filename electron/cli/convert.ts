/** `covel-lens convert <prompt.json> --protocol <p>`: the request that a protocol sends, with the segment of every text. */
import { fail, ok } from '../../shared/error.ts';
import { convertJson, readProtocol } from '../engine/convert.ts';
import { findCommand, type Run } from './commands.ts';
import { badUsage } from './errors.ts';
import { usageOf } from './help.ts';
import { forcedLanguage, readInput } from './input.ts';
import { resources } from './package.ts';

export const run: Run = async ({ positionals: [file = ''], text }, io) => {
  const asked = text('protocol');
  if (asked === null) {
    const spec = findCommand('convert');
    return fail(badUsage('--protocol is missing', spec ? usageOf(spec) : ''));
  }
  const protocol = readProtocol(asked);
  if (!protocol.ok) return protocol;
  const input = await readInput(file);
  if (!input.ok) return input;
  const report = convertJson(input.value, protocol.value, resources, forcedLanguage() ?? 'en');
  if (!report.ok) return report;
  if (io.isJson) {
    await io.printJson(report.value);
  } else {
    const { segmentTable } = await import('./segment-table.ts');
    const { wireLines } = await import('./wire-table.ts');
    await io.print([...wireLines(report.value, io), '', segmentTable(report.value.segments, io)].join('\n'));
  }
  return ok(undefined);
};
