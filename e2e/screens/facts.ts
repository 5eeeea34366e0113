/**
 * What the window shows and what the command line prints must be the same figures. These are the command line's, and
 * the recorded bodies as they stand in the file, read without any code of ours.
 */
import { execFile } from 'node:child_process';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const CLI = fileURLToPath(new URL('../../dist/cli/cli.js', import.meta.url));
export const SAMPLE = fileURLToPath(new URL('../../resources/sample/covel.db', import.meta.url));

const run = promisify(execFile);

type Measured = { readonly value: number; readonly tier: string };
export type CallFact = {
  readonly id: string;
  readonly runtimeId: string;
  readonly step: number;
  readonly attempt: number;
  readonly protocol: string | null;
  readonly finishReason: string | null;
  readonly inputTokens: Measured | null;
};
export type TurnFact = {
  readonly index: number;
  readonly status: string;
  readonly playerText: string | null;
  readonly calls: readonly CallFact[];
};
export type SegmentFact = {
  readonly id: string;
  readonly kind: string;
  readonly chars: number;
  readonly tokens: Measured;
  readonly origin: { readonly label: string };
  readonly spans: readonly { readonly path: string; readonly start: number; readonly end: number }[];
};
export type CallReport = {
  readonly segments: readonly SegmentFact[];
  readonly turnContext: readonly {
    readonly tag: string | null;
    readonly tokens: Measured;
    readonly changedSincePreviousTurn: boolean | null;
  }[];
  readonly usage: Readonly<Record<'uncached' | 'read' | 'write' | 'output', number | null>> | null;
  readonly prediction: { readonly read: number; readonly write: number; readonly tier: string } | null;
  readonly segmentStates: Readonly<Record<string, string>>;
};
export type DiffReport = {
  readonly a: string;
  readonly b: string;
  readonly shared: { readonly chars: number; readonly tokens: Measured; readonly share: number };
  readonly divergence: { readonly part: string; readonly path: string; readonly offset: number } | null;
  readonly cause: { readonly kind: string; readonly evidence: readonly string[]; readonly advice: string | null };
};

/** `covel-lens <args> --json`, parsed. */
async function lens<T>(...args: readonly string[]): Promise<T> {
  const { stdout } = await run(process.execPath, [CLI, ...args, '--json'], {
    env: { ...process.env, LC_ALL: 'C' },
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout) as T;
}

/** The turns of the newest session of a file, as the window opens it. */
export async function turnsOf(file: string): Promise<readonly TurnFact[]> {
  const { sessions } = await lens<{ readonly sessions: readonly { readonly id: string }[] }>('sessions', file);
  const session = sessions.at(-1)?.id ?? '';
  return (await lens<{ readonly turns: readonly TurnFact[] }>('turns', file, '--session', session)).turns;
}

export const callReport = (file: string, callId: string): Promise<CallReport> => lens('call', file, callId);
export const diffReport = (file: string, callId: string, otherId?: string): Promise<DiffReport> =>
  lens('diff', file, callId, ...(otherId === undefined ? [] : [otherId]));

export type LedgerReport = {
  readonly summaries: readonly {
    readonly id: string | null;
    readonly turns: readonly [number | null, number | null];
    readonly messageIds: readonly string[] | null;
    readonly tokens: Measured | null;
    readonly content: string | null;
    readonly broke: readonly { readonly callId: string; readonly runtimeId: string; readonly turnIndex: number }[];
  }[];
  readonly pruned: readonly { readonly callId: string | null; readonly messages: number | null }[];
};
/** The ledger of the newest session of a file. */
export async function ledgerReport(file: string): Promise<LedgerReport> {
  const { sessions } = await lens<{ readonly sessions: readonly { readonly id: string }[] }>('sessions', file);
  return lens('ledger', file, '--session', sessions.at(-1)?.id ?? '');
}

type Held = { readonly calls: number; readonly matched: number; readonly toleranceTokens: number };
export type CacheReport = {
  readonly sessionId: string;
  readonly calibration: Held;
  readonly calibrationByProvider: readonly (Held & { readonly provider: string })[];
  readonly runtimes: readonly {
    readonly runtimeId: string;
    readonly calls: number;
    readonly inputTokens: number;
    readonly read: number | null;
    readonly write: number | null;
    readonly predictedRead: number | null;
    readonly hitRate: number | null;
    readonly wastedTokens: number;
    readonly costUsd: number | null;
    readonly wastedUsd: number | null;
    readonly causes: readonly { readonly kind: string; readonly calls: number; readonly tokens: number }[];
  }[];
};
/** The cache of the newest session of a file. */
export async function cacheReport(file: string): Promise<CacheReport> {
  const { sessions } = await lens<{ readonly sessions: readonly { readonly id: string }[] }>('sessions', file);
  return lens('cache', file, '--session', sessions.at(-1)?.id ?? '');
}

type Recorded = { readonly providerRequests: readonly { readonly body?: unknown; readonly bodyRef?: number }[] };

/** The body that a call sent last, as it was recorded. */
export function recordedBody(file: string, callId: string): unknown {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const row = db.prepare('SELECT payload FROM trace_events WHERE id = ?').get(callId);
    const { providerRequests } = JSON.parse(String(row?.['payload'])) as Recorded;
    const last = providerRequests.at(-1);
    return last?.body ?? providerRequests[last?.bodyRef ?? -1]?.body;
  } finally {
    db.close();
  }
}

/** The text at a JSON pointer. */
export function textAt(body: unknown, pointer: string): string {
  let at: unknown = body;
  for (const key of pointer.split('/').slice(1)) {
    const name = key.replaceAll('~1', '/').replaceAll('~0', '~');
    at = typeof at === 'object' && at !== null ? (at as Readonly<Record<string, unknown>>)[name] : undefined;
  }
  if (typeof at !== 'string') throw new Error(`no text at ${pointer}`);
  return at;
}

/** Lanes of a turn as the window orders its calls: by runtime in order of first appearance. */
export function inLanes(calls: readonly CallFact[]): readonly CallFact[] {
  const order = [...new Set(calls.map((call) => call.runtimeId))];
  return calls.toSorted((a, b) => order.indexOf(a.runtimeId) - order.indexOf(b.runtimeId));
}
