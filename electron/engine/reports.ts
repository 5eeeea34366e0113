/**
 * The command line's view of a file: each report is exactly one object of the JSON contract. Nothing is polled or
 * streamed; a report reads what it needs and is done.
 */
import { join } from 'node:path';
import { KEPT } from '../cache/cause-table.ts';
import { createPrefixReport, type PrefixEntry } from '../cache/prefix-report.ts';
import { scanPayload } from '../cache/bytes/payload.ts';
import { openCovelDb } from '../sources/covel-db/index.ts';
import type { AssembledDetail, AssembledRow, Comparison } from '../../shared/api.ts';
import { LensFailure, ok, fail, type Result } from '../../shared/error.ts';
import type {
  Breakpoint,
  CacheState,
  CallRow,
  Cause,
  CauseKind,
  Ledger,
  LedgerSummary,
  Prediction,
  Problem,
  SegmentRow,
  SessionRow,
  TurnRow,
  Usage,
  UsageProblem,
} from '../../shared/model/index.ts';
import { sentence, type Language } from '../../shared/language/index.ts';
import type { Measured } from '../../shared/units.ts';
import { cacheReport, type CacheReport } from './cache-report.ts';
import { baselineView, callDetail, comparison } from './call-detail.ts';
import type { CallView } from './call-view.ts';
import { checkReport, type CheckLimits, type CheckReport } from './check-report.ts';
import { failWith, lensError } from './errors.ts';
import { sessionLedger } from './ledger/session-ledger.ts';
import { openSource, type OpenedSource } from './opened-source.ts';
import { createPriceLoader, readCacheRules } from './open-sources.ts';
import { createPromptTexts, type PromptTexts } from './prompt-texts.ts';
import { assembledDetail } from './reassemble.ts';
import type { CacheListener } from './session-cache.ts';
import { openSideDb } from './side-db.ts';

export type SessionsReport = {
  readonly sessions: readonly (Omit<SessionRow, 'calls'> & { readonly calls: number })[];
  readonly problems: readonly Problem[];
};

export type TurnsReport = {
  readonly sessionId: string;
  readonly turns: readonly (Pick<TurnRow, 'index' | 'turnId' | 'origin' | 'playerText' | 'status' | 'startedAt'> & {
    readonly calls: readonly CallReportRow[];
  })[];
};

export type CallReportRow = Pick<
  CallRow,
  | 'id'
  | 'runtimeId'
  | 'step'
  | 'attempt'
  | 'protocol'
  | 'provider'
  | 'model'
  | 'finishReason'
  | 'durationMs'
  | 'inputTokens'
  | 'usage'
>;

export type CallReport = {
  readonly id: string;
  readonly sessionId: string;
  readonly turnId: string;
  readonly runtimeId: string;
  readonly protocol: string | null;
  readonly provider: string | null;
  readonly model: string | null;
  readonly view: 'wire' | 'kernel';
  readonly complete: boolean | null;
  readonly omittedFields: number | null;
  readonly segments: readonly SegmentRow[];
  readonly breakpoints: readonly Breakpoint[];
  readonly turnContext: readonly {
    readonly tag: string | null;
    readonly chars: number;
    readonly tokens: Measured;
    readonly changedSincePreviousTurn: boolean | null;
  }[];
  readonly usage: Usage | null;
  readonly usageProblems: readonly UsageProblem[];
  /** null: no rule is known for the model, the call was not answered, or its body was not recorded. */
  readonly prediction: (Omit<Prediction, 'why'> & { readonly why: readonly string[] }) | null;
  readonly segmentStates: Readonly<Record<string, CacheState>>;
  /** What limits these figures, as sentences in the language that was asked for. */
  readonly notes: readonly string[];
};

export type DiffReport = Pick<Comparison, 'a' | 'b' | 'shared' | 'divergence' | 'changed'> & {
  /** Evidence and advice as sentences in the language that was asked for. */
  readonly cause: { readonly kind: CauseKind; readonly evidence: readonly string[]; readonly advice: string | null };
};

export type AssembledReport = Omit<AssembledDetail, 'callId' | 'chars' | 'tokens' | 'segments' | 'first'> & {
  /** The reason's code, and its sentence in the language that was asked for. */
  readonly first: (NonNullable<AssembledDetail['first']> & { readonly why: string }) | null;
  readonly segments: readonly Omit<AssembledRow, 'text'>[];
};

export type LedgerReport = Omit<Ledger, 'turns' | 'summaries'> & {
  readonly summaries: readonly Omit<LedgerSummary, 'key' | 'replaces' | 'replacedBy'>[];
};

export type Reports = {
  sessions(): Promise<Result<SessionsReport>>;
  turns(sessionId: string): Promise<Result<TurnsReport>>;
  prefix(options: {
    readonly sessionId: string | null;
    readonly measure: 'lens' | 'covel';
    readonly show: boolean;
  }): Promise<Result<readonly PrefixEntry[]>>;
  call(callId: string): Promise<Result<CallReport>>;
  /** The call assembled anew; texts of segments are left out. */
  assembled(callId: string): Promise<Result<AssembledReport>>;
  /** `baselineId` null: the default baseline. Fails with `no-baseline` for a call that has none. */
  diff(callId: string, baselineId: string | null): Promise<Result<DiffReport>>;
  /** One overview a session, in the order of the sessions. */
  cache(sessionId: string | null): Promise<Result<readonly CacheReport[]>>;
  check(limits: CheckLimits): Promise<Result<CheckReport>>;
  /** One ledger a session, in the order of the sessions. */
  ledger(sessionId: string | null): Promise<Result<readonly LedgerReport[]>>;
  close(): void;
};

export async function openForReports(
  path: string,
  options: { readonly userData: string; readonly resources: string; readonly language: Language },
): Promise<Result<Reports>> {
  const opened = await openCovelDb(path, { snapshotRoot: join(options.userData, 'snapshots') });
  if (!opened.ok) return opened;
  const sideDb = openSideDb(options.userData);
  const { resources, language } = options;
  const source = openSource(opened.value, {
    sideDb,
    rules: readCacheRules(resources),
    prices: createPriceLoader(resources),
  });
  return ok({
    sessions: () => asResult(() => sessions(source)),
    turns: (sessionId) => asResult(() => turns(source, sessionId)),
    prefix: (wanted) => asResult(() => prefix(source, wanted)),
    call: (callId) => asResult(() => call(source, callId, language)),
    assembled: (callId) => asResult(() => assembled(source, callId, createPromptTexts(resources), language)),
    diff: (callId, baselineId) => asResult(() => diff(source, callId, baselineId, language)),
    cache: (sessionId) => asResult(() => cache(source, sessionId, language)),
    check: (limits) => asResult(() => checkReport(source, limits)),
    ledger: (sessionId) => asResult(() => ledger(source, sessionId)),
    close() {
      source.close();
      sideDb.close();
    },
  });
}

async function asResult<T>(work: () => T | Promise<T>): Promise<Result<T>> {
  try {
    return ok(await work());
  } catch (thrown) {
    if (thrown instanceof LensFailure) return fail(thrown.error);
    return fail(lensError('engine-failed', { detail: thrown instanceof Error ? thrown.message : String(thrown) }));
  }
}

/** Counting call groups needs the attempt of each call, which only its payload knows. */
function sessions(source: OpenedSource): SessionsReport {
  const rows = source.db.sessions().map((session) => {
    let calls = 0;
    for (const ref of source.db.callRefs(session.id)) {
      const scan = scanPayload(source.db.payload(ref.rowid));
      if (scan.kind === 'unreadable' || scan.attempt === 0) calls++;
    }
    return { ...session, calls };
  });
  return { sessions: rows, problems: [...source.db.problems()] };
}

async function turns(source: OpenedSource, sessionId: string): Promise<TurnsReport> {
  const list = source.turns(sessionId);
  const calls = Map.groupBy(await source.index(sessionId).complete(), (row) => row.turnId);
  return {
    sessionId,
    turns: list.map((turn) => ({
      index: turn.index,
      turnId: turn.turnId,
      origin: turn.origin,
      playerText: turn.playerText,
      status: turn.status,
      startedAt: earliest([turn.startedAt, ...(calls.get(turn.turnId) ?? []).map((row) => row.startedAt)]),
      calls: (calls.get(turn.turnId) ?? []).map(callRow),
    })),
  };
}

const earliest = (times: readonly (string | null)[]): string | null =>
  times.filter((time) => time !== null).sort()[0] ?? null;

const callRow = (row: CallRow): CallReportRow => ({
  id: row.id,
  runtimeId: row.runtimeId,
  step: row.step,
  attempt: row.attempt,
  protocol: row.protocol,
  provider: row.provider,
  model: row.model,
  finishReason: row.finishReason,
  durationMs: row.durationMs,
  inputTokens: row.inputTokens,
  usage: row.usage,
});

function prefix(
  source: OpenedSource,
  { sessionId, measure, show }: { sessionId: string | null; measure: 'lens' | 'covel'; show: boolean },
): readonly PrefixEntry[] {
  const ids = source.db.sessions().map((session) => session.id);
  if (sessionId !== null && !ids.includes(sessionId)) failWith('unknown-session', { id: sessionId });
  const report = createPrefixReport(measure, { show });
  for (const id of sessionId === null ? ids : [sessionId]) {
    for (const ref of source.db.callRefs(id)) {
      report.add({
        sessionId: id,
        turnId: ref.turnId,
        id: ref.id,
        payload: source.db.payload(ref.rowid),
        isOwned: true,
      });
    }
  }
  return report.entries();
}

/** Nobody cancels a command but by ending it, and nobody watches its progress. */
const ALONE: CacheListener = { signal: new AbortController().signal, progress: () => undefined };

async function call(source: OpenedSource, callId: string, language: Language): Promise<CallReport> {
  const view = source.view(callId);
  await source.cache(view.sessionId).simulated(ALONE);
  const detail = callDetail(source, view);
  const { row, prediction } = detail;
  const notes = source.cache(view.sessionId).predicted(callId)?.notes ?? [];
  return {
    id: row.id,
    sessionId: detail.sessionId,
    turnId: row.turnId,
    runtimeId: row.runtimeId,
    protocol: row.protocol,
    provider: row.provider,
    model: row.model,
    view: detail.view,
    complete: detail.complete,
    omittedFields: detail.omittedFields,
    segments: detail.segments,
    breakpoints: detail.breakpoints,
    turnContext: detail.turnContext.map(({ tag, chars, tokens, changedSincePreviousTurn }) => ({
      tag,
      chars,
      tokens,
      changedSincePreviousTurn,
    })),
    usage: detail.usage,
    usageProblems: detail.usageProblems,
    prediction: prediction && { ...prediction, why: prediction.why.map((reason) => sentence(language, reason)) },
    segmentStates: detail.segmentStates,
    notes: notes.map((note) => sentence(language, note)),
  };
}

async function assembled(
  source: OpenedSource,
  callId: string,
  prompts: PromptTexts,
  language: Language,
): Promise<AssembledReport> {
  const detail = await assembledDetail(source, source.view(callId), prompts);
  const { view, equal, first, taken, window } = detail;
  return {
    view,
    equal,
    first: first && { ...first, why: sentence(language, { key: `reassembly.${first.reason}`, values: {} }) },
    taken,
    window,
    segments: detail.segments.map(({ text: _text, ...row }) => row),
  };
}

async function diff(
  source: OpenedSource,
  callId: string,
  baselineId: string | null,
  language: Language,
): Promise<DiffReport> {
  const view = source.view(callId);
  const baseline = baselineId === null ? baselineView(source, view) : source.view(baselineId);
  if (!baseline) return failWith('no-baseline', { id: callId });
  const found = comparison(source, baseline, view);
  const { a, b, shared, divergence, changed } = found;
  const isDefault = baseline.row.id === baselineView(source, view)?.row.id;
  const cause = isDefault ? await causeByRules(source, baseline, view, found.cause) : found.cause;
  const evidence = cause.evidence.map((item) => sentence(language, item));
  const advice = cause.advice && sentence(language, cause.advice);
  return { a, b, shared, divergence, cause: { kind: cause.kind, evidence, advice }, changed };
}

/** A difference in content is the cause before any rule; only where there is none is the session simulated. */
async function causeByRules(source: OpenedSource, baseline: CallView, view: CallView, content: Cause): Promise<Cause> {
  if (!KEPT.includes(content.kind)) return content;
  const known = source.cache(view.sessionId);
  await known.simulated(ALONE);
  return known.causeOf(view, baseline, content);
}

async function cache(
  source: OpenedSource,
  sessionId: string | null,
  language: Language,
): Promise<readonly CacheReport[]> {
  const ids = sessionId === null ? source.db.sessions().map((session) => session.id) : [sessionId];
  const reports: CacheReport[] = [];
  for (const id of ids) {
    const overview = await source.cache(id).overview(ALONE);
    if (overview) reports.push(cacheReport(overview, language));
  }
  return reports;
}

async function ledger(source: OpenedSource, sessionId: string | null): Promise<readonly LedgerReport[]> {
  const ids = sessionId === null ? source.db.sessions().map((session) => session.id) : [sessionId];
  const reports: LedgerReport[] = [];
  for (const id of ids) {
    const { turns: _turns, summaries, ...rest } = await sessionLedger(source, id);
    reports.push({
      ...rest,
      summaries: summaries.map(({ key: _key, replaces: _replaces, replacedBy: _replacedBy, ...summary }) => summary),
    });
  }
  return reports;
}
