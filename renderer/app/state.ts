/**
 * What the window must remember is small: which file, session, turn, call and view a person chose, and the rows that
 * lists draw. Everything else is asked of the engine by those ids and derived where it is drawn.
 */
import { create } from 'zustand';
import type { AppInfo, Settings, SourceSummary } from '../../shared/api.ts';
import type { LensError } from '../../shared/error.ts';
import type { CallRow, Problem, TurnRow } from '../../shared/model/index.ts';

/** In the order of their number keys, 1 to 8. Only those in VIEWS exist. */
export type LayoutMode = 'recorded' | 'assembled';
export type ViewId = 'layout' | 'diff' | 'context' | 'ledger' | 'wire' | 'cache' | 'what-if' | 'replay';

export type ViewTab = { readonly id: ViewId; readonly key: string };
export const VIEWS = [
  { id: 'layout', key: '1' },
  { id: 'diff', key: '2' },
  { id: 'context', key: '3' },
  { id: 'ledger', key: '4' },
  { id: 'wire', key: '5' },
  { id: 'cache', key: '6' },
] as const satisfies readonly ViewTab[];
export type ShownView = (typeof VIEWS)[number]['id'];

/** What is open and chosen on the cache screen: there again when a person comes back from a call. */
export type CachePlace = {
  /** Causes that are opened, by their key, and how many of their calls are listed. */
  readonly open: Readonly<Record<string, number>>;
  /** Key of the chosen line; null: the first. */
  readonly line: string | null;
  /** Whose requests the ruler shows; null: those of the chosen call's runtime. */
  readonly runtimeId: string | null;
  readonly calibrationOpen: boolean;
};
export const EMPTY_CACHE: CachePlace = { open: {}, line: null, runtimeId: null, calibrationOpen: false };

export type Status =
  | { readonly kind: 'start' }
  | { readonly kind: 'opening'; readonly name: string }
  | { readonly kind: 'ready' }
  /** The file can no longer be read; what is loaded stays. */
  | { readonly kind: 'lost'; readonly code: string };

/** A line under the header, until it is dismissed or no longer true. */
export type Notice =
  { readonly kind: 'restarted'; readonly reopened: boolean } | { readonly kind: 'error'; readonly error: LensError };

export type Overlay = 'palette' | 'help' | 'problems' | null;

export type LensState = {
  readonly info: AppInfo | null;
  readonly status: Status;
  readonly notice: Notice | null;
  /** Why the last file could not be opened; shown on Start. */
  readonly openError: LensError | null;
  /** Name of the file that was opened last or failed to; empty for the sample session. */
  readonly openName: string;
  readonly source: SourceSummary | null;
  /** Flagged rows of the file; null until they were looked for, which comes last. */
  readonly problems: readonly Problem[] | null;
  readonly sessionId: string | null;
  /** Row i is turn i + 1; undefined until its page has come. */
  readonly turns: readonly (TurnRow | undefined)[];
  readonly turnTotal: number;
  /** Why the turns of the session could not be listed. */
  readonly turnsError: LensError | null;
  readonly calls: ReadonlyMap<string, CallRow>;
  /** Ids in the order in which they were recorded. */
  readonly callsByTurn: ReadonlyMap<string, readonly string[]>;
  readonly turnId: string | null;
  readonly callId: string | null;
  readonly view: ViewId;
  /** Null: the default baseline of the chosen call. */
  readonly baselineId: string | null;
  /** The chooser of the baseline is open (in the diff view). */
  readonly baselineOpen: boolean;
  /** What the layout draws: the recorded request, or the one assembled anew. Kept from call to call. */
  readonly layoutMode: LayoutMode;
  /** Null: nothing chosen by a person; a view may show a segment of its own choice. Reset with the call. */
  readonly segmentId: string | null;
  readonly cachePlace: CachePlace;
  /** Progress of the index of calls; null when it is complete. */
  readonly indexing: { readonly done: number; readonly total: number } | null;
  readonly playing: boolean;
  readonly overlay: Overlay;
  /** What the palette starts with. */
  readonly paletteQuery: string;
} & Settings;

export const EMPTY_SESSION = {
  sessionId: null,
  turns: [],
  turnTotal: 0,
  turnsError: null,
  calls: new Map<string, CallRow>(),
  callsByTurn: new Map<string, readonly string[]>(),
  turnId: null,
  callId: null,
  baselineId: null,
  baselineOpen: false,
  segmentId: null,
  cachePlace: EMPTY_CACHE,
  indexing: null,
  playing: false,
} as const satisfies Partial<LensState>;

export const INITIAL: LensState = {
  ...EMPTY_SESSION,
  info: null,
  status: { kind: 'start' },
  notice: null,
  openError: null,
  openName: '',
  source: null,
  problems: null,
  view: 'layout',
  layoutMode: 'recorded',
  overlay: null,
  paletteQuery: '',
  theme: 'system',
  language: 'system',
  panels: {},
  inspectorOpen: true,
  chartOpen: true,
};

export const useLens = create<LensState>()(() => INITIAL);
