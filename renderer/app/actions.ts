/**
 * Everything that changes what the window shows passes through these functions: keys, menu, palette and mouse call
 * the same ones. A step never waits: the new place is on screen at once, and its data follow.
 */
import type { EngineEvent, MethodName, Settings, SourceSummary } from '../../shared/api.ts';
import { desktopHost, pathOfFile } from '../host.ts';
import { engine } from '../engine-client.ts';
import { asError, isCancelled, isDisconnected } from './failure.ts';
import { lanesOf, rowsOf } from './lanes.ts';
import { loadSession, refreshSession, settleCall, stopLoading } from './loading.ts';
import {
  EMPTY_SESSION,
  INITIAL,
  useLens,
  VIEWS,
  type CachePlace,
  type LayoutMode,
  type Overlay,
  type ViewId,
} from './state.ts';
import { indexOfTurn } from './turns.ts';
import { invalidate, refine } from './use-engine.ts';

const PLAY_MS = 1000;
/** Answers that say more once the cache of the session has been followed through. */
const TOLD_BY_CACHE = new Set<MethodName>(['call.get', 'call.diff']);
let playTimer: ReturnType<typeof setInterval> | undefined;
/** The newest request to open a file; answers to older ones are dropped. */
let opening = 0;
let stopListening: () => void = () => undefined;

const get = useLens.getState;
const set = useLens.setState;
/** Last part of a path. */
export const fileName = (path: string): string => path.split(/[\\/]/).pop() || path;

function remember(change: Partial<Settings>): void {
  set(change);
  engine
    .call('settings.set', change)
    .catch((cause: unknown) => set({ notice: { kind: 'error', error: asError(cause) } }));
}

function show(source: SourceSummary): void {
  set({
    ...EMPTY_SESSION,
    source,
    problems: null,
    status: { kind: 'ready' },
    openError: null,
    notice: null,
    overlay: null,
  });
  const session = source.sessions.findLast((row) => row.turns > 0) ?? source.sessions.at(-1);
  if (session) actions.selectSession(session.id);
}

async function open(arg: { path: string } | { sample: true }, name: string): Promise<void> {
  const mine = ++opening;
  const before = get().source;
  set({ status: { kind: 'opening', name }, openError: null, openName: name });
  try {
    const source = await engine.call('source.open', arg);
    if (mine !== opening) return;
    stopLoading();
    actions.pause();
    if (before && before.sourceId !== source.sourceId) void close(before.sourceId);
    show(source);
  } catch (cause) {
    if (mine !== opening) return;
    const error = asError(cause);
    set({ status: { kind: before ? 'ready' : 'start' }, openError: before ? null : error });
    if (before) set({ notice: { kind: 'error', error } });
  }
}

/** The engine lets go of a file; that it is gone already is no news. */
const close = (sourceId: string): Promise<null> => engine.call('source.close', { sourceId }).catch(() => null);

/** After the engine lost its state: opens the same file again and keeps the place. */
async function reopen(): Promise<void> {
  const { source, sessionId, turnId, callId } = get();
  if (!source) return;
  const mine = ++opening;
  stopLoading();
  set({ notice: { kind: 'restarted', reopened: false } });
  try {
    const again = await engine.call('source.open', source.isSample ? { sample: true } : { path: source.path });
    if (mine !== opening) return;
    set({ source: again, status: { kind: 'ready' }, notice: { kind: 'restarted', reopened: true } });
    invalidate();
    if (sessionId === null || !again.sessions.some((row) => row.id === sessionId)) return show(again);
    set({ ...EMPTY_SESSION, sessionId, turnId, callId });
    loadSession(again, sessionId, chooseNewest);
  } catch (cause) {
    if (mine !== opening || isDisconnected(cause)) return;
    set({ status: { kind: 'lost', code: asError(cause).code }, notice: { kind: 'error', error: asError(cause) } });
  }
}

/** Chooses the newest turn unless the chosen one still exists. */
function chooseNewest(): void {
  const { turns, turnId } = get();
  if (indexOfTurn(turns, turnId) >= 0) return;
  const newest = turns.at(-1);
  if (newest) actions.selectTurn(newest.turnId);
}

async function changed(source: SourceSummary): Promise<void> {
  const { source: shown, sessionId, turns, turnId } = get();
  if (shown?.sourceId !== source.sourceId) return;
  set({ source, status: { kind: 'ready' } });
  invalidate();
  if (sessionId === null) return show(source);
  const atEnd = turnId === null || turns.at(-1)?.turnId === turnId;
  try {
    if (!(await refreshSession(source, sessionId))) {
      set({ ...EMPTY_SESSION, sessionId, turnId, callId: get().callId });
      return loadSession(source, sessionId, chooseNewest);
    }
  } catch (cause) {
    if (!isCancelled(cause) && !isDisconnected(cause)) set({ notice: { kind: 'error', error: asError(cause) } });
    return;
  }
  const now = get();
  const newest = now.turns.at(-1);
  if (atEnd && now.turnId === turnId && newest && newest.turnId !== turnId) actions.selectTurn(newest.turnId);
}

const EVENTS: { readonly [N in EngineEvent['name']]: (event: Extract<EngineEvent, { name: N }>) => void } = {
  'source.changed': (event) => void changed(event.source),
  'source.lost': (event) => {
    if (get().source?.sourceId === event.sourceId) set({ status: { kind: 'lost', code: event.code } });
  },
  'engine.restarted': () => void reopen(),
  'cache.ready': ({ sourceId, sessionId }) => {
    if (get().source?.sourceId === sourceId && get().sessionId === sessionId) refine(TOLD_BY_CACHE);
  },
  'shell.command': () => undefined, // carried out by the registry of commands
};

export const actions = {
  /** Reads settings, listens to the engine, opens the file named at the start. Calling it again begins anew. */
  async start(): Promise<void> {
    stopListening();
    stopListening = engine.onEvent((event) => (EVENTS[event.name] as (event: EngineEvent) => void)(event));
    try {
      const [settings, info] = await Promise.all([engine.call('settings.get', {}), engine.call('app.info', {})]);
      set({ ...settings, info });
      if (info.openAtStart !== null) void actions.openPath(info.openAtStart);
    } catch (cause) {
      set({ notice: { kind: 'error', error: asError(cause) } });
    }
  },

  openPath: (path: string): Promise<void> => open({ path }, fileName(path)),
  openSample: (): Promise<void> => open({ sample: true }, ''),
  /** A dropped or picked file; in browser mode it is uploaded first. */
  async openFile(file: File): Promise<void> {
    set({ status: { kind: 'opening', name: file.name }, openError: null, openName: file.name });
    try {
      await actions.openPath(await pathOfFile(file));
    } catch (cause) {
      const error = asError(cause);
      if (get().source) set({ status: { kind: 'ready' }, notice: { kind: 'error', error } });
      else set({ status: { kind: 'start' }, openError: error });
    }
  },
  /** The system's dialog on the desktop; elsewhere back to Start, where a path can be typed. */
  async openDialog(): Promise<void> {
    const host = desktopHost();
    if (!host) return actions.closeSource();
    const path = await host.openDialog();
    if (path !== null) await actions.openPath(path);
  },
  /** Back to Start. */
  closeSource(): void {
    const { source } = get();
    opening++;
    actions.pause();
    stopLoading();
    set({
      ...EMPTY_SESSION,
      source: null,
      problems: null,
      status: { kind: 'start' },
      openError: null,
      notice: null,
      overlay: null,
    });
    if (source) void close(source.sourceId);
  },

  selectSession(sessionId: string): void {
    const { source } = get();
    if (!source) return;
    actions.pause();
    set({ ...EMPTY_SESSION, sessionId });
    loadSession(source, sessionId, chooseNewest);
  },
  selectTurn(turnId: string): void {
    const state = get();
    if (state.turnId === turnId) return;
    const before = state.callId === null ? undefined : state.calls.get(state.callId);
    set({ turnId, callId: null, baselineId: null, segmentId: null });
    settleCall(before);
  },
  /** Index from 1, as turns are counted. Clamped to the session. */
  selectTurnIndex(index: number): void {
    const { turns, turnTotal } = get();
    const turn = turns[Math.min(Math.max(1, Math.trunc(index)), turnTotal) - 1];
    if (turn) actions.selectTurn(turn.turnId);
  },
  selectCall(callId: string): void {
    const { calls, turnId } = get();
    const row = calls.get(callId);
    if (row) set({ turnId: row.turnId, callId, baselineId: null, segmentId: null });
    else if (turnId !== null) set({ callId, baselineId: null, segmentId: null });
  },
  /** A call of any turn, against its baseline. */
  showDiff(callId: string, turn: number): void {
    const turnId = get().calls.get(callId)?.turnId ?? get().turns[turn - 1]?.turnId;
    if (turnId === undefined) return;
    set({ turnId, callId, baselineId: null, segmentId: null, view: 'diff' });
  },
  stepTurn(by: number): void {
    const { turns, turnId } = get();
    const at = indexOfTurn(turns, turnId);
    if (at >= 0) actions.selectTurnIndex(at + 1 + by);
  },
  /** Through the calls of the turn in the order of the lanes; stops at both ends. */
  stepCall(by: number): void {
    const { turnId, callId, callsByTurn, calls } = get();
    if (turnId === null) return;
    const order = lanesOf(rowsOf(callsByTurn.get(turnId), calls)).flatMap((lane) => lane.calls);
    const next = order[order.findIndex((call) => call.id === callId) + by];
    if (next) actions.selectCall(next.id);
  },
  setView(view: ViewId): void {
    if (VIEWS.some((tab) => tab.id === view)) set({ view });
  },
  /** Null: the default baseline. */
  setBaseline: (baselineId: string | null): void => set({ baselineId, baselineOpen: false }),
  /** Opens or closes the chooser of the baseline; opening shows the diff. */
  setBaselineOpen: (baselineOpen: boolean): void =>
    set(baselineOpen ? { baselineOpen, view: 'diff' } : { baselineOpen }),
  selectSegment: (segmentId: string | null): void => set({ segmentId }),
  setCachePlace: (change: Partial<CachePlace>): void => set({ cachePlace: { ...get().cachePlace, ...change } }),

  play(): void {
    actions.pause();
    set({ playing: true });
    playTimer = setInterval(() => {
      const { turns, turnId } = get();
      if (turns.at(-1)?.turnId === turnId) actions.pause();
      else actions.stepTurn(1);
    }, PLAY_MS);
  },
  pause(): void {
    clearInterval(playTimer);
    if (get().playing) set({ playing: false });
  },
  togglePlay: (): void => (get().playing ? actions.pause() : actions.play()),

  setTheme: (theme: Settings['theme']): void => remember({ theme }),
  setLanguage: (language: Settings['language']): void => remember({ language }),
  setLayoutMode: (layoutMode: LayoutMode): void => set({ layoutMode }),
  toggleInspector: (): void => remember({ inspectorOpen: !get().inspectorOpen }),
  toggleChart: (): void => remember({ chartOpen: !get().chartOpen }),
  /** Sizes of a panel group in per cent. */
  setPanels: (group: string, sizes: readonly number[]): void =>
    remember({ panels: { ...get().panels, [group]: [...sizes] } }),

  setOverlay: (overlay: Overlay, paletteQuery = ''): void => set({ overlay, paletteQuery }),
  dismissNotice: (): void => set({ notice: null }),
  dismissOpenError: (): void => set({ openError: null }),
  /** Everything as at the start; for tests. */
  reset(): void {
    actions.pause();
    stopLoading();
    stopListening();
    opening++;
    set(INITIAL, true);
  },
} as const;
