/** What every command that reads a file does first: open it, ask for one report, print it, close the file. */
import { ok, type Result } from '../../shared/error.ts';
import { openForReports, type Reports } from '../engine/reports.ts';
import { ensureUserData } from '../hosts/user-data.ts';
import type { Io } from './io.ts';
import { resources } from './package.ts';

/** Opens `path`, lets `work` ask, and closes the file whatever happens. */
export async function withReports<T>(
  path: string,
  io: Io,
  work: (reports: Reports) => Promise<Result<T>>,
): Promise<Result<T>> {
  const home = await ensureUserData();
  if (!home.ok) return home;
  const opened = await openForReports(path, { userData: home.value, resources, language: io.language });
  if (!opened.ok) return opened;
  try {
    return await work(opened.value);
  } finally {
    opened.value.close();
  }
}

/** Prints a report: as it is with `--json`, else as `table` writes it. */
export async function printReport<T>(io: Io, report: Result<T>, table: (report: T) => string): Promise<Result<void>> {
  if (!report.ok) return report;
  await (io.isJson ? io.printJson(report.value) : io.print(table(report.value)));
  return ok(undefined);
}
