/**
 * A plugin breaks the cache when the first request of a turn no longer begins as that of the turn before (seed 1,
 * section 5). Time, prices and providers have no part in this: the same recording always gives the same answer.
 */
import { keyOf } from '../cache/index.ts';
import type { CallRow, CauseKind } from '../../shared/model/index.ts';
import { prefixTokens, sizeOf } from '../../shared/tokens.ts';
import { tokens, type Tokens, type TurnIndex } from '../../shared/units.ts';
import { historyEnd } from './cache-reusable.ts';
import { comparison } from './call-detail.ts';
import type { CallView } from './call-view.ts';
import { failWith } from './errors.ts';
import type { OpenedSource } from './opened-source.ts';

export type CheckLimits = {
  /** Smallest share of a turn's first request that the turn before must have sent too, 0 to 1; null: no limit. */
  readonly minShared: number | null;
  /** Most tokens of the turn before, up to the end of its history, that may be lost; null: no limit. */
  readonly maxMissTokens: number | null;
  /** null: every runtime. */
  readonly runtimeId: string | null;
  /** null: every session. */
  readonly sessionId: string | null;
};

export type BrokenLimit = {
  readonly sessionId: string;
  readonly runtimeId: string;
  readonly turnIndex: TurnIndex;
  readonly callId: string;
  readonly rule: 'min-shared' | 'max-miss-tokens';
  /** Shared characters / all characters of the request. */
  readonly share: number;
  /** Estimated; null where no limit asked for it. */
  readonly missTokens: Tokens | null;
  readonly limit: number;
  readonly cause: CauseKind;
};

export type CheckReport = {
  readonly ok: boolean;
  readonly broken: readonly BrokenLimit[];
  /** Turns that were judged: those with a request of the same runtime before them. */
  readonly judged: number;
  /** Runtimes with a call, by first appearance; of the sessions that were looked at. */
  readonly runtimes: readonly string[];
};

/** Fails with `unknown-session`. An unknown runtime judges nothing; `runtimes` names those that are there. */
export async function checkReport(source: OpenedSource, limits: CheckLimits): Promise<CheckReport> {
  const all = source.db.sessions().map((session) => session.id);
  if (limits.sessionId !== null && !all.includes(limits.sessionId)) {
    failWith('unknown-session', { id: limits.sessionId });
  }
  const broken: BrokenLimit[] = [];
  const runtimes = new Set<string>();
  let judged = 0;
  for (const sessionId of limits.sessionId === null ? all : [limits.sessionId]) {
    const rows = await source.index(sessionId).complete();
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const row of rows) {
      runtimes.add(row.runtimeId);
      const before = byId.get(row.prefix?.baselineId ?? '');
      if (!before || before.turnId === row.turnId) continue;
      if (limits.runtimeId !== null && row.runtimeId !== limits.runtimeId) continue;
      judged++;
      broken.push(...judge(source, sessionId, before, row, limits));
    }
  }
  return { ok: broken.length === 0, broken, judged, runtimes: [...runtimes] };
}

function judge(
  source: OpenedSource,
  sessionId: string,
  before: CallRow,
  row: CallRow,
  { minShared, maxMissTokens }: CheckLimits,
): readonly BrokenLimit[] {
  const { shared, share } = sharedOf(source, before, row);
  const missTokens = maxMissTokens === null ? null : missed(source.view(before.id), row.kernelOnly, shared);
  const limits = [
    { rule: 'min-shared', limit: minShared, isBroken: minShared !== null && share < minShared },
    {
      rule: 'max-miss-tokens',
      limit: maxMissTokens,
      isBroken: maxMissTokens !== null && (missTokens ?? 0) > maxMissTokens,
    },
  ] as const;
  return limits.flatMap(({ rule, limit, isBroken }) => {
    if (!isBroken || limit === null) return [];
    const { cause } = comparison(source, source.view(before.id), source.view(row.id));
    const { runtimeId, turnIndex, id: callId } = row;
    return [{ sessionId, runtimeId, turnIndex, callId, rule, share, missTokens, limit, cause: cause.kind }];
  });
}

/** Where one of the two has no body, both are measured on the kernel view, and so is the size (cli-contract, "prefix"). */
function sharedOf(
  source: OpenedSource,
  before: CallRow,
  row: CallRow,
): { readonly shared: number; readonly share: number } {
  if (before.kernelOnly !== row.kernelOnly) {
    const { shared } = comparison(source, source.view(before.id), source.view(row.id));
    return { shared: shared.chars, share: shared.share };
  }
  const shared = row.prefix?.sharedChars ?? 0;
  return { shared, share: row.chars ? shared / row.chars : 1 };
}

/** Estimated tokens between the end of what is shared and the end of the earlier request's history. */
function missed(view: CallView, isKernel: boolean, shared: number): Tokens {
  const side = (isKernel ? view.kernelSide() : null) ?? view.side;
  const end = historyEnd(side);
  if (shared >= end) return tokens(0);
  const text = keyOf(side)
    .parts.map((part) => part.text)
    .join('');
  return prefixTokens(sizeOf(text.slice(shared, end)));
}
