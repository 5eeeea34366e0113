/**
 * A session is listed in two streams: turns in pages (columns and small events, quick) and calls from an index that
 * the engine builds in the background. Either may still be on its way when a person steps, so answers are kept only
 * while the session that asked for them is the one on screen.
 */
import type { SourceSummary } from '../../shared/api.ts';
import type { CallOptions } from '../../shared/client.ts';
import type { CallRow, TurnRow } from '../../shared/model/index.ts';
import { engine } from '../engine-client.ts';
import { asError, isCancelled } from './failure.ts';
import { mergeCalls } from './call-lists.ts';
import { rowsOf, sameCall } from './lanes.ts';
import { useLens } from './state.ts';
import { turnOf } from './turns.ts';

const PAGE = 500;
/** Turns before the end that are asked again when a file grows: their status or calls may have changed. */
const TAIL = 50;
/** Rows of calls are put into the store at most this often (ms), since every put copies the map. */
const FLUSH_MS = 200;
/** The index of a growing file is not asked again sooner than this (ms). */
const REST_MS = 2000;

/** The lists of one session, from its choice to the next one. */
type Run = {
  readonly abort: () => void;
  readonly signal: AbortSignal;
  isIndexing: boolean;
  isOutdated: boolean;
};
let running: Run | null = null;

function begin(): Run {
  const controller = new AbortController();
  running = { abort: () => controller.abort(), signal: controller.signal, isIndexing: false, isOutdated: false };
  return running;
}

/** Stops every list that is still coming. */
export function stopLoading(): void {
  running?.abort();
  running = null;
}

function addCalls(rows: readonly CallRow[]): void {
  const merged = mergeCalls(useLens.getState(), rows);
  if (merged) useLens.setState(merged);
}

/** Chooses a call of the chosen turn when none is chosen yet, and asks for the turn's calls when they are missing. */
export function settleCall(before: CallRow | undefined): void {
  const { turnId, callId, callsByTurn, calls, source, sessionId, turns } = useLens.getState();
  if (turnId === null || callId !== null || !source || sessionId === null) return;
  const known = rowsOf(callsByTurn.get(turnId), calls);
  const row = turnOf(turns, turnId);
  if (known.length > 0 && known.length >= (row?.attempts ?? 0)) {
    useLens.setState({ callId: sameCall(known, before)?.id ?? null });
    return;
  }
  if (row?.attempts === 0) return;
  const signal = running?.signal;
  engine
    .call('turn.calls', { sourceId: source.sourceId, sessionId, turnId }, signal ? { signal } : {})
    .then((rows) => {
      if (useLens.getState().sessionId !== sessionId) return;
      addCalls(rows);
      const now = useLens.getState();
      if (now.turnId === turnId && now.callId === null)
        useLens.setState({ callId: sameCall(rows, before)?.id ?? null });
    })
    .catch((cause: unknown) => {
      if (!isCancelled(cause)) useLens.setState({ notice: { kind: 'error', error: asError(cause) } });
    });
}

type Asked = { readonly sourceId: string; readonly sessionId: string };

async function loadPage(asked: Asked, from: number, signal: AbortSignal): Promise<readonly TurnRow[]> {
  const page = await engine.call('turns.list', { ...asked, from, limit: PAGE }, { signal });
  if (signal.aborted) return [];
  useLens.setState((state) => {
    const turns: (TurnRow | undefined)[] = Array.from({ length: page.total }, (_, i) => state.turns[i]);
    page.rows.forEach((row, i) => (turns[from + i] = row));
    return { turns, turnTotal: page.total, turnsError: null };
  });
  return page.rows;
}

async function loadTurns(asked: Asked, signal: AbortSignal, first: () => void): Promise<void> {
  await loadPage(asked, 0, signal);
  const total = useLens.getState().turnTotal;
  const last = Math.floor(Math.max(0, total - 1) / PAGE) * PAGE;
  if (last > 0) await loadPage(asked, last, signal);
  if (signal.aborted) return;
  first();
  for (let from = PAGE; from < last; from += PAGE) await loadPage(asked, from, signal);
}

async function loadCalls(asked: Asked, signal: AbortSignal): Promise<void> {
  let waiting: CallRow[] = [];
  let flushed = 0;
  const flush = (): void => {
    if (signal.aborted) return;
    addCalls(waiting);
    waiting = [];
    flushed = performance.now();
    settleCall(undefined);
  };
  const options: CallOptions<'calls.index'> = {
    signal,
    onItem: (rows) => {
      waiting.push(...rows);
      if (performance.now() - flushed >= FLUSH_MS) flush();
    },
    onProgress: (done, total) => {
      if (!signal.aborted) useLens.setState({ indexing: done < total ? { done, total } : null });
    },
  };
  await engine.call('calls.index', asked, options);
  flush();
  if (!signal.aborted) useLens.setState({ indexing: null });
}

/** Every row of the file is looked at for this, so it is asked once a file, when all that is shown has come. */
async function loadProblems(sourceId: string): Promise<void> {
  if (useLens.getState().problems !== null) return;
  const problems = await engine.call('source.problems', { sourceId }).catch(() => null);
  if (useLens.getState().source?.sourceId === sourceId) useLens.setState({ problems });
}

/**
 * Lists the turns and calls of the session in the store. `chooseFirst` runs once the first and the last page of
 * turns are there.
 */
export function loadSession(source: SourceSummary, sessionId: string, chooseFirst: () => void): void {
  stopLoading();
  const { signal } = begin();
  const asked = { sourceId: source.sourceId, sessionId };
  const failed = (cause: unknown): void => {
    if (!isCancelled(cause) && !signal.aborted) useLens.setState({ turnsError: asError(cause), indexing: null });
  };
  loadTurns(asked, signal, chooseFirst).catch(failed);
  loadCalls(asked, signal)
    .then(() => loadProblems(source.sourceId))
    .catch(failed);
}

/**
 * Brings the lists up to date after the file grew: the last turns and their calls are asked again. Answers false when
 * the rows that came do not continue those that are there (the file was replaced), so that all must be loaded again.
 */
export async function refreshSession(source: SourceSummary, sessionId: string): Promise<boolean> {
  const run = running ?? begin();
  const { signal } = run;
  const before = useLens.getState();
  const asked = { sourceId: source.sourceId, sessionId };
  const from = Math.max(0, before.turnTotal - TAIL);
  const anchor = before.turns[from];
  const rows: TurnRow[] = [];
  for (let at = from; ; at += PAGE) {
    const page = await loadPage(asked, at, signal);
    rows.push(...page);
    if (page.length < PAGE) break;
  }
  if (signal.aborted) return true;
  if (anchor && rows[0]?.turnId !== anchor.turnId) return false;
  const changed = rows.filter((row, i) => {
    const old = before.turns[from + i];
    const known = before.callsByTurn.get(row.turnId)?.length ?? 0;
    return row.attempts > 0 && (row.attempts !== known || old?.status !== row.status || row.status === 'running');
  });
  if (changed.length <= TAIL) {
    for (const { turnId } of changed) addCalls(await engine.call('turn.calls', { ...asked, turnId }, { signal }));
    settleCall(undefined);
  }
  if (changed.length > 0) void indexAgain(run, asked);
  return true;
}

/** What new calls share is known to the index alone. It is asked again now and then while the file grows, once at a time. */
async function indexAgain(run: Run, asked: Asked): Promise<void> {
  run.isOutdated = true;
  if (run.isIndexing) return;
  run.isIndexing = true;
  while (run.isOutdated && !run.signal.aborted) {
    run.isOutdated = false;
    await loadCalls(asked, run.signal).catch((cause: unknown) => {
      if (!isCancelled(cause)) useLens.setState({ indexing: null });
    });
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
  }
  run.isIndexing = false;
}
